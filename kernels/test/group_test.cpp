// The device functions of the group kernels one by one, and whole batches against the plainest code
// that gives the same answer.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "group_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

using wide = __int128;

wide times_power(wide value, uint32_t exponent) {
  return value * (wide{1} << exponent);
}

uint64_t bits_of(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

double double_of(uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The example of the SipHash paper's appendix A: 15 bytes, SipHash-2-4.
void test_sip_hash() {
  std::vector<uint8_t> message(15);
  for (uint8_t i = 0; i < 15; ++i) {
    message[i] = i;
  }
  sip_state state = sip_start(0x0706050403020100, 0x0f0e0d0c0b0a0908);
  sip_add_bytes(state, message.data(), 15, 2);
  CHECK(sip_finish(state, 4) == 0xa129ca6149be45e5);
}

void check_parts(double value) {
  const value_parts parts = parts_of_double(bits_of(value));
  const wide sum = parts.low + times_power(parts.middle, 32) + times_power(parts.high, 64);
  CHECK(parts.special == 0);
  if (value == 0) {
    CHECK(sum == 0);
    return;
  }
  // The value in units of 2^(32 bin - 1074), from the C library.
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));
  const int shift = exponent - 53 + 1074 - 32 * static_cast<int>(parts.bin);
  const wide expected =
      shift >= 0 ? times_power(mantissa, static_cast<uint32_t>(shift)) : mantissa >> -shift;
  CHECK_MESSAGE(sum == expected, std::to_string(value));
  CHECK(parts.low >= 0 && parts.low <= int64_t{low_word});
  CHECK(parts.middle >= 0 && parts.middle <= int64_t{low_word});
  CHECK(std::llabs(parts.high) <= int64_t{low_word});
  CHECK(parts.bin + 2 <= 65);
}

void test_parts_of_doubles() {
  std::mt19937_64 random(seed());
  for (const double value : {0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, -5e-324, 2.2250738585072014e-308,
                             1.7976931348623157e308, -1.7976931348623157e308, 9007199254740993.0}) {
    check_parts(value);
  }
  for (int i = 0; i < 100000; ++i) {
    const double value = double_of(random());
    if (std::isfinite(value)) {
      check_parts(value);
    }
  }
  CHECK(parts_of_double(bits_of(INFINITY)).special == special_positive_infinity);
  CHECK(parts_of_double(bits_of(-INFINITY)).special == special_negative_infinity);
  CHECK(parts_of_double(bits_of(std::nan(""))).special == special_nan);
  CHECK(parts_of_double(bits_of(-std::nan(""))).special == special_nan);
}

void test_order_of_doubles() {
  const double ascending[] = {-INFINITY, -1e308, -1.0, -5e-324, -0.0,
                              0.0,       5e-324, 1.0,  1e308,   INFINITY};
  int64_t last = std::numeric_limits<int64_t>::min();
  for (const double value : ascending) {
    const int64_t order = parts_of_double(bits_of(value)).order;
    CHECK(order > last);
    last = order;
  }
  CHECK(parts_of_double(bits_of(-std::nan(""))).order ==
        parts_of_double(bits_of(std::nan(""))).order);
  CHECK(parts_of_double(bits_of(-std::nan(""))).order > last);
}

void test_parts_of_integers() {
  for (const int64_t value : {int64_t{0}, int64_t{-1}, INT64_MIN, INT64_MAX, int64_t{1} << 32}) {
    const value_parts parts = parts_of_integer(value);
    CHECK(parts.low + times_power(parts.middle, 32) == value);
    CHECK(parts.low >= 0 && parts.high == 0 && parts.order == value);
  }
}

// What a batch is made of. Arrays are exactly as long as the kernels may use them, so that the
// address sanitizer sees the first byte too many.
struct batch {
  std::vector<int32_t> ids;
  std::vector<std::string> keys;
  std::vector<int64_t> slices;
  std::vector<int64_t> integers;
  std::vector<double> doubles;
  std::vector<bool> has_integer;
};

struct expected_group {
  uint32_t first_row;
  int64_t integers;
  int64_t least;
  int64_t greatest;
  wide integer_sum;
  int64_t doubles;
  wide double_halves;
  std::array<int64_t, 6> integer_squares;
  wide double_quarters;
};

