// Dot products, cross layers, and what is done with each number: see dense/dot.cuh and
// dense/each.cuh.

#include "dense/dot.cuh"
#include "dense/each.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(dense_threads)
    dense_dot(const dense_linear_args args) {
  dot(device_threads{}, args, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(dense_threads)
    dense_cross(const dense_cross_args args) {
  cross(device_threads{}, args, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(dense_threads, 4)
    dense_crosses(const __grid_constant__ dense_cross_args args) {
  __shared__ crosses_shared shared;
  crosses(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(dense_threads) dense_each(const dense_each_args args) {
  compute_each(args, thread_of_dot(blockIdx.x, threadIdx.x));
}
