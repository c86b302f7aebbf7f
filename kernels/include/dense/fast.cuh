#pragma once

// dense_fast: products of a batch with weights on tensor cores. Both are rounded to bf16, products
// of those are exact, and sums are single precision in an order that the hardware has. A block
// computes 128 rows and 128 outputs, a warp 64 and 32; the next inputs are on their way meanwhile.
// A multiprocessor has two blocks: one loads what it multiplies while the other one multiplies.
//
// Which input is which number of a fragment does not matter as long as rows and weights agree: a
// thread takes 8 that follow each other, a load of 16 bytes, for two steps of 16 inputs.

#include "block/async_copy.cuh"
#include "block/tile.cuh"
#include "dense/activation.cuh"
#include "dense/bf16.cuh"

namespace flinkgpu {

inline constexpr uint32_t fast_pack = 8;  // numbers of 16 bytes
inline constexpr uint32_t fast_packs = dense_fast_depth / fast_pack;
inline constexpr uint32_t fast_warp_rows = 64;
inline constexpr uint32_t fast_warp_outputs = 32;
inline constexpr uint32_t fast_warps_across = dense_fast_outputs / fast_warp_outputs;
inline constexpr uint32_t fast_down = fast_warp_rows / 16;
inline constexpr uint32_t fast_across = fast_warp_outputs / 8;
inline constexpr uint32_t fast_steps = dense_fast_depth / 16;

struct alignas(16) word_quad {
  uint32_t words[4];
};

struct fast_stage {
  word_quad inputs[dense_fast_rows][fast_packs];
  word_quad weights[dense_fast_outputs][fast_packs];
};

union fast_shared {
  fast_stage stages[dense_fast_stages];
  float sums[dense_fast_rows][dense_fast_outputs];  // once nobody needs stages any more
};
static_assert(sizeof(fast_shared) == dense_fast_shared_bytes);

struct fast_thread {
  uint32_t thread;
  word_quad inputs[fast_down][2];
  word_quad weights[fast_across];
  float sums[fast_down][fast_across][4];
};

struct fast_block {
  uint32_t first_row;
  uint32_t first_output;
};

FLINKGPU_HD fast_block block_of_fast(const dense_fast_args& args, uint32_t block) {
  const uint32_t across = (args.outputs + dense_fast_outputs - 1) / dense_fast_outputs;
  return {block / across * dense_fast_rows, block % across * dense_fast_outputs};
}

// Begins to copy a pack of a matrix; zeros where there is none.
FLINKGPU_HD void copy_pack(word_quad& to, const uint16_t* matrix, uint32_t row, uint32_t rows,
                           uint32_t input, uint32_t inputs) {
  const uint32_t left = row < rows && input < inputs ? inputs - input : 0;
  const uint16_t* const source =
      left == 0 ? matrix : matrix + uint64_t{row} * rounded_stride(inputs) + input;
  copy_async(&to, source, min_of(left, fast_pack) * 2);
}

FLINKGPU_HD void copy_stage(const dense_fast_args& args, const fast_block& block, uint32_t step,
                            uint32_t thread, fast_shared& shared) {
  fast_stage& stage = shared.stages[step % dense_fast_stages];
  const uint32_t pack = thread % fast_packs;
  const uint32_t input = step * dense_fast_depth + pack * fast_pack;
  FLINKGPU_UNROLLED
  for (uint32_t at = 0; at < dense_fast_rows; at += dense_threads / fast_packs) {
    const uint32_t row = at + thread / fast_packs;
    copy_pack(stage.inputs[row][pack], args.input, block.first_row + row, args.rows, input,
              args.inputs);
  }
  FLINKGPU_UNROLLED
  for (uint32_t at = 0; at < dense_fast_outputs; at += dense_threads / fast_packs) {
    const uint32_t output = at + thread / fast_packs;
    copy_pack(stage.weights[output][pack], args.weights, block.first_output + output, args.outputs,
              input, args.inputs);
  }
  end_async_copies();
}

FLINKGPU_HD uint32_t fast_row(uint32_t thread) {
  return thread / (fast_warps_across * 32) * fast_warp_rows + thread % 32 / 4;
}

FLINKGPU_HD uint32_t fast_output(uint32_t thread) {
  return thread / 32 % fast_warps_across * fast_warp_outputs;
}

FLINKGPU_HD void load_fast(const fast_stage& stage, fast_thread& self) {
  const uint32_t pack = self.thread % 4;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < fast_down; ++i) {
    self.inputs[i][0] = stage.inputs[fast_row(self.thread) + i * 16][pack];
    self.inputs[i][1] = stage.inputs[fast_row(self.thread) + i * 16 + 8][pack];
  }
  FLINKGPU_UNROLLED
  for (uint32_t j = 0; j < fast_across; ++j) {
    self.weights[j] = stage.weights[fast_output(self.thread) + self.thread % 32 / 4 + j * 8][pack];
  }
}

