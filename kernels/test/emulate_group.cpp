// Runs batches through the bodies of the group kernels, for Java's EmulatedAggregationTest: one
// after the other, as they come in on the standard input.
//
//   request   step | bytes of work | bytes of words | args | work | words
//   answer    work | words
//
// args is a group_args whose pointers are offsets into work, the device memory of the batch, and
// words, the result. Step 0 does what comes before the header is read back, the others do the rest:
// 1 with accumulators of a block's own, 2 without.

#include <vector>

#include "batches.hpp"
#include "group_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

std::vector<value_column> relocated_columns(const group_args& args, std::vector<uint8_t>& work) {
  std::vector<value_column> columns(args.columns, args.columns + args.values);
  for (value_column& column : columns) {
    relocate(column.data, work);
    relocate_if_any(column.validity, work);
  }
  return columns;
}

void relocate_arrays(group_args& args, std::vector<uint8_t>& work, std::vector<uint8_t>& words) {
  if (args.key_ids != nullptr) {
    relocate(args.key_ids, work);
  } else {
    relocate(args.key_offsets, work);
    relocate(args.key_data, work);
  }
  relocate(args.slices, work);
  relocate(args.columns, work);
  relocate(args.header, work);
  relocate(args.bins_present, work);
  relocate(args.scan_states, work);
  relocate(args.table, work);
  relocate(args.row_groups, work);
  relocate(args.ranks, work);
  relocate(args.words, words);
}

void run_step(uint64_t step, const group_args& args) {
  if (step == 0) {
    run_group_rows(args);
    run_group_bins(args);
    run_group_rank(args);
    return;
  }
  run_group_start(args);
  if (step == 1) {
    run_group_add_shared(args);
  } else {
    run_group_add_global(args);
  }
  run_group_add_squares(args);
}

}  // namespace

int main() {
  uint64_t head[3];
  while (read_all(head, sizeof(head))) {
    auto args = read_args<group_args>();
    std::vector<uint8_t> work = read_bytes(head[1]);
    std::vector<uint8_t> words = read_bytes(head[2]);
    relocate_arrays(args, work, words);
    const std::vector<value_column> columns = relocated_columns(args, work);
    args.columns = columns.data();
    run_step(head[0], args);
    write_all(work);
    write_all(words);
  }
  return 0;
}
