// Changes of tables, and of what is in their caches: see lookup/put.cuh and lookup/rank.cuh.

#include "lookup/put.cuh"
#include "lookup/rank.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_put(const lookup_put_args args) {
  const uint64_t thread = uint64_t{blockIdx.x} * lookup_threads + threadIdx.x;
  put_words(args, thread / 32, threadIdx.x % 32);
}

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_count(const lookup_rank_args args) {
  __shared__ count_shared shared;
  count_frequencies(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_choose(const lookup_rank_args args) {
  __shared__ choose_shared shared;
  choose_vectors(device_threads{}, args, shared, blockIdx.x);
}
