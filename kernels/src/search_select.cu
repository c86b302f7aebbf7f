// Which documents may be among the best of a query, and which are; and the documents that died: see
// search/need.cuh, search/select.cuh and search/deaths.cuh.

#include "search/deaths.cuh"
#include "search/need.cuh"
#include "search/select.cuh"

using namespace flinkgpu;

// Of search_select: two where a multiprocessor has room for so many threads.
#if defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
inline constexpr uint32_t select_blocks = 2;
#else
inline constexpr uint32_t select_blocks = 1;
#endif

extern "C" __global__ void __launch_bounds__(search_need_threads, 1)
    search_need(const search_args args) {
  __shared__ need_shared shared;
  find_needs(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_select_threads, select_blocks)
    search_select(const search_args args) {
  __shared__ select_shared shared;
  select_best(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_threads)
    search_die(const search_die_args args) {
  record_death(args, uint64_t{blockIdx.x} * search_threads + threadIdx.x);
}
