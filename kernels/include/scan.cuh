#pragma once

// offsets_scan, the phases of one block: row sizes to output offsets; see look_back.cuh for the
// scans.

#include "abi.cuh"
#include "host_device.cuh"
#include "look_back.cuh"

namespace flinkgpu {

inline constexpr uint32_t scan_tile_rows = scan_threads * scan_items;

FLINKGPU_HD uint64_t sum_of_thread(const redact_args& args, uint32_t tile, uint32_t thread) {
  uint64_t sum = 0;
  const uint64_t first = uint64_t{tile} * scan_tile_rows + thread * scan_items;
  for (uint64_t row = first; row < first + scan_items && row < args.rows; ++row) {
    sum += args.row_sizes[row];
  }
  return sum;
}

// The work of a tile's last thread. Returns the sum before the tile.
FLINKGPU_HD uint64_t link_size_tile(const redact_args& args, uint32_t tile, uint64_t tile_sum) {
  const uint64_t before = link_tile(args.scan_states, tile, tile_sum);
  if ((uint64_t{tile} + 1) * scan_tile_rows >= args.rows) {
    args.header->output_bytes = before + tile_sum;
    args.out_offsets[args.rows] = static_cast<int32_t>(before + tile_sum);
  }
  return before;
}

// Writes the offsets of a thread's rows. Where the sum is above max_output_bytes they mean nothing,
// and nobody reads them.
FLINKGPU_HD void write_offsets(const redact_args& args, uint32_t tile, uint32_t thread,
                               uint64_t sum_before) {
  const uint64_t first = uint64_t{tile} * scan_tile_rows + thread * scan_items;
  for (uint64_t row = first; row < first + scan_items && row < args.rows; ++row) {
    args.out_offsets[row] = static_cast<int32_t>(sum_before);
    sum_before += args.row_sizes[row];
  }
}

}  // namespace flinkgpu
