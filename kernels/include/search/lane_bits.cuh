#pragma once

// Numbers the set bits of a warp's lanes, those of each place by themselves: one atomic for all
// lanes that have the bit.

#include "host_device.cuh"

namespace flinkgpu {

#ifdef __CUDA_ARCH__
// What another lane has, of words.
template <typename T>
__device__ __forceinline__ T of_lane(const T& own, uint32_t lane) {
  static_assert(sizeof(T) % sizeof(uint32_t) == 0);
  constexpr uint32_t count = sizeof(T) / sizeof(uint32_t);
  uint32_t words[count];
  std::memcpy(words, &own, sizeof(T));
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < count; ++i) {
    words[i] = __shfl_sync(all_lanes, words[i], lane);
  }
  T result;
  std::memcpy(&result, words, sizeof(T));
  return result;
}
#endif

// Does take(bit, known, start + i) for the i-th lane, in any order, of those that have a bit and
// for which holds(known), where `known` is what look(bit) gives, and reserve(bit, known, lanes) the
// start for that many. All lanes of a warp come here. Each looks for the bit of its own number, if
// any lane has it, and passes on what it knows, so that all wait for that once. On the CPU a thread
// is a warp of its own.
template <typename Look, typename Holds, typename Reserve, typename Take>
FLINKGPU_HD void each_lane_bit(uint32_t bits, const Look& look, const Holds& holds,
                               const Reserve& reserve, const Take& take) {
#ifdef __CUDA_ARCH__
  const uint32_t lane = threadIdx.x % 32;
#if __CUDA_ARCH__ >= 800
  const uint32_t all = __reduce_or_sync(all_lanes, bits);
#else
  const uint32_t all = 0xffffffff;
#endif
  decltype(look(lane)) known{};
  if (((all >> lane) & 1) != 0) {
    known = look(lane);
  }
  uint32_t lanes = 0;  // that have the bit of this lane's number
  FLINKGPU_ROLLED
  for (uint32_t left = all; left != 0; left &= left - 1) {
    const uint32_t bit = lowest_bit(left);
    const auto of_bit = of_lane(known, bit);
    const bool is_left = ((bits >> bit) & 1) != 0 && holds(of_bit);
    converge();
    const uint32_t with_bit = __ballot_sync(all_lanes, is_left);
    lanes = lane == bit ? with_bit : lanes;
  }
  const uint32_t start = lanes != 0 ? reserve(lane, known, count_bits(lanes)) : 0;
  converge();
  FLINKGPU_ROLLED
  for (uint32_t left = all; left != 0; left &= left - 1) {
    const uint32_t bit = lowest_bit(left);
    const uint32_t first = __shfl_sync(all_lanes, start, bit);
    const uint32_t others = __shfl_sync(all_lanes, lanes, bit);
    const auto of_bit = of_lane(known, bit);
    if (((others >> lane) & 1) != 0) {
      take(bit, of_bit, first + count_bits(others & ((uint32_t{1} << lane) - 1)));
    }
    converge();
  }
#else
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = lowest_bit(bits);
    const auto known = look(bit);
    if (holds(known)) {
      take(bit, known, reserve(bit, known, 1U));
    }
  }
#endif
}

}  // namespace flinkgpu
