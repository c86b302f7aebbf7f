#pragma once

// What a layer does with each of its numbers: step by step as Java's DensePlan defines it, so that
// both give the same bits.

#include "block/floats.cuh"
#include "dense/dense_abi.cuh"

namespace flinkgpu {

// 2 to a power from -126 to 127.
FLINKGPU_HD float power_of_two(int32_t exponent) {
  return float_of_bits(static_cast<uint32_t>(exponent + 127) << 23);
}

// The exponential of a number that is not positive, nor NaN.
FLINKGPU_HD float exp_of(float a) {
  if (a < -104.0F) {
    return 0.0F;
  }
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23: its last bit is worth 1
  const float n = add_rn(fma_rn(a, 0x1.715476p0F, rounder), -rounder);
  const float r = fma_rn(n, -0x1.7f7d1cp-20F, fma_rn(n, -0x1.62e4p-1F, a));
  float p = fma_rn(r, 1.0F / 5040, 1.0F / 720);
  p = fma_rn(r, p, 1.0F / 120);
  p = fma_rn(r, p, 1.0F / 24);
  p = fma_rn(r, p, 1.0F / 6);
  p = fma_rn(r, p, 0.5F);
  p = fma_rn(r, p, 1.0F);
  p = fma_rn(r, p, 1.0F);
  const auto power = static_cast<int32_t>(n);
  const int32_t half = power >> 1;
  return multiply_rn(multiply_rn(p, power_of_two(half)), power_of_two(power - half));
}

FLINKGPU_HD float sigmoid_of(float x) {
  if (x != x) {
    return x;
  }
  const float e = exp_of(x < 0 ? x : -x);
  return divide_rn(x < 0 ? e : 1.0F, add_rn(1.0F, e));
}

FLINKGPU_HD float activate(uint32_t activation, float x) {
  if (activation == activation_relu) {
    return x <= 0 ? 0.0F : x;
  }
  return activation == activation_sigmoid ? sigmoid_of(x) : x;
}

}  // namespace flinkgpu
