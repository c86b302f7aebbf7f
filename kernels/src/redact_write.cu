// The redacted rows, a warp a row: see write.cuh.

#include "../include/write.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(write_threads) redact_write(const redact_args args) {
  if (!has_room(args)) {
    return;
  }
  const uint32_t row = blockIdx.x * (write_threads / warp_lanes) + threadIdx.x / warp_lanes;
  if (row < args.rows) {
    write_row(args, {threadIdx.x % warp_lanes, warp_lanes}, row);
  }
}
