#pragma once

// The bodies of the line kernels, thread by thread on the CPU.

#include <vector>

#include "check.hpp"
#include "host_block.hpp"
#include "lines/add.cuh"
#include "lines/hold.cuh"
#include "lines/result.cuh"

namespace flinkgpu::test {

// Shared memory of a block, aligned as on the device and with garbage in it.
class shared_memory {
 public:
  explicit shared_memory(const lines_args& args)
      : words_((lines_shared_bytes +
                8 * (args.values_count + uint64_t{args.own_slots} * args.record_words) + 15) /
                   16,
               {0xdeadbeefdeadbeef, 0xdeadbeefdeadbeef}) {}

  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(words_.data()); }

 private:
  struct alignas(16) pack {
    uint64_t low;
    uint64_t high;
  };
  std::vector<pack> words_;
};

inline void run_lines_add(const lines_args& args, uint32_t blocks) {
  for (uint32_t block = 0; block < blocks; ++block) {
    shared_memory memory(args);
    const auto scan = garbage<lines_scan>();
    add_lines(host_threads(lines_threads), args, memory.bytes(), *scan, block, blocks);
  }
}

inline void run_lines_result(const lines_args& args) {
  for (uint32_t block = 0; block <= args.table_mask / lines_result_threads; ++block) {
    const auto shared = garbage<result_shared>();
    write_result(host_threads(lines_result_threads), args, *shared, block);
  }
}

inline void run_lines_hold(const lines_args& args) {
  for (uint32_t block = 0; block <= args.table_mask / lines_result_threads; ++block) {
    const auto shared = garbage<result_shared>();
    hold_groups(host_threads(lines_result_threads), args, *shared, block);
  }
}

inline void run_lines_give(const lines_args& args) {
  for (uint64_t index = 0; index < args.given_count + uint64_t{lines_result_threads}; ++index) {
    give_group(args, index);
  }
}

inline void run_lines_refused(const lines_args& args) {
  for (uint64_t first = 0; first < args.data_bytes; first += refused_tile_bytes) {
    const auto shared = garbage<refused_shared>();
    list_refused(host_threads(lines_result_threads), args, *shared);
  }
}

}  // namespace flinkgpu::test
