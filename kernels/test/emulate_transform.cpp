// Runs passes through the body of the transform kernel, for Java's EmulatedTransformTest: one after
// the other, as they come in on the standard input.
//
//   request   bytes of memory | threads | args | memory
//   answer    memory
//
// args is a transform_args whose pointers, and those in the columns and outputs that it points to,
// are offsets into the memory: 0 is null.

#include <cstdio>
#include <vector>

#include "check.hpp"
#include "transform_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

// Turns an offset into a pointer.
template <typename T>
void relocate(T*& pointer, std::vector<uint8_t>& base) {
  if (pointer != nullptr) {
    const auto offset = static_cast<int64_t>(reinterpret_cast<intptr_t>(pointer));
    pointer = reinterpret_cast<T*>(reinterpret_cast<intptr_t>(base.data()) + offset);
  }
}

uint32_t columns_read(const transform_args& args, const std::vector<uint8_t>& memory) {
  const auto* const steps = reinterpret_cast<const instruction*>(args.program + args.head_offset);
  CHECK(args.program >= memory.data());
  uint32_t columns = args.text_columns;
  for (uint32_t i = 0; i < args.instructions; ++i) {
    if (steps[i].code == op_load_number || steps[i].code == op_load_condition) {
      columns = std::max(columns, static_cast<uint32_t>(steps[i].count) + 1);
    }
  }
  return columns;
}

void run(transform_args& args, uint32_t threads, std::vector<uint8_t>& memory) {
  relocate(args.program, memory);
  relocate(args.columns, memory);
  relocate(args.outputs, memory);
  relocate(args.status, memory);
  for (const int32_t*& offsets : args.early_offsets) {
    relocate(offsets, memory);
  }
  std::vector<source_column> columns(args.columns, args.columns + columns_read(args, memory));
  for (source_column& column : columns) {
    relocate(column.data, memory);
    relocate(column.offsets, memory);
    relocate(column.validity, memory);
  }
  std::vector<output_column> outputs(args.outputs, args.outputs + args.outputs_count);
  for (output_column& output : outputs) {
    relocate(output.data, memory);
    relocate(output.offsets, memory);
    relocate(output.validity, memory);
    relocate(output.scan_states, memory);
    relocate(output.header, memory);
  }
  args.columns = columns.data();
  args.outputs = outputs.data();
  run_transform(args, threads);
}

}  // namespace

int main() {
  uint64_t head[2];
  while (std::fread(head, sizeof(head), 1, stdin) == 1) {
    transform_args args{};
    std::vector<uint8_t> memory(head[0]);
    CHECK(std::fread(&args, sizeof(args), 1, stdin) == 1);
    CHECK(std::fread(memory.data(), memory.size(), 1, stdin) == 1);
    run(args, static_cast<uint32_t>(head[1]), memory);
    CHECK(std::fwrite(memory.data(), memory.size(), 1, stdout) == 1);
    std::fflush(stdout);
  }
  return 0;
}
