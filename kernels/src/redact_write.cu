// The redacted rows, a block a tile of the text: see redact/select.cuh and redact/write.cuh.

#include "redact/write.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(write_threads) redact_write(const redact_args args) {
  __shared__ write_shared shared;
  write_tile(device_threads{}, args, shared);
}
