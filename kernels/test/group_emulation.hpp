#pragma once

// The bodies of the group kernels, thread by thread on the CPU.

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "check.hpp"
#include "group/accumulate.cuh"
#include "host_block.hpp"

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
  for (uint64_t first = 0; first < args.rows; first += rank_tile_rows) {
    const auto shared = garbage<rank_shared>();
    rank_groups(host_threads(rank_threads), args, *shared);
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
      add_value(group_row{to, args.row_groups[row]}, column, parts_of_row(column, row));
    }
  }
}

inline void run_group_add_global(const group_args& args) {
  for (const uint32_t row : any_order(args.rows)) {
    add_row(args, result_of(args), row);
  }
}

inline void run_group_add_squares(const group_args& args) {
  for (const uint32_t row : any_order(args.rows)) {
    for (uint32_t value = 0; value < args.values; ++value) {
      const value_column& column = args.columns[value];
      if (column.squared != 0 && has_value(column, row)) {
        add_square(group_row{result_of(args), args.row_groups[row]}, column,
                   bits_of_row(column, row));
      }
    }
  }
}

inline void run_group_add_shared(const group_args& args) {
  constexpr uint32_t block_rows = add_threads * add_items;
  for (uint32_t first = 0; first < args.rows; first += block_rows) {
    std::vector<int64_t> words(shared_words, 0x5eadbeef);
    add_in_block(host_threads(add_threads), args, words.data(),
                 [&](const group_words& to, uint32_t thread) {
                   for (uint32_t item = 0; item < add_items; ++item) {
                     const uint32_t row = first + item * add_threads + thread;
                     if (row < args.rows) {
                       add_row(args, to, row);
                     }
                   }
                 });
  }
}

}  // namespace flinkgpu::test
