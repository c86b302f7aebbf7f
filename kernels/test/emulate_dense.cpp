// Runs the dense kernels' functions, for Java's EmulatedDense: commands come in on the standard
// input, each three words and what follows.
//
//   take     0 | bytes    | 0        answer: the address, filled with garbage
//   free     1 | address  | 0
//   write    2 | address  | bytes    the bytes
//   read     3 | address  | bytes    answer: the bytes
//   launch   4 | kernel   | blocks   bytes of args | args
//
// A kernel is the ordinal of Java's DenseKernel.

#include <cstdio>
#include <map>
#include <vector>

#include "dense_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

enum command : uint64_t { take, give_back, write, read, launch };

// Memory in pieces of their own, so that the sanitizer sees where each ends.
std::map<uint64_t, std::vector<uint8_t>> memory;

uint64_t next_word() {
  uint64_t word;
  CHECK(std::fread(&word, sizeof(word), 1, stdin) == 1);
  return word;
}

uint8_t* at(uint64_t address) {
  return reinterpret_cast<uint8_t*>(static_cast<uintptr_t>(address));
}

void answer(const void* bytes, uint64_t count) {
  CHECK(count == 0 || std::fwrite(bytes, count, 1, stdout) == 1);
  std::fflush(stdout);
}

void take_memory(uint64_t bytes) {
  std::vector<uint8_t> piece(bytes + (bytes == 0 ? 1 : 0), 0xee);
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(piece.data()));
  CHECK(address % alignof(float_quad) == 0);
  memory[address] = std::move(piece);
  answer(&address, sizeof(address));
}

void run_blocks(uint64_t kernel, uint64_t blocks) {
  std::vector<uint8_t> args(next_word());
  CHECK(std::fread(args.data(), args.size(), 1, stdin) == 1);
  // Blocks come in any order.
  for (uint64_t block = blocks; block-- > 0;) {
    run_dense_block(kernel, args, static_cast<uint32_t>(block));
  }
}

}  // namespace

int main() {
  uint64_t head[3];
  while (std::fread(head, sizeof(head), 1, stdin) == 1) {
    switch (head[0]) {
      case take:
        take_memory(head[1]);
        break;
      case give_back:
        CHECK(memory.erase(head[1]) == 1);
        break;
      case write:
        CHECK(std::fread(at(head[1]), head[2], 1, stdin) == 1);
        break;
      case read:
        answer(at(head[1]), head[2]);
        break;
      default:
        CHECK(head[0] == launch);
        run_blocks(head[1], head[2]);
    }
  }
  return 0;
}
