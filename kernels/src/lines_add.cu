// Reads lines and adds them to their groups: see lines/tile.cuh and lines/add.cuh.

#include "lines/add.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(lines_threads, 2) lines_add(const lines_args args) {
  extern __shared__ __align__(16) uint8_t lines_shared[];
  __shared__ lines_scan scan;
  add_lines(device_threads{}, args, lines_shared, scan, blockIdx.x, gridDim.x);
}
