// Products of a batch with weights on tensor cores: see dense/fast.cuh.

#include "dense/fast.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(dense_threads, 2)
    dense_fast(const __grid_constant__ dense_fast_args args) {
  extern __shared__ __align__(16) uint8_t dense_shared[];
  fast(device_threads{}, args, *reinterpret_cast<fast_shared*>(dense_shared), blockIdx.x);
}
