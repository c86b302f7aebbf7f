// Runs the search kernels' functions, for Java's EmulatedSearch: commands come in on the standard
// input, each three words and what follows.
//
//   take     0 | bytes    | 0        answer: the address, filled with garbage
//   free     1 | address  | 0
//   write    2 | address  | bytes    the bytes
//   read     3 | address  | bytes    answer: the bytes
//   zero     4 | address  | bytes
//   launch   5 | kernel   | blocks   bytes of shared memory | bytes of args | args
//
// A kernel is the ordinal of Java's SearchKernel.

#include <cstdio>
#include <map>
#include <vector>

#include "check.hpp"
#include "host_block.hpp"
#include "search/arrange.cuh"
#include "search/deaths.cuh"
#include "search/index.cuh"
#include "search/inverted.cuh"
#include "search/need.cuh"
#include "search/select.cuh"
#include "search/wide.cuh"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

enum command : uint64_t { take, give_back, write, read, zero, launch };

enum kernel : uint64_t {
  kernel_scan,
  kernel_scan_16,
  kernel_scan_8,
  kernel_hash,
  kernel_wide,
  kernel_inverted,
  kernel_index,
  kernel_arrange,
  kernel_need,
  kernel_select,
  kernel_die
};

std::map<uint64_t, std::vector<uint64_t>> memory;

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

template <typename Args>
Args args_of(const std::vector<uint8_t>& bytes) {
  Args args;
  CHECK(bytes.size() == sizeof(args));
  std::memcpy(&args, bytes.data(), sizeof(args));
  return args;
}

void run_block(uint64_t kernel, const std::vector<uint8_t>& bytes, uint32_t block,
               std::vector<uint64_t>& shared) {
  auto* const words = reinterpret_cast<uint32_t*>(shared.data());
  switch (kernel) {
    case kernel_scan:
      scan<uint32_t>(host_threads(search_scan_threads), args_of<search_args>(bytes), words, block);
      break;
    case kernel_scan_16:
      scan<uint16_t>(host_threads(search_scan_threads), args_of<search_args>(bytes), words, block);
      break;
    case kernel_scan_8:
      scan<uint8_t>(host_threads(search_scan_threads), args_of<search_args>(bytes), words, block);
      break;
    case kernel_hash:
      for (uint32_t thread = 0; thread < search_threads; ++thread) {
        hash_elements(args_of<search_args>(bytes), block, thread);
      }
      break;
    case kernel_wide:
      scan_wide(host_threads(search_scan_threads), args_of<search_args>(bytes), shared.data(),
                block);
      break;
    case kernel_inverted:
      CHECK(shared.size() * 8 >= sizeof(inverted_shared));
      count_inverted(host_threads(search_inverted_threads), args_of<search_args>(bytes),
                     *reinterpret_cast<inverted_shared*>(shared.data()), block);
      break;
    case kernel_index:
      make_index(host_threads(search_index_threads), args_of<search_index_args>(bytes),
                 *garbage<index_shared>());
      break;
    case kernel_arrange:
      arrange_codes(host_threads(search_group_documents), args_of<search_index_args>(bytes),
                    *garbage<arrange_shared>(), block);
      break;
    case kernel_need:
      find_needs(host_threads(search_need_threads), args_of<search_args>(bytes),
                 *garbage<need_shared>(), block);
      break;
    case kernel_select:
      select_best(host_threads(search_select_threads), args_of<search_args>(bytes),
                  *garbage<select_shared>(), block);
      break;
    default:
      CHECK(kernel == kernel_die);
      for (uint32_t thread = 0; thread < search_threads; ++thread) {
        record_death(args_of<search_die_args>(bytes), uint64_t{block} * search_threads + thread);
      }
  }
}

void run(uint64_t kernel, uint64_t blocks) {
  const uint64_t shared_bytes = next_word();
  std::vector<uint8_t> bytes(next_word());
  CHECK(std::fread(bytes.data(), bytes.size(), 1, stdin) == 1);
  for (uint32_t block = 0; block < blocks; ++block) {
    std::vector<uint64_t> shared((shared_bytes + 7) / 8, 0xdeadbeefdeadbeef);
    run_block(kernel, bytes, block, shared);
  }
}

}  // namespace

int main() {
  uint64_t head[3];
  while (std::fread(head, sizeof(head), 1, stdin) == 1) {
    switch (head[0]) {
      case take: {
        std::vector<uint64_t> room((head[1] + 7) / 8, 0xeeeeeeeeeeeeeeee);
        const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(room.data()));
        memory[address] = std::move(room);
        answer(&address, sizeof(address));
        break;
      }
      case give_back:
        CHECK(memory.erase(head[1]) == 1);
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
        run(head[1], head[2]);
    }
  }
  return 0;
}
