#pragma once

// A tile of rows in the shared memory of a block: registers, and the texts that they are slices of.
// A thread owns some consecutive rows; the registers of its first rows are next to each other, then
// those of its second ones, so that neighbours use different banks.

#include "row_search.cuh"
#include "slice.cuh"
#include "transform_args.cuh"

namespace flinkgpu {

// One thread's view of a tile.
struct tile_view {
  const transform_args& args;
  uint8_t* shared;
  uint32_t first_row;
  uint32_t thread;
  uint32_t threads;

  FLINKGPU_HD uint32_t items() const { return 1U << args.item_shift; }
  FLINKGPU_HD uint32_t stride() const { return threads << args.item_shift; }
  FLINKGPU_HD uint32_t slot_of(uint32_t item) const { return item * threads + thread; }
  FLINKGPU_HD uint32_t row_of(uint32_t item) const {
    return first_row + (thread << args.item_shift) + item;
  }
  // The slot of a row of the tile, whoever owns it.
  FLINKGPU_HD uint32_t slot_of_row(uint32_t row) const {
    return (row & (items() - 1)) * threads + (row >> args.item_shift);
  }
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
  // By row: 1 where the output has a value.
  FLINKGPU_HD uint8_t* valid() const { return shared + args.shared_valid; }
  // By row: where the output's text ends in the tile's output, modulo 2^32.
  FLINKGPU_HD uint32_t* ends() const {
    return reinterpret_cast<uint32_t*>(shared + args.shared_ends);
  }
  FLINKGPU_HD uint8_t* stage() const { return shared + args.shared_stage; }
};

FLINKGPU_HD bool is_set(const uint8_t* bits, uint32_t row) {
  return ((bits[row >> 3] >> (row & 7)) & 1) != 0;
}

FLINKGPU_HD bool is_valid(const source_column& column, uint32_t row) {
  return column.validity == nullptr || is_set(column.validity, row);
}

inline constexpr uint32_t pack_bytes = 16;
inline constexpr uint32_t null_slot = 0xffffffff;

FLINKGPU_HD uint32_t round_up_to_pack(uint32_t bytes) {
  return (bytes + pack_bytes - 1) & ~(pack_bytes - 1);
}

// Where a column's text goes in the window: as far behind a multiple of 16 as in device memory.
struct window_part {
  const uint8_t* source;
  uint64_t bytes;
  uint32_t source_offset;  // of the tile's first row
  uint32_t place;          // of its first byte
};

FLINKGPU_HD window_part make_window_part(const tile_view& tile, const source_column& column,
                                         uint32_t free_place) {
  const uint32_t begin = offset_at(column.offsets, tile.first_row);
  const uint32_t end = offset_at(column.offsets, tile.first_row + tile.rows());
  const uint8_t* const source = column.data + begin;
  const auto misalignment = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(source) % pack_bytes);
  return {source, uint64_t{end} - begin, begin, free_place + misalignment};
}

// The first place behind the literals.
FLINKGPU_HD uint32_t first_place(const transform_args& args) {
  return round_up_to_pack(args.text_bytes);
}

FLINKGPU_HD uint32_t place_behind(const window_part& part) {
  return round_up_to_pack(part.place + static_cast<uint32_t>(part.bytes));
}

// Whether the window has room for all texts of the tile.
FLINKGPU_HD bool fits_window(const tile_view& tile) {
  if (tile.args.window_bytes == 0) {
    return false;
  }
  uint32_t place = first_place(tile.args);
  for (uint32_t i = 0; i < tile.args.text_columns; ++i) {
    const window_part part = make_window_part(tile, tile.args.columns[i], place);
    if (part.place + part.bytes > tile.args.window_bytes) {
      return false;
    }
    place = place_behind(part);
  }
  return place <= tile.args.window_bytes;
}

FLINKGPU_HD void store_word(uint8_t* to, uint32_t word) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<uint32_t*>(to) = word;
#else
  std::memcpy(to, &word, sizeof(word));
#endif
}

FLINKGPU_HD void store_pack(uint8_t* to, const uint8_t* from) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
#else
  std::memcpy(to, from, pack_bytes);
#endif
}

// A thread's share of copying bytes to a place that is as far behind a multiple of 16 as they are.
FLINKGPU_HD void copy_packs(uint8_t* to, const uint8_t* from, uint64_t bytes, uint32_t thread,
                            uint32_t threads) {
  const auto head = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(from) % pack_bytes);
  for (uint64_t at = uint64_t{thread} * pack_bytes; at < head + bytes;
       at += uint64_t{threads} * pack_bytes) {
    if (at >= head && at + pack_bytes <= head + bytes) {
      store_pack(to + (at - head), from + (at - head));
    } else {
      const uint64_t end = at + pack_bytes < head + bytes ? at + pack_bytes : head + bytes;
      for (uint64_t i = at < head ? head : at; i < end; ++i) {
        to[i - head] = from[i - head];
      }
    }
  }
}

