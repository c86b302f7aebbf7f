#pragma once

// Elements of vectors as floats, four at a time. All arithmetic is rounded once, to nearest, and no
// product is fused with a sum: a result is the same in every bit wherever it is computed.

#include "block/floats.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

// One load of a word; `source` is aligned to its size.
template <typename T>
FLINKGPU_HD T load_word(const uint8_t* source) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const T*>(source);
#else
  T word;
  std::memcpy(&word, source, sizeof(word));
  return word;
#endif
}

// A number of 16 bits, of which 5 are the exponent.
FLINKGPU_HD float half_value(uint32_t half) {
  const uint32_t sign = (half & 0x8000) << 16;
  const uint32_t exponent = (half >> 10) & 0x1f;
  const uint32_t fraction = half & 0x3ff;
  if (exponent == 0) {
    // 2^-24 each; the product is exact.
    const float value = multiply_rn(static_cast<float>(fraction), float_of_bits(0x33800000));
    return float_of_bits(sign | bits_of_float(value));
  }
  const uint32_t wide = exponent == 0x1f ? 0xff : exponent + 112;
  return float_of_bits(sign | (wide << 23) | (fraction << 13));
}

struct float_quad {
  float at[4];
};

FLINKGPU_HD float_quad quad_of(float value) {
  return {{value, value, value, value}};
}

// Elements [first, first + 4) of a vector, of which those past its end are anything; `first` is a
// multiple of 4. A vector's last bytes are there up to a multiple of 16.
FLINKGPU_HD float_quad load_quad(const uint8_t* vector, uint32_t type, uint32_t first) {
  float_quad quad;
  if (type == lookup_f32) {
    const byte_pack pack = load_pack(vector + size_t{4} * first);
    quad.at[0] = float_of_bits(static_cast<uint32_t>(pack.low));
    quad.at[1] = float_of_bits(static_cast<uint32_t>(pack.low >> 32));
    quad.at[2] = float_of_bits(static_cast<uint32_t>(pack.high));
    quad.at[3] = float_of_bits(static_cast<uint32_t>(pack.high >> 32));
  } else if (type == lookup_int8) {
    const uint64_t head = load_word<uint64_t>(vector);
    const float scale = float_of_bits(static_cast<uint32_t>(head));
    const float bias = float_of_bits(static_cast<uint32_t>(head >> 32));
    const uint32_t word = load_word<uint32_t>(vector + 8 + first);
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < 4; ++i) {
      const auto element = static_cast<int8_t>((word >> (8 * i)) & 0xff);
      quad.at[i] = add_rn(multiply_rn(static_cast<float>(element), scale), bias);
    }
  } else {
    const uint64_t word = load_word<uint64_t>(vector + size_t{2} * first);
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < 4; ++i) {
      const auto bits = static_cast<uint32_t>(word >> (16 * i)) & 0xffff;
      quad.at[i] = type == lookup_f16 ? half_value(bits) : float_of_bits(bits << 16);
    }
  }
  return quad;
}

// Writes elements [first, first + 4) of `dimension` to `values`, which may start at any float.
FLINKGPU_HD void store_quad(float* values, const float_quad& quad, uint32_t first,
                            uint32_t dimension) {
  auto* const to = reinterpret_cast<uint8_t*>(values + first);
  if (first + 4 <= dimension && (reinterpret_cast<uintptr_t>(to) & 15) == 0) {
    const uint64_t low =
        bits_of_float(quad.at[0]) | (static_cast<uint64_t>(bits_of_float(quad.at[1])) << 32);
    const uint64_t high =
        bits_of_float(quad.at[2]) | (static_cast<uint64_t>(bits_of_float(quad.at[3])) << 32);
    store_pack(to, {low, high});
    return;
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    if (first + i < dimension) {
      values[first + i] = quad.at[i];
    }
  }
}

}  // namespace flinkgpu
