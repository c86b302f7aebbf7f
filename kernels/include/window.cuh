#pragma once

// Texts of a tile that are in the block's shared memory, and how they get there.

#include "transform_tile.cuh"

namespace flinkgpu {

inline constexpr uint32_t pack_bytes = 16;

// A slot is a place, and a length from bit 16 on. Slots without text have a place that may be read.
inline constexpr uint32_t empty_slot = 0x00000010;
inline constexpr uint32_t null_slot = 0xffff0010;

FLINKGPU_HD bool is_null_slot(uint32_t slot) {
  return slot >= null_slot;
}

FLINKGPU_HD uint32_t place_of(uint32_t slot) {
  return slot & 0xffff;
}

FLINKGPU_HD uint32_t bytes_of(uint32_t slot) {
  return slot >> 16;
}

FLINKGPU_HD uint32_t make_slot(uint32_t place, uint32_t bytes) {
  return place + (bytes << 16);
}

// Registers of slices of the window.
template <uint32_t Items>
struct window_file : window_space {
  static constexpr bool in_window = true;
  static constexpr uint32_t items = Items;
  using words = row_words<Items>;

  uint32_t* slots;  // of the columns, then of the registers
  const uint32_t* literals;
  uint32_t columns;
  uint32_t stride;
  uint32_t first;  // of the thread's rows in the tile

  struct operand {
    const uint32_t* base;
    uint32_t mask;
  };

  FLINKGPU_HD window_file(const tile_view& tile)
      : window_space{tile.shared},
        slots(reinterpret_cast<uint32_t*>(tile.shared + tile.args.shared_slots)),
        literals(reinterpret_cast<const uint32_t*>(tile.shared + tile.args.packed_offset)),
        columns(tile.args.text_columns),
        stride(tile.threads * Items),
        first(tile.thread * Items) {}

  FLINKGPU_HD static uint32_t item_count(const tile_view&) { return Items; }

  FLINKGPU_HD operand find(uint32_t kind, uint32_t index) const {
    if (kind == operand_literal) {
      return {literals + index * literal_copies, 0};
    }
    return {slots + (kind == operand_register ? columns + index : index) * stride, ~0U};
  }

  FLINKGPU_HD slice get(const operand& source, uint32_t slot, uint32_t) const {
    const uint32_t packed = source.base[slot & source.mask];
    return {place_of(packed), is_null_slot(packed) ? -1 : static_cast<int32_t>(bytes_of(packed))};
  }

  FLINKGPU_HD void put(uint32_t index, uint32_t slot, const slice& text) const {
    slots[(columns + index) * stride + slot] =
        is_null(text) ? null_slot : make_slot(text.start, length_of(text));
  }

  // All rows of the thread.
  FLINKGPU_HD words get_all(const operand& source) const {
    return *reinterpret_cast<const words*>(source.base + (first & source.mask));
  }

  FLINKGPU_HD void put_column(uint32_t column, const words& texts) const {
    *reinterpret_cast<words*>(slots + column * stride + first) = texts;
  }

  FLINKGPU_HD void put_all(uint32_t index, const words& texts) const {
    put_column(columns + index, texts);
  }
};

FLINKGPU_HD uint32_t behind_pack(const uint8_t* place) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place) % pack_bytes);
}

// The work of one thread of a tile: notes where the text of a column is.
FLINKGPU_HD void note_column(const tile_view& tile, const source_column& column, uint32_t number) {
  const uint32_t begin = offset_at(column.offsets, tile.first_row);
  const uint32_t end = offset_at(column.offsets, tile.first_row + tile.rows());
  tile.columns()[number] = {column.offsets,        column.validity, column.data + begin,
                            uint64_t{end} - begin, begin,           column.separator_bytes};
}

// What a column takes of the window: its text lies as far behind a multiple of 16 as in device
// memory.
FLINKGPU_HD uint64_t window_bytes_of(const window_column& column) {
  return (behind_pack(column.source) + column.bytes + pack_bytes - 1) & ~uint64_t{pack_bytes - 1};
}

// Whether the window has room for all texts of the tile.
FLINKGPU_HD bool fits_window(const tile_view& tile) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < tile.args.text_columns; ++i) {
    bytes += window_bytes_of(tile.columns()[i]);
  }
  return bytes <= tile.args.window_bytes;
}

// Copies that load_packs() began are done only behind this.
FLINKGPU_HD void await_packs() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

FLINKGPU_HD void load_pack_async(uint8_t* to, const uint8_t* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
#elif defined(__CUDA_ARCH__)
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
#else
  std::memcpy(to, from, pack_bytes);
#endif
}

// A thread's share of copying bytes to a place that is as far behind a multiple of 16 as they are.
FLINKGPU_HD void load_packs(uint8_t* to, const uint8_t* from, uint32_t bytes, uint32_t thread,
                            uint32_t threads) {
  const uint32_t unaligned = (0 - behind_pack(from)) % pack_bytes;
  const uint32_t head = unaligned < bytes ? unaligned : bytes;
  const uint32_t packs_end = head + ((bytes - head) & ~(pack_bytes - 1));
  for (uint32_t at = head + thread * pack_bytes; at < packs_end; at += threads * pack_bytes) {
    load_pack_async(to + at, from + at);
  }
  // The bytes at both ends.
  const uint32_t at = thread < pack_bytes ? thread : packs_end + (thread - pack_bytes);
  if (thread < 2 * pack_bytes && at < (thread < pack_bytes ? head : bytes)) {
    to[at] = from[at];
  }
}

template <uint32_t Items>
FLINKGPU_HD row_words<Items> slots_of_rows(const tile_view& tile, const window_column& column,
                                           uint32_t place) {
  const uint32_t first = tile.first_row + tile.thread * Items;
  uint32_t bounds[Items + 1];
  if (first + Items <= tile.args.rows) {
    const auto starts = *reinterpret_cast<const row_words<Items>*>(column.offsets + first);
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      bounds[i] = starts.of[i];
    }
    bounds[Items] = offset_at(column.offsets, first + Items);
  } else {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i <= Items; ++i) {
      const uint32_t row = first + i;
      bounds[i] = offset_at(column.offsets, row < tile.args.rows ? row : tile.args.rows);
    }
  }
  const uint32_t left = tile.args.rows - first;
  uint32_t there = first < tile.args.rows ? (left < 32 ? (1U << left) - 1 : ~0U) : 0;
  if (column.validity != nullptr && there != 0) {
    there &= static_cast<uint32_t>(column.validity[first >> 3]) >> (first & 7);
  }
  row_words<Items> slots;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t bytes = bounds[i + 1] - bounds[i] - column.separator_bytes;
    const uint32_t slot = make_slot(bounds[i] - column.source_offset + place, bytes);
    slots.of[i] = ((there >> i) & 1) != 0 ? slot : null_slot;
  }
  return slots;
}

// A thread's share of loading the window and the slots of the columns.
template <uint32_t Items>
FLINKGPU_HD void load_window(const tile_view& tile, const window_file<Items>& file) {
  uint32_t place = tile.args.shared_window;
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < tile.args.text_columns; ++i) {
    const window_column column = tile.columns()[i];
    const uint32_t first = place + behind_pack(column.source);
    const auto bytes = static_cast<uint32_t>(column.bytes);
    load_packs(tile.shared + first, column.source, bytes, tile.thread, tile.threads);
    file.put_column(i, slots_of_rows<Items>(tile, column, first));
    place += static_cast<uint32_t>(window_bytes_of(column));
  }
}

}  // namespace flinkgpu
