#pragma once

// search_need: the fewest elements that a document of each size needs to have in common with each
// query, as bit planes for the scans and as numbers for the inverted index.

#include "block/tile.cuh"
#include "search/scores.cuh"

namespace flinkgpu {

inline constexpr uint32_t need_block_sizes = search_need_threads / 32;

// The needs of 32 queries for 32 sizes.
struct need_shared {
  uint32_t least[search_need_threads];
};

FLINKGPU_HD uint32_t need_of(const search_args& args, uint32_t query_index, uint32_t size) {
  const search_query& query = args.queries[query_index];
  return least_common(args.similarity, query.size, size, query.least,
                      args.states[query_index].min_key, double_of_bits(query.min_score));
}

FLINKGPU_HD uint32_t need_word(const need_shared& shared, uint32_t size, uint32_t word) {
  uint32_t bits = 0;
  for (uint32_t query = 0; query < 32; ++query) {
    const uint32_t least = shared.least[size * 32 + query];
    const bool set = word == search_need_words - 1 ? least != search_never
                                                   : least != search_never && ((least >> word) & 1);
    bits |= uint32_t{set} << query;
  }
  return bits;
}

template <typename Threads>
FLINKGPU_LIST void find_needs(const Threads& threads, const search_args& args, need_shared& shared,
                              uint32_t block) {
  const uint32_t blocks_of_group = args.sizes / need_block_sizes;
  const uint32_t group = args.first_group + block / blocks_of_group;
  const uint32_t first_size = block % blocks_of_group * need_block_sizes;
  auto each = threads.begin([](uint32_t thread) { return thread; });
  each([&](uint32_t thread) {
    const uint32_t size = first_size + thread / 32;
    const uint32_t of_group = thread % 32;
    const uint32_t query = group * args.group_queries + of_group;
    const bool exists = of_group < args.group_queries && query < args.query_count;
    const uint32_t least = exists ? need_of(args, query, size) : search_never;
    shared.least[thread] = least;
    if (exists && size < search_narrow_sizes) {
      args.least[query * search_narrow_sizes + size] = static_cast<uint16_t>(least);
    }
  });
  each.last([&](uint32_t thread) {
    if (thread < need_block_sizes * search_need_words) {
      const uint32_t size = thread / search_need_words;
      const uint64_t row = uint64_t{group} * args.sizes + first_size + size;
      args.need[row * search_need_words + thread % search_need_words] =
          need_word(shared, size, thread % search_need_words);
    }
  });
}

}  // namespace flinkgpu
