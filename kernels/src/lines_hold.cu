// Groups that stay on the device from batch to batch: see lines/hold.cuh.

#include "lines/hold.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(lines_result_threads)
    lines_hold(const lines_args args) {
  __shared__ result_shared shared;
  hold_groups(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(lines_result_threads)
    lines_give(const lines_args args) {
  give_group(args, uint64_t{blockIdx.x} * lines_result_threads + threadIdx.x);
}
