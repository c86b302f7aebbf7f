#pragma once

// Single-pass prefix sums over tiles: Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back" (2016). A tile publishes first its own sum, then, once it has looked back,
// the sum of all tiles up to itself. State and value share one word, so no fence orders them.

#include "host_device.cuh"

namespace flinkgpu {

enum class tile_state : uint64_t { empty = 0, own_sum = 1, prefix_sum = 2 };

inline constexpr uint32_t tile_state_shift = 62;

FLINKGPU_HD uint64_t make_tile_word(tile_state state, uint64_t value) {
  return (static_cast<uint64_t>(state) << tile_state_shift) | value;
}

FLINKGPU_HD tile_state state_of(uint64_t word) {
  return static_cast<tile_state>(word >> tile_state_shift);
}

FLINKGPU_HD uint64_t value_of(uint64_t word) {
  return word & ((uint64_t{1} << tile_state_shift) - 1);
}

FLINKGPU_HD void publish(uint64_t* states, uint32_t tile, tile_state state, uint64_t value) {
  *const_cast<volatile uint64_t*>(&states[tile]) = make_tile_word(state, value);
}

#ifdef __CUDACC__

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

// The sum of all tiles before `tile`, by all lanes of a warp, 32 tiles at a time. Tiles are
// numbered in the order in which they start, so those looked at are running or done, and the wait
// ends.
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

#endif

}  // namespace flinkgpu
