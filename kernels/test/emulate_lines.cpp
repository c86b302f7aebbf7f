// Runs batches through the bodies of the line kernels, for Java's EmulatedLinesTest: one after the
// other, as they come in on the standard input.
//
//   request   step | blocks | bytes of memory | args | memory
//   answer    memory
//
// args is a lines_args whose pointers are offsets into memory, the device memory of the batch. Step
// 0 is lines_add and lines_result, 1 is lines_result, 2 is lines_refused.

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
}

}  // namespace

int main() {
  uint64_t head[3];
  while (read_all(head, sizeof(head))) {
    auto args = read_args<lines_args>();
    const std::vector<uint8_t> memory = read_bytes(head[2]);
    relocate_arrays(args, memory);
    if (head[0] == 0) {
      run_lines_add(args, static_cast<uint32_t>(head[1]));
    }
    if (head[0] == 2) {
      run_lines_refused(args);
    } else {
      run_lines_result(args);
    }
    write_all(memory);
  }
  return 0;
}
