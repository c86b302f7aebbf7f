// Runs the table kernels' functions, for Java's EmulatedTable: one launch after the other, as they
// come in on the standard input.
//
//   request   0 to change, 1 to find | bytes of memory | args | memory
//   answer    memory
//
// args is a table_args whose pointers are offsets into the memory: 0 is null.

#include <cstdio>
#include <vector>

#include "check.hpp"
#include "table/table.cuh"

using namespace flinkgpu;

namespace {

// Turns an offset into a pointer.
template <typename T>
void relocate(T*& pointer, std::vector<uint8_t>& base) {
  if (pointer != nullptr) {
    const auto offset = static_cast<int64_t>(reinterpret_cast<intptr_t>(pointer));
    pointer = reinterpret_cast<T*>(reinterpret_cast<intptr_t>(base.data()) + offset);
  }
}

void run(table_args& args, bool finds, std::vector<uint8_t>& memory) {
  relocate(args.offsets, memory);
  relocate(args.data, memory);
  relocate(args.validity, memory);
  relocate(args.numbers, memory);
  relocate(args.changed, memory);
  relocate(args.found, memory);
  relocate(args.found_bits, memory);
  relocate(args.header, memory);
  relocate(args.entries, memory);
  relocate(args.keys, memory);
  for (uint32_t i = 0; i < args.rows; ++i) {
    // Threads come in any order.
    if (finds) {
      find_text(args, i);
    } else {
      change_text(args, args.rows - 1 - i);
    }
  }
}

}  // namespace

int main() {
  uint64_t head[2];
  while (std::fread(head, sizeof(head), 1, stdin) == 1) {
    table_args args{};
    std::vector<uint8_t> memory(head[1]);
    CHECK(std::fread(&args, sizeof(args), 1, stdin) == 1);
    CHECK(std::fread(memory.data(), memory.size(), 1, stdin) == 1);
    run(args, head[0] != 0, memory);
    CHECK(std::fwrite(memory.data(), memory.size(), 1, stdout) == 1);
    std::fflush(stdout);
  }
  return 0;
}
