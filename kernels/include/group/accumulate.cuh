#pragma once

// group_start and group_add, one thread: a group's accumulators, in the batch's result or in a
// block's own copy of them.

#include "block/tile.cuh"
#include "group/group_abi.cuh"
#include "group/rank.cuh"
#include "group/table.cuh"
#include "group/value.cuh"
#include "host_device.cuh"

namespace flinkgpu {

// Arrays of a word a group, of which the first is the result's array `first_word`.
struct group_words {
  int64_t* words;
  uint32_t groups;
  uint32_t first_word;
};

FLINKGPU_HD int64_t* word_at(const group_words& to, uint32_t word, uint32_t group) {
  return &to.words[uint64_t{word - to.first_word} * to.groups + group];
}

FLINKGPU_HD group_words result_of(const group_args& args) {
  return {args.words, args.groups, 0};
}

// The array of a column's specials; of its first bin if it has none.
FLINKGPU_HD uint32_t specials_word(const value_column& column) {
  return column.first_word + 1 + 2 * column.min_max;
}

FLINKGPU_HD uint32_t bins_word(const value_column& column) {
  return specials_word(column) + (column.floating & column.summed);
}

FLINKGPU_HD uint32_t squares_word(const value_column& column) {
  return bins_word(column) + column.bins;
}

// The array after those of a column.
FLINKGPU_HD uint32_t end_word(const value_column& column) {
  return squares_word(column) + 2 * column.squared * column.bins;
}

FLINKGPU_HD void clear_value(const value_column& column, const group_words& to, uint32_t group) {
  *word_at(to, column.first_word, group) = 0;
  if (column.min_max != 0) {
    *word_at(to, column.first_word + 1, group) = INT64_MAX;
    *word_at(to, column.first_word + 2, group) = INT64_MIN;
  }
  for (uint32_t word = specials_word(column); word < end_word(column); ++word) {
    *word_at(to, word, group) = 0;
  }
}

// Numbers that come in any order soon stop to be new extremes, so most atomics are saved.
FLINKGPU_HD void lower(int64_t* target, int64_t value) {
  if (value < load_shared_word(target)) {
    atomic_min(target, value);
  }
}

FLINKGPU_HD void raise(int64_t* target, int64_t value) {
  if (value > load_shared_word(target)) {
    atomic_max(target, value);
  }
}

FLINKGPU_HD void add_if_any(int64_t* target, int64_t amount) {
  if (amount != 0) {
    atomic_add(target, amount);
  }
}

// Adds the square of a value.
FLINKGPU_HD void add_square(const value_column& column, const group_words& to, uint32_t group,
                            uint64_t bits) {
  const square_parts square = square_of(bits, column.floating != 0);
  const uint32_t word = squares_word(column) + (square.bin - 2 * column.first_bin);
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < square_bins; ++i) {
    // A zero may lie below the first bin, and the last part of an integer above the last.
    if (square.parts[i] != 0) {
      atomic_add(word_at(to, word + i, group), square.parts[i]);
    }
  }
}

// Adds a value, but not its square.
FLINKGPU_HD void add_value(const value_column& column, const group_words& to, uint32_t group,
                           const value_parts& parts) {
  atomic_add(word_at(to, column.first_word, group), int64_t{1});
  if (column.min_max != 0) {
    lower(word_at(to, column.first_word + 1, group), parts.order);
    raise(word_at(to, column.first_word + 2, group), parts.order);
  }
  if (column.summed == 0) {
    return;
  }
  if (parts.special != 0) {
    atomic_or(word_at(to, specials_word(column), group), int64_t{parts.special});
    return;
  }
  // A zero may lie below the first bin, but has no part to add.
  const uint32_t word = bins_word(column) + (parts.bin - column.first_bin);
  if (parts.low != 0) {
    atomic_add(word_at(to, word, group), parts.low);
  }
  if (parts.middle != 0) {
    atomic_add(word_at(to, word + 1, group), parts.middle);
  }
  if (parts.high != 0) {
    atomic_add(word_at(to, word + 2, group), parts.high);
  }
}

// Adds a block's accumulators to the batch's.
FLINKGPU_HD void add_group(const value_column& column, const group_words& from,
                           const group_words& to, uint32_t group) {
  const int64_t count = *word_at(from, column.first_word, group);
  if (count == 0) {
    return;
  }
  atomic_add(word_at(to, column.first_word, group), count);
  if (column.min_max != 0) {
    const uint32_t least = column.first_word + 1;
    lower(word_at(to, least, group), *word_at(from, least, group));
    raise(word_at(to, least + 1, group), *word_at(from, least + 1, group));
  }
  if ((column.floating & column.summed) != 0) {
    const int64_t specials = *word_at(from, specials_word(column), group);
    if (specials != 0) {
      atomic_or(word_at(to, specials_word(column), group), specials);
    }
  }
  const uint32_t first_bin_word = bins_word(column);
  for (uint32_t word = first_bin_word; word < end_word(column); ++word) {
    add_if_any(word_at(to, word, group), *word_at(from, word, group));
  }
}

// group_start: gives a row its group and, if it is the group's first, starts the group.
FLINKGPU_HD void start_row(const group_args& args, uint32_t row) {
  const uint32_t first_row = first_row_of(args, row);
  const uint32_t group = rank_of(args, first_row);
  args.row_groups[row] = group;
  if (row != first_row) {
    return;
  }
  const group_words result = result_of(args);
  *word_at(result, word_first_row, group) = row;
  *word_at(result, word_key_id, group) = args.key_ids != nullptr ? args.key_ids[row] : 0;
  *word_at(result, word_slice, group) = args.slices[row];
  for (uint32_t value = 0; value < args.values; ++value) {
    clear_value(args.columns[value], result, group);
  }
}

// group_add_shared, for a block: its rows are added to accumulators in shared memory first.
// `add_rows(to, thread)` adds a thread's.
template <typename Threads, typename AddRows>
FLINKGPU_LIST void add_in_block(const Threads& threads, const group_args& args, int64_t* words,
                                const AddRows& add_rows) {
  const group_words in_block{words, args.groups, first_value_word};
  const auto each_value = [&](uint32_t thread, const auto& body) {
    for (uint32_t group = thread; group < args.groups; group += add_threads) {
      for (uint32_t value = 0; value < args.values; ++value) {
        body(args.columns[value], group);
      }
    }
  };
  auto each = threads.begin([](uint32_t thread) { return thread; });
  each(
      [&](uint32_t thread) {
        each_value(thread, [&](const value_column& column, uint32_t group) {
          clear_value(column, in_block, group);
        });
      },
      [&](uint32_t thread) { add_rows(in_block, thread); });
  each.last([&](uint32_t thread) {
    each_value(thread, [&](const value_column& column, uint32_t group) {
      add_group(column, in_block, result_of(args), group);
    });
  });
}

}  // namespace flinkgpu
