// Candidates of every start position: see redact/starts.cuh and redact/find.cuh.

#include "redact/find.cuh"

namespace {

using namespace flinkgpu;

// The last row that starts at `position` or before it. Each round all threads look at one row each.
__device__ uint32_t find_row(const redact_args& args, uint32_t rows, uint32_t position) {
  uint32_t low = 0;
  uint32_t high = rows;
  while (high - low > 1) {
    const uint32_t step = (high - low + find_threads - 1) / find_threads;
    const uint64_t row = low + uint64_t{threadIdx.x} * step;
    const bool before =
        row < high && offset_at(args.offsets, static_cast<uint32_t>(row)) <= position;
    low += (__syncthreads_count(before) - 1) * step;
    high = min_of(low + step, high);
  }
  return low;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(find_threads) redact_find(const redact_args args) {
  __shared__ __align__(16) find_shared shared;
  const find_block block{args, shared, blockIdx.x * find_tile_bytes, threadIdx.x};
  const uint32_t rows = rows_of(args);
  prepare_find(block);
  const segment_text text = load_own(block);
  __syncthreads();
  const uint32_t row = find_row(args, rows, block.tile_start);
  mark_rows(block, row, rows);
  mark_gates(block, text);
  __syncthreads();
  starts_left own = find_starts(block, text);
  uint32_t steps_left = max_thread_steps;
  bool more = true;
  while (more) {
    list_starts(block, own);
    __syncthreads();
    const uint32_t listed = shared.listed;
    walk_listed(block, row, min_of(listed, listed_starts), steps_left);
    more = listed > listed_starts;
    __syncthreads();
    if (more && threadIdx.x == 0) {
      shared.listed = 0;
    }
    __syncthreads();
  }
  write_found(block);
}
