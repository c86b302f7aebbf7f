#pragma once

// The rows of a text output: which part of the program each consists of, and how long they get.

#include "case_map.cuh"
#include "instructions.cuh"
#include "stage.cuh"

namespace flinkgpu {

// Of a thread's rows.
template <uint32_t Items>
struct text_rows {
  uint32_t bytes[Items];  // at most max_text_bytes + 1, and a separator: too many for any column
  uint32_t valid;         // a bit a row

  FLINKGPU_HD uint64_t sum() const {
    uint64_t sum = 0;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      sum += bytes[i];
    }
    return sum;
  }
};

// How many of a thread's rows there are.
FLINKGPU_HD uint32_t rows_there(const tile_view& tile, uint32_t items) {
  const uint32_t first = tile.first_row + tile.thread * items;
  const uint32_t left = first < tile.args.rows ? tile.args.rows - first : 0;
  return left < items ? left : items;
}

// What of a part is written in a row.
template <typename File>
FLINKGPU_HD typename File::slice choose(const tile_view& tile, const File& file,
                                        const text_part& part, uint32_t slot, uint32_t row) {
  const bool first =
      part.guard == no_register || tile.conditions(part.guard)[slot] == condition_true;
  return file.get(first ? file.find(part.kind, part.text) : file.find(part.other_kind, part.other),
                  slot, row);
}

// The same for all rows of a thread.
template <uint32_t Items>
FLINKGPU_HD row_words<Items> choose_all(const tile_view& tile, const window_file<Items>& file,
                                        const text_part& part) {
  row_words<Items> texts = file.get_all(file.find(part.kind, part.text));
  if (part.guard != no_register) {
    const row_words<Items> others = file.get_all(file.find(part.other_kind, part.other));
    const uint32_t guards = load_conditions<Items>(tile, part.guard);
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      texts.of[i] = (guards & (1U << (8 * i))) != 0 ? texts.of[i] : others.of[i];
    }
  }
  return texts;
}

FLINKGPU_HD const uint8_t* case_table(const transform_args& args, uint32_t change) {
  return args.program + (change == change_upper ? args.upper_offset : args.lower_offset);
}

template <typename File>
FLINKGPU_HD uint64_t changed_bytes(const tile_view& tile, const File& file, const text_part& part,
                                   const typename File::slice& text) {
  if (part.change == change_none) {
    return length_of(text);
  }
  if (part.change == change_replace) {
    return replaced_bytes(file, text, file.get(file.find(operand_literal, part.what), 0, 0),
                          file.get(file.find(operand_literal, part.with), 0, 0));
  }
  return mapped_bytes(file, text, case_table(tile.args, part.change));
}

template <typename File>
FLINKGPU_HD uint8_t* write_changed(const tile_view& tile, const File& file, const text_part& part,
                                   const typename File::slice& text, uint8_t* to) {
  if (part.change == change_none) {
    return write_text(file, text, to);
  }
  if (part.change == change_replace) {
    return write_replaced(file, text, file.get(file.find(operand_literal, part.what), 0, 0),
                          file.get(file.find(operand_literal, part.with), 0, 0), to);
  }
  return write_mapped(file, text, case_table(tile.args, part.change), to);
}

// The sizes of rows of texts of any kind.
template <typename File>
FLINKGPU_HD text_rows<File::items> measure_rows(const tile_view& tile, const File& file,
                                                const output_column& output) {
  const uint32_t items = File::item_count(tile);
  const uint32_t there = rows_there(tile, items);
  text_rows<File::items> rows{};
  FLINKGPU_ROLLED
  for (uint32_t item = 0; item < there; ++item) {
    const uint32_t slot = tile.thread * items + item;
    uint64_t bytes = 0;
    bool valid = true;
    FLINKGPU_ROLLED
    for (uint32_t i = 0; valid && i < output.parts; ++i) {
      const text_part part = tile.parts()[output.first_part + i];
      const typename File::slice text = choose(tile, file, part, slot, tile.first_row + slot);
      valid = !is_null(text);
      bytes += valid ? changed_bytes(tile, file, part, text) : 0;
      bytes = bytes > max_text_bytes ? uint64_t{max_text_bytes} + 1 : bytes;
    }
    const uint32_t size = (valid ? static_cast<uint32_t>(bytes) : 0) + tile.args.separator_bytes;
    rows.valid |= (valid ? 1U : 0U) << item;
    // Not by index, or the sizes were no registers.
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < File::items; ++i) {
      rows.bytes[i] = i == item ? size : rows.bytes[i];
    }
  }
  return rows;
}

