#pragma once

// Numbers of 16 bits: the upper half of a single precision number (bf16).

#include "block/floats.cuh"
#include "dense/dense_abi.cuh"

namespace flinkgpu {

// Rounded to nearest even; NaN stays NaN.
FLINKGPU_HD uint16_t bf16_of(float value) {
  const uint32_t bits = bits_of_float(value);
  if ((bits & 0x7fffffff) > 0x7f800000) {
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  }
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Of one row of rounded numbers to the next: rows begin at multiples of 16 bytes.
FLINKGPU_HD uint32_t rounded_stride(uint32_t width) {
  return (width + 7) & ~7U;
}

}  // namespace flinkgpu
