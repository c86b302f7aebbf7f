#pragma once

// dense_each: a thread for each number of a value. Sums, products and copies of values.

#include "dense/activation.cuh"

namespace flinkgpu {

FLINKGPU_HD float operand(const float* values, uint64_t row, uint32_t stride, uint32_t column,
                          uint32_t step) {
  return values[row * stride + uint64_t{column} * step];
}

FLINKGPU_HD void compute_each(const dense_each_args& args, uint64_t index) {
  const uint64_t row = index / args.width;
  if (row >= args.rows) {
    return;
  }
  const auto column = static_cast<uint32_t>(index % args.width);
  float value = operand(args.left, row, args.left_stride, column, args.left_step);
  if (args.operation != each_copy) {
    const float right = operand(args.right, row, args.right_stride, column, args.right_step);
    value = args.operation == each_add ? add_rn(value, right) : multiply_rn(value, right);
  }
  args.output[row * args.output_stride + column] = activate(args.activation, value);
}

}  // namespace flinkgpu
