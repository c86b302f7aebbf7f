// Groups that are held from batch to batch, against a map that they are all added to.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "lines_batch.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

// What is held of batches, in arrays that are exactly as long as the kernels may use them.
struct held_groups {
  held_header header{};
  std::vector<uint64_t> bins{0};
  std::vector<uint64_t> index;
  std::vector<uint64_t> records;
  std::vector<uint32_t> keys;
  groups expected;

  held_groups(uint32_t most_groups, uint64_t key_bytes)
      : index(uint64_t{4} << (31 - __builtin_clz(most_groups)), 0),
        records(most_groups * 8UL, 0xeeeeeeeeeeeeeeee),
        keys((key_bytes + lines_padding_bytes + 3) / 4, 0xeeeeeeee) {}

  uint32_t count() const { return static_cast<uint32_t>(header.cursor >> 32); }

  void set(lines_args& args) {
    args.held = &header;
    args.held_bins = bins.data();
    args.held_index = index.data();
    args.held_records = records.data();
    args.held_keys = reinterpret_cast<uint8_t*>(keys.data());
    args.held_mask = static_cast<uint32_t>(index.size() - 1);
    args.held_groups = count();
  }

  void hold(const batch& input, uint32_t hash_mask) {
    lines_run run(input, 1U << (32 - __builtin_clz(2 * static_cast<uint32_t>(input.lines))), 64,
                  hash_mask);
    run.values[0].first_word = record_first_value;
    run.args.time_field = no_field;
    run.args.record_words = 8;
    run_lines_add(run.args, 2);
    CHECK(run.header.full == 0);
    set(run.args);
    run_lines_hold(run.args);
    for (const auto& [key, one] : input.expected) {
      const group none{0, INT64_MAX, INT64_MIN, 0};
      group& all = expected.insert({{key.first, INT64_MIN}, none}).first->second;
      all.count += one.count;
      all.least = std::min(all.least, one.least);
      all.greatest = std::max(all.greatest, one.greatest);
      all.sum += one.sum;
    }
  }

  groups give(uint32_t piece) {
    groups found;
    for (uint32_t first = 0; first < count(); first += piece) {
      const uint32_t groups_of_piece = std::min(piece, count() - first);
      std::vector<uint64_t> result((groups_of_piece * 68UL + 7) / 8, 0xeeeeeeeeeeeeeeee);
      const line_value value{0, 0, 1, 1, record_first_value, 0};
      lines_args args{};
      args.values = &value;
      args.values_count = 1;
      args.time_field = no_field;
      args.record_words = 8;
      args.result = reinterpret_cast<uint8_t*>(result.data());
      args.given_first = first;
      args.given_count = groups_of_piece;
      set(args);
      run_lines_give(args);
      read(found, result, first, groups_of_piece);
    }
    return found;
  }

  uint32_t place(uint32_t record) const {
    return record < count() ? key_place(records[record * 8UL])
                            : static_cast<uint32_t>(header.cursor);
  }

  void read(groups& found, const std::vector<uint64_t>& result, uint32_t first,
            uint32_t given) const {
    const auto* const words = reinterpret_cast<const int64_t*>(result.data());
    const auto* const offsets = reinterpret_cast<const int32_t*>(words + 8UL * given);
    const auto* const bytes = reinterpret_cast<const char*>(keys.data()) + place(first);
    for (uint32_t i = 0; i < given; ++i) {
      const auto word = [&](uint32_t array) { return words[array * uint64_t{given} + i]; };
      const auto to = i + 1 < given ? static_cast<uint32_t>(offsets[i + 1])
                                    : place(first + given) - place(first);
      const std::string key(bytes + offsets[i], bytes + to);
      const group one{static_cast<uint64_t>(word(3)), word(4), word(5), word(6) + (word(7) << 32)};
      CHECK(found.insert({{key, word(2)}, one}).second);
    }
  }
};

void test_held_groups() {
  std::mt19937_64 random(seed());
  for (const uint32_t hash_mask : {0xffffffffU, 1U, 0x00ff0000U}) {
    for (const uint32_t keys : {1U, 40U, 1700U}) {
      std::vector<batch> batches;
      groups all;
      uint64_t key_bytes = 0;
      for (const uint32_t lines : {1U, 700U, 2000U, 40U, 2000U}) {
        batches.push_back(random_batch(lines, keys, random));
        for (const auto& [key, one] : batches.back().expected) {
          key_bytes += all.insert({{key.first, 0}, one}).second ? key.first.size() : 0;
        }
      }
      held_groups held(std::max(1U, static_cast<uint32_t>(all.size())), key_bytes);
      for (const batch& input : batches) {
        held.hold(input, hash_mask);
        CHECK(held.count() == held.expected.size());
      }
      CHECK(held.give(1000) == held.expected);
      CHECK(held.give(uint32_t{1} << 20) == held.expected);
      CHECK(static_cast<uint32_t>(held.header.cursor) == key_bytes);
    }
  }
}

}  // namespace

int main() {
  test_held_groups();
  std::puts("lines_hold_test: ok");
  return 0;
}
