#pragma once

// The bodies of the group kernels, thread by thread on the CPU.

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "group/accumulate.cuh"

namespace flinkgpu::test {

// On the device rows come in any order, so here they come in a random one.
inline std::vector<uint32_t> any_order(uint32_t rows) {
  std::vector<uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed()));
  return order;
}

inline void run_group_rows(const group_args& args) {
  for (const uint32_t row : any_order(args.rows)) {
    args.row_groups[row] = find_slot(args, row, hash_of_row(args, row));
  }
}

inline void run_group_bins(const group_args& args) {
  for (uint32_t value = 0; value < args.values; ++value) {
    const value_column& column = args.columns[value];
    for (uint32_t row = 0; column.floating != 0 && column.summed != 0 && row < args.rows; ++row) {
      args.bins_present[value] |= bins_of_row(column, row);
    }
  }
}

inline void run_group_rank(const group_args& args) {
  for (uint32_t tile = 0; tile * uint64_t{rank_tile_rows} < args.rows; ++tile) {
    std::vector<uint32_t> first_rows(rank_tile_words, 0);
    for (uint32_t index = 0; index < rank_tile_rows; ++index) {
      const uint32_t row = tile * rank_tile_rows + index;
      if (row < args.rows && first_row_of(args, row) == row) {
        first_rows[index / rank_bits] |= 1U << (index % rank_bits);
      }
    }
    std::vector<uint64_t> from(rank_tile_words);
    std::vector<uint64_t> to(rank_tile_words);
    std::transform(first_rows.begin(), first_rows.end(), from.begin(), count_bits);
    for (uint32_t distance = 1; distance < rank_tile_words; distance *= 2) {
      for (uint32_t word = 0; word < rank_tile_words; ++word) {
        scan_step(from.data(), to.data(), word, distance);
      }
      std::swap(from, to);
    }
    const uint64_t before = link_rank_tile(args, tile, from.back());
    for (uint32_t word = 0; word < rank_tile_words; ++word) {
      write_rank_word(args, tile, word, before + from[word] - count_bits(first_rows[word]),
                      first_rows[word]);
    }
  }
}

inline void run_group_start(const group_args& args) {
  for (uint32_t row = 0; row < args.rows; ++row) {
    start_row(args, row);
  }
}

inline void add_row(const group_args& args, const group_words& to, uint32_t row) {
  for (uint32_t value = 0; value < args.values; ++value) {
    const value_column& column = args.columns[value];
    if (has_value(column, row)) {
      add_value(column, to, args.row_groups[row], parts_of_row(column, row));
    }
  }
}

inline void run_group_add_global(const group_args& args) {
  for (const uint32_t row : any_order(args.rows)) {
    add_row(args, result_of(args), row);
  }
}

inline void run_group_add_shared(const group_args& args) {
  constexpr uint32_t block_rows = add_threads * add_items;
  for (uint32_t first = 0; first < args.rows; first += block_rows) {
    std::vector<int64_t> words(shared_words, 0x5eadbeef);
    const group_words own{words.data(), args.groups, first_value_word};
    for (uint32_t i = 0; i < args.groups * args.values; ++i) {
      clear_value(args.columns[i % args.values], own, i / args.values);
    }
    for (uint32_t row = first; row < args.rows && row - first < block_rows; ++row) {
      add_row(args, own, row);
    }
    for (uint32_t i = 0; i < args.groups * args.values; ++i) {
      add_group(args.columns[i % args.values], own, result_of(args), i / args.values);
    }
  }
}

}  // namespace flinkgpu::test
