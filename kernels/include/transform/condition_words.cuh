#pragma once

// Three-valued logic on four conditions at a time: a byte each, 0 false, 1 true, 2 null.

#include "host_device.cuh"

namespace flinkgpu {

inline constexpr uint32_t ones = 0x01010101;

FLINKGPU_HD uint32_t are_true(uint32_t x) {
  return x & ones;
}

FLINKGPU_HD uint32_t are_null(uint32_t x) {
  return (x >> 1) & ones;
}

FLINKGPU_HD uint32_t are_false(uint32_t x) {
  return ~(x | (x >> 1)) & ones;
}

FLINKGPU_HD uint32_t both(uint32_t x, uint32_t y) {
  const uint32_t some_false = are_false(x) | are_false(y);
  return (x & y & ones) | (((are_null(x) | are_null(y)) & ~some_false) << 1);
}

FLINKGPU_HD uint32_t either(uint32_t x, uint32_t y) {
  const uint32_t some_true = (x | y) & ones;
  return some_true | (((are_null(x) | are_null(y)) & ~some_true) << 1);
}

FLINKGPU_HD uint32_t negated(uint32_t x) {
  return are_false(x) | (are_null(x) << 1);
}

// Bytes of x where `which`, of 0 and 1, is 1; of y elsewhere.
FLINKGPU_HD uint32_t choose_bytes(uint32_t which, uint32_t x, uint32_t y) {
  const uint32_t mask = which * 0xff;
  return (x & mask) | (y & ~mask);
}

FLINKGPU_HD uint32_t row_byte(uint32_t word, uint32_t row) {
  return (word >> (8 * row)) & 0xff;
}

FLINKGPU_HD bool is_first(uint32_t guards, uint32_t item) {
  return (guards & (1U << (8 * item))) != 0;
}

// 0xff in the bytes of bits that are set, of a few; in all bytes if all are.
template <uint32_t Bits>
FLINKGPU_HD uint32_t spread_bits(uint32_t bits) {
  uint32_t bytes = ~0U;
  if (bits != low_bits(Bits)) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Bits; ++i) {
      bytes ^= ((bits >> i) & 1) != 0 ? 0 : 0xffU << (8 * i);
    }
  }
  return bytes;
}

}  // namespace flinkgpu
