#pragma once

// Sums of bytes over the threads of a block of the transform kernel.

#include "block/scan.cuh"
#include "transform/transform_abi.cuh"

namespace flinkgpu {

// In shared memory, of a block's warps; 0 of absent ones. Sums have 64 bits, but for what is before
// each thread, which is modulo 2^32: in half the steps where the sums are small.
struct block_sums {
  using value = uint64_t;
  using operation = sum_of;

  block_scan<transform_threads, uint64_t> large;
  block_scan<transform_threads, uint32_t> small;

  // By all threads, before a barrier.
  FLINKGPU_HD void clear(uint32_t thread) {
    if (thread < transform_threads / 32) {
      large.of_warps[thread] = 0;
      small.of_warps[thread] = 0;
    }
  }

#ifdef __CUDACC__
  __device__ __forceinline__ uint32_t scan(uint64_t own, uint64_t& total);
#endif
};

#ifdef __CUDACC__

// Sums of a whole block are less than 2^32 if those of its threads are at most this.
constexpr uint32_t small_sum = UINT32_MAX / transform_threads;

struct large_sums {
  uint64_t before;
  uint64_t total;
};

// Out of line, because it is rarely needed.
__device__ __noinline__ inline large_sums scan_large(block_sums& block, uint64_t own) {
  large_sums result;
  result.before = block.large.scan(own, result.total);
  return result;
}

__device__ __forceinline__ uint32_t block_sums::scan(uint64_t own, uint64_t& total) {
  const bool is_small = own < small_sum;
  uint32_t small_total = 0;
  const uint32_t before =
      small.scan(is_small ? static_cast<uint32_t>(own) : small_sum, small_total);
  total = small_total;
  if (small_total < small_sum) {
    return before;
  }
  const large_sums sums = scan_large(*this, own);
  total = sums.total;
  return static_cast<uint32_t>(sums.before);
}

#endif

}  // namespace flinkgpu
