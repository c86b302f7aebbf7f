#pragma once

// The columns that a pass writes: the rows' sizes, the text itself, offsets and validity.

#include "case_map.cuh"
#include "instructions.cuh"
#include "look_back.cuh"

namespace flinkgpu {

FLINKGPU_HD bool allows(const tile_view& tile, const text_part& part, uint32_t slot) {
  return part.guard == no_register || tile.conditions(part.guard)[slot] == part.when_true;
}

FLINKGPU_HD const uint8_t* case_table(const transform_args& args, uint32_t change) {
  return args.program + (change == change_upper ? args.upper_offset : args.lower_offset);
}

template <typename File>
FLINKGPU_HD uint64_t changed_bytes(const tile_view& tile, const File& file, const text_part& part,
                                   const typename File::slice& text) {
  if (part.change == change_replace) {
    return replaced_bytes(file, text, file.get(file.find(operand_literal, part.what), 0, 0),
                          file.get(file.find(operand_literal, part.with), 0, 0));
  }
  return mapped_bytes(file, text, case_table(tile.args, part.change));
}

template <typename File>
FLINKGPU_HD uint8_t* write_changed(const tile_view& tile, const File& file, const text_part& part,
                                   const typename File::slice& text, uint8_t* to) {
  if (part.change == change_replace) {
    return write_replaced(file, text, file.get(file.find(operand_literal, part.what), 0, 0),
                          file.get(file.find(operand_literal, part.with), 0, 0), to);
  }
  return write_mapped(file, text, case_table(tile.args, part.change), to);
}

// Notes which of a thread's rows have a value; returns the bytes of all. A row counts as
// max_text_bytes + 1 at most: that is too much for any column, and sums do not overflow.
template <typename File>
FLINKGPU_HD uint64_t measure_rows(const tile_view& tile, const File& file,
                                  const output_column& output) {
  uint64_t sum = 0;
  for (uint32_t item = 0; item < tile.items(); ++item) {
    const uint32_t slot = tile.slot_of(item);
    const uint32_t row = tile.row_of(item);
    uint64_t bytes = 0;
    bool valid = row < tile.args.rows;
    for (uint32_t i = 0; valid && i < output.parts; ++i) {
      const text_part part = tile.parts()[output.first_part + i];
      if (allows(tile, part, slot)) {
        const typename File::slice text = file.get(file.find(part.kind, part.text), slot, row);
        valid = !is_null(text);
        if (valid) {
          bytes +=
              part.change == change_none ? length_of(text) : changed_bytes(tile, file, part, text);
          bytes = bytes > max_text_bytes ? uint64_t{max_text_bytes} + 1 : bytes;
        }
      }
    }
    tile.valid()[slot] = valid ? 1 : 0;
    sum += (valid ? bytes : 0) + (row < tile.args.rows ? tile.args.separator_bytes : 0);
  }
  return sum;
}

// Notes where a thread's rows end, `before` being the tile's bytes before them, and writes them if
// there is a place for the tile's text.
template <typename File>
FLINKGPU_HD void write_rows(const tile_view& tile, const File& file, const output_column& output,
                            uint64_t before, uint8_t* text_of_tile) {
  uint8_t* to = text_of_tile + before;
  for (uint32_t item = 0; item < tile.items(); ++item) {
    const uint32_t slot = tile.slot_of(item);
    const uint32_t row = tile.row_of(item);
    for (uint32_t i = 0; tile.valid()[slot] != 0 && i < output.parts; ++i) {
      const text_part part = tile.parts()[output.first_part + i];
      if (allows(tile, part, slot)) {
        const typename File::slice text = file.get(file.find(part.kind, part.text), slot, row);
        to = part.change == change_none ? write_text(file, text, to)
                                        : write_changed(tile, file, part, text, to);
      }
    }
    if (row < tile.args.rows && tile.args.separator_bytes != 0) {
      *to++ = '\n';
    }
    tile.ends()[slot] = static_cast<uint32_t>(to - text_of_tile);
  }
}

// 16 bytes of the stage, from any place on, to an aligned one.
FLINKGPU_HD void store_joined(uint8_t* to, const uint8_t* stage, uint32_t from) {
  const uint8_t* const aligned = stage + (from & ~3U);
  uint32_t words[5];
  for (uint32_t i = 0; i < 5; ++i) {
    words[i] = load_aligned_word(aligned + 4 * i);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    words[i] = join_words(words[i], words[i + 1], from & 3);
  }
#ifdef __CUDA_ARCH__
  *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
#else
  std::memcpy(to, words, pack_bytes);
#endif
}

// A thread's share of copying the stage to where the tile's text belongs.
FLINKGPU_HD void copy_stage(const tile_view& tile, uint8_t* to, uint32_t bytes) {
  const uint8_t* const stage = tile.stage();
  const auto head = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(to) % pack_bytes);
  for (uint32_t at = tile.thread * pack_bytes; at < head + bytes; at += tile.threads * pack_bytes) {
    if (at >= head && at + pack_bytes <= head + bytes) {
      store_joined(to + (at - head), stage, at - head);
    } else {
      const uint32_t end = at + pack_bytes < head + bytes ? at + pack_bytes : head + bytes;
      for (uint32_t i = at < head ? head : at; i < end; ++i) {
        to[i - head] = stage[i - head];
      }
    }
  }
}

