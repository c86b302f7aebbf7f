// The device functions of the line kernels one by one, and whole batches against the plainest code
// that gives the same answer.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "lines_batch.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

// A text somewhere in a buffer, with just the bytes after it that may be read.
struct placed_text {
  std::vector<uint32_t> memory;
  uint32_t from;
  uint32_t to;

  placed_text(const std::string& text, uint32_t at)
      : memory((at + size_of(text) + 12 + 3) / 4, 0x3a3b0a30), from(at), to(at + size_of(text)) {
    std::memcpy(reinterpret_cast<uint8_t*>(memory.data()) + at, text.data(), text.size());
  }

  const uint8_t* buffer() const { return reinterpret_cast<const uint8_t*>(memory.data()); }
};

template <typename Check>
void at_all_places(const std::string& text, const Check& check) {
  for (uint32_t at = 0; at < 9; ++at) {
    check(placed_text(text, at));
  }
}

void test_text() {
  at_all_places("0123456789abcdef;;\x80\xff\n", [](const placed_text& placed) {
    const uint8_t* const buffer = placed.buffer();
    for (uint32_t from = placed.from; from <= placed.to; ++from) {
      for (uint32_t to = from; to <= placed.to; ++to) {
        for (const uint32_t byte : {0x3bU, 0x30U, 0x39U, 0x80U, 0xffU, 0x0aU, 0x7aU}) {
          const auto* const found = std::find(buffer + from, buffer + to, byte);
          CHECK(find_byte(buffer, from, to, byte) == static_cast<uint32_t>(found - buffer));
        }
        CHECK(same_text(buffer, from, buffer, from, to - from));
        sip_state a = sip_start(1, 2);
        sip_state b = sip_start(1, 2);
        sip_add_text(a, buffer, from, to - from, 1);
        sip_add_bytes(b, buffer + from, to - from, 1);
        CHECK(sip_finish(a, 3) == sip_finish(b, 3));
      }
    }
  });
  for (uint32_t differs = 0; differs < 20; ++differs) {
    std::string other = "aaaaaaaaaaaaaaaaaaaa";
    other[differs] = 'b';
    const placed_text a("aaaaaaaaaaaaaaaaaaaa", 1);
    const placed_text b(other, 2);
    for (uint32_t bytes = 0; bytes <= 20; ++bytes) {
      CHECK(same_text(a.buffer(), 1, b.buffer(), 2, bytes) == (bytes <= differs));
    }
  }
  CHECK(byte_bits(zero_bytes(0x00ff000100800000)) == 0b10101011);
  CHECK(byte_bits(zero_bytes(0)) == 0xff);
  CHECK(byte_bits(zero_bytes(0x0100000000000001)) == 0x7e);
}

bool valid_utf8(const std::string& text) {
  bool valid = false;
  at_all_places(text, [&](const placed_text& placed) {
    valid = is_utf8(placed.buffer(), placed.from, placed.to);
  });
  return valid;
}

std::string encoded(uint32_t code_point) {
  const auto byte = [](uint32_t value) { return static_cast<char>(value); };
  const auto rest = [&](uint32_t shift) { return byte(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    return {byte(code_point)};
  }
  if (code_point < 0x800) {
    return {byte(0xc0 | (code_point >> 6)), rest(0)};
  }
  if (code_point < 0x10000) {
    return {byte(0xe0 | (code_point >> 12)), rest(6), rest(0)};
  }
  return {byte(0xf0 | (code_point >> 18)), rest(12), rest(6), rest(0)};
}

void test_utf8() {
  for (const uint32_t good :
       {0U, 0x7fU, 0x80U, 0x7ffU, 0x800U, 0xd7ffU, 0xe000U, 0xffffU, 0x10000U, 0x10ffffU}) {
    const std::string text = encoded(good);
    CHECK(valid_utf8(text));
    CHECK(valid_utf8("seven by" + text + "tes and more"));
    for (size_t length = 1; length < text.size(); ++length) {
      CHECK(!valid_utf8(text.substr(0, length)));
      CHECK(!valid_utf8(text.substr(0, length) + "abcdefgh"));
    }
  }
  for (const uint32_t bad : {0xd800U, 0xdfffU, 0x110000U, 0x1fffffU}) {
    CHECK(!valid_utf8(encoded(bad)));
  }
  for (const char* const bad :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
        "\xf5\x80\x80\x80", "\xff", "\xfe", "abcdefg\xc3", "\xc3("}) {
    CHECK_MESSAGE(!valid_utf8(bad), bad);
  }
}

