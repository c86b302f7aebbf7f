#pragma once

// dense_each: a warp for each row. Sums, products and copies of values.

#include "dense/activation.cuh"
#include "dense/bf16.cuh"
#include "dense/dot.cuh"

namespace flinkgpu {

FLINKGPU_HD float operand(const float* values, uint64_t row, uint32_t stride, uint32_t column,
                          uint32_t step) {
  return values[row * stride + uint64_t{column} * step];
}

// Numbers of a lane that are on their way at a time.
inline constexpr uint32_t each_ahead = 8;

FLINKGPU_HD float number_of(const dense_each_args& args, uint32_t row, uint32_t column) {
  const float value = operand(args.left, row, args.left_stride, column, args.left_step);
  if (args.operation == each_copy) {
    return value;
  }
  const float right = operand(args.right, row, args.right_stride, column, args.right_step);
  return args.operation == each_add ? add_rn(value, right) : multiply_rn(value, right);
}

FLINKGPU_HD void write_number(const dense_each_args& args, uint32_t row, uint32_t column,
                              float value) {
  if (args.output != nullptr) {
    args.output[uint64_t{row} * args.output_stride + column] = value;
  }
  if (args.rounded != nullptr) {
    args.rounded[uint64_t{row} * args.rounded_stride + column] = bf16_of(value);
  }
}

FLINKGPU_HD void compute_each(const dense_each_args& args, const dot_thread& self) {
  if (self.row >= args.rows) {
    return;
  }
  FLINKGPU_ROLLED
  for (uint32_t first = self.lane; first < args.width; first += each_ahead * lanes) {
    float values[each_ahead];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < each_ahead; ++i) {
      const uint32_t column = first + i * lanes;
      values[i] = column < args.width ? number_of(args, self.row, column) : 0.0F;
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < each_ahead; ++i) {
      const uint32_t column = first + i * lanes;
      if (column < args.width) {
        write_number(args, self.row, column, activate(args.activation, values[i]));
      }
    }
  }
}

}  // namespace flinkgpu
