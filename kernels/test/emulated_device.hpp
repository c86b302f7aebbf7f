#pragma once

// What the programs are like that have memory of their own and launch kernels in it, as Java's
// tests tell them: commands come in on the standard input, each three words and what follows.
//
//   take     0 | bytes    | 0        answer: the address, filled with garbage
//   free     1 | address  | 0
//   write    2 | address  | bytes    the bytes
//   read     3 | address  | bytes    answer: the bytes
//   zero     4 | address  | bytes
//   launch   5 | kernel   | blocks   bytes of shared memory | bytes of args | args
//
// A kernel is the ordinal of Java's enum of the verb's.

#include <cstdio>
#include <map>
#include <vector>

#include "check.hpp"

namespace flinkgpu::test {

// What a kernel is launched with.
struct emulated_launch {
  uint64_t kernel;
  uint64_t blocks;
  uint64_t shared_bytes;
  std::vector<uint8_t> bytes;

  template <typename Args>
  Args args() const {
    Args args;
    CHECK(bytes.size() == sizeof(args));
    std::memcpy(&args, bytes.data(), sizeof(args));
    return args;
  }
};

class emulated_device {
 public:
  // Takes commands until there are no more.
  template <typename Run>
  void run(const Run& launched) {
    uint64_t head[3];
    while (std::fread(head, sizeof(head), 1, stdin) == 1) {
      switch (head[0]) {
        case take: {
          std::vector<uint64_t> room((head[1] + 7) / 8, 0xeeeeeeeeeeeeeeee);
          const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(room.data()));
          memory_[address] = std::move(room);
          answer(&address, sizeof(address));
          break;
        }
        case give_back:
          CHECK(memory_.erase(head[1]) == 1);
          break;
        case write:
          CHECK(head[2] == 0 || std::fread(at(head[1]), head[2], 1, stdin) == 1);
          break;
        case read:
          answer(at(head[1]), head[2]);
          break;
        case zero:
          std::memset(at(head[1]), 0, head[2]);
          break;
        default:
          CHECK(head[0] == launch);
          launched(next_launch(head[1], head[2]));
      }
    }
  }

 private:
  enum command : uint64_t { take, give_back, write, read, zero, launch };

  static uint64_t next_word() {
    uint64_t word;
    CHECK(std::fread(&word, sizeof(word), 1, stdin) == 1);
    return word;
  }

  static uint8_t* at(uint64_t address) {
    return reinterpret_cast<uint8_t*>(static_cast<uintptr_t>(address));
  }

  static void answer(const void* bytes, uint64_t count) {
    CHECK(count == 0 || std::fwrite(bytes, count, 1, stdout) == 1);
    std::fflush(stdout);
  }

  static emulated_launch next_launch(uint64_t kernel, uint64_t blocks) {
    emulated_launch next{kernel, blocks, next_word(), {}};
    next.bytes.resize(next_word());
    CHECK(std::fread(next.bytes.data(), next.bytes.size(), 1, stdin) == 1);
    return next;
  }

  std::map<uint64_t, std::vector<uint64_t>> memory_;
};

}  // namespace flinkgpu::test
