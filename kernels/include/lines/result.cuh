#pragma once

// lines_result and lines_refused, one thread: the groups as the host wants them, in any order, and
// the starts of the lines that it has to read itself.

#include "block/tile.cuh"
#include "lines/table.cuh"

namespace flinkgpu {

// The bins of a column of doubles that any value needs.
struct bin_range {
  uint32_t first;
  uint32_t count;
};

FLINKGPU_HD bin_range present_bins(uint64_t present) {
  if (present == 0) {
    return {0, 0};
  }
  const uint32_t first = lowest_bit(present);
  uint32_t last = first;
  for (; present >> last != 1; ++last) {
  }
  return {first, last + 3 - first};
}

// Groups that are written as a result.
struct result_source {
  group_table table;
  const uint64_t* bins_present;
};

FLINKGPU_HD result_source batch_source(const lines_args& args) {
  return {group_table_of(args), args.bins_present};
}

FLINKGPU_HD bin_range result_bins(const result_source& from, uint32_t index,
                                  const line_value& value) {
  if (value.summed == 0) {
    return {0, 0};
  }
  return value.floating != 0 ? present_bins(from.bins_present[index])
                             : bin_range{0, lines_integer_bins};
}

// The words of a group.
FLINKGPU_HD uint32_t result_words(const lines_args& args, const result_source& from) {
  uint32_t words = lines_first_value_word;
  for (uint32_t i = 0; i < args.values_count; ++i) {
    const line_value value = args.values[i];
    words += 1 + 2 * value.min_max + (value.floating & value.summed) +
             (1 + 2 * value.squared) * result_bins(from, i, value).count;
  }
  return words;
}

// Where the parts of the result are.
struct lines_result_view {
  int64_t* words;
  int32_t* offsets;
  uint8_t* keys;
  uint32_t groups;
};

FLINKGPU_HD lines_result_view result_view(const lines_args& args, const result_source& from,
                                          uint32_t groups) {
  const uint64_t words_bytes = uint64_t{8} * result_words(args, from) * groups;
  uint8_t* const offsets = args.result + words_bytes;
  return {reinterpret_cast<int64_t*>(args.result), reinterpret_cast<int32_t*>(offsets),
          offsets + 4 * (uint64_t{groups} + 1), groups};
}

// Whether there is a result and room for it.
FLINKGPU_HD bool has_result_room(const lines_args& args) {
  const lines_header& header = *args.header;
  const uint64_t bytes =
      (uint64_t{8} * result_words(args, batch_source(args)) + 4) * header.groups + 4 +
      header.key_bytes;
  return header.full == 0 && header.groups != 0 && bytes <= args.result_room;
}

FLINKGPU_HD void put_word(const lines_result_view& view, uint32_t array, uint32_t group,
                          uint64_t word) {
  view.words[uint64_t{array} * view.groups + group] = static_cast<int64_t>(word);
}

FLINKGPU_HD uint32_t put_value(const lines_args& args, const result_source& from,
                               const lines_result_view& view, uint32_t slot, uint32_t index,
                               uint32_t array, uint32_t group) {
  const group_table& table = from.table;
  const line_value value = args.values[index];
  put_word(view, array++, group, *table.at(slot, value.first_word));
  if (value.min_max != 0) {
    put_word(view, array++, group, ~*table.at(slot, value.first_word + 1) ^ sign_bit);
    put_word(view, array++, group, *table.at(slot, value.first_word + 2) ^ sign_bit);
  }
  if ((value.floating & value.summed) != 0) {
    put_word(view, array++, group, 0);  // specials are left to the host
  }
  const bin_range bins = result_bins(from, index, value);
  const uint32_t skipped =
      value.floating != 0 && bins.count != 0 ? bins.first - lines_first_bin : 0;
  for (uint32_t bin = 0; bin < bins.count; ++bin) {
    put_word(view, array++, group, *table.at(slot, bins_word(value) + skipped + bin));
  }
  for (uint32_t bin = 0; bin < 2 * value.squared * bins.count; ++bin) {
    put_word(view, array++, group, *table.at(slot, squares_word(value) + 2 * skipped + bin));
  }
  return array;
}

FLINKGPU_HD void put_words(const lines_args& args, const result_source& from,
                           const lines_result_view& view, uint32_t slot, uint32_t group) {
  const uint64_t slice = has_time(args) ? *from.table.at(slot, record_slice) : 0;
  put_word(view, 0, group, 0);  // first row and key id mean nothing
  put_word(view, 1, group, 0);
  put_word(view, 2, group, slice ^ sign_bit);
  uint32_t array = lines_first_value_word;
  for (uint32_t i = 0; i < args.values_count; ++i) {
    array = put_value(args, from, view, slot, i, array, group);
  }
}

FLINKGPU_HD void copy_key(uint8_t* to, const uint8_t* key, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    to[i] = key[i];
  }
}

