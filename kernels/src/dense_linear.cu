// Products of a batch with weights: see dense/linear.cuh.

#include "dense/linear.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(dense_threads, 2)
    dense_linear(const __grid_constant__ dense_linear_args args) {
  __shared__ linear_shared shared;
  linear(device_threads{}, args, shared, blockIdx.x);
}