// The code points of a text one by one.
bool valid_step_by_step(const placed_text& placed) {
  uint32_t at = placed.from;
  while (at < placed.to) {
    const uint32_t bytes = code_point_bytes(placed.buffer(), at, placed.to);
    if (bytes == 0) {
      return false;
    }
    at += bytes;
  }
  return true;
}

void test_mixed_utf8() {
  std::mt19937_64 random(seed());
  int valid = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    while (text.size() < 18) {
      const uint64_t kind = random() % 64;
      text += kind < 30   ? std::string(1, static_cast<char>('a' + kind % 26))
              : kind < 60 ? encoded(0x80 + static_cast<uint32_t>(random() % 0x780))
              : kind < 63 ? encoded(0x800 + static_cast<uint32_t>(random() % 0xd000))
                          : std::string(1, static_cast<char>(random()));
    }
    text.resize(random() % 19);
    const placed_text placed(text, static_cast<uint32_t>(random() % 4));
    const bool expected = valid_step_by_step(placed);
    CHECK(is_utf8(placed.buffer(), placed.from, placed.to) == expected);
    valid += expected ? 1 : 0;
  }
  CHECK(valid > 50000 && valid < 190000);
}

template <typename Read>
std::string read_text(const std::string& text, const Read& read) {
  std::string result;
  at_all_places(text, [&](const placed_text& placed) {
    int64_t value = 0;
    result = read(placed.buffer(), placed.from, placed.to, value) ? std::to_string(value) : "no";
  });
  return result;
}

void check_integer(const std::string& text, const std::string& expected) {
  CHECK_MESSAGE(read_text(text, read_integer) == expected, text);
}

void test_integers() {
  check_integer("0", "0");
  check_integer("-0", "0");
  check_integer("+7", "7");
  check_integer("00000000000000012", "12");
  check_integer("123456789012345678", "123456789012345678");
  check_integer("-999999999999999999", "-999999999999999999");
  for (const char* const bad :
       {"", "-", "+", "+-1", "1-", " 1", "1 ", "1.0", "0x1", "12345678a", "a2345678",
        "1234567:", "/2345678", "\xb1", "1\xb1", "1234567890123456789", "\xd9\xa1"}) {
    check_integer(bad, "no");
  }
}

void check_decimal(const std::string& text, uint32_t whole, uint32_t scale,
                   const std::string& expected) {
  const auto read = [=](const uint8_t* buffer, uint32_t from, uint32_t to, int64_t& value) {
    return read_decimal(buffer, from, to, whole, scale, value);
  };
  CHECK_MESSAGE(read_text(text, read) == expected, text);
}

void test_decimals() {
  check_decimal("12.3", 17, 1, "123");
  check_decimal("-99.9", 2, 1, "-999");
  check_decimal("-0.0", 2, 1, "0");
  check_decimal("5", 2, 1, "50");
  check_decimal("5.", 2, 1, "50");
  check_decimal(".5", 2, 1, "5");
  check_decimal("+.5", 2, 3, "500");
  check_decimal("123456789.12345678", 9, 9, "123456789123456780");
  check_decimal("999999999999999999", 18, 0, "999999999999999999");
  for (const char* const bad : {"", ".", "-", "-.", "100.0", "1.23", "1..2", "1.2.", "1,2", "1e1",
                                "--1", "1.-2", "NaN", "0.x", "x.0"}) {
    check_decimal(bad, 2, 1, "no");
  }
}

void check_double(const std::string& text, bool exact) {
  at_all_places(text, [&](const placed_text& placed) {
    int64_t bits = 0;
    CHECK_MESSAGE(read_double(placed.buffer(), placed.from, placed.to, bits) == exact, text);
    const double expected = std::strtod(text.c_str(), nullptr);
    CHECK_MESSAGE(!exact || std::memcmp(&bits, &expected, sizeof(bits)) == 0, text);
  });
}

