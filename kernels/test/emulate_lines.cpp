// Runs batches through the bodies of the line kernels, for Java's EmulatedLinesTest: one after the
// other, as they come in on the standard input.
//
//   request   step | blocks | bytes of memory | args | memory
//   answer    memory
//
// args is a lines_args whose pointers are offsets into memory, the device memory of the batch. Step
// 0 is lines_add and lines_result, 1 is lines_result, 2 is lines_refused, 3 is lines_hold, 4 is
// lines_give.

#include <vector>

#include "batches.hpp"
#include "lines_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

void relocate_arrays(lines_args& args, const std::vector<uint8_t>& base) {
  relocate(args.data, base);
  relocate(args.breaks, base);
  relocate(args.fields, base);
  relocate(args.values, base);
  relocate(args.header, base);
  relocate(args.bins_present, base);
  relocate(args.refused_bits, base);
  relocate(args.scan_states, base);
  relocate(args.table, base);
  relocate(args.result, base);
  relocate(args.refused_starts, base);
  relocate(args.held, base);
  relocate(args.held_bins, base);
  relocate(args.held_index, base);
  relocate(args.held_records, base);
  relocate(args.held_keys, base);
}

void run_step(uint64_t step, uint32_t blocks, const lines_args& args) {
  switch (step) {
    case 0:
      run_lines_add(args, blocks);
      run_lines_result(args);
      return;
    case 1:
      run_lines_result(args);
      return;
    case 2:
      run_lines_refused(args);
      return;
    case 3:
      run_lines_hold(args);
      return;
    default:
      CHECK(step == 4);
      run_lines_give(args);
  }
}

}  // namespace

int main() {
  uint64_t head[3];
  while (read_all(head, sizeof(head))) {
    auto args = read_args<lines_args>();
    const std::vector<uint8_t> memory = read_bytes(head[2]);
    relocate_arrays(args, memory);
    run_step(head[0], static_cast<uint32_t>(head[1]), args);
    write_all(memory);
  }
  return 0;
}
