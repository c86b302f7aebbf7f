#pragma once

// group_rank: numbers the groups in the order of their first rows, by counting the first rows
// before each. A rank word stands for 32 rows: which of them are first rows, and how many are
// before them.

#include "block/look_back.cuh"
#include "group/group_abi.cuh"
#include "group/table.cuh"
#include "host_device.cuh"

namespace flinkgpu {

inline constexpr uint32_t rank_bits = 32;
inline constexpr uint32_t rank_tile_rows = rank_threads * rank_items;
inline constexpr uint32_t rank_tile_words = rank_tile_rows / rank_bits;

FLINKGPU_HD uint64_t make_rank_word(uint64_t rows_before, uint32_t first_rows) {
  return (rows_before << rank_bits) | first_rows;
}

// The group of a first row.
FLINKGPU_HD uint32_t rank_of(const group_args& args, uint32_t first_row) {
  const uint64_t word = args.ranks[first_row / rank_bits];
  const uint64_t earlier = word & low_bits(first_row % rank_bits);
  return static_cast<uint32_t>(word >> rank_bits) + count_bits(static_cast<uint32_t>(earlier));
}

// The work of a tile's last thread. Returns the groups before the tile.
FLINKGPU_HD uint64_t link_rank_tile(const group_args& args, uint32_t tile, uint64_t tile_sum) {
  const uint64_t before = link_tile(args.scan_states, tile, tile_sum);
  if ((uint64_t{tile} + 1) * rank_tile_rows >= args.rows) {
    args.header->groups = static_cast<uint32_t>(before + tile_sum);
  }
  return before;
}

// Writes word `index` of a tile, if the batch goes so far.
FLINKGPU_HD void write_rank_word(const group_args& args, uint32_t tile, uint32_t index,
                                 uint64_t rows_before, uint32_t first_rows) {
  const uint64_t word = uint64_t{tile} * rank_tile_words + index;
  if (word * rank_bits < args.rows) {
    args.ranks[word] = make_rank_word(rows_before, first_rows);
  }
}

}  // namespace flinkgpu