// Bins in their only form: each less than 2^32, but the last.
std::array<int64_t, 6> digits(std::array<int64_t, 6> bins) {
  for (uint32_t bin = 0; bin + 1 < bins.size(); ++bin) {
    bins[bin + 1] += bins[bin] >> 32;
    bins[bin] &= int64_t{low_word};
  }
  return bins;
}

batch random_batch(uint32_t rows, bool key_bytes, uint32_t distinct, std::mt19937_64& random) {
  batch made;
  for (uint32_t row = 0; row < rows; ++row) {
    const auto key = static_cast<uint32_t>(random() % distinct);
    if (key_bytes) {
      // Empty keys, prefixes of each other, and such that differ in the last byte.
      made.keys.push_back(std::string(key / 7, 'k') +
                          (key % 7 == 0 ? "" : std::string(1, static_cast<char>(key % 7))));
    } else {
      made.ids.push_back(static_cast<int32_t>(key));
    }
    made.slices.push_back(static_cast<int64_t>(random() % 3) - 1);
    made.integers.push_back(static_cast<int64_t>(random()));
    made.has_integer.push_back(random() % 8 != 0);
    made.doubles.push_back(static_cast<double>(static_cast<int16_t>(random())) / 2);
  }
  return made;
}

std::vector<expected_group> expect(const batch& input) {
  std::map<std::pair<std::string, int64_t>, size_t> known;
  std::vector<expected_group> groups;
  for (uint32_t row = 0; row < input.slices.size(); ++row) {
    const std::string key = input.ids.empty() ? input.keys[row] : std::to_string(input.ids[row]);
    const auto found = known.try_emplace({key, input.slices[row]}, groups.size());
    if (found.second) {
      groups.push_back({row, 0, INT64_MAX, INT64_MIN, 0, 0, 0, {}, 0});
    }
    expected_group& group = groups[found.first->second];
    if (input.has_integer[row]) {
      ++group.integers;
      group.least = std::min(group.least, input.integers[row]);
      group.greatest = std::max(group.greatest, input.integers[row]);
      group.integer_sum += input.integers[row];
      const wide magnitude =
          input.integers[row] < 0 ? -wide{input.integers[row]} : wide{input.integers[row]};
      const auto square = static_cast<unsigned __int128>(magnitude * magnitude);
      for (uint32_t bin = 0; bin < 4; ++bin) {
        group.integer_squares[bin] += static_cast<int64_t>(square >> 32 * bin & low_word);
      }
    }
    ++group.doubles;
    const auto halves = static_cast<wide>(input.doubles[row] * 2);
    group.double_halves += halves;
    group.double_quarters += halves * halves;
  }
  return groups;
}

