#pragma once

// lines_add, second part: the lines of a tile are read and added to their groups, most of them in
// the block's own table, which goes to the table of all groups at the end.

#include "block/tile.cuh"
#include "lines/tile.cuh"

namespace flinkgpu {

// Once a block: all counters and the own table are zero.
FLINKGPU_HD void clear_block(const lines_block& block) {
  constexpr auto counts_words = static_cast<uint32_t>(sizeof(lines_counts) / sizeof(uint64_t));
  const uint32_t words =
      counts_words + block.args.values_count + block.args.own_slots * block.args.record_words;
  auto* const first = reinterpret_cast<uint64_t*>(block.shared + counts_offset);
  for (uint32_t word = block.thread; word < words; word += lines_threads) {
    first[word] = 0;
  }
}

FLINKGPU_HD void count_group(const lines_block& block, uint32_t key_bytes) {
  atomic_add(&block.counts().groups, uint32_t{1});
  atomic_add(&block.counts().key_bytes, uint64_t{key_bytes});
}

// The record of a group in the table of all groups, or no_slot if it is full.
FLINKGPU_HD uint32_t find_group(const lines_block& block, const group_key& key) {
  bool added = false;
  const auto may_add = [] { return true; };
  const uint32_t slot =
      find_record(block.args, group_table_of(block.args), key, block.args.probes, may_add, added);
  if (added) {
    count_group(block, key.bytes);
  } else if (slot == no_slot) {
    *const_cast<volatile uint32_t*>(&block.args.header->full) = 1;
  }
  return slot;
}

// The record of a group in the block's own table, or no_slot if there is no room for it.
FLINKGPU_HD uint32_t find_own(const lines_block& block, const group_key& key) {
  bool added = false;
  uint32_t& groups = block.counts().own_groups;
  const uint32_t most = block.args.own_slots / 8 * 5;
  const auto may_add = [&] { return load_shared_word(&groups) < most; };
  const uint32_t slot = find_record(block.args, block.own(), key, own_probes, may_add, added);
  if (added) {
    atomic_add(&groups, uint32_t{1});
  }
  return slot;
}

FLINKGPU_HD void refuse(const lines_block& block, uint32_t place) {
  atomic_or(&block.args.refused_bits[place / 32], 1U << (place % 32));
  atomic_add(&block.counts().refused, uint32_t{1});
}

// Step 6: reads line `index` of the list, if there is one, and adds it to its group. All lanes of a
// warp come here.
FLINKGPU_HD void take_listed(const lines_block& block, uint32_t tile_start, uint32_t first,
                             uint32_t index, uint32_t lines) {
  const lines_args& args = block.args;
  const uint8_t* const text = block.text();
  const bool exists = index < listed_lines && first + index < lines;
  const line_place place = exists ? listed_line(block, first, index, lines) : line_place{};
  line_values line;
  const bool taken = read_line(args, text, place.complete, place.from, place.to, line);
  if (exists && !taken) {
    refuse(block, tile_start + place.from);
  }
  group_key key{};
  if (taken) {
    const uint64_t slice = has_time(args) ? slice_of(args, line.time) : 0;
    key = make_group_key(args, text, line.key_from, tile_start + line.key_from,
                         line.key_to - line.key_from, slice);
  }
  converge();
  if (taken && has_time(args)) {
    raise(&block.counts().max_time, static_cast<uint64_t>(line.time) ^ sign_bit);
  }
  const uint32_t own_slot = taken && args.own_slots != 0 ? find_own(block, key) : no_slot;
  converge();
  if (own_slot != no_slot) {
    add_line(args, block.own(), own_slot, line, block.bins_present());
  }
  converge();
  const uint32_t slot = taken && own_slot == no_slot ? find_group(block, key) : no_slot;
  converge();
  if (slot != no_slot) {
    add_line(args, group_table_of(args), slot, line, block.bins_present());
  }
  converge();
}

// At the block's end: adds its own table to the table of all groups.
FLINKGPU_HD void flush_own(const lines_block& block) {
  const lines_args& args = block.args;
  const own_table own = block.own();
  for (uint32_t slot = block.thread; slot < args.own_slots; slot += lines_threads) {
    const uint64_t word = *own.at(slot, record_key);
    if (word == 0) {
      continue;
    }
    const uint64_t slice = has_time(args) ? *own.at(slot, record_slice) : 0;
    const uint32_t place = key_place(word);
    const group_key key = make_group_key(args, args.data, place, place, key_length(word), slice);
    const uint32_t to = find_group(block, key);
    if (to != no_slot) {
      add_record(args, own, slot, group_table_of(args), to);
    }
  }
}

// Behind it: adds the block's counters to the batch's.
FLINKGPU_HD void flush_counts(const lines_block& block) {
  lines_header& header = *block.args.header;
  const lines_counts& counts = block.counts();
  if (block.thread == 0) {
    atomic_add(&header.lines, counts.lines);
    atomic_add(&header.groups, uint64_t{counts.groups});
    atomic_add(&header.key_bytes, counts.key_bytes);
    atomic_add(&header.refused, counts.refused);
    raise(&header.max_time, counts.max_time);
  }
  for (uint32_t i = block.thread; i < block.args.values_count; i += lines_threads) {
    const uint64_t present = block.bins_present()[i];
    if (present != 0) {
      atomic_or(&block.args.bins_present[i], present);
    }
  }
}

using lines_scan = block_scan<lines_threads, uint32_t>;

struct add_thread {
  lines_block block;
  uint64_t starts;
  uint32_t before;
};

// Steps 1 to 6 for a tile.
template <typename Each>
FLINKGPU_LIST void take_tile(Each& each, lines_scan& scan, uint32_t tile_start, uint32_t limit) {
  each([&](const add_thread& self) { load_tile(self.block, tile_start); },
       [](const add_thread& self) { mark_lines(self.block); },
       [&](const add_thread& self) { mark_breaks(self.block, tile_start); });
  const uint32_t lines = each.scan(
      scan,
      [&](add_thread& self) {
        self.starts = own_starts(self.block, limit);
        find_tile_end(self.block, limit);
        return count_bits64(self.starts);
      },
      [](add_thread& self, uint32_t before, uint32_t total) {
        self.before = before;
        if (self.block.thread == 0) {
          self.block.counts().lines += total;
        }
        list_starts(self.block, self.starts, before, 0);
      });
  if (each.uniform([](const add_thread& self) { return self.block.counts().full; }) != 0) {
    return;
  }
  for (uint32_t first = 0; first < lines;) {
    each([&](const add_thread& self) {
      const uint32_t listed = min_of(lines - first, listed_lines);
      // The same for all lanes of a warp.
      for (uint32_t index = self.block.thread; index - self.block.thread % 32 < listed;
           index += lines_threads) {
        take_listed(self.block, tile_start, first, index, lines);
      }
    });
    first += listed_lines;
    if (first < lines) {
      each([&](const add_thread& self) {
        list_starts(self.block, self.starts, self.before, first);
      });
    }
  }
}

// The kernel, for one of the blocks.
template <typename Threads>
FLINKGPU_LIST void add_lines(const Threads& threads, const lines_args& args, uint8_t* shared,
                             lines_scan& scan, uint32_t block, uint32_t blocks) {
  auto each = threads.begin([&](uint32_t thread) {
    return add_thread{{args, shared, thread}, 0, 0};
  });
  each([](const add_thread& self) { clear_block(self.block); });
  for (uint32_t tile = block; tile < tiles_of(args); tile += blocks) {
    const uint32_t tile_start = tile * lines_tile_bytes;
    take_tile(each, scan, tile_start, tile_limit(args, tile_start));
  }
  each([](const add_thread& self) { flush_own(self.block); });
  each.last([](const add_thread& self) { flush_counts(self.block); });
}

}  // namespace flinkgpu
