#pragma once

// What the dense kernels and Java's DenseAbi must agree on; see redact/redact_abi.cuh. A value of a
// network is a matrix in device memory: a row for each row of the batch, at strides that are
// multiples of 4 floats but for results, whose rows follow each other.

#include <cstdint>

namespace flinkgpu {

inline constexpr uint32_t dense_threads = 256;

inline constexpr uint32_t dense_tile = 128;  // rows, and outputs, of a block of dense_linear
inline constexpr uint32_t dense_warp_rows =
    8;  // of a block of dense_dot, dense_cross and dense_each

inline constexpr uint32_t dense_most_crossed = 1024;  // numbers of a row of dense_crosses

inline constexpr uint32_t dense_fast_rows = 128;  // of a block of dense_fast
inline constexpr uint32_t dense_fast_outputs = 128;
inline constexpr uint32_t dense_fast_depth = 32;  // inputs at a time
inline constexpr uint32_t dense_fast_stages = 4;  // of them in shared memory
inline constexpr uint32_t dense_fast_shared_bytes = 65536;

inline constexpr uint32_t activation_none = 0;
inline constexpr uint32_t activation_relu = 1;
inline constexpr uint32_t activation_sigmoid = 2;

inline constexpr uint32_t each_add = 0;
inline constexpr uint32_t each_multiply = 1;
inline constexpr uint32_t each_copy = 2;  // the left one; then the activation

// dense_linear and dense_dot.
struct dense_linear_args {
  const float* input;
  const float* weights;  // a row for each input; of dense_dot one for all
  const float* bias;     // or null
  float* output;
  uint32_t rows;
  uint32_t inputs;
  uint32_t outputs;
  uint32_t input_stride;
  uint32_t weight_stride;
  uint32_t output_stride;
  uint32_t activation;
  uint32_t reserved;
};
static_assert(sizeof(dense_linear_args) == 64);

// dense_fast. Rounded numbers are bf16; each of their rows begins at a multiple of 16 bytes.
struct dense_fast_args {
  const uint16_t* input;
  const uint16_t* weights;  // a row for each output
  const float* bias;        // or null
  float* output;            // or null
  uint16_t* rounded;        // the same, rounded; or null
  uint32_t rows;
  uint32_t inputs;
  uint32_t outputs;
  uint32_t output_stride;
  uint32_t activation;
  uint32_t reserved;
};
static_assert(sizeof(dense_fast_args) == 64);

// dense_cross, dense_crosses: of several layers, each of which reads what the one before gives,
// with the same `first`. Weights and biases of a layer are so many floats after those of the one
// before.
struct dense_cross_args {
  const float* first;
  const float* input;
  const float* weights;
  const float* bias;
  float* output;
  uint32_t rows;
  uint32_t width;
  uint32_t first_stride;
  uint32_t input_stride;
  uint32_t output_stride;
  uint32_t layers;
  uint32_t layer_stride;
  uint32_t reserved;
};
static_assert(sizeof(dense_cross_args) == 72);

// dense_each. A stride of 0: the same numbers for all rows. A step of 0: one number for a row.
struct dense_each_args {
  const float* left;
  const float* right;  // or null
  float* output;       // or null
  uint16_t* rounded;   // the same as bf16, or null
  uint32_t rows;
  uint32_t width;
  uint32_t left_stride;
  uint32_t left_step;
  uint32_t right_stride;
  uint32_t right_step;
  uint32_t output_stride;
  uint32_t rounded_stride;
  uint32_t operation;
  uint32_t activation;
};
static_assert(sizeof(dense_each_args) == 72);

}  // namespace flinkgpu
