#pragma once

// A tile of rows in the shared memory of a block. A thread owns some consecutive rows, and what is
// known of them is next to each other: a thread reads it for all of them at once.

#include "text/row_search.cuh"
#include "transform/slice.cuh"
#include "transform/transform_abi.cuh"

namespace flinkgpu {

inline constexpr uint8_t condition_false = 0;
inline constexpr uint8_t condition_true = 1;
inline constexpr uint8_t condition_null = 2;

// Of a text column: the tile's text, with what is before it in the same 16 bytes: text of earlier
// rows, if anything.
struct alignas(16) window_column {
  const uint8_t* start;  // aligned to 16
  uint32_t bytes;
  uint32_t padded_bytes;  // rounded up to 16
  const int32_t* offsets;
  const uint8_t* validity;
  uint32_t begin;  // the offset of `start`
  uint32_t separator_bytes;
  uint32_t whole_bytes;  // in packs of 16 that are within the column
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
  FLINKGPU_HD instruction* instructions() const { return reinterpret_cast<instruction*>(shared); }
  FLINKGPU_HD text_part* parts() const {
    return reinterpret_cast<text_part*>(shared + args.parts_offset);
  }
  FLINKGPU_HD const output_column* outputs() const {
    return reinterpret_cast<const output_column*>(shared + args.shared_outputs);
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
  // As the pass reads them.
  FLINKGPU_HD const source_column* sources() const { return args.columns; }
  FLINKGPU_HD uint8_t* stage() const { return shared + args.shared_stage; }
};

// A word for each row of a thread.
template <uint32_t Items>
struct alignas(4 * Items) row_words {
  uint32_t of[Items];
};

// One load or store where a thread has four rows; aligned to that.
template <uint32_t Items>
FLINKGPU_HD row_words<Items> load_all(const void* from) {
#ifdef __CUDA_ARCH__
  if constexpr (Items == 4) {
    const uint4 words = *static_cast<const uint4*>(from);
    return {words.x, words.y, words.z, words.w};
  }
#endif
  return *static_cast<const row_words<Items>*>(from);
}

template <uint32_t Items>
FLINKGPU_HD void store_all(void* to, const row_words<Items>& words) {
#ifdef __CUDA_ARCH__
  if constexpr (Items == 4) {
    *static_cast<uint4*>(to) = make_uint4(words.of[0], words.of[1], words.of[2], words.of[3]);
    return;
  }
#endif
  *static_cast<row_words<Items>*>(to) = words;
}

// The same to shared memory. The compiler may make four stores of one, each of which has to wait
// for lanes that take the same banks.
template <uint32_t Items>
FLINKGPU_HD void store_slots(uint32_t* to, const row_words<Items>& words) {
#ifdef __CUDA_ARCH__
  if constexpr (Items == 4) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                 "r"(words.of[0]), "r"(words.of[1]), "r"(words.of[2]), "r"(words.of[3])
                 : "memory");
    return;
  }
#endif
  store_all(to, words);
}

FLINKGPU_HD bool is_set(const uint8_t* bits, uint32_t row) {
  return ((bits[row >> 3] >> (row & 7)) & 1) != 0;
}

FLINKGPU_HD bool is_valid(const source_column& column, uint32_t row) {
  return column.validity == nullptr || is_set(column.validity, row);
}

FLINKGPU_HD void load_words(uint8_t* to, const uint8_t* from, uint32_t bytes, uint32_t thread,
                            uint32_t threads) {
  FLINKGPU_ROLLED
  for (uint32_t i = thread * 4; i < bytes; i += threads * 4) {
    store_word(to + i, load_aligned_word(from + i));
  }
}

// A thread's share of loading what is the same for all tiles.
FLINKGPU_HD void load_head(const transform_args& args, uint8_t* shared, uint32_t thread,
                           uint32_t threads) {
  load_words(shared, args.program + args.head_offset, args.head_bytes, thread, threads);
  load_words(shared + args.shared_outputs, reinterpret_cast<const uint8_t*>(args.outputs),
             args.outputs_count * uint32_t{sizeof(output_column)}, thread, threads);
}

// The conditions of a thread's rows, a byte each.
template <uint32_t Items>
FLINKGPU_HD uint32_t load_conditions(const tile_view& tile, uint32_t condition) {
  const uint8_t* const at = tile.conditions(condition) + tile.thread * Items;
  static_assert(Items == 1 || Items == 4, "a byte or a word");
  if constexpr (Items == 1) {
    return *at;
  } else {
    return load_aligned_word(at);
  }
}

template <uint32_t Items>
FLINKGPU_HD void store_conditions(const tile_view& tile, uint32_t condition, uint32_t values) {
  uint8_t* const at = tile.conditions(condition) + tile.thread * Items;
  if constexpr (Items == 1) {
    *at = static_cast<uint8_t>(values);
  } else {
    store_word(at, values);
  }
}

}  // namespace flinkgpu
