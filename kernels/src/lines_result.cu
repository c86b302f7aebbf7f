// The groups and the refused lines of a batch as lists: see lines/result.cuh.

#include "lines/result.cuh"

namespace {

using namespace flinkgpu;

// The sum of the threads before this one.
__device__ uint64_t scan_shares(uint64_t (&sums)[2][lines_result_threads], uint64_t own) {
  uint32_t from = 0;
  sums[from][threadIdx.x] = own;
  __syncthreads();
  for (uint32_t distance = 1; distance < lines_result_threads; distance *= 2) {
    scan_step(sums[from], sums[1 - from], threadIdx.x, distance);
    from = 1 - from;
    __syncthreads();
  }
  return sums[from][threadIdx.x] - own;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(lines_result_threads)
    lines_result(const lines_args args) {
  __shared__ uint64_t sums[2][lines_result_threads];
  __shared__ uint64_t start;
  if (!has_result_room(args)) {
    return;
  }
  const uint64_t slot = uint64_t{blockIdx.x} * lines_result_threads + threadIdx.x;
  const uint64_t own = result_share(args, slot);
  if (__syncthreads_or(own != 0) == 0) {
    return;
  }
  const uint64_t before = scan_shares(sums, own);
  if (threadIdx.x == lines_result_threads - 1) {
    start = atomic_add(&args.header->result_cursor, before + own);
  }
  __syncthreads();
  if (own != 0) {
    put_share(args, static_cast<uint32_t>(slot), start + before);
  }
}

extern "C" __global__ void __launch_bounds__(lines_result_threads)
    lines_refused(const lines_args args) {
  __shared__ uint64_t sums[2][lines_result_threads];
  __shared__ uint64_t start;
  __shared__ uint32_t ticket;
  if (threadIdx.x == 0) {
    ticket = atomic_add(&args.header->refused_tile, 1U);
  }
  __syncthreads();
  const uint64_t word = uint64_t{ticket} * lines_result_threads + threadIdx.x;
  const uint32_t bits = refused_share(args, word);
  const uint64_t own = count_bits(bits);
  const uint64_t before = scan_shares(sums, own);
  if (threadIdx.x == lines_result_threads - 1) {
    start = link_tile(args.scan_states, ticket, before + own);
  }
  __syncthreads();
  put_refused(args, word, bits, static_cast<uint32_t>(start + before));
}
