#pragma once

// dense_dot, dense_cross and dense_crosses: a warp for each row. Lane l adds up the products l,
// l + 32, ...; the lanes' sums are added in a fixed tree.

#include "block/tile.cuh"
#include "dense/activation.cuh"

namespace flinkgpu {

inline constexpr uint32_t lanes = 32;

struct sum_floats {
  FLINKGPU_HD float operator()(float a, float b) const { return add_rn(a, b); }
};

struct dot_thread {
  uint32_t row;
  uint32_t lane;
};

FLINKGPU_HD dot_thread thread_of_dot(uint32_t block, uint32_t thread) {
  return {block * dense_warp_rows + thread / lanes, thread % lanes};
}

// Numbers of a lane that are on their way at a time.
inline constexpr uint32_t dot_ahead = 8;

// The share of a lane.
FLINKGPU_HD float lane_of_dot(const float* x, const float* weights, uint32_t width, uint32_t lane) {
  float sum = 0.0F;
  FLINKGPU_ROLLED
  for (uint32_t first = lane; first < width; first += dot_ahead * lanes) {
    float numbers[dot_ahead];
    float factors[dot_ahead];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < dot_ahead; ++i) {
      const uint32_t k = first + i * lanes < width ? first + i * lanes : 0;
      numbers[i] = x[k];
      factors[i] = weights[k];
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < dot_ahead; ++i) {
      const float added = fma_rn(numbers[i], factors[i], sum);
      sum = first + i * lanes < width ? added : sum;
    }
  }
  return sum;
}

// A number of a cross layer.
FLINKGPU_HD float crossed(float first, float dot, float bias, float input) {
  return add_rn(add_rn(multiply_rn(first, dot), bias), input);
}

template <typename Threads>
FLINKGPU_LIST void dot(const Threads& threads, const dense_linear_args& args, uint32_t block) {
  auto each = threads.begin([&](uint32_t thread) { return thread_of_dot(block, thread); });
  each.template xor_tree<sum_floats>(
      [&](const dot_thread& self) {
        return self.row < args.rows
                   ? lane_of_dot(args.input + uint64_t{self.row} * args.input_stride, args.weights,
                                 args.inputs, self.lane)
                   : 0.0F;
      },
      [&](const dot_thread& self, float sum) {
        if (self.row < args.rows && self.lane == 0) {
          const float biased = args.bias == nullptr ? sum : add_rn(sum, args.bias[0]);
          args.output[uint64_t{self.row} * args.output_stride] = activate(args.activation, biased);
        }
      });
}

template <typename Threads>
FLINKGPU_LIST void cross(const Threads& threads, const dense_cross_args& args, uint32_t block) {
  auto each = threads.begin([&](uint32_t thread) { return thread_of_dot(block, thread); });
  each.template xor_tree<sum_floats>(
      [&](const dot_thread& self) {
        return self.row < args.rows
                   ? lane_of_dot(args.input + uint64_t{self.row} * args.input_stride, args.weights,
                                 args.width, self.lane)
                   : 0.0F;
      },
      [&](const dot_thread& self, float sum) {
        if (self.row < args.rows) {
          const float* const first = args.first + uint64_t{self.row} * args.first_stride;
          const float* const input = args.input + uint64_t{self.row} * args.input_stride;
          float* const output = args.output + uint64_t{self.row} * args.output_stride;
          for (uint32_t i = self.lane; i < args.width; i += lanes) {
            output[i] = crossed(first[i], sum, args.bias[i], input[i]);
          }
        }
      });
}

// A row on its way through several layers: lane l has the numbers l, l + 32, ...
struct crosses_thread {
  uint32_t row;
  uint32_t lane;
  float* first;  // its numbers of the first value, of which each thread only reads what it wrote
  float values[dense_most_crossed / lanes];
};

// With these in registers a multiprocessor has half as many rows at a time.
struct crosses_shared {
  float first[dense_warp_rows][dense_most_crossed];
};

inline constexpr uint32_t crosses_ahead = 8;

// use(i, column, whether it is there) for the columns of a lane. Loads of as many columns as are
// ahead are in one block of code, in which none waits for another; where a row ends among them, the
// lanes past its end have its first column, which is not there.
template <typename Use>
FLINKGPU_HD void each_crossed(uint32_t width, uint32_t lane, Use use) {
  FLINKGPU_UNROLLED
  for (uint32_t first = 0; first < dense_most_crossed / lanes; first += crosses_ahead) {
    if ((first + crosses_ahead) * lanes <= width) {
      FLINKGPU_UNROLLED
      for (uint32_t i = first; i < first + crosses_ahead; ++i) {
        use(i, i * lanes + lane, true);
      }
    } else if (first * lanes < width) {
      FLINKGPU_UNROLLED
      for (uint32_t i = first; i < first + crosses_ahead; ++i) {
        const uint32_t column = i * lanes + lane;
        use(i, column < width ? column : 0, column < width);
      }
    }
  }
}

FLINKGPU_HD crosses_thread thread_of_crosses(const dense_cross_args& args, crosses_shared& shared,
                                             const dot_thread& of) {
  crosses_thread self{of.row, of.lane, shared.first[of.row % dense_warp_rows] + of.lane, {}};
  // Rows past the last one are computed like it.
  const uint32_t row = min_of(self.row, args.rows - 1);
  const float* const first = args.first + uint64_t{row} * args.first_stride;
  const float* const input = args.input + uint64_t{row} * args.input_stride;
  each_crossed(args.width, self.lane, [&](uint32_t i, uint32_t column, bool) {
    self.first[i * lanes] = first[column];
    self.values[i] = input[column];
  });
  return self;
}

template <typename Threads>
FLINKGPU_LIST void crosses(const Threads& threads, const dense_cross_args& args,
                           crosses_shared& shared, uint32_t block) {
  auto each = threads.begin([&](uint32_t thread) {
    return thread_of_crosses(args, shared, thread_of_dot(block, thread));
  });
  FLINKGPU_ROLLED
  for (uint32_t layer = 0; layer < args.layers; ++layer) {
    const float* const weights = args.weights + uint64_t{layer} * args.layer_stride;
    const float* const bias = args.bias + uint64_t{layer} * args.layer_stride;
    each.template xor_tree<sum_floats>(
        [&](const crosses_thread& self) {
          float sum = 0.0F;
          each_crossed(args.width, self.lane, [&](uint32_t i, uint32_t column, bool there) {
            const float added = fma_rn(self.values[i], weights[column], sum);
            sum = there ? added : sum;
          });
          return sum;
        },
        [&](crosses_thread& self, float sum) {
          each_crossed(args.width, self.lane, [&](uint32_t i, uint32_t column, bool) {
            self.values[i] = crossed(self.first[i * lanes], sum, bias[column], self.values[i]);
          });
        });
  }
  each.last([&](const crosses_thread& self) {
    if (self.row < args.rows) {
      float* const output = args.output + uint64_t{self.row} * args.output_stride;
      each_crossed(args.width, self.lane, [&](uint32_t i, uint32_t column, bool there) {
        if (there) {
          output[column] = self.values[i];
        }
      });
    }
  });
}

}  // namespace flinkgpu
