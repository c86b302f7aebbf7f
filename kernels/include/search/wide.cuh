#pragma once

// search_hash and search_wide: the scan for wide documents, whose elements have no numbers. The
// masks of a group of queries are in a table that is open addressing by the element.

#include "search/scan.cuh"

namespace flinkgpu {

inline constexpr uint32_t wide_planes = 11;

// Slots: an element in the upper half, its mask in the lower one, which is 0 in a free slot.
struct element_table {
  uint64_t* slots;
  uint32_t log;

  FLINKGPU_HD uint32_t first(uint32_t element) const {
    return (element * 0x9e3779b9U) >> (32 - log);
  }

  FLINKGPU_HD uint32_t next(uint32_t slot) const { return (slot + 1) & ((uint32_t{1} << log) - 1); }

  FLINKGPU_HD void add(uint32_t element, uint32_t query) {
    const uint64_t own = (uint64_t{element} << 32) | (uint64_t{1} << query);
    for (uint32_t slot = first(element);; slot = next(slot)) {
      const uint64_t before = atomic_swap_if(&slots[slot], 0, own);
      if (before == 0) {
        return;
      }
      if (before >> 32 == element) {
        atomic_or(&slots[slot], own);
        return;
      }
    }
  }

  FLINKGPU_HD uint32_t find(uint32_t element) const {
    uint32_t slot = first(element);
    uint64_t found = slots[slot];
    while (found != 0 && found >> 32 != element) {
      slot = next(slot);
      found = slots[slot];
    }
    return static_cast<uint32_t>(found);
  }
};

FLINKGPU_HD element_table table_of_group(const search_args& args, uint32_t group) {
  return {args.table + (uint64_t{group} << args.table_log), args.table_log};
}

// A thread of the block of a query.
FLINKGPU_HD void hash_elements(const search_args& args, uint32_t query_index, uint32_t thread) {
  const search_query& query = args.queries[query_index];
  element_table table = table_of_group(args, query_index / args.group_queries);
  for (uint32_t i = thread; i < query.size; i += search_threads) {
    table.add(args.elements[query.elements_start + i], query_index % args.group_queries);
  }
}

// Adds the elements of a chunk, of which `count` are the document's.
FLINKGPU_HD void add_elements(bit_counters<wide_planes>& to, const element_table& table,
                              const element_pack& pack, uint32_t count) {
  uint32_t found[4];
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    found[i] = i < count ? table.find(pack.words[i]) : 0;
  }
  add_carry(to, 2, add_four(to, found[0], found[1], found[2], found[3]));
}

FLINKGPU_HD void scan_wide_stripe(const search_args& args, const element_table& table,
                                  uint32_t group, uint32_t stripe, uint32_t thread) {
  const group_range range = groups_of_warp(args, stripe, thread / 32);
  for (uint32_t index = range.begin; index < range.end; index += range.step) {
    const group_loads loads = load_group(args, index, range.end, thread % 32);
    const group_cursor document = cursor_of(args, index, thread % 32, loads);
    bit_counters<wide_planes> counters = zero_counters<wide_planes>();
    if (document.size != search_no_document) {
      FLINKGPU_ROLLED
      for (uint32_t i = 0; i < document.size; i += 4) {
        add_elements(counters, table, load_elements(document.at + i / 4 * search_chunk_bytes),
                     document.size - i);
      }
    }
    converge();
    add_reached(args, counters, group, document.size, index, thread % 32);
    converge();
  }
}

template <typename Threads>
FLINKGPU_LIST void scan_wide(const Threads& threads, const search_args& args, uint64_t* shared,
                             uint32_t block) {
  const uint32_t group = args.first_group + block % args.groups;
  const uint32_t stripe = block / args.groups;
  const element_table source = table_of_group(args, group);
  const element_table table{args.table_shared != 0 ? shared : source.slots, source.log};
  auto each = threads.begin([](uint32_t thread) { return thread; });
  each([&](uint32_t thread) {
    if (args.table_shared != 0) {
      for (uint32_t i = thread; i >> args.table_log == 0; i += search_scan_threads) {
        shared[i] = source.slots[i];
      }
    }
  });
  each.last([&](uint32_t thread) { scan_wide_stripe(args, table, group, stripe, thread); });
}

}  // namespace flinkgpu
