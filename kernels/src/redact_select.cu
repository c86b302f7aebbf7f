// The winners among the candidates of each row: see select.cuh.

#include "../include/select.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(select_threads) redact_select(const redact_args args) {
  __shared__ uint32_t rule_matches[max_rules];
  for (uint32_t rule = threadIdx.x; rule < max_rules; rule += select_threads) {
    rule_matches[rule] = 0;
  }
  __syncthreads();
  const uint32_t row = blockIdx.x * select_threads + threadIdx.x;
  if (row < args.rows) {
    select_in_row(args, row, rule_matches);
  }
  __syncthreads();
  for (uint32_t rule = threadIdx.x; rule < args.tables.rule_count; rule += select_threads) {
    if (rule_matches[rule] != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&args.header->rule_matches[rule]),
                static_cast<unsigned long long>(rule_matches[rule]));
    }
  }
}
