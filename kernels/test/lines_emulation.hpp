#pragma once

// The bodies of the line kernels, thread by thread on the CPU.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "lines/add.cuh"
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

inline std::vector<lines_block> threads_of(const lines_args& args, shared_memory& memory) {
  std::vector<lines_block> threads;
  for (uint32_t thread = 0; thread < lines_threads; ++thread) {
    threads.push_back({args, memory.bytes(), thread});
  }
  return threads;
}

inline void take_tile(const std::vector<lines_block>& threads, uint32_t tile_start,
                      std::mt19937_64& random) {
  const lines_block& any = threads[0];
  for (const lines_block& thread : threads) {
    load_tile(thread, tile_start);
  }
  for (const lines_block& thread : threads) {
    mark_lines(thread);
  }
  for (const lines_block& thread : threads) {
    mark_breaks(thread, tile_start);
  }
  const uint32_t limit = tile_limit(any.args, tile_start);
  std::vector<uint32_t> before(lines_threads, 0);
  uint32_t lines = 0;
  for (const lines_block& thread : threads) {
    find_tile_end(thread, limit);
    before[thread.thread] = lines;
    lines += count_bits64(own_starts(thread, limit));
  }
  any.counts().lines += lines;
  for (uint32_t first = 0; first < lines && any.counts().full == 0; first += listed_lines) {
    for (const lines_block& thread : threads) {
      list_starts(thread, own_starts(thread, limit), before[thread.thread], first);
    }
    std::vector<uint32_t> order(std::min(listed_lines, lines - first));
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    for (const uint32_t index : order) {
      take_listed(any, tile_start, first, index, lines);
    }
  }
}

inline void run_lines_add(const lines_args& args, uint32_t blocks) {
  std::mt19937_64 random(seed());
  for (uint32_t block = 0; block < blocks; ++block) {
    shared_memory memory(args);
    const std::vector<lines_block> threads = threads_of(args, memory);
    for (const lines_block& thread : threads) {
      clear_block(thread);
    }
    for (uint32_t tile = block; tile < tiles_of(args); tile += blocks) {
      take_tile(threads, tile * lines_tile_bytes, random);
    }
    for (const lines_block& thread : threads) {
      flush_own(thread);
    }
    for (const lines_block& thread : threads) {
      flush_counts(thread);
    }
  }
}

inline void run_lines_result(const lines_args& args) {
  for (uint64_t slot = 0; has_result_room(args) && slot <= args.table_mask; ++slot) {
    const uint64_t own = result_share(args, slot);
    if (own != 0) {
      put_share(args, static_cast<uint32_t>(slot), atomic_add(&args.header->result_cursor, own));
    }
  }
}

inline void run_lines_refused(const lines_args& args) {
  for (uint32_t tile = 0; uint64_t{tile} * refused_tile_bytes < args.data_bytes; ++tile) {
    const uint64_t first = uint64_t{tile} * lines_result_threads;
    uint32_t sum = 0;
    for (uint32_t thread = 0; thread < lines_result_threads; ++thread) {
      sum += count_bits(refused_share(args, first + thread));
    }
    auto before = static_cast<uint32_t>(link_tile(args.scan_states, tile, sum));
    for (uint32_t thread = 0; thread < lines_result_threads; ++thread) {
      const uint32_t bits = refused_share(args, first + thread);
      put_refused(args, first + thread, bits, before);
      before += count_bits(bits);
    }
  }
}

}  // namespace flinkgpu::test
