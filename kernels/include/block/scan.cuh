#pragma once

// Scans over the threads of a warp and of a block.

#include "host_device.cuh"

namespace flinkgpu {

struct sum_of {
  template <typename T>
  FLINKGPU_HD T operator()(T a, T b) const {
    return a + b;
  }
};

struct greatest_of {
  template <typename T>
  FLINKGPU_HD T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

// The shared memory of a scan over a block of at most so many threads, a multiple of 32. The
// operation's identity is 0; entries of absent warps must be 0.
template <uint32_t Threads, typename T, typename Op = sum_of>
struct block_scan {
  using value = T;
  using operation = Op;
  static constexpr uint32_t warps = Threads / 32;

  T of_warps[warps];

#ifdef __CUDACC__
  // What the threads before this one have, and all. All threads come here; a barrier must follow
  // before they come again.
  __device__ __forceinline__ T scan(T own, T& total);
#endif
};

#ifdef __CUDACC__

// The same number, but the compiler does not know so: it would keep the results of comparisons with
// it in registers that it lacks.
__device__ inline uint32_t opaque(uint32_t number) {
  asm volatile("" : "+r"(number));
  return number;
}

// What the lanes up to this one have.
template <typename Op = sum_of, typename T>
__device__ T scan_warp(T value) {
  const uint32_t lane = opaque(threadIdx.x % 32);
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const T other = __shfl_up_sync(all_lanes, value, distance);
    value = lane >= distance ? Op()(value, other) : value;
  }
  return value;
}

template <uint32_t Threads, typename T, typename Op>
__device__ __forceinline__ T block_scan<Threads, T, Op>::scan(T own, T& total) {
  constexpr bool is_sum = std::is_same<Op, sum_of>::value;
  const uint32_t warp = opaque(threadIdx.x / 32);
  T before = scan_warp<Op>(own);
  if (threadIdx.x % 32 == 31) {
    of_warps[warp] = before;
  }
  if constexpr (is_sum) {
    before -= own;
  } else {
    before = __shfl_up_sync(all_lanes, before, 1);
    before = threadIdx.x % 32 == 0 ? 0 : before;
  }
  __syncthreads();
  total = 0;
  for (uint32_t i = 0; i < warps; ++i) {
    before = Op()(before, i < warp ? of_warps[i] : T{0});
    total = Op()(total, of_warps[i]);
  }
  return before;
}

#endif

}  // namespace flinkgpu
