// Runs passes through the body of the transform kernel, for Java's EmulatedTransformTest: one after
// the other, as they come in on the standard input.
//
//   request   bytes of memory | threads | args | memory
//   answer    memory
//
// args is a transform_args whose pointers, and those in the columns and outputs that it points to,
// are offsets into the memory: 0 is null.

#include <vector>

#include "batches.hpp"
#include "transform_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

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
  relocate_if_any(args.program, memory);
  relocate_if_any(args.columns, memory);
  relocate_if_any(args.outputs, memory);
  relocate_if_any(args.status, memory);
  for (const int32_t*& offsets : args.early_offsets) {
    relocate_if_any(offsets, memory);
  }
  std::vector<source_column> columns(args.columns, args.columns + columns_read(args, memory));
  for (source_column& column : columns) {
    relocate_if_any(column.data, memory);
    relocate_if_any(column.offsets, memory);
    relocate_if_any(column.validity, memory);
  }
  std::vector<output_column> outputs(args.outputs, args.outputs + args.outputs_count);
  for (output_column& output : outputs) {
    relocate_if_any(output.data, memory);
    relocate_if_any(output.offsets, memory);
    relocate_if_any(output.validity, memory);
    relocate_if_any(output.scan_states, memory);
    relocate_if_any(output.header, memory);
  }
  args.columns = columns.data();
  args.outputs = outputs.data();
  barriers all;
  run_transform(args, threads, all);
}

}  // namespace

int main() {
  uint64_t head[2];
  while (read_all(head, sizeof(head))) {
    auto args = read_args<transform_args>();
    std::vector<uint8_t> memory = read_bytes(head[0]);
    run(args, static_cast<uint32_t>(head[1]), memory);
    write_all(memory);
  }
  return 0;
}
