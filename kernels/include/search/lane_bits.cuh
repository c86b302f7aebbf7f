#pragma once

// Numbers the set bits of a warp's lanes, those of each place by themselves: one atomic for all
// lanes that have the bit.

#include "host_device.cuh"

namespace flinkgpu {

// Does take(bit, start + i) for the i-th lane, in any order, of those that have a bit, where
// reserve(bit, lanes) gives the start for that many. All lanes of a warp come here. On the CPU a
// thread is a warp of its own.
template <typename Reserve, typename Take>
FLINKGPU_HD void each_lane_bit(uint32_t bits, const Reserve& reserve, const Take& take) {
#ifdef __CUDA_ARCH__
  const uint32_t lane = threadIdx.x % 32;
#if __CUDA_ARCH__ >= 800
  const uint32_t all = __reduce_or_sync(all_lanes, bits);
#else
  const uint32_t all = 0xffffffff;
#endif
  uint32_t lanes = 0;  // that have the bit of this lane's number
  FLINKGPU_ROLLED
  for (uint32_t left = all; left != 0; left &= left - 1) {
    const uint32_t bit = lowest_bit(left);
    const uint32_t with_bit = __ballot_sync(all_lanes, (bits >> bit) & 1);
    lanes = lane == bit ? with_bit : lanes;
  }
  const uint32_t start = lanes != 0 ? reserve(lane, count_bits(lanes)) : 0;
  converge();
  FLINKGPU_ROLLED
  for (uint32_t left = all; left != 0; left &= left - 1) {
    const uint32_t bit = lowest_bit(left);
    const uint32_t first = __shfl_sync(all_lanes, start, bit);
    const uint32_t others = __shfl_sync(all_lanes, lanes, bit);
    if (((bits >> bit) & 1) != 0) {
      take(bit, first + count_bits(others & ((uint32_t{1} << lane) - 1)));
    }
    converge();
  }
#else
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = lowest_bit(bits);
    take(bit, reserve(bit, 1U));
  }
#endif
}

}  // namespace flinkgpu
