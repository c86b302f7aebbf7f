#pragma once

// The rows of a text output: which part of the program each consists of, and how long they get.

#include "transform/case_map.cuh"
#include "transform/condition_words.cuh"
#include "transform/instructions.cuh"
#include "transform/stage.cuh"

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

  // The sizes, from where each row ends and the first starts.
  FLINKGPU_HD void set_ends(const uint32_t* ends, uint32_t start) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      bytes[i] = ends[i] - start;
      start = ends[i];
    }
  }
};

// How many of a thread's rows there are.
FLINKGPU_HD uint32_t rows_there(const tile_view& tile, uint32_t items) {
  const uint32_t first = tile.first_row + tile.thread * items;
  const uint32_t left = first < tile.args.rows ? tile.args.rows - first : 0;
  return left < items ? left : items;
}

// What of a part is written in a row.
template <typename Texts>
FLINKGPU_HD typename Texts::slice choose(const tile_view& tile, const Texts& texts,
                                         const text_part& part, uint32_t slot, uint32_t row) {
  const bool first =
      part.guard == no_register || tile.conditions(part.guard)[slot] == condition_true;
  return texts.get(
      first ? texts.find(part.kind, part.text) : texts.find(part.other_kind, part.other), slot,
      row);
}

// Whether the first text of a part is written in each of a thread's rows.
template <uint32_t Items>
FLINKGPU_HD uint32_t load_guards(const tile_view& tile, const text_part& part) {
  return part.guard == no_register ? ones : load_conditions<Items>(tile, part.guard);
}

// The sizes of a short part in all rows of a thread, a byte each.
FLINKGPU_HD uint32_t short_sizes(const text_part& part, uint32_t guards) {
  const uint32_t first = guards & ones;
  return first * part.text_bytes + (first ^ ones) * part.other_bytes;
}

// What of a part is written in all rows of a thread.
template <uint32_t Items>
FLINKGPU_HD row_words<Items> choose_all(const window_texts<Items>& texts, const text_part& part,
                                        uint32_t guards) {
  row_words<Items> row_texts = texts.get_all(texts.at(part.kind, part.text_place));
  if (part.guard != no_register) {
    const row_words<Items> others = texts.get_all(texts.at(part.other_kind, part.other_place));
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      row_texts.of[i] = is_first(guards, i) ? row_texts.of[i] : others.of[i];
    }
  }
  return row_texts;
}

FLINKGPU_HD const uint8_t* case_table(const transform_args& args, uint32_t change) {
  return args.program + (change == change_upper ? args.upper_offset : args.lower_offset);
}

template <typename Texts>
FLINKGPU_HD uint64_t changed_bytes(const tile_view& tile, const Texts& texts, const text_part& part,
                                   const typename Texts::slice& text) {
  if (part.change == change_none) {
    return length_of(text);
  }
  if (part.change == change_replace) {
    return replaced_bytes(texts, text, texts.get(texts.find(operand_literal, part.what), 0, 0),
                          texts.get(texts.find(operand_literal, part.with), 0, 0));
  }
  return mapped_bytes(texts, text, case_table(tile.args, part.change));
}

template <typename Texts>
FLINKGPU_HD uint8_t* write_changed(const tile_view& tile, const Texts& texts, const text_part& part,
                                   const typename Texts::slice& text, uint8_t* to) {
  if (part.change == change_none) {
    return write_text(texts, text, to);
  }
  if (part.change == change_replace) {
    return write_replaced(texts, text, texts.get(texts.find(operand_literal, part.what), 0, 0),
                          texts.get(texts.find(operand_literal, part.with), 0, 0), to);
  }
  return write_mapped(texts, text, case_table(tile.args, part.change), to);
}

// The sizes of rows of texts of any kind.
template <typename Texts>
FLINKGPU_HD text_rows<Texts::items> measure_rows(const tile_view& tile, const Texts& texts,
                                                 const output_column& output) {
  const uint32_t items = Texts::item_count(tile);
  const uint32_t there = rows_there(tile, items);
  text_rows<Texts::items> rows{};
  FLINKGPU_ROLLED
  for (uint32_t item = 0; item < there; ++item) {
    const uint32_t slot = tile.thread * items + item;
    uint64_t bytes = 0;
    bool valid = true;
    FLINKGPU_ROLLED
    for (uint32_t i = 0; valid && i < output.parts; ++i) {
      const text_part& part = tile.parts()[output.first_part + i];
      const typename Texts::slice text = choose(tile, texts, part, slot, tile.first_row + slot);
      valid = !is_null(text);
      bytes += valid ? changed_bytes(tile, texts, part, text) : 0;
      bytes = bytes > max_text_bytes ? uint64_t{max_text_bytes} + 1 : bytes;
    }
    const uint32_t size = (valid ? static_cast<uint32_t>(bytes) : 0) + tile.args.separator_bytes;
    rows.valid |= (valid ? 1U : 0U) << item;
    // Not by index, or the sizes were no registers.
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Texts::items; ++i) {
      rows.bytes[i] = i == item ? size : rows.bytes[i];
    }
  }
  return rows;
}

