// Groups without values yet, and each row's group: see group/accumulate.cuh.

#include "group/accumulate.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(group_threads) group_start(const group_args args) {
  const uint32_t row = blockIdx.x * group_threads + threadIdx.x;
  if (row < args.rows) {
    start_row(args, row);
  }
}
