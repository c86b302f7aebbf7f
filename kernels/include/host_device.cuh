#pragma once

// What lets one function run on the device and, in the host tests, on the CPU.

#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __CUDACC__
#define FLINKGPU_HD __host__ __device__ __forceinline__
// In front of what is called rarely: its arguments are values, so that the caller keeps its own in
// registers.
#define FLINKGPU_HD_CALL __host__ __device__ __noinline__
// In front of a loop over what must stay in registers, of one whose body is long, and of one that
// passes values on through four variables, which then take turns without being moved.
#define FLINKGPU_UNROLLED _Pragma("unroll")
#define FLINKGPU_ROLLED _Pragma("unroll 1")
#define FLINKGPU_UNROLLED_BY_4 _Pragma("unroll 4")
#else
#define FLINKGPU_HD inline
#define FLINKGPU_HD_CALL inline
#define FLINKGPU_UNROLLED
#define FLINKGPU_ROLLED
#define FLINKGPU_UNROLLED_BY_4
#endif

// Whether texts can be copied to shared memory without threads that take part in it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define FLINKGPU_BULK_COPY 1
#else
#define FLINKGPU_BULK_COPY 0
#endif

namespace flinkgpu {

FLINKGPU_HD uint32_t min_of(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// The index of the lowest set bit; `word` is not 0.
FLINKGPU_HD uint32_t lowest_bit(uint64_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(__ffsll(static_cast<long long>(word)) - 1);
#else
  return static_cast<uint32_t>(__builtin_ctzll(word));
#endif
}

// The index of the lowest set bit, 32 if there is none.
FLINKGPU_HD uint32_t lowest_bit_or_end(uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(__clz(static_cast<int>(__brev(word))));
#else
  return word == 0 ? 32 : static_cast<uint32_t>(__builtin_ctz(word));
#endif
}

// The index of the highest set bit; `word` is not 0.
FLINKGPU_HD uint32_t highest_bit(uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(31 - __clz(static_cast<int>(word)));
#else
  return static_cast<uint32_t>(31 - __builtin_clz(word));
#endif
}

// The sum of the products of the bytes of two words, and of another number.
FLINKGPU_HD uint32_t dot_bytes(uint32_t a, uint32_t b, uint32_t sum) {
#ifdef __CUDA_ARCH__
  return __dp4a(a, b, sum);
#else
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    sum += ((a >> shift) & 0xff) * ((b >> shift) & 0xff);
  }
  return sum;
#endif
}

// Bits [0, count) of a word; `count` is at most 64.
FLINKGPU_HD uint64_t low_bits(uint32_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

FLINKGPU_HD uint32_t count_bits(uint32_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(__popc(word));
#else
  return static_cast<uint32_t>(__builtin_popcount(word));
#endif
}

FLINKGPU_HD uint32_t count_bits64(uint64_t word) {
  return count_bits(static_cast<uint32_t>(word)) + count_bits(static_cast<uint32_t>(word >> 32));
}

// ---- atomics on words of 32 and 64 bits; those that return something return what was there ----

#ifdef __CUDA_ARCH__
template <typename T, typename Long>
using cuda_word = std::conditional_t<sizeof(T) == 4, uint32_t, Long>;

template <typename Long = unsigned long long, typename T>
__device__ __forceinline__ auto* cuda_words(T* target) {
  return reinterpret_cast<cuda_word<T, Long>*>(target);
}

// CUDA's own functions differ for signed words only in what is greater.
template <typename T>
using cuda_order = std::conditional_t<std::is_signed<T>::value, long long, unsigned long long>;

#define FLINKGPU_ATOMIC(cuda, host) return static_cast<T>(cuda)
#else
#define FLINKGPU_ATOMIC(cuda, host) \
  const T before = *target;         \
  *target = host;                   \
  return before
#endif

template <typename T>
using word_of = std::common_type_t<T>;  // not deduced

template <typename T>
FLINKGPU_HD T atomic_add(T* target, word_of<T> value) {
  FLINKGPU_ATOMIC(atomicAdd(cuda_words(target), value), before + value);
}

template <typename T>
FLINKGPU_HD T atomic_or(T* target, word_of<T> bits) {
  FLINKGPU_ATOMIC(atomicOr(cuda_words(target), bits), before | bits);
}

template <typename T>
FLINKGPU_HD T atomic_and(T* target, word_of<T> mask) {
  FLINKGPU_ATOMIC(atomicAnd(cuda_words(target), mask), before & mask);
}

template <typename T>
FLINKGPU_HD T atomic_min(T* target, word_of<T> value) {
  FLINKGPU_ATOMIC(atomicMin(cuda_words<cuda_order<T>>(target), value),
                  value < before ? value : before);
}

template <typename T>
FLINKGPU_HD T atomic_max(T* target, word_of<T> value) {
  FLINKGPU_ATOMIC(atomicMax(cuda_words<cuda_order<T>>(target), value),
                  value > before ? value : before);
}

// Puts `value` in place of `expected`.
template <typename T>
FLINKGPU_HD T atomic_swap_if(T* target, word_of<T> expected, word_of<T> value) {
  FLINKGPU_ATOMIC(atomicCAS(cuda_words(target), expected, value),
                  before == expected ? value : before);
}

// Sets a word that other threads may read meanwhile.
template <typename T>
FLINKGPU_HD T atomic_set(T* target, word_of<T> value) {
  FLINKGPU_ATOMIC(atomicExch(cuda_words(target), value), value);
}

#undef FLINKGPU_ATOMIC

// A load of a word that other threads' atomics may change meanwhile.
template <typename T>
FLINKGPU_HD T load_shared_word(const T* source) {
  return *const_cast<const volatile T*>(source);
}

// Brings the lanes of a warp together again, all of which come here: what they do next takes one
// instruction for all, not one for each way that they came.
FLINKGPU_HD void converge() {
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

inline constexpr uint32_t all_lanes = 0xffffffff;

// Whether it holds for a lane of the warp, all of which come here.
FLINKGPU_HD bool any_lane(bool holds) {
#ifdef __CUDA_ARCH__
  return __any_sync(all_lanes, holds) != 0;
#else
  return holds;
#endif
}

// 16 bytes of memory, the first byte lowest.
struct byte_pack {
  uint64_t low;
  uint64_t high;
};

// One load of 16 bytes; `source` is aligned to 16.
FLINKGPU_HD byte_pack load_pack(const uint8_t* source) {
#ifdef __CUDA_ARCH__
  const ulonglong2 pack = *reinterpret_cast<const ulonglong2*>(source);
  return {pack.x, pack.y};
#else
  byte_pack pack;
  std::memcpy(&pack, source, sizeof(pack));
  return pack;
#endif
}

// One store of 16 bytes; `to` is aligned to 16.
FLINKGPU_HD void store_pack(uint8_t* to, const byte_pack& pack) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<ulonglong2*>(to) = make_ulonglong2(pack.low, pack.high);
#else
  std::memcpy(to, &pack, sizeof(pack));
#endif
}

}  // namespace flinkgpu
