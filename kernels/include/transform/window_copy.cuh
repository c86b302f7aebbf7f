#pragma once

// How a block begins to load the texts of a tile, and waits for them.

#include "block/bulk_copy.cuh"
#include "block/scan.cuh"
#include "transform/window_load.cuh"

namespace flinkgpu {

#if FLINKGPU_BULK_COPY
// Begins to load a column's text.
__device__ inline void load_column(const window_column& column, uint8_t* to, uint64_t& barrier) {
  if (column.whole_bytes != 0) {
    begin_copy(&barrier, to, column.start, column.whole_bytes);
  }
  FLINKGPU_ROLLED
  for (uint32_t at = column.whole_bytes; at < column.bytes; ++at) {
    to[at] = column.start[at];
  }
}
#endif

// Before all else.
FLINKGPU_HD void start_texts(uint32_t thread, uint64_t& barrier) {
#if FLINKGPU_BULK_COPY
  if (thread == 0) {
    start_barrier(&barrier);
  }
  __syncwarp();
#else
  (void)thread, (void)barrier;
#endif
}

// Notes where the tile's texts are, and begins to load them unless there are none to be read.
FLINKGPU_HD void begin_texts(const tile_view& tile, bool is_void, uint64_t& barrier) {
#if FLINKGPU_BULK_COPY
  if (threadIdx.x >= 32) {
    return;
  }
  const uint32_t end = tile.args.shared_window + tile.args.window_bytes;
  uint32_t place = tile.args.shared_window;
  FLINKGPU_ROLLED
  for (uint32_t first = 0; first < tile.args.text_columns; first += 32) {
    const uint32_t i = first + threadIdx.x;
    window_column column{};
    if (i < tile.args.text_columns) {
      column = find_column(tile, i);
      tile.columns()[i] = column;
    }
    // More than any window, and no sum overflows.
    place += scan_warp(min_of(column.padded_bytes, max_window_bytes + pack_bytes));
    if (place <= end && column.bytes != 0 && !is_void) {
      load_column(column, tile.shared + place - column.padded_bytes, barrier);
    }
    place = __shfl_sync(all_lanes, place, 31);
  }
  __syncwarp();
  if (threadIdx.x == 0) {
    end_copies(&barrier);
  }
#else
  (void)is_void, (void)barrier;
  note_columns(tile);
#endif
}

// Once all threads have loaded their share: waits for what the thread that began copies began.
FLINKGPU_HD void await_texts(uint64_t& barrier) {
#if FLINKGPU_BULK_COPY
  await_copies(&barrier);
#else
  (void)barrier;
#endif
}

}  // namespace flinkgpu
