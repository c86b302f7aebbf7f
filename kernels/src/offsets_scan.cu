// Row sizes to output offsets in one pass: see scan.cuh.

#include "../include/scan.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(scan_threads) offsets_scan(const redact_args args) {
  __shared__ uint64_t sums[2][scan_threads];
  __shared__ uint64_t sum_before;
  __shared__ uint32_t ticket;
  if (threadIdx.x == 0) {
    ticket = atomicAdd(&args.header->scan_tile, 1);
  }
  __syncthreads();
  const uint32_t tile = ticket;
  const uint64_t own = sum_of_thread(args, tile, threadIdx.x);
  uint32_t from = 0;
  sums[from][threadIdx.x] = own;
  __syncthreads();
  for (uint32_t distance = 1; distance < scan_threads; distance *= 2) {
    scan_step(sums[from], sums[1 - from], threadIdx.x, distance);
    from = 1 - from;
    __syncthreads();
  }
  if (threadIdx.x == scan_threads - 1) {
    sum_before = link_size_tile(args, tile, sums[from][threadIdx.x]);
  }
  __syncthreads();
  write_offsets(args, tile, threadIdx.x, sum_before + sums[from][threadIdx.x] - own);
}
