// redact_lines, thread by thread on the CPU, against a loop over the bytes.

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "redact_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

// Of more rows than there is room for the last goes on to the end.
std::vector<int32_t> plain_offsets(const std::vector<uint8_t>& data, uint32_t row_capacity) {
  std::vector<int32_t> offsets{0};
  for (size_t i = 0; i < data.size(); ++i) {
    if (data[i] == '\n') {
      offsets.push_back(static_cast<int32_t>(i + 1));
    }
  }
  if (offsets.size() > size_t{row_capacity} + 1) {
    offsets.resize(size_t{row_capacity} + 1);
    offsets.back() = static_cast<int32_t>(data.size());
  }
  return offsets;
}

void check_lines(const std::vector<uint8_t>& data, uint32_t lines, uint32_t row_capacity) {
  emulation of;
  of.data = data;
  of.prepare_lines(row_capacity);
  of.run_lines();
  const std::string what = "seed " + std::to_string(seed()) + ", " + std::to_string(data.size()) +
                           " bytes, " + std::to_string(lines) + " lines, room for " +
                           std::to_string(row_capacity);
  CHECK_MESSAGE(of.header.lines == lines, what);
  CHECK_MESSAGE(rows_of(of.args) == min_of(lines, row_capacity), what);
  const std::vector<int32_t> expected = plain_offsets(data, row_capacity);
  of.offsets.resize(expected.size());
  CHECK_MESSAGE(of.offsets == expected, what);
}

void check_room(const std::vector<uint8_t>& data) {
  const auto lines = static_cast<uint32_t>(plain_offsets(data, UINT32_MAX - 1).size() - 1);
  for (const uint32_t row_capacity :
       std::set<uint32_t>{1, lines / 2, lines - 1, lines, lines + 1, lines + 9}) {
    if (row_capacity > 0) {
      check_lines(data, lines, row_capacity);
    }
  }
}

// A text in which one byte in `rarity` ends a line, and so does the last. The others are those that
// differ from '\n' in one bit, and all sorts.
std::vector<uint8_t> random_text(std::mt19937_64& random, size_t bytes, uint64_t rarity) {
  std::vector<uint8_t> data(bytes);
  for (uint8_t& byte : data) {
    byte = static_cast<uint8_t>(random() % 2 == 0 ? '\n' ^ 1 << random() % 8 : random());
    if (random() % rarity == 0) {
      byte = '\n';
    } else if (byte == '\n') {
      byte = 0;
    }
  }
  data.back() = '\n';
  return data;
}

// All lengths within a thread's share, and those around the bounds of tiles.
std::set<size_t> lengths(std::mt19937_64& random) {
  std::set<size_t> all;
  for (size_t bytes = 1; bytes <= 2 * line_share_bytes + 1; ++bytes) {
    all.insert(bytes);
  }
  for (size_t tiles = 1; tiles <= 3; ++tiles) {
    for (const size_t past : {0, 1, 2, 31, 32, 33, 63, 64, 65}) {
      all.insert(tiles * line_tile_bytes + past);
      all.insert(tiles * line_tile_bytes - past);
    }
  }
  for (int i = 0; i < 20; ++i) {
    all.insert(1 + random() % (5 * line_tile_bytes));
  }
  return all;
}

void test_texts() {
  std::mt19937_64 random(seed());
  for (const size_t bytes : lengths(random)) {
    for (const uint64_t rarity : {uint64_t{1}, uint64_t{2}, uint64_t{100}, UINT64_MAX}) {
      check_room(random_text(random, bytes, rarity));
    }
  }
}

// Lines of which some, and some tiles, have no other's end.
void test_long_lines() {
  std::mt19937_64 random(seed() + 1);
  std::vector<uint8_t> data;
  for (int i = 0; i < 30; ++i) {
    data.insert(data.end(), random() % (2 * line_tile_bytes), 'x');
    data.insert(data.end(), 1 + random() % 5, '\n');
  }
  check_room(data);
}

// As many as the host launches: the last of them says how many lines there are.
void test_tiles() {
  redact_args args{};
  for (const auto& [bytes, tiles] : {std::pair{0u, 1u},
                                     {1u, 1u},
                                     {16384u, 1u},
                                     {16385u, 2u},
                                     {32768u, 2u},
                                     {2147483647u, 131072u}}) {
    args.data_bytes = bytes;
    CHECK(line_tiles(args) == tiles);
  }
}

}  // namespace

int main() {
  check_lines({}, 0, 1);
  test_tiles();
  test_texts();
  test_long_lines();
  std::puts("line_ends_test: ok");
}