// The sizes of rows of slices of the window.
template <uint32_t Items>
FLINKGPU_HD text_rows<Items> measure_slices(const tile_view& tile, const window_texts<Items>& texts,
                                            const output_column& output) {
  text_rows<Items> rows{};
  uint32_t most[Items] = {};  // a null slot is more than any other
  const text_part* const parts = tile.parts() + output.first_part;
  const uint32_t count = output.parts;
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < count; ++i) {
    const text_part part = parts[i];
    const uint32_t guards = load_guards<Items>(tile, part);
    if (part.is_short != 0) {
      const uint32_t sizes = short_sizes(part, guards);
      FLINKGPU_UNROLLED
      for (uint32_t item = 0; item < Items; ++item) {
        rows.bytes[item] += row_byte(sizes, item);
      }
      continue;
    }
    const row_words<Items> row_texts = choose_all(texts, part, guards);
    FLINKGPU_UNROLLED
    for (uint32_t item = 0; item < Items; ++item) {
      rows.bytes[item] += bytes_of(row_texts.of[item]);
      most[item] = row_texts.of[item] > most[item] ? row_texts.of[item] : most[item];
    }
  }
  const uint32_t there = rows_there(tile, Items);
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const bool valid = !is_null_slot(most[i]) & (i < there);
    rows.bytes[i] = (valid ? rows.bytes[i] : 0) + (i < there ? tile.args.separator_bytes : 0);
    rows.valid |= (valid ? 1U : 0U) << i;
  }
  return rows;
}

// Writes texts of any kind; `to` is where the thread's first row goes.
template <typename Texts>
FLINKGPU_HD void write_rows(const tile_view& tile, const Texts& texts, const output_column& output,
                            uint32_t valid, uint8_t* to) {
  const uint32_t items = Texts::item_count(tile);
  const uint32_t there = rows_there(tile, items);
  FLINKGPU_ROLLED
  for (uint32_t item = 0; item < there; ++item) {
    const uint32_t slot = tile.thread * items + item;
    FLINKGPU_ROLLED
    for (uint32_t i = 0; ((valid >> item) & 1) != 0 && i < output.parts; ++i) {
      const text_part& part = tile.parts()[output.first_part + i];
      const typename Texts::slice text = choose(tile, texts, part, slot, tile.first_row + slot);
      to = write_changed(tile, texts, part, text, to);
    }
    if (tile.args.separator_bytes != 0) {
      *to++ = '\n';
    }
  }
}

// Writes slices of the window to the stage, all but the rest of each row; `before` are the tile's
// bytes before the thread's.
template <uint32_t Items>
FLINKGPU_HD stage_writer<Items> write_slices(const tile_view& tile,
                                             const window_texts<Items>& texts,
                                             const output_column& output,
                                             const text_rows<Items>& rows, uint32_t before) {
  stage_writer<Items> writer;
  writer.shared = tile.shared;
  uint32_t to = tile.args.shared_stage + before;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    writer.to[i] = to;
    writer.word[i] = 0;
    to += rows.bytes[i];
  }
  const uint32_t valid = spread_bits<Items>(rows.valid);
  const text_part* const parts = tile.parts() + output.first_part;
  const uint32_t count = output.parts;
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < count; ++i) {
    const text_part part = parts[i];
    const uint32_t guards = load_guards<Items>(tile, part);
    if (part.is_short != 0) {
      const uint32_t sizes = short_sizes(part, guards) & valid;
      FLINKGPU_UNROLLED
      for (uint32_t item = 0; item < Items; ++item) {
        writer.append_short(item, is_first(guards, item) ? part.text_word : part.other_word,
                            row_byte(sizes, item));
      }
      continue;
    }
    row_words<Items> row_texts = choose_all(texts, part, guards);
    if (rows.valid != low_bits(Items)) {
      FLINKGPU_UNROLLED
      for (uint32_t item = 0; item < Items; ++item) {
        row_texts.of[item] = row_byte(valid, item) != 0 ? row_texts.of[item] : empty_slot;
      }
    }
    writer.append(row_texts);
  }
  if (tile.args.separator_bytes != 0) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      writer.append_short(i, '\n', i < rows_there(tile, Items) ? 1 : 0);
    }
  }
  return writer;
}

}  // namespace flinkgpu
