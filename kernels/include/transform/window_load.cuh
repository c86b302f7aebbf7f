#pragma once

// How the texts of a tile get into its window.

#include "transform/text_search.cuh"
#include "transform/window.cuh"

namespace flinkgpu {

inline constexpr uint32_t pack_bytes = 16;

FLINKGPU_HD uint16_t place_operand(const tile_view& tile, uint32_t kind, uint32_t index) {
  constexpr uint32_t word = sizeof(uint32_t);
  if (kind == operand_literal) {
    return static_cast<uint16_t>(tile.args.packed_offset + index * literal_copies * word);
  }
  const uint32_t row = kind == operand_register ? tile.args.text_columns + index : index;
  return static_cast<uint16_t>(tile.args.shared_slots + row * tile.stride() * word);
}

// A thread's share of finding once where the operands of all steps and parts are. The last threads
// have it: the first have more to do before.
FLINKGPU_HD void place_operands(const tile_view& tile) {
  const uint32_t thread = tile.threads - 1 - tile.thread;
  FLINKGPU_ROLLED
  for (uint32_t i = thread; i < tile.args.instructions; i += tile.threads) {
    instruction& step = tile.instructions()[i];
    step.a_place = place_operand(tile, step.a_kind, step.a);
    step.b_place = place_operand(tile, step.b_kind, step.b);
  }
  const uint32_t parts =
      (tile.args.packed_offset - tile.args.parts_offset) / uint32_t{sizeof(text_part)};
  FLINKGPU_ROLLED
  for (uint32_t i = thread; i < parts; i += tile.threads) {
    text_part& part = tile.parts()[i];
    part.text_place = place_operand(tile, part.kind, part.text);
    part.other_place = place_operand(tile, part.other_kind, part.other);
  }
}

FLINKGPU_HD uint32_t behind_pack(const uint8_t* place) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place) % pack_bytes);
}

// The offsets of a thread's rows, and after the last one; those after the batch's last row are
// equal.
template <uint32_t Items>
struct row_bounds {
  uint32_t at[Items + 1];
};

// The same in the last tile. Out of line, so that no other tile takes its steps.
template <uint32_t Items>
FLINKGPU_HD_CALL row_bounds<Items> last_bounds(const int32_t* offsets, uint32_t first,
                                               uint32_t rows) {
  row_bounds<Items> bounds;
  for (uint32_t i = 0; i <= Items; ++i) {
    bounds.at[i] = offset_at(offsets, min_of(first + i, rows));
  }
  return bounds;
}

// The same in any other tile.
template <uint32_t Items>
FLINKGPU_HD row_bounds<Items> load_bounds(const int32_t* offsets, uint32_t first) {
  const row_words<Items> starts = load_all<Items>(offsets + first);
  row_bounds<Items> bounds;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    bounds.at[i] = starts.of[i];
  }
  bounds.at[Items] = offset_at(offsets, first + Items);
  return bounds;
}

// The bounds of the first columns, which are loaded before it is known where texts go.
template <uint32_t Items>
struct early_bounds {
  row_bounds<Items> of[early_columns];
};

// A thread's share of loading them. All loads of one column are begun before another's are done.
template <uint32_t Items>
FLINKGPU_HD early_bounds<Items> load_early(const tile_view& tile) {
  early_bounds<Items> early{};
  const uint32_t first = tile.first_row + tile.thread * Items;
  const bool whole = tile.rows() == tile.stride();
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; whole && i < early_columns; ++i) {
    if (tile.args.early_offsets[i] != nullptr) {
      early.of[i] = load_bounds<Items>(tile.args.early_offsets[i], first);
    }
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; !whole && i < early_columns; ++i) {
    if (tile.args.early_offsets[i] != nullptr) {
      early.of[i] = last_bounds<Items>(tile.args.early_offsets[i], first, tile.args.rows);
    }
  }
  return early;
}

// Where the tile's texts of a column are.
FLINKGPU_HD window_column find_column(const tile_view& tile, uint32_t index) {
  const source_column& column = tile.sources()[index];
  const int32_t* const offsets =
      index < early_columns ? tile.args.early_offsets[index] : column.offsets;
  const uint32_t begin = offset_at(offsets, tile.first_row);
  const uint32_t end = offset_at(offsets, tile.first_row + tile.rows());
  const uint32_t last = offset_at(offsets, tile.args.rows);
  const uint32_t before = behind_pack(column.data + begin);
  const uint32_t bytes = before + (end - begin);
  const uint32_t padded_bytes = (bytes + pack_bytes - 1) & ~(pack_bytes - 1);
  const uint32_t left = last - (begin - before);
  return {column.data + begin - before,
          bytes,
          padded_bytes,
          column.offsets,
          column.validity,
          begin - before,
          column.separator_bytes,
          min_of(padded_bytes, left & ~(pack_bytes - 1))};
}

