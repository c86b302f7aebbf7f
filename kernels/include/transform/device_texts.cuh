#pragma once

// Texts of a tile that stay in device memory: there is no room for them in the block's own.

#include "transform/tile.cuh"

namespace flinkgpu {

// Registers of slices of device memory.
struct device_texts : device_space {
  static constexpr bool in_window = false;
  static constexpr uint32_t items = 1U << transform_item_shift;  // at most

  const transform_args& args;
  const uint8_t** starts;
  int32_t* lengths;
  uint32_t stride;

  struct operand {
    uint32_t kind;
    uint32_t index;
  };

  FLINKGPU_HD device_texts(const tile_view& tile)
      : args(tile.args),
        starts(reinterpret_cast<const uint8_t**>(tile.shared + tile.args.shared_window)),
        lengths(reinterpret_cast<int32_t*>(tile.shared + tile.args.shared_lengths)),
        stride(tile.stride()) {}

  FLINKGPU_HD static uint32_t item_count(const tile_view& tile) { return tile.items(); }

  FLINKGPU_HD operand find(uint32_t kind, uint32_t index) const { return {kind, index}; }

  FLINKGPU_HD slice get(const operand& source, uint32_t slot, uint32_t row) const {
    if (source.kind == operand_register) {
      const uint32_t at = source.index * stride + slot;
      return {starts[at], lengths[at]};
    }
    if (source.kind == operand_literal) {
      const literal_entry entry =
          reinterpret_cast<const literal_entry*>(args.program + args.literals_offset)[source.index];
      return {args.program + args.text_offset + entry.offset, static_cast<int32_t>(entry.length)};
    }
    const source_column& column = args.columns[source.index];
    if (row >= args.rows || !is_valid(column, row)) {
      return {nullptr, -1};
    }
    const uint32_t start = offset_at(column.offsets, row);
    const uint32_t end = offset_at(column.offsets, row + 1) - column.separator_bytes;
    return {column.data + start, static_cast<int32_t>(end - start)};
  }

  FLINKGPU_HD void put(uint32_t index, uint32_t slot, const slice& text) const {
    starts[index * stride + slot] = text.start;
    lengths[index * stride + slot] = text.bytes;
  }
};

}  // namespace flinkgpu
