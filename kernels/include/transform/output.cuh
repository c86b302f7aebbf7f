#pragma once

// The columns that a pass writes: offsets, numbers and validity.

#include "block/look_back.cuh"
#include "transform/text_rows.cuh"
#include "transform/window_load.cuh"

namespace flinkgpu {

// Whether the rows up to here fit; if not the host launches again with more room.
FLINKGPU_HD bool has_room(const output_column& output, uint64_t bytes) {
  return bytes <= output.capacity;
}

// The work of one thread once a tile's place is known.
FLINKGPU_HD void end_tile(const tile_view& tile, const output_column& output, uint64_t before,
                          uint64_t tile_bytes) {
  if (tile.first_row + tile.rows() == tile.args.rows) {
    output.header->total = before + tile_bytes;
    if (!has_room(output, before + tile_bytes)) {
      tile.args.status->failed_pass = tile.args.pass + 1;
    }
  }
}

// The offsets of a thread's rows, and the last one; `before` are the bytes before the thread's.
template <uint32_t Items>
FLINKGPU_HD void write_offsets(const tile_view& tile, const output_column& output, uint32_t items,
                               const text_rows<Items>& rows, uint64_t before) {
  const uint32_t first = tile.first_row + tile.thread * items;
  const uint32_t there = rows_there(tile, items);
  row_words<Items> starts;
  auto start = static_cast<uint32_t>(before);
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    starts.of[i] = start;
    start += rows.bytes[i];
  }
  if (there == Items) {
    store_all(output.offsets + first, starts);
  } else {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      if (i < there) {
        output.offsets[first + i] = static_cast<int32_t>(starts.of[i]);
      }
    }
  }
  if (there != 0 && first + there == tile.args.rows) {
    output.offsets[tile.args.rows] = static_cast<int32_t>(start);
  }
}

// Whether a row of a column that is no text has a value, which is written if it is a number.
FLINKGPU_HD bool write_number(const tile_view& tile, const output_column& output, uint32_t row) {
  if (output.type == type_boolean) {
    return tile.conditions(output.source)[row] != condition_null;
  }
  reinterpret_cast<int64_t*>(output.data)[tile.first_row + row] = tile.numbers(output.source)[row];
  return tile.nulls(output.source)[row] == 0;
}

// The bit of a row in a column of booleans.
FLINKGPU_HD bool is_true(const tile_view& tile, const output_column& output, uint32_t row) {
  return tile.conditions(output.source)[row] == condition_true;
}

inline constexpr uint32_t bitmap_bits = 32;

// Writes a word of the validity; rows after the last have 0.
FLINKGPU_HD void write_valid_bits(const tile_view& tile, const output_column& output, uint32_t word,
                                  uint32_t valid) {
  const uint32_t rows = min_of(tile.rows() - word * bitmap_bits, bitmap_bits);
  output.validity[tile.first_row / bitmap_bits + word] = valid;
  if (count_bits(valid) < rows) {
    atomic_add(&output.header->nulls, rows - count_bits(valid));
  }
}

// Writes a word of a column of booleans; rows after the last have 0.
FLINKGPU_HD void write_true_bits(const tile_view& tile, const output_column& output, uint32_t word,
                                 uint32_t true_bits) {
  reinterpret_cast<uint32_t*>(output.data)[tile.first_row / bitmap_bits + word] = true_bits;
}

// Whether an earlier pass had no room: its output is not there to be read.
FLINKGPU_HD bool has_failed(const transform_args& args, uint32_t failed) {
  return failed != 0 && failed <= args.pass;
}

}  // namespace flinkgpu
