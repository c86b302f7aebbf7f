// A table of texts that is changed by batches and looked up in: see table/table.cuh.

#include "table/table.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(table_threads) table_change(const table_args args) {
  const uint32_t index = blockIdx.x * table_threads + threadIdx.x;
  if (index < args.rows) {
    change_text(args, index);
  }
}

extern "C" __global__ void __launch_bounds__(table_threads) table_find(const table_args args) {
  const uint32_t row = blockIdx.x * table_threads + threadIdx.x;
  if (row < args.rows) {
    find_text(args, row);
  }
}
