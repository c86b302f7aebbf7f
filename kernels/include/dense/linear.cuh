#pragma once

// dense_linear: products of a batch with weights. One accumulator for each output, to which inputs
// are added in their order, so that the result is the CPU's. A block computes 128 rows and 128
// outputs, a thread 8 of each; 8 inputs at a time are in shared memory, while the next 8 are on
// their way.

#include "block/tile.cuh"
#include "dense/activation.cuh"

namespace flinkgpu {

inline constexpr uint32_t linear_depth = 8;  // inputs at a time
inline constexpr uint32_t linear_quads = dense_tile / 4;
inline constexpr uint32_t linear_side = 16;  // threads of a block in each direction

// Four floats that are loaded and stored at once.
struct alignas(16) aligned_quad {
  float values[4];
};

// A quad more for each input: rows that are stored together are in banks of their own.
struct linear_shared {
  aligned_quad inputs[2][linear_depth][linear_quads + 1];  // of four rows each
  aligned_quad weights[2][linear_depth][linear_quads];     // of four outputs each
};

struct linear_thread {
  uint32_t thread;
  aligned_quad input;  // on its way, as the next one
  aligned_quad weight;
  float sums[8][8];
};

struct linear_block {
  uint32_t first_row;
  uint32_t first_output;
};

FLINKGPU_HD linear_block block_of_linear(const dense_linear_args& args, uint32_t block) {
  const uint32_t across = (args.outputs + dense_tile - 1) / dense_tile;
  return {block / across * dense_tile, block % across * dense_tile};
}

FLINKGPU_HD aligned_quad load_aligned(const float* source) {
  return *reinterpret_cast<const aligned_quad*>(source);
}

// Begins to load four inputs of a row, and four weights of an input, from input `first` on. What
// is not there is not looked at later.
FLINKGPU_HD void load_linear(const dense_linear_args& args, const linear_block& block,
                             uint32_t first, linear_thread& self) {
  const uint32_t row = block.first_row + self.thread / 2;
  const uint32_t input = first + self.thread % 2 * 4;
  if (row < args.rows && input < args.inputs) {
    self.input = load_aligned(args.input + uint64_t{row} * args.input_stride + input);
  }
  const uint32_t of = first + self.thread / linear_quads;
  const uint32_t output = block.first_output + self.thread % linear_quads * 4;
  if (of < args.inputs && output < args.outputs) {
    self.weight = load_aligned(args.weights + uint64_t{of} * args.weight_stride + output);
  }
}

FLINKGPU_HD void store_linear(linear_shared& shared, uint32_t buffer, const linear_thread& self) {
  const uint32_t row = self.thread / 2;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    shared.inputs[buffer][self.thread % 2 * 4 + i][row / 4].values[row % 4] = self.input.values[i];
  }
  shared.weights[buffer][self.thread / linear_quads][self.thread % linear_quads] = self.weight;
}

// Adds the products with one input to all sums of a thread.
FLINKGPU_HD void add_input(const linear_shared& shared, uint32_t buffer, uint32_t k,
                           linear_thread& self) {
  const uint32_t down = self.thread / linear_side;
  const uint32_t across = self.thread % linear_side;
  const aligned_quad x[2] = {shared.inputs[buffer][k][down],
                             shared.inputs[buffer][k][down + linear_side]};
  const aligned_quad w[2] = {shared.weights[buffer][k][across],
                             shared.weights[buffer][k][across + linear_side]};
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 8; ++i) {
    FLINKGPU_UNROLLED
    for (uint32_t j = 0; j < 8; ++j) {
      self.sums[i][j] = fma_rn(x[i / 4].values[i % 4], w[j / 4].values[j % 4], self.sums[i][j]);
    }
  }
}

FLINKGPU_HD void add_inputs(const linear_shared& shared, uint32_t buffer, uint32_t count,
                            linear_thread& self) {
  if (count >= linear_depth) {
    FLINKGPU_UNROLLED
    for (uint32_t k = 0; k < linear_depth; ++k) {
      add_input(shared, buffer, k, self);
    }
  } else {
    // Zeros in place of what is not there would make +0.0 of -0.0.
    FLINKGPU_ROLLED
    for (uint32_t k = 0; k < count; ++k) {
      add_input(shared, buffer, k, self);
    }
  }
}

FLINKGPU_HD float finish_linear(const dense_linear_args& args, uint32_t output, float sum) {
  const float biased = args.bias == nullptr ? sum : add_rn(sum, args.bias[output]);
  return activate(args.activation, biased);
}

FLINKGPU_HD void write_linear(const dense_linear_args& args, const linear_block& block,
                              const linear_thread& self) {
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t row =
        block.first_row + i / 4 * (dense_tile / 2) + self.thread / linear_side * 4 + i % 4;
    if (row < args.rows) {
      float* const to = args.output + uint64_t{row} * args.output_stride;
      FLINKGPU_UNROLLED
      for (uint32_t j = 0; j < 8; ++j) {
        const uint32_t output =
            block.first_output + j / 4 * (dense_tile / 2) + self.thread % linear_side * 4 + j % 4;
        if (output < args.outputs) {
          to[output] = finish_linear(args, output, self.sums[i][j]);
        }
      }
    }
  }
}

// The kernel.
template <typename Threads>
FLINKGPU_LIST void linear(const Threads& threads, const dense_linear_args& args,
                          linear_shared& shared, uint32_t index) {
  static_assert(dense_threads == linear_side * linear_side);
  static_assert(dense_threads == dense_tile * linear_depth / 4, "a quad of each a thread");
  const linear_block block = block_of_linear(args, index);
  auto each = threads.begin([](uint32_t thread) { return linear_thread{thread, {}, {}, {}}; });
  each([&](linear_thread& self) {
    load_linear(args, block, 0, self);
    store_linear(shared, 0, self);
  });
  uint32_t buffer = 0;
  for (uint32_t first = 0; first < args.inputs; first += linear_depth) {
    each([&](linear_thread& self) {
      load_linear(args, block, first + linear_depth, self);
      add_inputs(shared, buffer, args.inputs - first, self);
      store_linear(shared, buffer ^ 1, self);
    });
    buffer ^= 1;
  }
  each.last([&](const linear_thread& self) { write_linear(args, block, self); });
}

}  // namespace flinkgpu
