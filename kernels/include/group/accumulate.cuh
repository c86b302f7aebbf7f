#pragma once

// group_start and group_add, one thread: a group's accumulators, in the batch's result or in a
// block's own copy of them.

#include "block/tile.cuh"
#include "group/group_abi.cuh"
#include "group/rank.cuh"
#include "group/table.cuh"
#include "group/words.cuh"
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

// A group's words: see words.cuh. The extremes are as they are.
struct group_row {
  group_words words;
  uint32_t group;

  FLINKGPU_HD int64_t get(uint32_t word) const { return *word_at(words, word, group); }
  FLINKGPU_HD void add(uint32_t word, int64_t amount) const {
    atomic_add(word_at(words, word, group), amount);
  }
  FLINKGPU_HD void extremes(uint32_t word, int64_t least, int64_t greatest) const {
    lower(word_at(words, word, group), least);
    raise(word_at(words, word + 1, group), greatest);
  }
  FLINKGPU_HD void order(uint32_t word, int64_t order) const { extremes(word, order, order); }
  FLINKGPU_HD void mark(uint32_t word, int64_t specials) const {
    atomic_or(word_at(words, word, group), specials);
  }
};

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
      add_words(group_row{result_of(args), group}, group_row{in_block, group}, column);
    });
  });
}

}  // namespace flinkgpu