// A thread's share of loading what is the same for all tiles.
FLINKGPU_HD void load_head(const transform_args& args, uint8_t* shared, uint32_t thread,
                           uint32_t threads) {
  for (uint32_t i = thread * 4; i < args.head_bytes; i += threads * 4) {
    store_word(shared + i, load_aligned_word(args.program + args.head_offset + i));
  }
}

// Registers of slices of the window.
struct window_file : window_space {
  uint32_t* slots;  // of the columns, then of the registers
  const uint32_t* literals;
  uint32_t columns;
  uint32_t stride;

  struct operand {
    const uint32_t* base;
    uint32_t mask;
  };

  FLINKGPU_HD window_file(const tile_view& tile)
      : window_space{tile.shared + tile.args.shared_window},
        slots(reinterpret_cast<uint32_t*>(tile.shared + tile.args.shared_slots)),
        literals(reinterpret_cast<const uint32_t*>(tile.shared + tile.args.packed_offset)),
        columns(tile.args.text_columns),
        stride(tile.stride()) {}

  FLINKGPU_HD operand find(uint32_t kind, uint32_t index) const {
    if (kind == operand_literal) {
      return {literals + index, 0};
    }
    return {slots + (kind == operand_register ? columns + index : index) * stride, ~0U};
  }

  FLINKGPU_HD slice get(const operand& source, uint32_t slot, uint32_t) const {
    const uint32_t packed = source.base[slot & source.mask];
    return {packed & 0xffff, packed == null_slot ? -1 : static_cast<int32_t>(packed >> 16)};
  }

  FLINKGPU_HD void put(uint32_t index, uint32_t slot, const slice& text) const {
    slots[(columns + index) * stride + slot] = is_null(text) ? null_slot : pack(text);
  }

  FLINKGPU_HD static uint32_t pack(const slice& text) {
    return text.start | (length_of(text) << 16);
  }
};

// A thread's share of loading the window and the slots of the columns.
FLINKGPU_HD void load_window(const tile_view& tile) {
  const transform_args& args = tile.args;
  uint8_t* const window = tile.shared + args.shared_window;
  auto* const slots = reinterpret_cast<uint32_t*>(tile.shared + args.shared_slots);
  for (uint32_t i = tile.thread; i < args.text_bytes; i += tile.threads) {
    window[i] = args.program[args.text_offset + i];
  }
  uint32_t place = first_place(args);
  for (uint32_t i = 0; i < args.text_columns; ++i) {
    const source_column column = args.columns[i];
    const window_part part = make_window_part(tile, column, place);
    copy_packs(window + part.place, part.source, part.bytes, tile.thread, tile.threads);
    place = place_behind(part);
    const uint32_t first = tile.row_of(0);
    uint32_t start = first < args.rows ? offset_at(column.offsets, first) : 0;
    for (uint32_t item = 0; item < tile.items(); ++item) {
      const uint32_t row = first + item;
      uint32_t packed = null_slot;
      if (row < args.rows) {
        const uint32_t next = offset_at(column.offsets, row + 1);
        if (is_valid(column, row)) {
          packed = (part.place + (start - part.source_offset)) |
                   ((next - start - column.separator_bytes) << 16);
        }
        start = next;
      }
      slots[i * tile.stride() + tile.slot_of(item)] = packed;
    }
  }
}

// Registers of slices of device memory.
struct wide_file : wide_space {
  const transform_args& args;
  const uint8_t** starts;
  int32_t* lengths;
  uint32_t stride;

  struct operand {
    uint32_t kind;
    uint32_t index;
  };

  FLINKGPU_HD wide_file(const tile_view& tile)
      : args(tile.args),
        starts(reinterpret_cast<const uint8_t**>(tile.shared + tile.args.shared_window)),
        lengths(reinterpret_cast<int32_t*>(tile.shared + tile.args.shared_lengths)),
        stride(tile.stride()) {}

  FLINKGPU_HD operand find(uint32_t kind, uint32_t index) const { return {kind, index}; }

  FLINKGPU_HD slice get(const operand& source, uint32_t slot, uint32_t row) const {
    if (source.kind == operand_register) {
      const uint32_t at = source.index * stride + slot;
      return {starts[at], lengths[at]};
    }
    if (source.kind == operand_literal) {
      const literal_entry entry =
          reinterpret_cast<const literal_entry*>(args.program + args.literals_offset)[source.index];
      return {args.program + args.text_offset + entry.offset, static_cast<int32_t>(entry.bytes)};
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
