#pragma once

// A tile of rows in the shared memory of a block. A thread owns some consecutive rows, and what is
// known of them is next to each other: a thread reads it for all of them at once.

#include "row_search.cuh"
#include "slice.cuh"
#include "transform_args.cuh"

namespace flinkgpu {

inline constexpr uint8_t condition_false = 0;
inline constexpr uint8_t condition_true = 1;
inline constexpr uint8_t condition_null = 2;

// Of a text column: where the text of a tile is.
struct alignas(16) window_column {
  const int32_t* offsets;
  const uint8_t* validity;
  const uint8_t* source;   // of the tile's first row
  uint64_t bytes;          // of all its rows
  uint32_t source_offset;  // of the first row
  uint32_t separator_bytes;
};
static_assert(sizeof(window_column) == window_column_bytes, "window_column");

// One thread's view of a tile.
struct tile_view {
  const transform_args& args;
  uint8_t* shared;
  uint32_t first_row;
  uint32_t thread;
  uint32_t threads;

  FLINKGPU_HD uint32_t items() const { return 1U << args.item_shift; }
  FLINKGPU_HD uint32_t stride() const { return threads << args.item_shift; }
  FLINKGPU_HD uint32_t rows() const {
    const uint32_t left = args.rows - first_row;
    return left < stride() ? left : stride();
  }
  FLINKGPU_HD const instruction* instructions() const {
    return reinterpret_cast<const instruction*>(shared);
  }
  FLINKGPU_HD const text_part* parts() const {
    return reinterpret_cast<const text_part*>(shared + args.parts_offset);
  }
  // By row of the tile, as nulls and conditions.
  FLINKGPU_HD int64_t* numbers(uint32_t number) const {
    return reinterpret_cast<int64_t*>(shared + args.shared_numbers) + number * stride();
  }
  // 1 where the number is null.
  FLINKGPU_HD uint8_t* nulls(uint32_t number) const {
    return shared + args.shared_nulls + number * stride();
  }
  FLINKGPU_HD uint8_t* conditions(uint32_t condition) const {
    return shared + args.shared_conditions + condition * stride();
  }
  FLINKGPU_HD window_column* columns() const {
    return reinterpret_cast<window_column*>(shared + args.shared_columns);
  }
  FLINKGPU_HD uint8_t* stage() const { return shared + args.shared_stage; }
};

// A word for each row of a thread.
template <uint32_t Items>
struct alignas(4 * Items) row_words {
  uint32_t of[Items];
};

FLINKGPU_HD bool is_set(const uint8_t* bits, uint32_t row) {
  return ((bits[row >> 3] >> (row & 7)) & 1) != 0;
}

FLINKGPU_HD bool is_valid(const source_column& column, uint32_t row) {
  return column.validity == nullptr || is_set(column.validity, row);
}

// A thread's share of loading what is the same for all tiles.
FLINKGPU_HD void load_head(const transform_args& args, uint8_t* shared, uint32_t thread,
                           uint32_t threads) {
  for (uint32_t i = thread * 4; i < args.head_bytes; i += threads * 4) {
    store_word(shared + i, load_aligned_word(args.program + args.head_offset + i));
  }
}

// The conditions of a thread's rows, a byte each.
template <uint32_t Items>
FLINKGPU_HD uint32_t load_conditions(const tile_view& tile, uint32_t condition) {
  const uint8_t* const at = tile.conditions(condition) + tile.thread * Items;
  static_assert(Items == 1 || Items == 4, "a byte or a word");
  return Items == 1 ? *at : load_aligned_word(at);
}

template <uint32_t Items>
FLINKGPU_HD void store_conditions(const tile_view& tile, uint32_t condition, uint32_t values) {
  uint8_t* const at = tile.conditions(condition) + tile.thread * Items;
  if (Items == 1) {
    *at = static_cast<uint8_t>(values);
  } else {
    store_word(at, values);
  }
}

}  // namespace flinkgpu
