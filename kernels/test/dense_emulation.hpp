#pragma once

// The dense kernels on the CPU: launches as Java makes them.

#include <cstring>
#include <vector>

#include "check.hpp"
#include "dense/dot.cuh"
#include "dense/each.cuh"
#include "dense/fast.cuh"
#include "dense/linear.cuh"
#include "host_block.hpp"

namespace flinkgpu::test {

// The ordinals of Java's DenseKernel.
enum dense_kernel : uint64_t {
  kernel_linear,
  kernel_fast,
  kernel_dot,
  kernel_cross,
  kernel_crosses,
  kernel_each
};

template <typename Args>
Args dense_args_of(const std::vector<uint8_t>& bytes) {
  Args args;
  CHECK(bytes.size() >= sizeof(args));
  std::memcpy(&args, bytes.data(), sizeof(args));
  return args;
}

inline void run_dense_block(uint64_t kernel, const std::vector<uint8_t>& bytes, uint32_t block) {
  switch (kernel) {
    case kernel_linear: {
      const auto shared = garbage<linear_shared>();
      linear(host_threads(dense_threads), dense_args_of<dense_linear_args>(bytes), *shared, block);
      break;
    }
    case kernel_fast: {
      const auto shared = garbage<fast_shared>();
      fast(host_threads(dense_threads), dense_args_of<dense_fast_args>(bytes), *shared, block);
      break;
    }
    case kernel_dot:
      dot(host_threads(dense_threads), dense_args_of<dense_linear_args>(bytes), block);
      break;
    case kernel_cross:
      cross(host_threads(dense_threads), dense_args_of<dense_cross_args>(bytes), block);
      break;
    case kernel_crosses: {
      const auto shared = garbage<crosses_shared>();
      crosses(host_threads(dense_threads), dense_args_of<dense_cross_args>(bytes), *shared, block);
      break;
    }
    default: {
      CHECK(kernel == kernel_each);
      const auto args = dense_args_of<dense_each_args>(bytes);
      for (uint32_t thread = 0; thread < dense_threads; ++thread) {
        compute_each(args, thread_of_dot(block, thread));
      }
    }
  }
}

}  // namespace flinkgpu::test
