#pragma once

// lines_hold and lines_give, one thread: groups that stay on the device from batch to batch, for
// lines without a time. Their records lie one after the other, in the order in which their keys do;
// an open-addressing index of hashes finds them. lines_hold adds the groups of one batch, which all
// have different keys: a record is changed by one thread of a launch, and one that is new in a
// launch is another thread's, so its key, which may not be written yet, is not read. Launches
// follow each other, and the host has seen to it that all new groups have room.

#include "block/tile.cuh"
#include "lines/result.cuh"

namespace flinkgpu {

FLINKGPU_HD group_table held_table_of(const lines_args& args) {
  return {args.held_records, args.record_words, 0};
}

FLINKGPU_HD uint64_t held_entry(uint64_t hash, uint32_t record) {
  return (hash >> 32 << 32) | (uint64_t{record} + 1);
}

FLINKGPU_HD uint32_t next_entry(const lines_args& args, uint32_t entry) {
  return (entry + 1) & args.held_mask;
}

// Whether a record of an earlier launch has this key.
FLINKGPU_HD bool has_key(const lines_args& args, uint32_t record, const group_key& key) {
  const group_table held = held_table_of(args);
  const uint64_t word = *held.at(record, record_key);
  if (!may_be_same(word, key.word) || *held.at(record, record_head) != key.head[0] ||
      *held.at(record, record_head + 1) != key.head[1]) {
    return false;
  }
  return key.bytes <= 2 * word_bytes ||
         same_text(args.held_keys, key_place(word), key.buffer, key.at, key.bytes);
}

// A held record, which one thread alone changes.
struct held_record {
  group_table table;
  uint32_t record;

  FLINKGPU_HD void add(uint32_t word, int64_t amount) const {
    *table.at(record, word) += static_cast<uint64_t>(amount);
  }
  FLINKGPU_HD void extremes(uint32_t word, int64_t least, int64_t greatest) const {
    keep_greater(*table.at(record, word), static_cast<uint64_t>(least));
    keep_greater(*table.at(record, word + 1), static_cast<uint64_t>(greatest));
  }
  FLINKGPU_HD void mark(uint32_t, int64_t) const {}

  FLINKGPU_HD static void keep_greater(uint64_t& word, uint64_t seen) {
    word = seen > word ? seen : word;
  }
};

// Adds a group's record to the one that is held; no other thread knows of either.
FLINKGPU_HD void merge_record(const lines_args& args, uint32_t slot, uint32_t record) {
  const held_record held{held_table_of(args), record};
  const record_of<group_table> batch{group_table_of(args), slot};
  for (uint32_t i = 0; i < args.values_count; ++i) {
    add_words(held, batch, args.values[i]);
  }
}

struct hold_thread {
  uint64_t slot;  // of the batch's table
  group_key key;
  uint32_t entry;  // the first free one of the index, for a group that is new
  uint64_t share;  // of a group that is new: 1 in the upper half, its key's bytes in the lower
  uint64_t before;
};

// Adds a thread's group, if it has one, to its record; returns its share if there is none yet.
FLINKGPU_HD uint64_t merge_group(const lines_args& args, hold_thread& self) {
  if (result_share(args, self.slot) == 0) {
    return 0;
  }
  const auto slot = static_cast<uint32_t>(self.slot);
  const uint64_t word = *group_table_of(args).at(slot, record_key);
  const uint32_t place = key_place(word);
  self.key = make_group_key(args, args.data, place, place, key_length(word), 0);
  self.entry = static_cast<uint32_t>(self.key.hash) & args.held_mask;
  for (;; self.entry = next_entry(args, self.entry)) {
    const uint64_t seen = load_shared_word(&args.held_index[self.entry]);
    if (seen == 0) {
      return (uint64_t{1} << 32) | self.key.bytes;
    }
    const uint32_t record = static_cast<uint32_t>(seen) - 1;
    if (record < args.held_groups && held_entry(self.key.hash, record) == seen &&
        has_key(args, record, self.key)) {
      merge_record(args, slot, record);
      return 0;
    }
  }
}

// Makes a new record of a thread's group.
FLINKGPU_HD void put_held(const lines_args& args, const hold_thread& self, uint64_t cursor) {
  const auto record = static_cast<uint32_t>(cursor >> 32);
  const auto place = static_cast<uint32_t>(cursor);
  const group_key& key = self.key;
  const group_table batch = group_table_of(args);
  const group_table held = held_table_of(args);
  *held.at(record, record_key) = make_key_word(place, key.bytes, key.hash);
  *held.at(record, record_head) = key.head[0];
  *held.at(record, record_head + 1) = key.head[1];
  for (uint32_t word = record_first_value; word < args.record_words; ++word) {
    *held.at(record, word) = *batch.at(static_cast<uint32_t>(self.slot), word);
  }
  copy_key(args.held_keys + place, key.buffer + key.at, key.bytes);
  uint32_t entry = self.entry;
  while (atomic_swap_if(&args.held_index[entry], 0, held_entry(key.hash, record)) != 0) {
    entry = next_entry(args, entry);
  }
}

// Adds what the bins of the batch are to those of all that is held.
FLINKGPU_HD void hold_bins(const lines_args& args, uint32_t thread) {
  for (uint32_t i = thread; i < args.values_count; i += lines_result_threads) {
    args.held_bins[i] |= args.bins_present[i];
  }
}

// lines_hold, for a block's records of the batch's table.
template <typename Threads>
FLINKGPU_LIST void hold_groups(const Threads& threads, const lines_args& args,
                               result_shared& shared, uint32_t block) {
  auto each = threads.begin([&](uint32_t thread) {
    if (block == 0) {
      hold_bins(args, thread);
    }
    return hold_thread{uint64_t{block} * lines_result_threads + thread, {}, 0, 0, 0};
  });
  const uint64_t all = each.scan(
      shared.shares,
      [&](hold_thread& self) {
        self.share = merge_group(args, self);
        return self.share;
      },
      [&](hold_thread& self, uint64_t before, uint64_t total) {
        self.before = before;
        if (before == 0 && self.share != 0) {
          shared.start = atomic_add(&args.held->cursor, total);
        }
      });
  if (all == 0) {
    return;
  }
  each.last([&](const hold_thread& self) {
    if (self.share != 0) {
      put_held(args, self, shared.start + self.before);
    }
  });
}

// lines_give, one thread: writes a held group, and where its key starts after that of the first, to
// a result of some of them. Their keys are where they are.
FLINKGPU_HD void give_group(const lines_args& args, uint64_t index) {
  if (index >= args.given_count) {
    return;
  }
  const auto group = static_cast<uint32_t>(index);
  const uint32_t record = args.given_first + group;
  const result_source from{held_table_of(args), args.held_bins};
  const lines_result_view view = result_view(args, from, args.given_count);
  put_words(args, from, view, record, group);
  const uint32_t start = key_place(*from.table.at(args.given_first, record_key));
  view.offsets[group] = static_cast<int32_t>(key_place(*from.table.at(record, record_key)) - start);
}

}  // namespace flinkgpu
