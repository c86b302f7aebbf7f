// A barrier that is missing in a kernel's list of phases makes a test fail: the threads' order is
// another each time, so one of them comes too early.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "check.hpp"
#include "host_block.hpp"
#include "redact_batch.hpp"
#include "transform_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

constexpr uint32_t threads_of_block = 64;

struct shift_thread {
  uint32_t thread;
  uint32_t seen;
};

// Each thread writes a word and then reads that of the next.
std::vector<uint32_t> shift(barriers& all) {
  std::vector<uint32_t> words(threads_of_block, 0);
  std::vector<uint32_t> result(threads_of_block, 0);
  auto each = host_threads(threads_of_block, all).begin([](uint32_t thread) {
    return shift_thread{thread, 0};
  });
  each([&](shift_thread& self) { words[self.thread] = self.thread; },
       [&](shift_thread& self) { self.seen = words[(self.thread + 1) % threads_of_block]; });
  each.last([&](shift_thread& self) { result[self.thread] = self.seen; });
  return result;
}

void test_missing_barrier() {
  barriers all;
  const std::vector<uint32_t> right = shift(all);
  CHECK(all.seen == 1);
  for (uint32_t thread = 0; thread < threads_of_block; ++thread) {
    CHECK(right[thread] == (thread + 1) % threads_of_block);
  }
  barriers missing{true};
  CHECK(shift(missing) != right);
}

// The same of a real kernel: words are loaded once the block's first thread has said up to where
// the matches of the tile before reach.
void test_missing_barrier_of_redact_write() {
  const rule_book book = make_rules();
  batch of(book, std::vector<std::string>(2000, "key=abc aab"), 1);
  of.run_find();
  const auto is_right = [&](const batch_header& right) {
    of.run_write(1 << 16, 4096);
    return std::memcmp(&of.header, &right, sizeof(right)) == 0;
  };
  is_right({});
  const batch_header right = of.header;
  CHECK(right.output_bytes != 0 && of.left_out.seen >= write_tiles(of.args));
  CHECK(is_right(right));
  of.left_out.left_out = true;
  CHECK(!is_right(right));
}

// Numbers of a pass that copies a column: each is written by another thread than the one that
// loaded it.
std::vector<int64_t> copy_numbers(const std::vector<int64_t>& numbers, barriers& all) {
  constexpr uint32_t threads = 64;
  const auto rows = static_cast<uint32_t>(numbers.size());
  const uint32_t tile_rows = threads << transform_item_shift;
  instruction load{};
  load.code = op_load_number;
  std::vector<int64_t> copies(rows, 0);
  std::vector<uint32_t> validity((rows + bitmap_bits - 1) / bitmap_bits, 0);
  output_header header{};
  transform_status status{};
  source_column column{};
  column.data = reinterpret_cast<const uint8_t*>(numbers.data());
  column.type = type_long;
  output_column output{};
  output.data = reinterpret_cast<uint8_t*>(copies.data());
  output.validity = validity.data();
  output.header = &header;
  output.type = type_long;
  transform_args args{};
  args.program = reinterpret_cast<const uint8_t*>(&load);
  args.columns = &column;
  args.outputs = &output;
  args.status = &status;
  args.head_bytes = sizeof(load);
  args.parts_offset = sizeof(load);
  args.packed_offset = sizeof(load);
  args.instructions = 1;
  args.outputs_count = 1;
  args.rows = rows;
  args.item_shift = transform_item_shift;
  args.shared_numbers = sizeof(load);
  args.shared_nulls = args.shared_numbers + tile_rows * uint32_t{sizeof(int64_t)};
  args.shared_outputs = args.shared_nulls + tile_rows;
  args.shared_bytes = args.shared_outputs + uint32_t{sizeof(output)};
  run_transform(args, threads, all);
  return copies;
}

void test_missing_barrier_of_transform() {
  std::vector<int64_t> numbers(1000);
  for (size_t row = 0; row < numbers.size(); ++row) {
    numbers[row] = static_cast<int64_t>(row) + 1;
  }
  barriers all;
  CHECK(copy_numbers(numbers, all) == numbers);
  CHECK(all.seen >= 4);  // one a tile at least
  barriers missing{true};
  CHECK(copy_numbers(numbers, missing) != numbers);
}

// Phases between which there is no barrier are one.
void test_open_phases() {
  std::vector<uint32_t> words(threads_of_block, 0);
  uint32_t early = 0;
  const auto write = [&](uint32_t thread) { words[thread] = 1; };
  const auto read = [&](uint32_t thread) {
    early += words[(thread + 1) % threads_of_block] == 0 ? 1 : 0;
  };
  barriers all;
  auto each = host_threads(threads_of_block, all).begin([](uint32_t thread) { return thread; });
  each.open(write);
  each.open(read);
  each.wait();
  CHECK(early > 0);
  early = 0;
  words.assign(threads_of_block, 0);
  each.open(write);
  each.wait();
  each.last(read);
  CHECK(early == 0);
}

void test_gather() {
  barriers all;
  auto each = host_threads(threads_of_block, all).begin([](uint32_t thread) { return thread; });
  each.gather(
      4, [](uint32_t thread) { return thread % 16; },
      [](uint32_t thread, uint32_t bits) {
        CHECK(bits == (thread % 16 < 8 ? 0x76543210 : 0xfedcba98));
      });
}

void test_orders_differ() {
  std::vector<uint32_t> seen[2];
  for (auto& order : seen) {
    thread_order(threads_of_block).each([&](uint32_t thread) { order.push_back(thread); });
  }
  CHECK(seen[0] != seen[1]);
  for (auto& order : seen) {
    std::sort(order.begin(), order.end());
    CHECK(order.size() == threads_of_block && order.front() == 0);
    CHECK(std::adjacent_find(order.begin(), order.end()) == order.end());
  }
}

void test_scan() {
  block_scan<threads_of_block, uint32_t, greatest_of> shared{};
  auto each = host_threads(threads_of_block).begin([](uint32_t thread) { return thread; });
  const uint32_t greatest = each.scan(
      shared, [](uint32_t thread) { return thread % 8; },
      [](uint32_t thread, uint32_t before, uint32_t total) {
        CHECK(before == (thread > 7 ? 7 : thread == 0 ? 0 : thread - 1));
        CHECK(total == 7);
      });
  CHECK(greatest == 7);
  CHECK(each.count([](uint32_t thread) { return thread % 4 == 0; }) == threads_of_block / 4);
}

}  // namespace

int main() {
  test_missing_barrier();
  test_missing_barrier_of_redact_write();
  test_missing_barrier_of_transform();
  test_open_phases();
  test_gather();
  test_orders_differ();
  test_scan();
  std::puts("phases_test: ok");
  return 0;
}
