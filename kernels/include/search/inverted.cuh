#pragma once

// search_inverted: counts what the documents of a tile have in common with a query by the tile's
// inverted index, in a byte of shared memory for each document. All threads share the postings of
// all codes, four at a time, and what they find, so that none waits for memory more often than
// others.

#include "block/tile.cuh"
#include "search/documents.cuh"

namespace flinkgpu {

inline constexpr uint32_t pack_slots = 16;

// Postings that a thread loads at a time, and how many such loads it has under way.
inline constexpr uint32_t posting_pack = 4;
inline constexpr uint32_t posting_loads = 4;

// The postings of some codes: from their begins to their ends, and in which pack each starts.
struct posting_lists {
  uint32_t begins[search_inverted_threads];
  uint32_t ends[search_inverted_threads];
  uint32_t packs[search_inverted_threads];
};

inline constexpr uint32_t counted_room = sizeof(posting_lists) / sizeof(uint32_t);

struct alignas(16) inverted_shared {
  uint32_t counters[search_tile_slots / 4];  // of slots, four a word
  union {
    posting_lists lists;
    uint32_t counted[counted_room];  // slots that may be candidates, and 16 bits up their counts
  };
  uint32_t least[search_narrow_sizes];
  block_scan<search_inverted_threads, uint32_t> sums;
  uint32_t floor;  // the least of those that the tile's sizes need
  uint32_t counted_slots;
};
static_assert(sizeof(inverted_shared) <= search_inverted_bytes);

struct inverted_thread {
  uint32_t thread;
  uint32_t least;  // of the size with its number
  uint32_t begin;  // of the postings of a code
  uint32_t end;
};

// The top bit of each byte that is at least as large; `not_least` has the complement of that in
// each byte.
FLINKGPU_HD uint64_t bytes_at_least(uint64_t bytes, uint64_t not_least) {
  constexpr uint64_t low = 0x7f7f7f7f7f7f7f7f;
  // The means of both, rounded up: 128 and more where a byte is.
  const uint64_t means = (bytes | not_least) - (((bytes ^ not_least) >> 1) & low);
  return means & ~low;
}

// Four postings, the first one lowest. The index has room for whole packs.
FLINKGPU_HD uint64_t load_postings(const uint16_t* from) {
  uint64_t pack;
#ifdef __CUDA_ARCH__
  asm volatile("ld.global.nc.L1::no_allocate.u64 %0, [%1];" : "=l"(pack) : "l"(from));
#else
  std::memcpy(&pack, from, sizeof(pack));
#endif
  return pack;
}

// Finds the postings of a query's code.
FLINKGPU_HD void find_postings(const search_tile& tile, const search_query& query,
                               const uint16_t* codes, uint32_t index, inverted_thread& self) {
  self.begin = 0;
  self.end = 0;
  if (index < query.codes_count) {
    const uint32_t code = codes[query.codes_start + index];
    if (code < tile.codes) {
      self.begin = tile.posting_starts[code];
      self.end = tile.posting_starts[code + 1];
    }
  }
}

FLINKGPU_HD uint32_t packs_of(const inverted_thread& self) {
  return self.begin == self.end
             ? 0
             : (self.end + posting_pack - 1) / posting_pack - self.begin / posting_pack;
}

// The list that has a pack: the last one that starts with it or before.
FLINKGPU_HD uint32_t list_of(const posting_lists& lists, uint32_t count, uint32_t pack) {
  uint32_t low = 0;
  uint32_t high = count;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (lists.packs[middle] <= pack) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// The counters of 16 slots.
FLINKGPU_HD uint8_t* counters_at(inverted_shared& shared, uint32_t pack) {
  return reinterpret_cast<uint8_t*>(shared.counters) + pack * pack_slots;
}

FLINKGPU_HD void count_slot(inverted_shared& shared, uint32_t slot) {
  atomic_add(&shared.counters[slot / 4], 1U << (slot % 4 * 8));
}

// Counts a thread's part of the packs of `lists` lists.
FLINKGPU_HD void count_postings(const uint16_t* postings, inverted_shared& shared, uint32_t lists,
                                uint32_t packs, uint32_t thread) {
  constexpr uint32_t step = posting_loads * search_inverted_threads;
  FLINKGPU_ROLLED
  for (uint32_t first = thread; first < packs; first += step) {
    uint64_t loaded[posting_loads];
    uint32_t from[posting_loads];  // of a pack, the postings of the list
    uint32_t to[posting_loads];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < posting_loads; ++i) {
      const uint32_t pack = first + i * search_inverted_threads;
      from[i] = to[i] = 0;
      if (pack < packs) {
        const uint32_t list = list_of(shared.lists, lists, pack);
        const uint32_t begin = shared.lists.begins[list];
        const uint32_t at = (begin / posting_pack + pack - shared.lists.packs[list]) * posting_pack;
        loaded[i] = load_postings(postings + at);
        from[i] = begin > at ? begin - at : 0;
        to[i] = min_of(shared.lists.ends[list] - at, posting_pack);
      }
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < posting_loads; ++i) {
      FLINKGPU_UNROLLED
      for (uint32_t j = 0; j < posting_pack; ++j) {
        if (j >= from[i] && j < to[i]) {
          count_slot(shared, static_cast<uint32_t>(loaded[i] >> (16 * j)) & 0xffff);
        }
      }
    }
  }
}

// A candidate, if it has as much in common with the query as its size needs.
FLINKGPU_HD void add_counted(const search_args& args, const search_tile& tile, uint32_t number,
                             uint32_t query_index, const inverted_shared& shared,
                             uint32_t counted) {
  const uint32_t slot = counted & 0xffff;
  const uint32_t size = tile.sizes[slot];
  if (counted >> 16 >= shared.least[size]) {
    add_candidate(args, query_index, (number << 16) | slot, counted >> 16, size);
  }
}

// Eight documents of which some have at least the floor in common with the query.
FLINKGPU_HD void keep_counted(const search_args& args, const search_tile& tile, uint32_t number,
                              uint32_t query_index, inverted_shared& shared, uint32_t first_slot,
                              uint64_t counts, uint64_t enough) {
  if (is_left_out(args, first_slot / search_group_documents)) {
    return;
  }
  while (enough != 0) {
    const uint32_t shift = lowest_bit(enough) & 56;
    enough &= enough - 1;
    const uint32_t slot = first_slot + shift / 8;
    if (slot < tile.documents) {
      const uint32_t counted = slot | (static_cast<uint32_t>(counts >> shift) & 0xff) << 16;
      const uint32_t at = atomic_add(&shared.counted_slots, 1);
      if (at < counted_room) {
        shared.counted[at] = counted;
      } else {
        add_counted(args, tile, number, query_index, shared, counted);
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
  const search_tile tile = args.tiles[number];
  const search_query& query = args.queries[query_index];
  const uint32_t codes = query.codes_count;
  const uint32_t used_packs = (tile.documents + pack_slots - 1) / pack_slots;
  auto each = threads.begin([&](uint32_t thread) {
    inverted_thread self{thread, search_never, 0, 0};
    if (thread < search_narrow_sizes) {
      self.least = args.least[query_index * search_narrow_sizes + thread];
    }
    find_postings(tile, query, args.codes, thread, self);
    return self;
  });
  each(
      [&](const inverted_thread& self) {
        for (uint32_t i = self.thread; i < used_packs; i += search_inverted_threads) {
          store_pack(counters_at(shared, i), {0, 0});
        }
        if (self.thread == 0) {
          shared.floor = search_never;
          shared.counted_slots = 0;
        }
      },
      [&](const inverted_thread& self) {
        if (self.thread < search_narrow_sizes) {
          shared.least[self.thread] = self.least;
          if (self.thread >= tile.smallest && self.thread <= tile.largest &&
              self.least != search_never) {
            atomic_min(&shared.floor, self.least);
          }
        }
      });
  const uint32_t floor = each.uniform([&](const inverted_thread&) { return shared.floor; });
  if (floor == search_never) {
    return;
  }
  for (uint32_t first = 0; first < codes; first += search_inverted_threads) {
    const uint32_t packs = each.scan(
        shared.sums,
        [&](inverted_thread& self) {
          if (first > 0) {
            find_postings(tile, query, args.codes, first + self.thread, self);
          }
          return packs_of(self);
        },
        [&](const inverted_thread& self, uint32_t before, uint32_t) {
          shared.lists.begins[self.thread] = self.begin;
          shared.lists.ends[self.thread] = self.end;
          shared.lists.packs[self.thread] = before;
        });
    each([&](const inverted_thread& self) {
      count_postings(tile.postings, shared, min_of(codes - first, search_inverted_threads), packs,
                     self.thread);
    });
  }
  each([&](const inverted_thread& self) {
    const uint64_t not_least = ~(uint64_t{floor} * 0x0101010101010101);
    for (uint32_t i = self.thread; i < used_packs; i += search_inverted_threads) {
      const byte_pack counts = load_pack(counters_at(shared, i));
      const uint64_t low = bytes_at_least(counts.low, not_least);
      const uint64_t high = bytes_at_least(counts.high, not_least);
      if ((low | high) != 0) {
        keep_counted(args, tile, number, query_index, shared, i * pack_slots, counts.low,
                     low);
        keep_counted(args, tile, number, query_index, shared, i * pack_slots + 8,
                     counts.high, high);
      }
    }
  });
  each.last([&](const inverted_thread& self) {
    const uint32_t kept = min_of(shared.counted_slots, counted_room);
    for (uint32_t i = self.thread; i < kept; i += search_inverted_threads) {
      add_counted(args, tile, number, query_index, shared, shared.counted[i]);
    }
  });
}

}  // namespace flinkgpu
