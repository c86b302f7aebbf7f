#pragma once

// lookup_find: the vector of each id and where it is; what is in neither the cache nor missing is
// put on the list of what has to be read, once; and how many values the ids before have that are
// not combined.

#include "block/tile.cuh"
#include "lookup/bags.cuh"
#include "lookup/order.cuh"
#include "lookup/unique.cuh"
#include "text/sip_hash.cuh"

namespace flinkgpu {

// ---- sources: where an id's vector is, in the low bits what kind of a place that is ----

inline constexpr uint64_t source_none = 0;     // left out
inline constexpr uint64_t source_missing = 1;  // at an address, floats
inline constexpr uint64_t source_read = 2;     // a slot of unique_lines, above these bits
inline constexpr uint64_t source_bits = 3;     // none of them: at an address, elements of the table

// ---- the claims of a block's threads in one word, so that they take one scan: a vector has at
// most 65,536 elements, which are 2,048 lines ----

inline constexpr uint32_t claim_disk_shift = 24;
inline constexpr uint32_t claim_read_shift = 48;

// Of how many tables a block counts in shared memory.
inline constexpr uint32_t lookup_counted_tables = 64;

struct ids_shared {
  tile_scan<lookup_threads, uint32_t> values;
  block_scan<lookup_threads, uint64_t> claims;
  uint32_t low_bag;   // of the block's first id
  uint32_t high_bag;  // and of its last one
  uint32_t first_line;
  uint32_t first_disk_line;
  uint32_t first_read;
  lookup_counts counts[lookup_counted_tables];
};

struct id_state {
  uint32_t thread;
  uint32_t id;   // its place in the batch
  uint32_t ids;  // of the block
  uint32_t bag;
  uint32_t values;
  uint32_t base;
  uint64_t source;
  uint64_t claim;  // lines to read, lines from disk, and reads from disk
  uint64_t claims_before;
  uint32_t table;
  uint32_t index;
  uint32_t unique_slot;
};

FLINKGPU_HD uint64_t hash_of_id(const lookup_args& args, uint64_t id) {
  sip_state state = sip_start(args.seed_low, args.seed_high);
  sip_add(state, id, 1);
  return sip_finish(state, 3);
}

struct found_id {
  bool exists;
  uint32_t index;
};

FLINKGPU_HD found_id find_vector(const lookup_args& args, const lookup_table& table, uint64_t id) {
  const uint64_t mask = (uint64_t{1} << (64 - table.slot_shift)) - 1;
  uint64_t slot = hash_of_id(args, id) >> table.slot_shift;
  for (;; slot = (slot + 1) & mask) {
    const byte_pack entry = load_pack(reinterpret_cast<const uint8_t*>(&table.slots[slot]));
    if (entry.high >> 32 == 0) {
      return {false, 0};
    }
    if (entry.low == id) {
      return {true, static_cast<uint32_t>(entry.high)};
    }
  }
}

// One use more, up to 255. What comes out does not depend on who comes first.
FLINKGPU_HD void count_use(const lookup_table& table, uint32_t index) {
  uint32_t* const word = &table.frequencies[index / 4];
  const uint32_t shift = 8 * (index % 4);
  uint32_t seen = load_shared_word(word);
  while (((seen >> shift) & 0xff) != 0xff) {
    const uint32_t found = atomic_swap_if(word, seen, seen + (1U << shift));
    if (found == seen) {
      break;
    }
    seen = found;
  }
}

FLINKGPU_HD int32_t location_of(const lookup_table& table, uint32_t index) {
  if (table.locations != nullptr) {
    return table.locations[index];
  }
  return index < table.cached ? static_cast<int32_t>(index) : -1;
}

FLINKGPU_HD uint32_t lines_of(const lookup_table& table) {
  return (table.stride + lookup_line_bytes - 1) / lookup_line_bytes;
}

FLINKGPU_HD uint64_t host_address(const lookup_table& table, uint32_t index) {
  const uint64_t in_chunk = index & ((1U << table.chunk_shift) - 1);
  return table.chunks[index >> table.chunk_shift] + in_chunk * table.stride;
}

// What a block counts of a table: in its shared memory, `own`, where that has room.
FLINKGPU_HD lookup_counts& counts_of(const lookup_args& args, lookup_counts* own, uint32_t table) {
  return args.table_count <= lookup_counted_tables ? own[table] : args.counts[table];
}

FLINKGPU_HD void find_missing(const lookup_table& table, lookup_counts& counts, id_state& self) {
  atomic_add(&counts.missing, 1);
  self.source = table.missing == nullptr
                    ? source_none
                    : reinterpret_cast<uintptr_t>(table.missing) | source_missing;
}

// Has a vector read that is not in the cache, unless another thread has that done.
FLINKGPU_HD void list_uncached(const lookup_table& table, const unique_claim& claim,
                               lookup_counts& counts, id_state& self) {
  const bool is_on_disk = self.index >= table.host_vectors;
  atomic_add(is_on_disk ? &counts.disk : &counts.host, 1);
  self.source = (static_cast<uint64_t>(claim.slot) << 2) | source_read;
  self.unique_slot = claim.slot;
  if (claim.is_new) {
    atomic_add(is_on_disk ? &counts.disk_unique : &counts.host_unique, 1);
    const uint64_t lines = lines_of(table);
    self.claim =
        is_on_disk ? (lines << claim_disk_shift) | (uint64_t{1} << claim_read_shift) : lines;
  }
}

// Finds the vector of an id of a bag. `find_uncached` says what becomes of one that is not in the
// cache.
template <typename Uncached>
FLINKGPU_HD void find_of_bag(const lookup_args& args, const lookup_bag& bag, lookup_counts* own,
                             id_state& self, const Uncached& find_uncached) {
  const lookup_table& table = table_of(args, bag);
  self.table = bag.kind >> lookup_kind_bits;
  lookup_counts& counts = counts_of(args, own, self.table);
  const found_id found = find_vector(args, table, args.ids[self.id]);
  self.index = found.index;
  if (!found.exists) {
    find_missing(table, counts, self);
  } else {
    if (table.frequencies != nullptr) {
      count_use(table, found.index);
    }
    const unique_claim claim = claim_unique(args, self.table, found.index);
    if (claim.is_new) {
      atomic_add(&counts.unique, 1);
    }
    const int32_t location = location_of(table, found.index);
    if (location >= 0) {
      atomic_add(&counts.device, 1);
      self.source =
          reinterpret_cast<uintptr_t>(table.cache) + static_cast<uint64_t>(location) * table.stride;
    } else {
      find_uncached(table, claim, counts, self);
    }
  }
  if (self.source != source_none && bag.weights != lookup_no_weights) {
    const float weight = args.weights[bag.weights + (self.id - bag.start)];
    if (weight != weight) {
      atomic_add(&counts.nan_weights, 1);
    }
  }
}

FLINKGPU_HD void find_id(const lookup_args& args, ids_shared& shared, id_state& self) {
  const uint32_t bags = shared.high_bag - shared.low_bag + 1;
  self.bag =
      last_start_near(shared.low_bag + guess_of(self.thread, self.ids, bags), shared.high_bag + 1,
                      self.id, [&](uint32_t bag) { return args.places[bag].start; });
  const lookup_bag& bag = args.places[self.bag];
  find_of_bag(args, bag, shared.counts, self, list_uncached);
  if (self.source != source_none && combiner_of(bag) == lookup_none) {
    self.values = table_of(args, bag).dimension;
  }
}

// Room for what the block's threads claimed.
FLINKGPU_HD void take_room(const lookup_args& args, ids_shared& shared, uint64_t claims) {
  const auto lines = static_cast<uint32_t>(claims & low_bits(claim_disk_shift));
  const auto disk_lines = static_cast<uint32_t>((claims >> claim_disk_shift) &
                                                low_bits(claim_read_shift - claim_disk_shift));
  const auto reads = static_cast<uint32_t>(claims >> claim_read_shift);
  shared.first_line = lines == 0 ? 0 : atomic_add(&args.header->lines, lines);
  shared.first_disk_line = disk_lines == 0 ? 0 : atomic_add(&args.header->disk_lines, disk_lines);
  shared.first_read = reads == 0 ? 0 : atomic_add(&args.header->disk_reads, reads);
}

// Puts what a thread claimed on the lists of what has to be read.
FLINKGPU_HD void list_claim(const lookup_args& args, const ids_shared& shared,
                            const id_state& self) {
  if (self.claim == 0) {
    return;
  }
  const lookup_table& table = args.tables[self.table];
  const uint64_t before = self.claims_before;
  if (self.index >= table.host_vectors) {
    const uint32_t line = shared.first_disk_line +
                          static_cast<uint32_t>((before >> claim_disk_shift) &
                                                low_bits(claim_read_shift - claim_disk_shift));
    const uint32_t read = shared.first_read + static_cast<uint32_t>(before >> claim_read_shift);
    args.unique_lines[self.unique_slot] = line | (1U << lookup_disk_bit);
    args.reads[read] = {self.table, self.index, line};
    return;
  }
  const uint32_t line =
      shared.first_line + static_cast<uint32_t>(before & low_bits(claim_disk_shift));
  args.unique_lines[self.unique_slot] = line;
  const uint64_t address = host_address(table, self.index);
  const uint64_t packs = min_of(table.stride, lookup_line_bytes) / lookup_least_stride - 1;
  const uint32_t lines = lines_of(table);
  for (uint32_t i = 0; i < lines; ++i) {
    const uint64_t source = (address + uint64_t{lookup_line_bytes} * i) | packs;
    args.line_sources[line + i] = source;
    count_line(args, source);
  }
}

FLINKGPU_HD void add_count(uint32_t* to, uint32_t count) {
  if (count > 0) {
    atomic_add(to, count);
  }
}

FLINKGPU_HD void add_counts(const lookup_args& args, const lookup_counts& own, uint32_t table) {
  lookup_counts& all = args.counts[table];
  add_count(&all.missing, own.missing);
  add_count(&all.device, own.device);
  add_count(&all.host, own.host);
  add_count(&all.disk, own.disk);
  add_count(&all.unique, own.unique);
  add_count(&all.host_unique, own.host_unique);
  add_count(&all.disk_unique, own.disk_unique);
  add_count(&all.nan_weights, own.nan_weights);
}

template <typename Threads>
FLINKGPU_LIST void find_ids(const Threads& threads, const lookup_args& args, ids_shared& shared,
                            uint32_t tile) {
  const uint32_t first = tile * lookup_threads;
  const uint32_t last = min_of(first + lookup_threads, args.id_count) - 1;
  // Where a bag is not what it has to be, an id may be of none.
  const bool is_good = args.header->bad_bags == 0;
  auto each = threads.begin([&](uint32_t thread) {
    id_state self{};
    self.thread = thread;
    self.id = first + thread;
    self.ids = last - first + 1;
    return self;
  });
  each(
      [&](id_state& self) {
        if (self.thread < lookup_counted_tables) {
          shared.counts[self.thread] = {};
        }
        if (self.thread < 2) {
          const uint32_t id = self.thread == 0 ? first : last;
          const uint32_t bag =
              last_start_near(guess_of(id, args.id_count, args.bag_count), args.bag_count, id,
                              [&](uint32_t i) { return args.places[i].start; });
          (self.thread == 0 ? shared.low_bag : shared.high_bag) = bag;
        }
      },
      [&](id_state& self) {
        if (is_good && self.id <= last) {
          find_id(args, shared, self);
        }
      });
  const uint64_t claims = each.scan(
      shared.claims, [](const id_state& self) { return self.claim; },
      [](id_state& self, uint64_t before, uint64_t) { self.claims_before = before; });
  each([&](id_state& self) {
    if (self.thread == 0) {
      take_room(args, shared, claims);
    }
    if (self.thread < min_of(args.table_count, lookup_counted_tables) &&
        args.table_count <= lookup_counted_tables) {
      add_counts(args, shared.counts[self.thread], self.thread);
    }
  });
  // Where all bags are combined, ids have no values of their own, and no block waits for another.
  const bool has_values = args.header->uncombined != 0;
  if (has_values) {
    each.scan_tiles(
        shared.values, args.id_tiles, tile, [](const id_state& self) { return self.values; },
        [](id_state& self, uint32_t before, uint32_t) { self.base = before; },
        [&](uint64_t before, uint32_t total) {
          if (last + 1 == args.id_count) {
            args.header->id_values = before + total;
          }
        });
  }
  each.last([&](id_state& self) {
    if (is_good && self.id <= last) {
      list_claim(args, shared, self);
      args.sources[self.id] = self.source;
      if (has_values) {
        args.id_bags[self.id] = self.bag;
        args.id_bases[self.id] = self.base + static_cast<uint32_t>(shared.values.before);
      }
    }
  });
}

}  // namespace flinkgpu
