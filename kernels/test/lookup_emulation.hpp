#pragma once

// Blocks of the lookup kernels on the CPU.

#include "host_block.hpp"
#include "lookup/bags.cuh"
#include "lookup/direct.cuh"
#include "lookup/gather.cuh"
#include "lookup/ids.cuh"
#include "lookup/order.cuh"
#include "lookup/put.cuh"
#include "lookup/rank.cuh"
#include "lookup/write.cuh"

namespace flinkgpu::test {

inline void run_bags(const lookup_args& args, uint32_t block) {
  find_bags(host_threads(lookup_threads), args, *garbage<bags_shared>(), block);
}

inline void run_find(const lookup_args& args, uint32_t block) {
  find_ids(host_threads(lookup_threads), args, *garbage<ids_shared>(), block);
}

inline void run_order(const lookup_args& args, uint32_t block) {
  order_lines(host_threads(lookup_threads), args, *garbage<order_shared>(), block);
}

// Threads that do not wait for each other, in some order.
template <typename Run>
void run_threads(uint32_t block, const Run& run) {
  thread_order(lookup_threads).each([&](uint32_t thread) { run(block * lookup_threads + thread); });
}

inline void run_gather(const lookup_args& args, uint32_t block) {
  run_threads(block, [&](uint32_t thread) { gather_lines(args, thread / 32, thread % 32); });
}

inline void run_write(const lookup_args& args, uint32_t block) {
  run_threads(block, [&](uint32_t thread) {
    write_values(args, thread / args.lanes, thread % args.lanes);
  });
}

inline void run_direct(const lookup_args& args, uint32_t block) {
  look_up_directly(host_threads(lookup_threads), args, *garbage<direct_shared>(), block);
}

inline void run_put(const lookup_put_args& args, uint32_t block) {
  run_threads(block, [&](uint32_t thread) { put_words(args, thread / 32, thread % 32); });
}

inline void run_count(const lookup_rank_args& args, uint32_t block) {
  count_frequencies(host_threads(lookup_threads), args, *garbage<count_shared>(), block);
}

inline void run_choose(const lookup_rank_args& args, uint32_t block) {
  choose_vectors(host_threads(lookup_threads), args, *garbage<choose_shared>(), block);
}

}  // namespace flinkgpu::test
