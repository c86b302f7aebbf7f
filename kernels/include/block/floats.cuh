#pragma once

// Single precision in which each step is rounded to nearest even, on the device as on the host: the
// compiler joins no product and sum of its own, and keeps denormals.

#include <cmath>

#include "host_device.cuh"

namespace flinkgpu {

FLINKGPU_HD float fma_of(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

FLINKGPU_HD float sum_of_floats(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

FLINKGPU_HD float product_of(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

FLINKGPU_HD float quotient_of(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

FLINKGPU_HD float float_of_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// Four floats that are loaded and stored at once.
struct alignas(16) float_quad {
  float values[4];
};

}  // namespace flinkgpu
