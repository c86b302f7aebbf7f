// Candidates of every start position: see redact/starts.cuh and redact/find.cuh.

#include "redact/find.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(find_threads) redact_find(const redact_args args) {
  __shared__ __align__(16) find_shared shared;
  find_matches(device_threads{}, args, shared, blockIdx.x);
}
