#pragma once

// redact_lines: the rows of a text in which every '\n' ends one, the last byte too. A thread looks
// at two segments. How many lines end before them is a sum over the threads of its block and, by
// looking back, over the tiles before.

#include "block/tile.cuh"
#include "host_device.cuh"
#include "redact/redact_abi.cuh"
#include "redact/segment.cuh"

namespace flinkgpu {

inline constexpr uint32_t line_share_bytes = line_tile_bytes / line_threads;
static_assert(line_share_bytes == 2 * segment_bytes, "a thread two segments");

// One at least, so that a text without lines has an offset, too.
FLINKGPU_HD uint32_t line_tiles(const redact_args& args) {
  return args.data_bytes == 0 ? 1 : (args.data_bytes - 1) / line_tile_bytes + 1;
}

// Where a thread's share of the text begins.
FLINKGPU_HD uint32_t line_share(uint32_t tile, uint32_t thread) {
  return tile * line_tile_bytes + thread * line_share_bytes;
}

// Step 1: a bit for each byte of the thread's share that ends a line.
FLINKGPU_HD uint64_t find_line_ends(const redact_args& args, uint32_t begin) {
  const uint32_t middle = begin + segment_bytes;
  const segment_text first =
      load_segment(args.data + begin, bytes_in_segment(begin, args.data_bytes));
  const segment_text second =
      load_segment(args.data + middle, bytes_in_segment(middle, args.data_bytes));
  return (uint64_t{equal_bytes(second, '\n')} << segment_bytes) | equal_bytes(first, '\n');
}

// Step 2, in the last tile, which knows how many lines there are: where the rows begin and end.
FLINKGPU_HD void close_lines(const redact_args& args, uint32_t lines) {
  args.header->lines = lines;
  args.offsets[0] = 0;
  args.offsets[min_of(lines, args.row_capacity)] = static_cast<int32_t>(args.data_bytes);
}

// Step 3: writes where the rows start that follow the thread's line ends; `row` is the first of
// them. The one behind the last row starts where that ends.
FLINKGPU_HD void write_row_starts(const redact_args& args, uint32_t begin, uint64_t ends,
                                  uint32_t row) {
  for (; ends != 0 && row < args.row_capacity; ends &= ends - 1, ++row) {
    args.offsets[row] = static_cast<int32_t>(begin + lowest_bit(ends) + 1);
  }
}

using line_ends_shared = tile_scan<line_threads, uint32_t>;

struct lines_thread {
  uint32_t begin;
  uint64_t ends;
  uint32_t before;
};

// The kernel.
template <typename Threads>
FLINKGPU_LIST void find_lines(const Threads& threads, const redact_args& args,
                              line_ends_shared& shared) {
  const uint32_t tile = threads.take_ticket(shared, &args.header->line_tickets);
  auto each = threads.begin([&](uint32_t thread) {
    const uint32_t begin = line_share(tile, thread);
    return lines_thread{begin, find_line_ends(args, begin), 0};
  });
  each.scan_tiles(
      shared, args.line_states, tile,
      [](const lines_thread& self) { return count_bits64(self.ends); },
      [](lines_thread& self, uint32_t before, uint32_t) { self.before = before; },
      [&](uint64_t before, uint32_t lines) {
        if (tile + 1 == line_tiles(args)) {
          close_lines(args, static_cast<uint32_t>(before + lines));
        }
      });
  each.last([&](const lines_thread& self) {
    write_row_starts(args, self.begin, self.ends,
                     static_cast<uint32_t>(shared.before) + self.before + 1);
  });
}

}  // namespace flinkgpu
