#pragma once

// Sums over the threads of a block and, by looking back, over the tiles before it.

#include "block/look_back.cuh"

namespace flinkgpu {

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

// The sum of the threads before this one, and of all. `sums` has an entry a warp of the block;
// those of absent warps are 0.
template <uint32_t Warps, typename Sum>
__device__ Sum scan_block(Sum* sums, Sum own, Sum& total) {
  const uint32_t warp = unknown(threadIdx.x / 32);
  Sum sum = scan_warp(own);
  if (threadIdx.x % 32 == 31) {
    sums[warp] = sum;
  }
  __syncthreads();
  sum -= own;
  total = 0;
  for (uint32_t i = 0; i < Warps; ++i) {
    sum += i < warp ? sums[i] : 0;
    total += sums[i];
  }
  return sum;
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
