// The numbers of the groups, in the order of their first rows: see group/rank.cuh.

#include "group/rank.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(rank_threads) group_rank(const group_args args) {
  static_assert(rank_tile_words <= rank_threads, "a thread a word");
  __shared__ uint32_t first_rows[rank_tile_words];
  __shared__ uint64_t sums[2][rank_tile_words];
  __shared__ uint64_t groups_before;
  __shared__ uint32_t ticket;
  const uint32_t thread = threadIdx.x;
  if (thread == 0) {
    ticket = atomicAdd(&args.header->rank_tile, 1);
  }
  __syncthreads();
  const uint32_t tile = ticket;
  for (uint32_t item = 0; item < rank_items; ++item) {
    const uint32_t index = item * rank_threads + thread;
    const uint64_t row = uint64_t{tile} * rank_tile_rows + index;
    const bool is_first = row < args.rows && first_row_of(args, static_cast<uint32_t>(row)) == row;
    const uint32_t bits = __ballot_sync(0xffffffff, is_first);
    if (thread % 32 == 0) {
      first_rows[index / rank_bits] = bits;
    }
  }
  __syncthreads();
  const bool has_word = thread < rank_tile_words;
  const uint64_t own = has_word ? count_bits(first_rows[thread]) : 0;
  uint32_t from = 0;
  if (has_word) {
    sums[from][thread] = own;
  }
  __syncthreads();
  for (uint32_t distance = 1; distance < rank_tile_words; distance *= 2) {
    if (has_word) {
      scan_step(sums[from], sums[1 - from], thread, distance);
    }
    from = 1 - from;
    __syncthreads();
  }
  if (thread == rank_tile_words - 1) {
    groups_before = link_rank_tile(args, tile, sums[from][thread]);
  }
  __syncthreads();
  if (has_word) {
    write_rank_word(args, tile, thread, groups_before + sums[from][thread] - own,
                    first_rows[thread]);
  }
}
