// Counts what documents have in common with queries: see search/scan.cuh and search/wide.cuh. One
// kernel for each number of queries that a pass takes: a block's shared memory has room for so
// many.

#include "search/wide.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(search_scan_threads, 1)
    search_scan(const __grid_constant__ search_args args) {
  extern __shared__ __align__(16) uint32_t search_masks[];
  scan<uint32_t>(device_threads{}, args, search_masks, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_scan_threads, 1)
    search_scan_16(const __grid_constant__ search_args args) {
  extern __shared__ __align__(16) uint32_t search_masks[];
  scan<uint16_t>(device_threads{}, args, search_masks, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_scan_threads, 1)
    search_scan_8(const __grid_constant__ search_args args) {
  extern __shared__ __align__(16) uint32_t search_masks[];
  scan<uint8_t>(device_threads{}, args, search_masks, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_threads) search_hash(const search_args args) {
  hash_elements(args, blockIdx.x, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(search_scan_threads, 1)
    search_wide(const __grid_constant__ search_args args) {
  extern __shared__ __align__(16) uint64_t search_table[];
  scan_wide(device_threads{}, args, search_table, blockIdx.x);
}