// The fragments of one of a warp's products: a step, 16 rows, 8 outputs.
FLINKGPU_HD mma_operands operands_of_fast(fast_thread& self, uint32_t number) {
  const uint32_t i = number / (fast_across * fast_steps);
  const uint32_t j = number % fast_across;
  const uint32_t s = number / fast_across % fast_steps * 2;
  return {{self.inputs[i][0].words[s], self.inputs[i][1].words[s], self.inputs[i][0].words[s + 1],
           self.inputs[i][1].words[s + 1]},
          {self.weights[j].words[s], self.weights[j].words[s + 1]},
          self.sums[i][j]};
}

// Where the sum of a row and an output is: eights of outputs that rows have in turns, so that
// fragments go there, and rows come from there, by all banks of shared memory.
FLINKGPU_HD float* sum_place(fast_shared& shared, uint32_t row, uint32_t output) {
  return &shared.sums[row][output ^ (row % 8 * 8)];
}

FLINKGPU_HD void keep_sums(const fast_thread& self, fast_shared& shared) {
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < fast_down; ++i) {
    FLINKGPU_UNROLLED
    for (uint32_t j = 0; j < fast_across; ++j) {
      FLINKGPU_UNROLLED
      for (uint32_t k = 0; k < 2; ++k) {
        float* const to = sum_place(shared, fast_row(self.thread) + i * 16 + k * 8,
                                    fast_output(self.thread) + self.thread % 4 * 2 + j * 8);
        to[0] = self.sums[i][j][2 * k];
        to[1] = self.sums[i][j][2 * k + 1];
      }
    }
  }
}

// Writes two outputs that follow each other, the first of which is even.
FLINKGPU_HD void write_pair(const dense_fast_args& args, uint32_t row, uint32_t output,
                            const float* sums, const float* bias) {
  uint32_t pair = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 2; ++i) {
    if (output + i < args.outputs) {
      const float biased = args.bias == nullptr ? sums[i] : add_rn(sums[i], bias[i]);
      const float value = activate(args.activation, biased);
      if (args.output != nullptr) {
        args.output[uint64_t{row} * args.output_stride + output + i] = value;
      }
      pair |= uint32_t{bf16_of(value)} << (16 * i);
    }
  }
  if (args.rounded != nullptr && output < args.outputs) {
    // Rows have room for an even number of outputs.
    uint16_t* const to = args.rounded + uint64_t{row} * rounded_stride(args.outputs) + output;
    *reinterpret_cast<uint32_t*>(to) = pair;
  }
}

// Writes a block's outputs, a warp a row at a time: a loop, as what is written for each number
// would be more code than the processor keeps if it were there for each of a thread's.
FLINKGPU_HD void write_fast(const dense_fast_args& args, const fast_block& block, uint32_t thread,
                            fast_shared& shared) {
  constexpr uint32_t pairs = dense_fast_outputs / 64;  // of a lane
  const uint32_t lane = thread % 32;
  float bias[pairs][2];
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 2 * pairs; ++i) {
    const uint32_t output = block.first_output + i / 2 * 64 + 2 * lane + i % 2;
    bias[i / 2][i % 2] = args.bias != nullptr && output < args.outputs ? args.bias[output] : 0.0F;
  }
  const uint32_t rows = min_of(dense_fast_rows, args.rows - block.first_row);
  FLINKGPU_ROLLED
  for (uint32_t row = thread / 32; row < rows; row += dense_threads / 32) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < pairs; ++i) {
      const uint32_t output = i * 64 + 2 * lane;
      write_pair(args, block.first_row + row, block.first_output + output,
                 sum_place(shared, row, output), bias[i]);
    }
  }
}

// The kernel.
template <typename Threads>
FLINKGPU_LIST void fast(const Threads& threads, const dense_fast_args& args, fast_shared& shared,
                        uint32_t index) {
  static_assert(dense_fast_rows / fast_warp_rows * fast_warps_across * 32 == dense_threads);
  const fast_block block = block_of_fast(args, index);
  const uint32_t steps = (args.inputs + dense_fast_depth - 1) / dense_fast_depth;
  auto each = threads.begin([](uint32_t thread) { return fast_thread{thread, {}, {}, {}}; });
  each.last([&](const fast_thread& self) {
    for (uint32_t step = 0; step < dense_fast_stages - 1; ++step) {
      copy_stage(args, block, step, self.thread, shared);
    }
  });
  for (uint32_t step = 0; step < steps; ++step) {
    // After the barrier nobody reads the stage of the step before any more.
    each([](const fast_thread&) { await_async_copies<dense_fast_stages - 2>(); });
    each.last([&](fast_thread& self) {
      copy_stage(args, block, step + dense_fast_stages - 1, self.thread, shared);
      load_fast(shared.stages[step % dense_fast_stages], self);
    });
    each.template products<fast_steps * fast_down * fast_across>(
        [](fast_thread& self, uint32_t number) { return operands_of_fast(self, number); });
  }
  // Copies beyond the last input are zeros on their way to stages.
  each([](const fast_thread&) { await_async_copies<0>(); },
       [&](const fast_thread& self) { keep_sums(self, shared); });
  each.last([&](const fast_thread& self) { write_fast(args, block, self.thread, shared); });
}

}  // namespace flinkgpu