void test_doubles() {
  for (const char* const good :
       {"0", "-0", "-0.0", "0e999", "1", "0.1", "-12.3", "9007199254740992", "1e22", "1e-22",
        "9007199254740992e22", "123456789012345e-20", ".5", "5.", "5.e1", "1E+5", "1E-5",
        "0.00000000000000001", "3.14159265358979"}) {
    check_double(good, true);
  }
  for (const char* const left : {"9007199254740993", "1e23", "1e-23", "1234567890123456789", "NaN",
                                 "Infinity", "-Infinity", "1e99999", "1.7976931348623157e308"}) {
    check_double(left, false);
  }
  for (const char* const bad : {"", "-", ".", "e1", "1e", "1e+", "1ee1", "1e1.0", "1f", "0x1p3",
                                " 1", "1 ", "infinity", "nan", "1.2.3"}) {
    check_double(bad, false);
  }
  std::mt19937_64 random(seed());
  int64_t bits = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text = std::to_string(random() >> (random() % 60));
    text.resize(std::min<size_t>(text.size(), 1 + random() % 17));
    if (random() % 2 == 0) {
      text.insert(random() % (text.size() + 1), ".");
    }
    if (random() % 2 == 0) {
      text += "e" + std::to_string(static_cast<int>(random() % 50) - 25);
    }
    const placed_text placed(text, 3);
    if (read_double(placed.buffer(), placed.from, placed.to, bits)) {
      const double expected = std::strtod(text.c_str(), nullptr);
      CHECK_MESSAGE(std::memcmp(&bits, &expected, sizeof(bits)) == 0, text);
      const value_parts parts = parts_of_double(static_cast<uint64_t>(bits));
      CHECK(expected == 0 ||
            (parts.bin >= lines_first_bin && parts.bin + 2 < lines_first_bin + lines_double_bins));
    }
  }
  // The least and the greatest that are exact.
  CHECK(parts_of_double(0x3b5e392010175ee6).bin == lines_first_bin);  // 1e-22
  CHECK(parts_of_double(0x47d0f0cf064dd592).bin + 3 == lines_first_bin + lines_double_bins);
}

void check_time(const std::string& text, const std::string& expected) {
  CHECK_MESSAGE(read_text(text, read_iso_timestamp) == expected, text);
}

void test_timestamps() {
  check_time("1970-01-01T00:00:00", "0");
  check_time("1970-01-01 00:00:00Z", "0");
  check_time("2024-02-29T12:34:56.789", "1709210096789");
  check_time("2024-02-29T12:34:56.7", "1709210096700");
  check_time("2024-02-29T12:34:56.123456789Z", "1709210096123");
  check_time("2024-02-29T12:34:56+01:30", "1709204696000");
  check_time("2024-02-29T12:34:56.5-0130", "1709215496500");
  check_time("1969-12-31T23:59:59.999", "-1");
  check_time("0000-01-01T00:00:00", "-62167219200000");
  check_time("0000-02-29T00:00:00", "-62162121600000");
  check_time("9999-12-31T23:59:59", "253402300799000");
  check_time("2000-02-29T00:00:00", "951782400000");
  for (const char* const bad : {"",
                                "1970-01-01",
                                "1970-01-01T00:00",
                                "1970-01-01t00:00:00",
                                "1970-01-01T00:00:00z",
                                "1970-13-01T00:00:00",
                                "1970-00-01T00:00:00",
                                "1970-01-32T00:00:00",
                                "1970-01-00T00:00:00",
                                "1900-02-29T00:00:00",
                                "2023-02-29T00:00:00",
                                "2024-04-31T00:00:00",
                                "1970-01-01T24:00:00",
                                "1970-01-01T00:60:00",
                                "1970-01-01T00:00:60",
                                "1970-01-01T00:00:00.",
                                "197a-01-01T00:00:00",
                                "1970/01/01T00:00:00",
                                "1970-01-01T00:00:00.1234567890",
                                "1970-01-01T00:00:00+1",
                                "1970-01-01T00:00:00+24:00",
                                "1970-01-01T00:00:00+01:60",
                                "1970-01-01T00:00:00+01-30",
                                "1970-01-01T00:00:00+a1:30",
                                "1970-01-01T00:00:00 ",
                                "-1970-01-01T00:00:00",
                                "1970-01-01T00:00:00.12Zx"}) {
    check_time(bad, "no");
  }
  for (int32_t day = 0; day < 800 * 366; day += 13) {
    // The calendar, counted day by day.
    static uint32_t year = 1970;
    static uint32_t month = 1;
    static int32_t first_of_month = 0;
    while (day - first_of_month >= static_cast<int32_t>(days_of_month(year, month))) {
      first_of_month += static_cast<int32_t>(days_of_month(year, month));
      year += month == 12 ? 1 : 0;
      month = month % 12 + 1;
    }
    CHECK(epoch_day(year, month, static_cast<uint32_t>(day - first_of_month) + 1) == day);
  }
}

void test_batches() {
  std::mt19937_64 random(seed());
  for (const uint32_t lines : {1U, 2U, 7U, 300U, 3000U, 20000U}) {
    for (const uint32_t keys : {1U, 40U, 5000U}) {
      const batch input = random_batch(lines, keys, random);
      const uint32_t slots = 1U << (32 - __builtin_clz(2 * lines));
      for (const uint32_t own_slots : {0U, 8U, 64U}) {
        lines_run run(input, slots, own_slots, 0xffffffff);
        run_lines_add(run.args, own_slots == 8 ? 3 : 1);
        run.check();
      }
    }
  }
}

