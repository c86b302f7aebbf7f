// Candidates of rules that are tried only where one of their texts is: see redact/texts.cuh.

#include "redact/texts.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(find_threads)
    redact_texts(const __grid_constant__ redact_args args) {
  __shared__ texts_shared shared;
  find_texts(device_threads{}, args, shared, blockIdx.x);
}
