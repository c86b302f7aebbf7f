#pragma once

// Sums of bytes over the threads of a block of the transform kernel, and over the blocks before.

#include "look_back.cuh"
#include "transform_abi.cuh"

namespace flinkgpu {

// In shared memory, of a block's warps; 0 of absent ones.
struct block_sums {
  static constexpr uint32_t warps = transform_threads / 32;

  uint64_t large[warps];
  uint32_t of_warps[warps];

  // By all threads, before a barrier.
  __device__ void clear() {
    if (threadIdx.x < warps) {
      large[threadIdx.x] = 0;
      of_warps[threadIdx.x] = 0;
    }
  }
};

// The same number, of which the compiler knows nothing: it would keep what it compares with it in
// registers that it lacks.
__device__ inline uint32_t unknown(uint32_t number) {
  asm volatile("" : "+r"(number));
  return number;
}

// The sum of the lanes up to this one.
template <typename Sum>
__device__ Sum scan_warp(Sum sum) {
  const uint32_t lane = unknown(threadIdx.x % 32);
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const Sum other = __shfl_up_sync(all_lanes, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  return sum;
}

// The sum of the threads before this one, and of all; `sums` of absent warps are 0.
template <typename Sum>
__device__ Sum scan_block(Sum* sums, Sum own, Sum& total) {
  const uint32_t warp = unknown(threadIdx.x / 32);
  Sum sum = scan_warp(own);
  if (threadIdx.x % 32 == 31) {
    sums[warp] = sum;
  }
  __syncthreads();
  sum -= own;
  total = 0;
  for (uint32_t i = 0; i < block_sums::warps; ++i) {
    sum += i < warp ? sums[i] : 0;
    total += sums[i];
  }
  return sum;
}

// Sums of a whole block are less than 2^32 if those of its threads are at most this.
constexpr uint32_t small_sum = UINT32_MAX / transform_threads;

struct large_sums {
  uint64_t before;
  uint64_t total;
};

// Out of line, because it is rarely needed.
__device__ __noinline__ inline large_sums scan_large(uint64_t* sums, uint64_t own) {
  large_sums result;
  result.before = scan_block<uint64_t>(sums, own, result.total);
  return result;
}

// The same modulo 2^32, but for the sum of all: in half the steps where the sums are small.
__device__ inline uint32_t scan_bytes(block_sums& block, uint64_t own, uint64_t& total) {
  const bool small = own < small_sum;
  uint32_t small_total = 0;
  const uint32_t before = scan_block<uint32_t>(
      block.of_warps, small ? static_cast<uint32_t>(own) : small_sum, small_total);
  total = small_total;
  if (small_total < small_sum) {
    return before;
  }
  const large_sums large = scan_large(block.large, own);
  total = large.total;
  return static_cast<uint32_t>(large.before);
}

__device__ inline uint32_t sum_warp(uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  for (uint32_t distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(all_lanes, value, distance);
  }
  return value;
#else
  return __reduce_add_sync(all_lanes, value);
#endif
}

// A tile's own sum in parts of which 32 have a sum of 32 bits.
constexpr uint32_t own_sum_bits = 26;

// look_back() with all lanes of a warp: 32 tiles at a time.
__device__ inline uint64_t look_back_warp(const uint64_t* states, uint32_t tile) {
  const uint32_t lane = threadIdx.x % 32;
  uint64_t sum = 0;
  for (;; tile -= 32) {
    uint64_t word = make_tile_word(tile_state::prefix_sum, 0);
    if (lane < tile) {
      do {
        word = load_shared_word(&states[tile - 1 - lane]);
      } while (state_of(word) == tile_state::empty);
    }
    const uint32_t prefixes = __ballot_sync(all_lanes, state_of(word) == tile_state::prefix_sum);
    const uint32_t nearest = prefixes == 0 ? 32 : lowest_bit(prefixes);
    const uint64_t own = lane < nearest ? value_of(word) : 0;
    sum += sum_warp(static_cast<uint32_t>(own) & low_bits(own_sum_bits));
    sum += static_cast<uint64_t>(sum_warp(static_cast<uint32_t>(own >> own_sum_bits)))
           << own_sum_bits;
    if (prefixes != 0) {
      return sum + __shfl_sync(all_lanes, value_of(word), nearest);
    }
  }
}

}  // namespace flinkgpu
