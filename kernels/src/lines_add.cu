// Reads lines and adds them to their groups: see lines/tile.cuh and lines/add.cuh.

#include "lines/add.cuh"

namespace {

using namespace flinkgpu;

constexpr uint32_t lines_warps = lines_threads / 32;

// The sum of the threads before this one, and of all.
__device__ uint32_t scan_lines(uint32_t* warp_sums, uint32_t own, uint32_t& total) {
  const uint32_t lane = threadIdx.x % 32;
  uint32_t sum = own;
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const uint32_t other = __shfl_up_sync(0xffffffff, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  if (lane == 31) {
    warp_sums[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  uint32_t before = 0;
  total = 0;
  for (uint32_t warp = 0; warp < lines_warps; ++warp) {
    before += warp < threadIdx.x / 32 ? warp_sums[warp] : 0;
    total += warp_sums[warp];
  }
  return before + sum - own;
}

__device__ void take_tile(const lines_block& block, uint32_t* warp_sums, uint32_t tile_start) {
  load_tile(block, tile_start);
  __syncthreads();
  mark_lines(block);
  __syncthreads();
  mark_breaks(block, tile_start);
  __syncthreads();
  const uint32_t limit = tile_limit(block.args, tile_start);
  const uint64_t starts = own_starts(block, limit);
  find_tile_end(block, limit);
  uint32_t lines = 0;
  const uint32_t before = scan_lines(warp_sums, count_bits64(starts), lines);
  if (block.thread == 0) {
    block.counts().lines += lines;
  }
  const bool full = block.counts().full != 0;
  for (uint32_t first = 0; first < lines && !full; first += listed_lines) {
    list_starts(block, starts, before, first);
    __syncthreads();
    const uint32_t listed = lines - first < listed_lines ? lines - first : listed_lines;
    for (uint32_t index = block.thread; index - block.thread % 32 < listed;
         index += lines_threads) {
      take_listed(block, tile_start, first, index, lines);
    }
    __syncthreads();
  }
  __syncthreads();
}

}  // namespace

extern "C" __global__ void __launch_bounds__(lines_threads, 2) lines_add(const lines_args args) {
  extern __shared__ __align__(16) uint8_t lines_shared[];
  __shared__ uint32_t warp_sums[lines_warps];
  const lines_block block{args, lines_shared, threadIdx.x};
  clear_block(block);
  __syncthreads();
  for (uint32_t tile = blockIdx.x; tile < tiles_of(args); tile += gridDim.x) {
    take_tile(block, warp_sums, tile * lines_tile_bytes);
  }
  flush_own(block);
  __syncthreads();
  flush_counts(block);
}