// A thread's share of noting where the tile's texts are.
FLINKGPU_HD void note_columns(const tile_view& tile) {
  FLINKGPU_ROLLED
  for (uint32_t i = tile.thread; i < tile.args.text_columns; i += tile.threads) {
    tile.columns()[i] = find_column(tile, i);
  }
}

// Copies that load_pack() began are done only after this.
FLINKGPU_HD void await_packs() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !FLINKGPU_BULK_COPY
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Begins to load 16 bytes.
FLINKGPU_HD void load_pack(uint8_t* to, const uint8_t* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
#elif defined(__CUDA_ARCH__)
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
#else
  std::memcpy(to, from, pack_bytes);
#endif
}

// A thread's share of beginning to load the text of a column.
FLINKGPU_HD void load_text(const tile_view& tile, const window_column& column, uint32_t place) {
  if (FLINKGPU_BULK_COPY) {
    return;  // begun already
  }
  uint8_t* const to = tile.shared + place;
  FLINKGPU_ROLLED
  for (uint32_t at = tile.thread * pack_bytes; at < column.whole_bytes;
       at += tile.threads * pack_bytes) {
    load_pack(to + at, column.start + at);
  }
  if (column.whole_bytes < column.bytes) {
    const uint32_t at = column.whole_bytes + tile.thread;
    if (at < column.bytes) {
      to[at] = column.start[at];
    }
  }
}

// Slots with nulls where a row has no text, or is none. Out of line: most columns have none.
template <uint32_t Items>
FLINKGPU_HD_CALL row_words<Items> null_slots(row_words<Items> slots, const uint8_t* validity,
                                             uint32_t first, uint32_t rows) {
  uint32_t valid = ~0U;
  if (validity != nullptr && first < rows) {
    valid = static_cast<uint32_t>(validity[first >> 3]) >> (first & 7);
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    slots.of[i] = first + i < rows && ((valid >> i) & 1) != 0 ? slots.of[i] : null_slot;
  }
  return slots;
}

// The slots of a thread's rows of a column whose text is at a place.
template <uint32_t Items>
FLINKGPU_HD row_words<Items> slots_of_rows(const tile_view& tile, const window_column& column,
                                           const row_bounds<Items>& bounds, uint32_t place) {
  const uint32_t shift = place - column.begin;
  const uint32_t separator_bytes = column.separator_bytes;
  row_words<Items> slots;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t bytes = bounds.at[i + 1] - bounds.at[i] - separator_bytes;
    slots.of[i] = make_slot(bounds.at[i] + shift, bytes);
  }
  if (column.validity != nullptr || tile.rows() != tile.stride()) {
    const uint32_t first = tile.first_row + tile.thread * Items;
    slots = null_slots<Items>(slots, column.validity, first, tile.args.rows);
  }
  return slots;
}

// A thread's share of loading the window and the slots of the columns, as far as the window has
// room for their texts. Returns whether it has for all.
template <uint32_t Items>
FLINKGPU_HD bool load_window(const tile_view& tile, const window_texts<Items>& texts,
                             const early_bounds<Items>& early) {
  const uint32_t end = tile.args.shared_window + tile.args.window_bytes;
  uint32_t place = tile.args.shared_window;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < early_columns; ++i) {
    if (i < tile.args.text_columns) {
      const window_column column = tile.columns()[i];
      if (column.padded_bytes > end - place) {
        return false;
      }
      load_text(tile, column, place);
      texts.put_column(i, slots_of_rows(tile, column, early.of[i], place));
      place += column.padded_bytes;
    }
  }
  FLINKGPU_ROLLED
  for (uint32_t i = early_columns; i < tile.args.text_columns; ++i) {
    const window_column column = tile.columns()[i];
    if (column.padded_bytes > end - place) {
      return false;
    }
    load_text(tile, column, place);
    const uint32_t first = tile.first_row + tile.thread * Items;
    const row_bounds<Items> bounds =
        tile.rows() == tile.stride() ? load_bounds<Items>(column.offsets, first)
                                     : last_bounds<Items>(column.offsets, first, tile.args.rows);
    texts.put_column(i, slots_of_rows(tile, column, bounds, place));
    place += column.padded_bytes;
  }
  return true;
}

}  // namespace flinkgpu
