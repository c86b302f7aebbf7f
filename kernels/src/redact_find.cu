// Candidates of every start position: see redact/starts.cuh and redact/find.cuh.

#include "redact/find.cuh"

using namespace flinkgpu;

// What is rarely called must not take registers from what runs all the time: a multiprocessor is to
// have as many blocks as it has room for threads.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 750
constexpr uint32_t find_blocks = 1024 / find_threads;
#elif __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
constexpr uint32_t find_blocks = 2048 / find_threads;
#else
constexpr uint32_t find_blocks = 1536 / find_threads;
#endif

extern "C" __global__ void __launch_bounds__(find_threads, find_blocks)
    redact_find(const __grid_constant__ redact_args args) {
  __shared__ __align__(16) find_shared shared;
  find_matches(device_threads{}, args, shared, blockIdx.x);
}
