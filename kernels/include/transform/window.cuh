#pragma once

// Texts of a tile that are in the block's shared memory.

#include "transform/tile.cuh"

namespace flinkgpu {

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
struct window_texts : window_space {
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

  FLINKGPU_HD window_texts(const tile_view& tile)
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

  // An operand that place_operands() has found.
  FLINKGPU_HD operand at(uint32_t kind, uint32_t slots_place) const {
    return {reinterpret_cast<const uint32_t*>(shared + slots_place),
            kind == operand_literal ? 0 : ~0U};
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
    return load_all<Items>(source.base + (first & source.mask));
  }

  FLINKGPU_HD void put_column(uint32_t column, const words& row_texts) const {
    store_slots(slots + column * stride + first, row_texts);
  }

  FLINKGPU_HD void put_all(uint32_t index, const words& row_texts) const {
    put_column(columns + index, row_texts);
  }
};

}  // namespace flinkgpu
