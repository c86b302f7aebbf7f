// The rows of a text of which the host knows none: see redact/line_ends.cuh.

#include "redact/line_ends.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(line_threads) redact_lines(const redact_args args) {
  __shared__ line_ends_shared shared;
  find_lines(device_threads{}, args, shared);
}
