// The groups and the refused lines of a batch as lists: see lines/result.cuh.

#include "lines/result.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(lines_result_threads)
    lines_result(const lines_args args) {
  __shared__ result_shared shared;
  write_result(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(lines_result_threads)
    lines_refused(const lines_args args) {
  __shared__ refused_shared shared;
  list_refused(device_threads{}, args, shared);
}
