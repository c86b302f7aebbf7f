// A pass over columns, a block a tile of rows: see transform/run.cuh.

#include "transform/run.cuh"

namespace flinkgpu {

// Blocks that a multiprocessor has registers for: as many as it has shared memory for where rows
// are short; more registers for less blocks are slower. Compute capability 7.5 runs eight at most.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr uint32_t transform_blocks = 8;
#else
constexpr uint32_t transform_blocks = 9;
#endif

}  // namespace flinkgpu

using namespace flinkgpu;

// Several rows a thread.
extern "C" __global__ void __launch_bounds__(transform_threads, transform_blocks)
    transform(const __grid_constant__ transform_args args) {
  extern __shared__ __align__(16) uint8_t bytes[];
  __shared__ transform_shared shared;
  run_tile<1U << transform_item_shift>(device_threads{}, args, bytes, shared, blockIdx.x);
}

// A row a thread: where rows are long, or few.
extern "C" __global__ void __launch_bounds__(transform_threads, transform_blocks)
    transform_single(const __grid_constant__ transform_args args) {
  extern __shared__ __align__(16) uint8_t bytes[];
  __shared__ transform_shared shared;
  run_tile<1>(device_threads{}, args, bytes, shared, blockIdx.x);
}
