// The bins of the grid that each column of doubles needs: see group/value.cuh.

#include "group/value.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(group_threads) group_bins(const group_args args) {
  const uint32_t first = blockIdx.x * group_threads * bins_items + threadIdx.x;
  for (uint32_t value = 0; value < args.values; ++value) {
    const value_column column = args.columns[value];
    if (column.floating == 0 || column.summed == 0) {
      continue;
    }
    uint64_t present = 0;
    for (uint32_t item = 0; item < bins_items; ++item) {
      const uint32_t row = first + item * group_threads;
      present |= row < args.rows ? bins_of_row(column, row) : 0;
    }
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
      present |= __shfl_xor_sync(0xffffffff, present, distance);
    }
    uint64_t* const all = &args.bins_present[value];
    if (threadIdx.x % 32 == 0 && (present & ~load_shared_word(all)) != 0) {
      atomicOr(reinterpret_cast<unsigned long long*>(all),
               static_cast<unsigned long long>(present));
    }
  }
}
