#pragma once

// search_scan: counts what all narrow documents have in common with a group of queries. A mask for
// each code, in shared memory, says which of the queries have it; masks are added up in carry-save
// adders, so a document's element costs a look-up and three instructions for all queries together.

#include "block/tile.cuh"
#include "search/counters.cuh"
#include "search/documents.cuh"
#include "search/lane_bits.cuh"

namespace flinkgpu {

inline constexpr uint32_t narrow_planes = 8;

template <typename Mask>
struct mask_table {
  uint32_t* words;

  // The masks of a code, zero for 0.
  FLINKGPU_HD uint32_t at(uint32_t code) const {
    return reinterpret_cast<const Mask*>(words)[code];
  }

  FLINKGPU_HD void add(uint32_t code, uint32_t query) {
    constexpr uint32_t in_word = 4 / sizeof(Mask);
    const uint32_t bit = code % in_word * (32 / in_word) + query;
    atomic_or(&words[code / in_word], uint32_t{1} << bit);
  }
};

// How many words masks take, a multiple of 4.
template <typename Mask>
FLINKGPU_HD uint32_t mask_words(uint32_t code_count) {
  return ((code_count + 1) * static_cast<uint32_t>(sizeof(Mask)) + 15) / 16 * 4;
}

// Adds the masks of eight codes to planes 0 to 2. Returns what they carry.
template <typename Mask>
FLINKGPU_HD uint32_t add_codes(bit_counters<narrow_planes>& to, const mask_table<Mask>& masks,
                               const element_pack& pack) {
  uint32_t found[8];
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    found[2 * i] = masks.at(pack.words[i] & 0xffff);
    found[2 * i + 1] = masks.at(pack.words[i] >> 16);
  }
  const uint32_t low = add_four(to, found[0], found[1], found[2], found[3]);
  const uint32_t high = add_four(to, found[4], found[5], found[6], found[7]);
  return add_bits(to.planes[2], low, high);
}

// What documents need to know of a query that they reach.
struct reached_query {
  int64_t version;
  uint32_t mask;
  uint32_t value;
  uint32_t size;
  uint32_t candidates;  // so far
};

// Nothing, if there is no such query.
FLINKGPU_HD reached_query reached_query_of(const search_args& args, uint32_t group,
                                           uint32_t of_group) {
  const uint32_t index = group * args.group_queries + of_group;
  if (of_group >= args.group_queries || index >= args.query_count) {
    return {0, 0, 0, 0, 0};
  }
  const search_query& query = args.queries[index];
  return {query.version, query.mask, query.value, query.size, candidates_so_far(args, index)};
}

// Makes documents, one a lane of a warp all of which come here, candidates of those queries of a
// group that they reach and that see them. A lane reserves room for all of a query's at once.
template <uint32_t Planes>
FLINKGPU_HD_CALL void add_candidates(const search_args& args, const bit_counters<Planes> counters,
                                     uint32_t group, uint32_t queries, uint32_t place,
                                     uint32_t size) {
  const uint32_t first = group * args.group_queries;
  document_facts facts{0, 0, 0};
  if (queries != 0) {
    facts = facts_of(args, place);
  }
  each_lane_bit(
      queries, [&](uint32_t query) { return reached_query_of(args, group, query); },
      [&](const reached_query& query) { return facts.is_seen_by(query); },
      [&](uint32_t query, const reached_query& known, uint32_t count) {
        return reserve_candidates(args, first + query, known.candidates, count);
      },
      [&](uint32_t query, const reached_query& known, uint32_t index) {
        put_candidate(args, first + query, known.size, index, place, count_of(counters, query),
                      size);
      });
}

// The candidates among the documents of a group with an index, one a thread.
template <uint32_t Planes>
FLINKGPU_HD void add_reached(const search_args& args, const bit_counters<Planes>& counters,
                             uint32_t group, uint32_t size, uint32_t index, uint32_t lane) {
  uint32_t queries = 0;
  if (size != search_no_document) {
    const uint64_t row = uint64_t{group} * args.sizes + size;
    queries = reached(counters, args.need + row * search_need_words);
  }
  if (any_lane(queries != 0)) {
    add_candidates(args, counters, group, queries, place_of(args, index, lane), size);
  }
}

// A thread's documents in a stripe. The next group's first chunk, and the three chunks after this
// one, are on their way while this one is added.
template <typename Mask>
FLINKGPU_HD void scan_stripe(const search_args& args, const mask_table<Mask>& masks, uint32_t group,
                             uint32_t stripe, uint32_t thread) {
  const group_range range = groups_of_warp(args, stripe, thread / 32);
  const uint32_t lane = thread % 32;
  group_loads after = load_group(args, range.begin, range.end, lane);
  group_cursor current = cursor_of(args, range.begin, lane, after);
  after = load_group(args, range.begin + range.step, range.end, lane);
  element_pack pack = load_elements_if(current.chunks > 0, current.at);
  for (uint32_t index = range.begin; index < range.end; index += range.step) {
    const uint8_t* ahead = current.at + search_chunk_bytes;
    element_pack second = load_elements_if(current.chunks > 1, ahead);
    ahead += search_chunk_bytes;
    element_pack third = load_elements_if(current.chunks > 2, ahead);
    const group_cursor next = cursor_of(args, index + range.step, lane, after);
    const element_pack next_pack = load_elements_if(next.chunks > 0, next.at);
    after = load_group(args, index + 2 * range.step, range.end, lane);
    bit_counters<narrow_planes> counters = zero_counters<narrow_planes>();
    // Of an even chunk, which the next one adds together with its own.
    uint32_t carry = 0;
    FLINKGPU_UNROLLED_BY_4
    for (uint32_t chunk = 0; chunk < current.chunks; ++chunk) {
      ahead += search_chunk_bytes;
      const element_pack fourth = load_elements_if(chunk + 3 < current.chunks, ahead);
      const uint32_t own = add_codes(counters, masks, pack);
      if (chunk % 2 == 0) {
        carry = own;
      } else {
        add_carry(counters, 4, add_bits(counters.planes[3], carry, own));
      }
      pack = second;
      second = third;
      third = fourth;
    }
    if (current.chunks % 2 != 0) {
      add_carry(counters, 3, carry);
    }
    add_reached(args, counters, group, current.size, index, lane);
    converge();
    current = next;
    pack = next_pack;
  }
}

// Block `block` of groups * stripes: neighbours take the same documents, which are then in the
// second level cache for all of them.
template <typename Mask, typename Threads>
FLINKGPU_LIST void scan(const Threads& threads, const search_args& args, uint32_t* words,
                        uint32_t block) {
  const uint32_t group = args.first_group + block % args.groups;
  const uint32_t stripe = block / args.groups;
  const uint32_t count = mask_words<Mask>(args.code_count);
  mask_table<Mask> masks{words};
  auto each = threads.begin([](uint32_t thread) { return thread; });
  each(
      [&](uint32_t thread) {
        for (uint32_t i = thread; i < count; i += search_scan_threads) {
          words[i] = 0;
        }
      },
      [&](uint32_t thread) {
        const uint32_t of_group = thread / 32;
        const uint32_t index = group * args.group_queries + of_group;
        if (of_group < args.group_queries && index < args.query_count) {
          const search_query& query = args.queries[index];
          for (uint32_t i = thread % 32; i < query.codes_count; i += 32) {
            masks.add(args.codes[query.codes_start + i], of_group);
          }
        }
      });
  each.last([&](uint32_t thread) { scan_stripe(args, masks, group, stripe, thread); });
}

}  // namespace flinkgpu
