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

FLINKGPU_HD void compute_number(const dense_each_args& args, uint32_t row, uint32_t column) {
  float value = operand(args.left, row, args.left_stride, column, args.left_step);
  if (args.operation != each_copy) {
    const float right = operand(args.right, row, args.right_stride, column, args.right_step);
    value = args.operation == each_add ? add_rn(value, right) : multiply_rn(value, right);
  }
  value = activate(args.activation, value);
  if (args.output != nullptr) {
    args.output[uint64_t{row} * args.output_stride + column] = value;
  }
  if (args.rounded != nullptr) {
    args.rounded[uint64_t{row} * args.rounded_stride + column] = bf16_of(value);
  }
}

FLINKGPU_HD void compute_each(const dense_each_args& args, const dot_thread& self) {
  if (self.row < args.rows) {
    for (uint32_t column = self.lane; column < args.width; column += lanes) {
      compute_number(args, self.row, column);
    }
  }
}

}  // namespace flinkgpu
