#pragma once

// search_inverted: counts what the documents of a tile have in common with a query by the tile's
// inverted index, in a byte of shared memory for each document.

#include "block/tile.cuh"
#include "search/documents.cuh"

namespace flinkgpu {

inline constexpr uint32_t counter_words = search_tile_slots / 4;

struct inverted_shared {
  uint32_t counters[counter_words];  // of slots, four a word
  uint32_t least[search_narrow_sizes];
  uint32_t floor;  // the least of those that the tile's sizes need
};

// A byte of all ones for each byte that is at least as large.
FLINKGPU_HD uint32_t bytes_at_least(uint32_t word, uint32_t least) {
#ifdef __CUDA_ARCH__
  return __vcmpgeu4(word, least * 0x01010101U);
#else
  uint32_t mask = 0;
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    mask |= ((word >> shift) & 0xff) >= least ? 0xffU << shift : 0;
  }
  return mask;
#endif
}

FLINKGPU_HD void count_postings(const search_args& args, const search_tile& tile,
                                const search_query& query, inverted_shared& shared,
                                uint32_t thread) {
  for (uint32_t i = thread / 32; i < query.codes_count; i += search_inverted_threads / 32) {
    const uint32_t code = args.codes[query.codes_start + i];
    if (code < tile.codes) {
      const uint32_t end = tile.posting_starts[code + 1];
      for (uint32_t at = tile.posting_starts[code] + thread % 32; at < end; at += 32) {
        const uint32_t slot = tile.postings[at];
        atomic_add(&shared.counters[slot / 4], 1U << (slot % 4 * 8));
      }
    }
  }
}

// The candidates of four documents.
FLINKGPU_HD void add_counted(const search_args& args, const search_tile& tile, uint32_t number,
                             uint32_t query_index, const inverted_shared& shared, uint32_t word) {
  const uint32_t counts = shared.counters[word];
  uint32_t enough = bytes_at_least(counts, shared.floor);
  if (enough == 0 || is_left_out(args, word * 4 / search_group_documents)) {
    return;
  }
  while (enough != 0) {
    const uint32_t shift = lowest_bit(enough) & 24;
    enough &= ~(0xffU << shift);
    const uint32_t slot = word * 4 + shift / 8;
    const uint32_t count = (counts >> shift) & 0xff;
    if (slot < tile.documents) {
      const uint32_t size = tile.sizes[slot];
      if (count >= shared.least[size]) {
        add_candidate(args, query_index, (number << 16) | slot, count, size);
      }
    }
  }
}

// Block `block` of queries * tiles: neighbours take the same tile.
template <typename Threads>
FLINKGPU_LIST void count_inverted(const Threads& threads, const search_args& args,
                                  inverted_shared& shared, uint32_t block) {
  const uint32_t first_query = args.first_group * args.group_queries;
  const uint32_t all =
      min_of(args.query_count, first_query + args.groups * args.group_queries) - first_query;
  const uint32_t query_index = first_query + block % all;
  const uint32_t number = args.first_tile + block / all;
  const search_tile& tile = args.tiles[number];
  const search_query& query = args.queries[query_index];
  auto each = threads.begin([](uint32_t thread) { return thread; });
  each([&](uint32_t thread) {
    if (thread == 0) {
      shared.floor = search_never;
    }
  });
  each([&](uint32_t thread) {
    if (thread < search_narrow_sizes) {
      const uint32_t least = args.least[query_index * search_narrow_sizes + thread];
      shared.least[thread] = least;
      if (thread >= tile.smallest && thread <= tile.largest && least != search_never) {
        atomic_min(&shared.floor, least);
      }
    }
    for (uint32_t i = thread; i < counter_words; i += search_inverted_threads) {
      shared.counters[i] = 0;
    }
  });
  if (each.uniform([&](uint32_t) { return shared.floor; }) == search_never) {
    return;
  }
  each([&](uint32_t thread) { count_postings(args, tile, query, shared, thread); });
  each.last([&](uint32_t thread) {
    for (uint32_t i = thread; i < counter_words; i += search_inverted_threads) {
      add_counted(args, tile, number, query_index, shared, i);
    }
  });
}

}  // namespace flinkgpu