void test_colliding_keys() {
  std::mt19937_64 random(seed());
  const batch input = random_batch(1000, 500, random);
  for (const uint32_t hash_mask : {0U, 1U, 0x00ff0000U}) {
    lines_run run(input, 2048, 64, hash_mask);
    run_lines_add(run.args, 2);
    run.check();
  }
}

void test_full_table() {
  std::mt19937_64 random(seed());
  const batch input = random_batch(3000, 2000, random);
  lines_run run(input, 256, 64, 0xffffffff);
  run.args.probes = 16;
  run_lines_add(run.args, 2);
  CHECK(run.header.full == 1);
  CHECK(run.header.lines == input.lines);
  run.args.result_room = 1 << 20;
  run_lines_result(run.args);
  CHECK(run.header.result_cursor == 0);
}

void test_nothing_but_ends() {
  batch input;
  for (uint32_t i = 0; i < 40000; ++i) {
    add_refused(input, "");
  }
  lines_run run(input, 16, 8, 0xffffffff);
  run_lines_add(run.args, 2);
  CHECK(run.header.lines == 40000 && run.header.refused == 40000 && run.header.groups == 0);
  run.refused_starts.assign(40000, -1);
  run.args.refused_starts = run.refused_starts.data();
  run_lines_refused(run.args);
  CHECK(run.refused_starts == input.refused);
}

void test_ends_at_edges() {
  // Lines that end right before, at and after the edges of tile and halo.
  for (const uint32_t edge : {lines_tile_bytes, reach_bytes, 2 * lines_tile_bytes}) {
    for (uint32_t distance = 0; distance < 5; ++distance) {
      batch input;
      const uint32_t line_bytes = std::min(edge, lines_halo_bytes) - distance;
      while (input.text.size() + line_bytes + 40 < edge) {
        add_line_to(input, "a", 1, 10, "\n");
      }
      const auto bytes = edge - distance - static_cast<uint32_t>(input.text.size());
      if (edge == reach_bytes && distance == 0) {
        add_refused(input, std::string(bytes - 7, 'b') + ";1;1.0");
      } else {
        add_line_to(input, std::string(bytes - 7, 'b'), 1, 10, "\n");
      }
      add_line_to(input, "c", 1, 10, distance == 0 ? "" : "\n");
      lines_run run(input, 8192, 64, 0xffffffff);
      run_lines_add(run.args, 1);
      run.check();
    }
  }
}

void test_quotes() {
  const line_field fields[] = {
      {field_string, no_number, 0, 0}, {field_skipped, no_number, 0, 0}, {field_int, 0, 0, 0}};
  lines_args args{};
  args.fields = fields;
  args.fields_count = 3;
  args.time_field = no_field;
  args.separator = ',';
  args.quoted = 1;
  const auto read = [&](const std::string& text) {
    std::string result;
    at_all_places(text, [&](const placed_text& placed) {
      line_values line;
      result = "no";
      if (read_line(args, placed.buffer(), true, placed.from, placed.to, line)) {
        result = std::string(placed.buffer() + line.key_from, placed.buffer() + line.key_to);
        result += line.nulls != 0 ? "|null" : "|" + std::to_string(line.numbers[0]);
      }
    });
    return result;
  };
  CHECK(read("a,b,1") == "a|1");
  CHECK(read("\"a\",b,1") == "a|1");
  CHECK(read("\"a,b\",\"c,d\",\"12\"") == "a,b|12");
  CHECK(read("\"\",,") == "|null");
  CHECK(read("\"\",,\"\"") == "|null");
  CHECK(read("a\"b,,\"3\"") == "a\"b|3");
  for (const char* const bad : {"\"a\"\"b\",b,1", "\"a,b,1", "\"a\"x,b,1", "\"a\",b,1,", "a,b", "",
                                "\"", "\"\"", "a,b,1,2", "a,b,c", "a,b,2147483648"}) {
    CHECK_MESSAGE(read(bad) == "no", bad);
  }
  args.quoted = 0;
  CHECK(read("\"a\",b,1") == "\"a\"|1");
  CHECK(read("\"a,b,1") == "\"a|1");
  CHECK(read("a,b,\"1\"") == "no");
}

}  // namespace

int main() {
  test_text();
  test_utf8();
  test_mixed_utf8();
  test_integers();
  test_decimals();
  test_doubles();
  test_timestamps();
  test_quotes();
  test_batches();
  test_colliding_keys();
  test_full_table();
  test_nothing_but_ends();
  test_ends_at_edges();
  std::puts("lines_test: ok");
  return 0;
}
