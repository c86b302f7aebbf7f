// What is done with a tile once, and how queries count by inverted indexes: see search/index.cuh,
// search/arrange.cuh and search/inverted.cuh.

#include "search/arrange.cuh"
#include "search/index.cuh"
#include "search/inverted.cuh"

using namespace flinkgpu;

// Of search_inverted, on a multiprocessor with shared memory for as many.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr uint32_t inverted_blocks = 2;
#else
inline constexpr uint32_t inverted_blocks = 3;
#endif

extern "C" __global__ void __launch_bounds__(search_inverted_threads, inverted_blocks)
    search_inverted(const __grid_constant__ search_args args) {
  extern __shared__ __align__(16) uint8_t search_counters[];
  count_inverted(device_threads{}, args, *reinterpret_cast<inverted_shared*>(search_counters),
                 blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_threads)
    search_index_count(const search_index_args args) {
  count_codes(args, blockIdx.x * search_threads + threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_index_threads, 1)
    search_index_sum(const search_index_args args) {
  __shared__ index_shared shared;
  sum_codes(device_threads{}, args, shared);
}

extern "C" __global__ void __launch_bounds__(search_threads)
    search_index_put(const search_index_args args) {
  put_postings(args, blockIdx.x * search_threads + threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_group_documents)
    search_arrange(const search_index_args args) {
  __shared__ arrange_shared shared;
  arrange_codes(device_threads{}, args, shared, blockIdx.x);
}
