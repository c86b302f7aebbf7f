#pragma once

// search_inverted: counts what the documents of a tile have in common with a query by the tile's
// inverted index, in a byte of shared memory for each document. All threads share the postings of
// all codes, eight at a time, and what they find, so that none waits for memory more often than
// others. Counters start at what makes their top bit say whether a document may be a candidate, as
// nearly none is and all are looked at.

#include "block/tile.cuh"
#include "search/documents.cuh"

namespace flinkgpu {

inline constexpr uint32_t pack_slots = 16;
inline constexpr uint32_t counter_packs = search_tile_slots / pack_slots;
inline constexpr uint64_t top_bits = 0x8080808080808080;

// Postings that a thread loads at a time, and how many such loads it has under way.
inline constexpr uint32_t posting_pack = 8;
inline constexpr uint32_t posting_loads = 2;

// Packs of which it is known what list the first one is of, and how many of those there is room
// for.
inline constexpr uint32_t head_packs = 32;
inline constexpr uint32_t most_heads = 512;

// The postings of some codes: from their begins to their ends, and in which pack each starts.
struct posting_lists {
  uint32_t begins[search_inverted_threads];
  uint32_t ends[search_inverted_threads];
  uint32_t packs[search_inverted_threads];
  uint16_t heads[most_heads];
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

// The fewest that a document of a tile needs, and what counters do about it.
struct inverted_floor {
  uint32_t start;        // of counters
  bool is_top;           // whether the top bit of a counter says that it has come to the floor
  uint64_t not_reached;  // the complement of a counter that has, in each byte
};

// The start is at most what lets all counters get to `most`.
FLINKGPU_HD inverted_floor floor_of(uint32_t least, uint32_t most) {
  const uint32_t start = least < 128 && most <= 127 + least ? 128 - least : 0;
  return {start, start + least == 128, ~(uint64_t{start + least} * 0x0101010101010101)};
}

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

// Eight postings. The index has room for whole packs.
FLINKGPU_HD element_pack load_postings(const uint16_t* from) {
  return load_elements(reinterpret_cast<const uint8_t*>(from));
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

// Makes a list known as that of the heads that it has.
FLINKGPU_HD void put_heads(posting_lists& lists, uint32_t list, uint32_t first_pack,
                           uint32_t packs) {
  const uint32_t end = min_of((first_pack + packs + head_packs - 1) / head_packs, most_heads);
  for (uint32_t i = (first_pack + head_packs - 1) / head_packs; i < end; ++i) {
    lists.heads[i] = static_cast<uint16_t>(list);
  }
}

// The list, of `count`, that has a pack, of `packs`: the last one that starts with it or before.
FLINKGPU_HD uint32_t list_of(const posting_lists& lists, uint32_t count, uint32_t pack,
                             uint32_t packs) {
  const uint32_t head = pack / head_packs;
  uint32_t low = head < most_heads ? lists.heads[head] : 0;
  uint32_t high = count;
  if (head + 1 < most_heads && (head + 1) * head_packs < packs) {
    high = lists.heads[head + 1] + 1;
  }
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

// The postings of a pack that are of a list, a bit each; the pack starts with posting `at`.
FLINKGPU_HD uint32_t postings_of_list(uint32_t begin, uint32_t end, uint32_t at) {
  constexpr uint32_t all = (1U << posting_pack) - 1;
  const uint32_t before = begin > at ? begin - at : 0;
  const uint32_t after = end - at < posting_pack ? posting_pack - (end - at) : 0;
  return (all << before) & (all >> after);
}

// Counts a thread's part of the packs of `lists` lists.
FLINKGPU_HD void count_postings(const uint16_t* postings, inverted_shared& shared, uint32_t lists,
                                uint32_t packs, uint32_t thread) {
  constexpr uint32_t step = posting_loads * search_inverted_threads;
  FLINKGPU_ROLLED
  for (uint32_t first = thread; first < packs; first += step) {
    element_pack loaded[posting_loads];
    uint32_t counted[posting_loads];  // of a pack, the postings of the list
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < posting_loads; ++i) {
      const uint32_t pack = first + i * search_inverted_threads;
      counted[i] = 0;
      if (pack < packs) {
        const uint32_t list = list_of(shared.lists, lists, pack, packs);
        const uint32_t begin = shared.lists.begins[list];
        const uint32_t at = (begin / posting_pack + pack - shared.lists.packs[list]) * posting_pack;
        loaded[i] = load_postings(postings + at);
        counted[i] = postings_of_list(begin, shared.lists.ends[list], at);
      }
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < posting_loads; ++i) {
      FLINKGPU_UNROLLED
      for (uint32_t j = 0; j < posting_pack; ++j) {
        if ((counted[i] & (1U << j)) != 0) {
          count_slot(shared, (loaded[i].words[j / 2] >> (j % 2 * 16)) & 0xffff);
        }
      }
    }
  }
}

// A candidate, if it has as much in common with the query as its size needs.
FLINKGPU_HD void add_counted(const search_args& args, uint32_t number, uint32_t query_index,
                             const inverted_shared& shared, uint32_t counted) {
  const uint32_t slot = counted & 0xffff;
  const uint32_t size = args.tiles[number].sizes[slot];
  if (counted >> 16 >= shared.least[size]) {
    add_candidate(args, query_index, (number << 16) | slot, counted >> 16, size);
  }
}

// Does take(counted) for those documents of a pack that have at least the floor in common with the
// query: the slot, and 16 bits up what that is.
template <typename Take>
FLINKGPU_HD void each_counted(const search_args& args, uint32_t documents, uint32_t first_slot,
                              const byte_pack& counters, const inverted_floor& floor,
                              const Take& take) {
  if (is_left_out(args, first_slot / search_group_documents)) {
    return;
  }
  FLINKGPU_ROLLED
  for (uint32_t first = 0; first < pack_slots; first += 8) {
    const uint64_t counts = first == 0 ? counters.low : counters.high;
    uint64_t enough = bytes_at_least(counts, floor.not_reached);
    while (enough != 0) {
      const uint32_t shift = lowest_bit(enough) & 56;
      enough &= enough - 1;
      const uint32_t slot = first_slot + first + shift / 8;
      if (slot < documents) {
        take(slot | ((static_cast<uint32_t>(counts >> shift) & 0xff) - floor.start) << 16);
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
  const uint32_t documents = tile.documents;
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
  const uint32_t least = each.uniform([&](const inverted_thread&) { return shared.floor; });
  if (least == search_never) {
    return;
  }
  const inverted_floor floor = floor_of(least, min_of(codes, tile.largest));
  each([&](const inverted_thread& self) {
    const uint64_t start = uint64_t{floor.start} * 0x0101010101010101;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < counter_packs; i += search_inverted_threads) {
      store_pack(counters_at(shared, i + self.thread), {start, start});
    }
  });
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
          put_heads(shared.lists, self.thread, before, packs_of(self));
        });
    each([&](const inverted_thread& self) {
      count_postings(tile.postings, shared, min_of(codes - first, search_inverted_threads), packs,
                     self.thread);
    });
  }
  each([&](const inverted_thread& self) {
    FLINKGPU_ROLLED
    for (uint32_t first = self.thread; first < counter_packs;
         first += 2 * search_inverted_threads) {
      const uint32_t second = first + search_inverted_threads;
      const byte_pack a = load_pack(counters_at(shared, first));
      const byte_pack b = load_pack(counters_at(shared, second));
      if (!floor.is_top || ((a.low | a.high | b.low | b.high) & top_bits) != 0) {
        FLINKGPU_ROLLED
        for (uint32_t pack = first; pack <= second; pack += search_inverted_threads) {
          const bool is_first = pack == first;
          each_counted(args, documents, pack * pack_slots,
                       {is_first ? a.low : b.low, is_first ? a.high : b.high}, floor,
                       [&](uint32_t counted) {
                         const uint32_t at = atomic_add(&shared.counted_slots, 1);
                         if (at < counted_room) {
                           shared.counted[at] = counted;
                         }
                       });
        }
      }
    }
  });
  each.last([&](const inverted_thread& self) {
    const auto add = [&](uint32_t counted) {
      add_counted(args, number, query_index, shared, counted);
    };
    if (shared.counted_slots <= counted_room) {
      for (uint32_t i = self.thread; i < shared.counted_slots; i += search_inverted_threads) {
        add(shared.counted[i]);
      }
      return;
    }
    FLINKGPU_ROLLED
    for (uint32_t i = self.thread; i < counter_packs; i += search_inverted_threads) {
      each_counted(args, documents, i * pack_slots, load_pack(counters_at(shared, i)), floor, add);
    }
  });
}

}  // namespace flinkgpu
