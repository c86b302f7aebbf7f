// Runs batches through the bodies of the line kernels, for Java's EmulatedLinesTest: one after the
// other, as they come in on the standard input.
//
//   request   step | blocks | bytes of memory | args | memory
//   answer    memory
//
// args is a lines_args whose pointers are offsets into memory, the device memory of the batch. Step
// 0 is lines_add and lines_result, 1 is lines_result, 2 is lines_refused.

#include <cstdio>
#include <vector>

#include "lines_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

// Turns an offset into a pointer.
template <typename T>
void relocate(T*& pointer, uint8_t* base) {
  pointer = reinterpret_cast<T*>(base + reinterpret_cast<uintptr_t>(pointer));
}

void relocate_arrays(lines_args& args, uint8_t* base) {
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
  while (std::fread(head, sizeof(head), 1, stdin) == 1) {
    lines_args args{};
    std::vector<uint8_t> memory(head[2]);
    CHECK(std::fread(&args, sizeof(args), 1, stdin) == 1);
    CHECK(std::fread(memory.data(), memory.size(), 1, stdin) == 1);
    relocate_arrays(args, memory.data());
    if (head[0] == 0) {
      run_lines_add(args, static_cast<uint32_t>(head[1]));
    }
    if (head[0] == 2) {
      run_lines_refused(args);
    } else {
      run_lines_result(args);
    }
    CHECK(std::fwrite(memory.data(), memory.size(), 1, stdout) == 1);
    std::fflush(stdout);
  }
  return 0;
}