// Writes a group, and the bytes of its key behind those of the groups before.
FLINKGPU_HD void put_group(const lines_args& args, uint32_t slot, uint32_t group,
                           uint32_t key_offset) {
  const result_source from = batch_source(args);
  const lines_result_view view =
      result_view(args, from, static_cast<uint32_t>(args.header->groups));
  put_words(args, from, view, slot, group);
  const uint64_t word = *from.table.at(slot, record_key);
  const uint32_t bytes = key_length(word);
  copy_key(view.keys + key_offset, args.data + key_place(word), bytes);
  view.offsets[group] = static_cast<int32_t>(key_offset);
  if (group == view.groups - 1) {
    view.offsets[view.groups] = static_cast<int32_t>(key_offset + bytes);
  }
}

// What a thread's record adds to the result: a group in the upper half, its key's bytes in the
// lower.
FLINKGPU_HD uint64_t result_share(const lines_args& args, uint64_t slot) {
  if (slot > args.table_mask) {
    return 0;
  }
  const uint64_t word = *group_table_of(args).at(static_cast<uint32_t>(slot), record_key);
  return word == 0 ? 0 : (uint64_t{1} << 32) | key_length(word);
}

FLINKGPU_HD void put_share(const lines_args& args, uint32_t slot, uint64_t before) {
  put_group(args, slot, static_cast<uint32_t>(before >> 32), static_cast<uint32_t>(before));
}

inline constexpr uint32_t refused_tile_bytes = 32 * lines_result_threads;

// The refused lines that start in a thread's 32 bytes.
FLINKGPU_HD uint32_t refused_share(const lines_args& args, uint64_t word) {
  return word * 32 < args.data_bytes ? args.refused_bits[word] : 0;
}

FLINKGPU_HD void put_refused(const lines_args& args, uint64_t word, uint32_t bits,
                             uint32_t before) {
  for (; bits != 0; bits &= bits - 1, ++before) {
    args.refused_starts[before] =
        static_cast<int32_t>(args.first_offset + 32 * word + lowest_bit(bits));
  }
}

struct result_shared {
  block_scan<lines_result_threads, uint64_t> shares;
  uint64_t start;
};

struct result_thread {
  uint64_t slot;
  uint64_t share;
  uint64_t before;
};

// lines_result, for a block's records.
template <typename Threads>
FLINKGPU_LIST void write_result(const Threads& threads, const lines_args& args,
                                result_shared& shared, uint32_t block) {
  if (!has_result_room(args)) {
    return;
  }
  auto each = threads.begin([&](uint32_t thread) {
    const uint64_t slot = uint64_t{block} * lines_result_threads + thread;
    return result_thread{slot, result_share(args, slot), 0};
  });
  const uint64_t all = each.scan(
      shared.shares, [](const result_thread& self) { return self.share; },
      [&](result_thread& self, uint64_t before, uint64_t total) {
        self.before = before;
        if (before == 0 && self.share != 0) {
          shared.start = atomic_add(&args.header->result_cursor, total);
        }
      });
  if (all == 0) {
    return;
  }
  each.last([&](const result_thread& self) {
    if (self.share != 0) {
      put_share(args, static_cast<uint32_t>(self.slot), shared.start + self.before);
    }
  });
}

using refused_shared = tile_scan<lines_result_threads, uint32_t>;

struct refused_thread {
  uint64_t word;
  uint32_t bits;
  uint32_t before;
};

// lines_refused.
template <typename Threads>
FLINKGPU_LIST void list_refused(const Threads& threads, const lines_args& args,
                                refused_shared& shared) {
  const uint32_t tile = threads.take_ticket(shared, &args.header->refused_tile);
  auto each = threads.begin([&](uint32_t thread) {
    const uint64_t word = uint64_t{tile} * lines_result_threads + thread;
    return refused_thread{word, refused_share(args, word), 0};
  });
  each.scan_tiles(
      shared, args.scan_states, tile,
      [](const refused_thread& self) { return count_bits(self.bits); },
      [](refused_thread& self, uint32_t before, uint32_t) { self.before = before; },
      [](uint64_t, uint32_t) {});
  each.last([&](const refused_thread& self) {
    put_refused(args, self.word, self.bits, static_cast<uint32_t>(shared.before) + self.before);
  });
}

}  // namespace flinkgpu