// Whether the rows up to here fit; if not the host launches again with more room.
FLINKGPU_HD bool has_room(const output_column& output, uint64_t bytes) {
  return bytes <= output.capacity;
}

// The work of one thread once a tile's place is known.
FLINKGPU_HD void end_tile(const tile_view& tile, const output_column& output, uint64_t before,
                          uint64_t tile_bytes) {
  if (tile.first_row == 0) {
    output.offsets[0] = 0;
  }
  if (tile.first_row + tile.rows() == tile.args.rows) {
    output.header->bytes = before + tile_bytes;
    if (!has_room(output, before + tile_bytes)) {
      tile.args.status->failed_pass = tile.args.pass + 1;
    }
  }
}

// A row's offset, `before` being the bytes before the tile.
FLINKGPU_HD void write_offset(const tile_view& tile, const output_column& output, uint64_t before,
                              uint32_t row) {
  output.offsets[tile.first_row + row + 1] =
      static_cast<int32_t>(static_cast<uint32_t>(before) + tile.ends()[tile.slot_of_row(row)]);
}

// Whether a row of a column that is no text has a value, which is written if it is a number.
FLINKGPU_HD bool write_number(const tile_view& tile, const output_column& output, uint32_t row) {
  const uint32_t slot = tile.slot_of_row(row);
  if (output.type == type_boolean) {
    return tile.conditions(output.source)[slot] != condition_null;
  }
  reinterpret_cast<int64_t*>(output.data)[tile.first_row + row] = tile.numbers(output.source)[slot];
  return tile.nulls(output.source)[slot] == 0;
}

// The bit of a row in a column of booleans.
FLINKGPU_HD bool is_true(const tile_view& tile, const output_column& output, uint32_t row) {
  return tile.conditions(output.source)[tile.slot_of_row(row)] == condition_true;
}

inline constexpr uint32_t bitmap_bits = 32;

// Writes a word of the validity, and of the booleans; rows behind the last have 0.
FLINKGPU_HD void write_bits(const tile_view& tile, const output_column& output, uint32_t word,
                            uint32_t valid, uint32_t true_bits) {
  const uint32_t index = tile.first_row / bitmap_bits + word;
  const uint32_t left = tile.rows() - word * bitmap_bits;
  const uint32_t rows = left < bitmap_bits ? left : bitmap_bits;
  output.validity[index] = valid;
  if (output.type == type_boolean) {
    reinterpret_cast<uint32_t*>(output.data)[index] = true_bits;
  }
  if (count_bits(valid) < rows) {
    atomic_add(&output.header->nulls, rows - count_bits(valid));
  }
}

inline constexpr uint32_t no_tile = 0xffffffff;

// The next tile, or none if an earlier pass had no room: its output is not there to be read.
FLINKGPU_HD uint32_t take_tile(const transform_args& args) {
  const uint32_t failed = load_shared_word(&args.status->failed_pass);
  return failed != 0 && failed <= args.pass ? no_tile : atomic_add(args.ticket, 1);
}

}  // namespace flinkgpu
