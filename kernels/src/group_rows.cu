// The group of each row: see group/table.cuh.

#include "group/table.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(group_threads) group_rows(const group_args args) {
  const uint32_t row = blockIdx.x * group_threads + threadIdx.x;
  const uint32_t active = __ballot_sync(0xffffffff, row < args.rows);
  if (row >= args.rows) {
    return;
  }
  const uint32_t hash = hash_of_row(args, row);
  // The first of a warp's rows with one hash goes ahead. The others then find its group instead of
  // fighting for the entry, and have nothing to write since their rows are greater.
  const uint32_t peers = __match_any_sync(active, hash);
  const bool leads = threadIdx.x % 32 == static_cast<uint32_t>(__ffs(peers)) - 1;
  uint32_t slot = 0;
  if (leads) {
    slot = find_slot(args, row, hash);
  }
  __syncwarp(active);
  if (!leads) {
    slot = find_slot(args, row, hash);
  }
  args.row_groups[row] = slot;
}
