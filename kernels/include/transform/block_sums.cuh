#pragma once

// Sums of bytes over the threads of a block of the transform kernel.

#include "block/scan.cuh"
#include "transform/transform_abi.cuh"

namespace flinkgpu {

// In shared memory, of a block's warps; 0 of absent ones.
struct block_sums {
  block_scan<transform_threads, uint64_t> large;
  block_scan<transform_threads, uint32_t> small;

  // By all threads, before a barrier.
  __device__ void clear() {
    if (threadIdx.x < transform_threads / 32) {
      large.of_warps[threadIdx.x] = 0;
      small.of_warps[threadIdx.x] = 0;
    }
  }
};

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

// The same modulo 2^32, but for the sum of all: in half the steps where the sums are small.
__device__ inline uint32_t scan_bytes(block_sums& block, uint64_t own, uint64_t& total) {
  const bool small = own < small_sum;
  uint32_t small_total = 0;
  const uint32_t before =
      block.small.scan(small ? static_cast<uint32_t>(own) : small_sum, small_total);
  total = small_total;
  if (small_total < small_sum) {
    return before;
  }
  const large_sums large = scan_large(block, own);
  total = large.total;
  return static_cast<uint32_t>(large.before);
}

}  // namespace flinkgpu
