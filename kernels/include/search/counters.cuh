#pragma once

// Counts of up to 32 queries at a time: bit i of plane p is bit p of the count of query i.

#include "host_device.cuh"
#include "search/search_abi.cuh"

namespace flinkgpu {

template <uint32_t Planes>
struct bit_counters {
  uint32_t planes[Planes];
};

template <uint32_t Planes>
FLINKGPU_HD bit_counters<Planes> zero_counters() {
  bit_counters<Planes> counters;
  FLINKGPU_UNROLLED
  for (uint32_t p = 0; p < Planes; ++p) {
    counters.planes[p] = 0;
  }
  return counters;
}

// Adds two bits to a plane. Returns what it carries.
FLINKGPU_HD uint32_t add_bits(uint32_t& plane, uint32_t a, uint32_t b) {
  const uint32_t carry = (plane & a) | (plane & b) | (a & b);
  plane ^= a ^ b;
  return carry;
}

// Adds a carry to the planes from one on.
template <uint32_t Planes>
FLINKGPU_HD void add_carry(bit_counters<Planes>& to, uint32_t from, uint32_t carry) {
  FLINKGPU_UNROLLED
  for (uint32_t p = from; p < Planes; ++p) {
    const uint32_t next = to.planes[p] & carry;
    to.planes[p] ^= carry;
    carry = next;
  }
}

// Adds four masks. Returns what planes 0 and 1 carry.
template <uint32_t Planes>
FLINKGPU_HD uint32_t add_four(bit_counters<Planes>& to, uint32_t a, uint32_t b, uint32_t c,
                              uint32_t d) {
  const uint32_t first = add_bits(to.planes[0], a, b);
  const uint32_t second = add_bits(to.planes[0], c, d);
  return add_bits(to.planes[1], first, second);
}

// Which queries have counted at least what they need.
template <uint32_t Planes>
FLINKGPU_HD uint32_t reached(const bit_counters<Planes>& counters, const uint32_t* need) {
  uint32_t enough = 0xffffffff;
  FLINKGPU_UNROLLED
  for (uint32_t p = 0; p < Planes; ++p) {
    const uint32_t count = counters.planes[p];
    enough = (count & ~need[p]) | (~(count ^ need[p]) & enough);
  }
  return enough & need[search_need_words - 1];
}

template <uint32_t Planes>
FLINKGPU_HD uint32_t count_of(const bit_counters<Planes>& counters, uint32_t query) {
  uint32_t count = 0;
  FLINKGPU_UNROLLED
  for (uint32_t p = 0; p < Planes; ++p) {
    count |= ((counters.planes[p] >> query) & 1) << p;
  }
  return count;
}

}  // namespace flinkgpu