void check_batch(const batch& input, uint32_t hash_mask, bool shared) {
  const auto rows = static_cast<uint32_t>(input.slices.size());
  std::vector<int32_t> offsets{0};
  std::vector<uint8_t> key_data;
  for (const std::string& key : input.keys) {
    key_data.insert(key_data.end(), key.begin(), key.end());
    offsets.push_back(static_cast<int32_t>(key_data.size()));
  }
  std::vector<uint8_t> validity((rows + 7) / 8, 0);
  for (uint32_t row = 0; row < rows; ++row) {
    validity[row / 8] =
        static_cast<uint8_t>(validity[row / 8] | (input.has_integer[row] << row % 8));
  }
  uint32_t entries = 2;
  while (entries < 2 * rows) {
    entries *= 2;
  }
  group_header header{};
  std::vector<uint64_t> bins_present(2, 0);
  std::vector<uint64_t> scan_states((rows + rank_tile_rows - 1) / rank_tile_rows, 0);
  std::vector<uint32_t> table(entries, 0);
  std::vector<uint32_t> row_groups(rows, 0xdeadbeef);
  std::vector<uint64_t> ranks((rows + 31) / 32, 0xdeadbeefdeadbeef);
  std::vector<value_column> columns{
      {reinterpret_cast<const uint8_t*>(input.integers.data()), validity.data(), 0, 1, 1, 3, 0, 2,
       1, 0},
      {reinterpret_cast<const uint8_t*>(input.doubles.data()), nullptr, 1, 0, 1, 12, 0, 0, 1, 0}};
  group_args args{};
  if (input.ids.empty()) {
    args.key_offsets = offsets.data();
    args.key_data = key_data.data();
  } else {
    args.key_ids = input.ids.data();
  }
  args.slices = input.slices.data();
  args.columns = columns.data();
  args.header = &header;
  args.bins_present = bins_present.data();
  args.scan_states = scan_states.data();
  args.table = table.data();
  args.row_groups = row_groups.data();
  args.ranks = ranks.data();
  args.seed_low = seed();
  args.seed_high = ~seed();
  args.rows = rows;
  args.table_mask = entries - 1;
  args.hash_mask = hash_mask;
  args.values = 2;
  run_group_rows(args);
  run_group_bins(args);
  run_group_rank(args);

  const std::vector<expected_group> expected = expect(input);
  CHECK(header.groups == expected.size());
  CHECK(bins_present[0] == 0);
  args.groups = header.groups;
  if (bins_present[1] != 0) {
    columns[1].first_bin = lowest_bit(bins_present[1]);
    columns[1].bins =
        highest_bit(static_cast<uint32_t>(bins_present[1] >> columns[1].first_bin)) + 3;
  }
  std::vector<int64_t> words(size_t{args.groups} * end_word(columns[1]), 0x5eadbeef);
  args.words = words.data();
  run_group_start(args);
  if (shared) {
    run_group_add_shared(args);
  } else {
    run_group_add_global(args);
  }
  run_group_add_squares(args);
  const group_words result = result_of(args);
  for (uint32_t group = 0; group < args.groups; ++group) {
    const expected_group& want = expected[group];
    const auto word = [&](uint32_t index) { return *word_at(result, index, group); };
    CHECK(word(word_first_row) == want.first_row);
    CHECK(word(word_key_id) == (input.ids.empty() ? 0 : input.ids[want.first_row]));
    CHECK(word(word_slice) == input.slices[want.first_row]);
    CHECK(word(3) == want.integers);
    CHECK(word(4) == want.least && word(5) == want.greatest);
    CHECK(word(6) + times_power(word(7), 32) == want.integer_sum);
    CHECK(word(12) == want.doubles && word(13) == 0);
    // In units of 2^-82, bin 31's; all the values lie in bins 31 to 34.
    wide sum = 0;
    for (uint32_t bin = 0; bin < columns[1].bins; ++bin) {
      const int64_t part = word(14 + bin);
      const uint32_t grid_bin = columns[1].first_bin + bin;
      CHECK(part == 0 || (grid_bin >= 31 && grid_bin <= 34));
      sum += part == 0 ? 0 : times_power(part, 32 * (grid_bin - 31));
    }
    CHECK(sum == times_power(want.double_halves, 81));
    std::array<int64_t, 6> squares{};
    for (uint32_t bin = 0; bin < 4; ++bin) {
      squares[bin] = word(8 + bin);
    }
    CHECK(digits(squares) == digits(want.integer_squares));
    // In units of 2^-4, bin 67's; all of them lie in bins 67 and 68.
    wide square_sum = 0;
    for (uint32_t bin = 0; bin < 2 * columns[1].bins; ++bin) {
      const int64_t part = word(squares_word(columns[1]) + bin);
      const uint32_t grid_bin = 2 * columns[1].first_bin + bin;
      CHECK(part == 0 || grid_bin == 67 || grid_bin == 68);
      square_sum += part == 0 ? 0 : times_power(part, 32 * (grid_bin - 67));
    }
    CHECK(square_sum == times_power(want.double_quarters, 2));
  }
}

void test_batches() {
  std::mt19937_64 random(seed());
  for (const uint32_t rows : {1U, 2U, 31U, 33U, 1000U, 5000U, 40000U}) {
    for (const bool key_bytes : {false, true}) {
      for (const uint32_t distinct : {1U, 20U, 200U}) {
        const batch input = random_batch(rows, key_bytes, distinct, random);
        check_batch(input, 0xffffffff, false);
        // All keys collide.
        check_batch(input, rows < 10000 ? 0 : 7, distinct < 100);
      }
    }
  }
}

}  // namespace

int main() {
  test_sip_hash();
  test_parts_of_doubles();
  test_order_of_doubles();
  test_parts_of_integers();
  test_batches();
  std::printf("group_test: ok\n");
  return 0;
}