// The sizes of rows of slices of the window.
template <uint32_t Items>
FLINKGPU_HD text_rows<Items> measure_slices(const tile_view& tile, const window_file<Items>& file,
                                            const output_column& output) {
  text_rows<Items> rows{};
  bool valid[Items];
  const uint32_t there = rows_there(tile, Items);
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    valid[i] = i < there;
  }
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < output.parts; ++i) {
    const row_words<Items> texts = choose_all(tile, file, tile.parts()[output.first_part + i]);
    FLINKGPU_UNROLLED
    for (uint32_t item = 0; item < Items; ++item) {
      rows.bytes[item] += bytes_of(texts.of[item]);
      valid[item] &= !is_null_slot(texts.of[item]);
    }
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    rows.bytes[i] = (valid[i] ? rows.bytes[i] : 0) + (i < there ? tile.args.separator_bytes : 0);
    rows.valid |= (valid[i] ? 1U : 0U) << i;
  }
  return rows;
}

// Writes texts of any kind; `to` is where the thread's first row goes.
template <typename File>
FLINKGPU_HD void write_rows(const tile_view& tile, const File& file, const output_column& output,
                            uint32_t valid, uint8_t* to) {
  const uint32_t items = File::item_count(tile);
  const uint32_t there = rows_there(tile, items);
  FLINKGPU_ROLLED
  for (uint32_t item = 0; item < there; ++item) {
    const uint32_t slot = tile.thread * items + item;
    FLINKGPU_ROLLED
    for (uint32_t i = 0; ((valid >> item) & 1) != 0 && i < output.parts; ++i) {
      const text_part part = tile.parts()[output.first_part + i];
      const typename File::slice text = choose(tile, file, part, slot, tile.first_row + slot);
      to = write_changed(tile, file, part, text, to);
    }
    if (tile.args.separator_bytes != 0) {
      *to++ = '\n';
    }
  }
}

// Whether a part writes nothing but literals of at most 4 bytes.
template <uint32_t Items>
FLINKGPU_HD bool is_short(const window_file<Items>& file, const text_part& part) {
  const auto fits = [&](uint32_t kind, uint32_t index) {
    return kind == operand_literal && bytes_of(*file.find(kind, index).base) <= word_bytes;
  };
  return fits(part.kind, part.text) &&
         (part.guard == no_register || fits(part.other_kind, part.other));
}

// The literals of a short part.
template <uint32_t Items>
FLINKGPU_HD row_words<Items> words_of(const window_file<Items>& file, const text_part& part,
                                      const row_words<Items>& texts) {
  const uint32_t slot = *file.find(part.kind, part.text).base;
  const uint32_t text = file.word_at(place_of(slot));
  uint32_t other = 0;
  if (part.guard != no_register) {
    other = file.word_at(place_of(*file.find(part.other_kind, part.other).base));
  }
  row_words<Items> words;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    words.of[i] = texts.of[i] == slot ? text : other;
  }
  return words;
}

// Writes slices of the window to the stage, all but the rest of each row; `before` are the tile's
// bytes before the thread's.
template <uint32_t Items>
FLINKGPU_HD stage_writer<Items> write_slices(const tile_view& tile, const window_file<Items>& file,
                                             const output_column& output,
                                             const text_rows<Items>& rows, uint32_t before) {
  stage_writer<Items> writer;
  writer.stage = tile.stage();
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    writer.to[i] = before;
    writer.word[i] = 0;
    before += rows.bytes[i];
  }
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < output.parts; ++i) {
    const text_part part = tile.parts()[output.first_part + i];
    row_words<Items> texts = choose_all(tile, file, part);
    FLINKGPU_UNROLLED
    for (uint32_t item = 0; item < Items; ++item) {
      texts.of[item] = ((rows.valid >> item) & 1) != 0 ? texts.of[item] : empty_slot;
    }
    if (is_short(file, part)) {
      writer.append_short(words_of(file, part, texts), texts);
    } else {
      writer.append(file, texts);
    }
  }
  if (tile.args.separator_bytes != 0) {
    row_words<Items> line_feeds;
    row_words<Items> slots;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      line_feeds.of[i] = '\n';
      slots.of[i] = i < rows_there(tile, Items) ? make_slot(0, 1) : empty_slot;
    }
    writer.append_short(line_feeds, slots);
  }
  return writer;
}

}  // namespace flinkgpu
