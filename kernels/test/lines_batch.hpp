#pragma once

// Batches of lines, what is expected of them, and their device memory.

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lines_emulation.hpp"

namespace flinkgpu::test {

struct group {
  uint64_t count;
  int64_t least;
  int64_t greatest;
  int64_t sum;

  bool operator==(const group& other) const {
    return count == other.count && least == other.least && greatest == other.greatest &&
           sum == other.sum;
  }
};

using groups = std::map<std::pair<std::string, int64_t>, group>;

inline void add_to(groups& all, const std::string& key, int64_t slice, int64_t value) {
  group& one = all.insert({{key, slice}, {0, INT64_MAX, INT64_MIN, 0}}).first->second;
  one.count += 1;
  one.least = std::min(one.least, value);
  one.greatest = std::max(one.greatest, value);
  one.sum += value;
}

// A batch of lines `key;time;decimal(1)`, and what is expected of it.
struct batch {
  std::string text;
  std::vector<int32_t> breaks;
  groups expected;
  std::vector<int32_t> refused;
  uint64_t lines = 0;
  int64_t max_time = INT64_MIN;
};

inline constexpr int64_t slice_millis = 1000;
inline constexpr int32_t first_offset = 7;

inline void add_line_to(batch& to, const std::string& key, int64_t time, int64_t value,
                        const std::string& end) {
  to.text += key + ";" + std::to_string(time) + ";" + std::to_string(value / 10) + "." +
             std::to_string(value % 10) + end;
  add_to(to.expected, key, time / slice_millis * slice_millis, value);
  to.max_time = std::max(to.max_time, time);
  to.lines += 1;
}

inline void add_refused(batch& to, const std::string& line) {
  to.refused.push_back(static_cast<int32_t>(to.text.size()) + first_offset);
  to.text += line + "\n";
  to.lines += 1;
}

inline batch random_batch(uint32_t lines, uint32_t keys, std::mt19937_64& random) {
  batch made;
  const std::string prefixes[] = {"",
                                  "k",
                                  "0123456",
                                  "01234567",
                                  "0123456789abcdef",
                                  std::string(100, 'x'),
                                  std::string(3, '\0'),
                                  "\xc3\xa9"};
  for (uint32_t i = 0; i < lines; ++i) {
    const uint64_t kind = random() % 100;
    if (kind == 0) {
      add_refused(made, random() % 2 == 0 ? "" : "a;b;c");
    } else if (kind == 1) {
      add_refused(made, std::string(lines_halo_bytes + lines_tile_bytes, 'l') + ";1;2.0");
    } else {
      const uint64_t key = random() % keys;
      const bool breaks = random() % 50 == 0 || i + 1 == lines;
      add_line_to(made, prefixes[key % 8] + std::to_string(key),
                  static_cast<int64_t>(random() % 5000), static_cast<int64_t>(random() % 100000),
                  breaks              ? ""
                  : random() % 9 == 0 ? "\r\n"
                                      : "\n");
      for (uint64_t rows = breaks && i + 1 < lines ? 1 + random() % 2 : 0; rows > 0; --rows) {
        made.breaks.push_back(static_cast<int32_t>(made.text.size()) + first_offset);
      }
    }
  }
  return made;
}

// Device memory of a batch; arrays are exactly as long as the kernels may use them, so that the
// address sanitizer sees the first byte too many.
struct lines_run {
  struct alignas(16) pack {
    uint8_t bytes[16];
  };

  const batch& input;
  std::vector<pack> data;
  std::vector<line_field> fields{{field_string, no_number, 0, 0},
                                 {field_epoch_millis, no_number, 0, 0},
                                 {field_decimal, 0, 17, 1}};
  std::vector<line_value> values{{0, 0, 1, 1, 4, 0}};
  lines_header header{};
  std::vector<uint64_t> bins_present{0};
  std::vector<uint32_t> refused_bits;
  std::vector<uint64_t> scan_states;
  std::vector<uint64_t> table;
  std::vector<uint64_t> result;
  std::vector<int32_t> refused_starts;
  lines_args args{};

  lines_run(const batch& of, uint32_t table_slots, uint32_t own_slots, uint32_t hash_mask)
      : input(of),
        data((of.text.size() + lines_padding_bytes + 15) / 16, pack{}),
        refused_bits((of.text.size() + 31) / 32, 0),
        scan_states((of.text.size() + refused_tile_bytes - 1) / refused_tile_bytes, 0),
        table(table_slots * 9UL, 0) {
    std::memcpy(data.data(), of.text.data(), of.text.size());
    args = {reinterpret_cast<const uint8_t*>(data.data()),
            of.breaks.data(),
            fields.data(),
            values.data(),
            &header,
            bins_present.data(),
            refused_bits.data(),
            scan_states.data(),
            table.data(),
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            3,
            4,
            slice_millis,
            0,
            0,
            size_of(of.text),
            static_cast<uint32_t>(of.breaks.size()),
            first_offset,
            3,
            1,
            0,
            1,
            ';',
            0,
            9,
            table_slots - 1,
            table_slots,
            own_slots,
            hash_mask,
            0,
            0,
            0,
            0};
  }

  void check() {
    const uint64_t bytes = (8 * 8 + 4) * header.groups + 4 + header.key_bytes;
    CHECK(header.full == 0);
    CHECK(header.lines == input.lines);
    CHECK(header.refused == input.refused.size());
    CHECK(static_cast<int64_t>(header.max_time ^ sign_bit) == input.max_time);
    result.assign((bytes + 7) / 8, 0xeeeeeeeeeeeeeeee);
    args.result = reinterpret_cast<uint8_t*>(result.data());
    args.result_room = bytes - 1;
    run_lines_result(args);
    CHECK(header.result_cursor == 0);
    args.result_room = bytes;
    run_lines_result(args);
    CHECK(read_groups() == input.expected);
    refused_starts.assign(header.refused, -1);
    args.refused_starts = refused_starts.data();
    run_lines_refused(args);
    CHECK(refused_starts == input.refused);
  }

  groups read_groups() const {
    groups found;
    const auto count = static_cast<uint32_t>(header.groups);
    const auto* const words = reinterpret_cast<const int64_t*>(result.data());
    const auto* const offsets = reinterpret_cast<const int32_t*>(words + 8UL * count);
    const auto* const keys = reinterpret_cast<const char*>(offsets + count + 1);
    for (uint32_t i = 0; i < count; ++i) {
      const auto word = [&](uint32_t array) { return words[array * uint64_t{count} + i]; };
      const std::string key(keys + offsets[i], keys + offsets[i + 1]);
      const group one{static_cast<uint64_t>(word(3)), word(4), word(5), word(6) + (word(7) << 32)};
      CHECK(found.insert({{key, word(2)}, one}).second);
    }
    return found;
  }
};

}  // namespace flinkgpu::test
