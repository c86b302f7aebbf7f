#pragma once

// redact_write, second part: a tile's output, once it is known where it goes. Words of which all
// bytes or one run of them are copied make up most of a text; their bytes are written 16 at a time.
// The others are written by eight lanes each.

#include "redact/row_count.cuh"
#include "redact/select.cuh"

namespace flinkgpu {

inline constexpr uint32_t mixed_lanes = 8;

// One of the lanes that write a mixed word together.
struct mixed_lane {
  uint32_t lane;
};

FLINKGPU_HD void copy_span(const mixed_lane& self, uint8_t* to, const uint8_t* from,
                           uint32_t bytes) {
  for (uint32_t i = self.lane; i < bytes; i += mixed_lanes) {
    to[i] = from[i];
  }
}

FLINKGPU_HD void fill_span(const mixed_lane& self, uint8_t* to, uint8_t byte, uint32_t bytes) {
  for (uint32_t i = self.lane; i < bytes; i += mixed_lanes) {
    to[i] = byte;
  }
}

// Step 6: the bytes of the word's output.
FLINKGPU_HD uint64_t output_of_word(const write_block& block) {
  return count_bits(block.shared.copied[block.thread]) + block.shared.added[block.thread];
}

// Step 7, once the place of the word is known: how it is written.
FLINKGPU_HD void plan_word(const write_block& block, uint64_t place) {
  write_shared& shared = block.shared;
  const uint32_t word = block.thread;
  const uint32_t copied = shared.copied[word];
  shared.place[word] = static_cast<uint32_t>(place);
  const uint32_t first = copied == 0 ? 0 : lowest_bit(copied);
  const uint32_t run = copied >> first;
  shared.moves[word] = block.begin(word) + first - static_cast<uint32_t>(place);
  if (shared.chosen[word] != 0 || shared.hidden[word] != 0 || (run & (run + 1)) != 0) {
    shared.mixed[atomic_add(&shared.mixed_count, 1)] = word;
    atomic_or(&shared.is_mixed[word / 32], 1u << (word % 32));
  }
}

FLINKGPU_HD bool is_mixed(const write_shared& shared, uint32_t word) {
  return (shared.is_mixed[word / 32] >> (word % 32) & 1) != 0;
}

// Whether the tile has room from `before` on. If a tile has none, the host runs the batch
// again once it has made room.
FLINKGPU_HD bool has_room(const redact_args& args, uint64_t before, uint64_t bytes) {
  return before + bytes <= args.out_capacity && before + bytes <= max_output_bytes;
}

// Where the byte at a position goes in the tile's output; the position is in the tile, or its end.
FLINKGPU_HD uint32_t place_of(const write_block& block, uint32_t position) {
  const write_shared& shared = block.shared;
  const uint32_t word = (position - block.tile_start) / segment_bytes;
  if (word == write_threads) {
    return shared.place[word];
  }
  const auto before = static_cast<uint32_t>(low_bits(position % segment_bytes));
  uint32_t place = shared.place[word] + count_bits(shared.copied[word] & before);
  for (uint32_t left = shared.chosen[word] & before; left != 0; left &= left - 1) {
    const uint32_t start = block.begin(word) + lowest_bit(left);
    const uint32_t candidate = block.args.candidates[start];
    place += replacement_bytes(block.args, block.args.tables.rules[candidate_rule(candidate)],
                               start, candidate_bytes(candidate));
  }
  return place;
}

// Whether a match that is redacted starts in [from, to), as far as it is in the tile.
FLINKGPU_HD bool has_chosen(const write_block& block, uint32_t from, uint32_t to) {
  const uint32_t end = to < block.to.position ? to : block.to.position;
  for (uint32_t word = (from - block.tile_start) / segment_bytes;
       word < write_threads && block.begin(word) < end; ++word) {
    if ((block.shared.chosen[word] & bits_between(block.begin(word), from, end)) != 0) {
      return true;
    }
  }
  return false;
}

// Step 8: the rows that start in the tile, and the one that it starts within.
FLINKGPU_HD void write_rows(const write_block& block, uint64_t before) {
  const redact_args& args = block.args;
  const bool leaves_rows = args.row_over[rows_of(args)] != 0;
  for (uint64_t next = uint64_t{block.from.row} + block.thread; next < block.to.row;
       next += write_threads) {
    const auto row = static_cast<uint32_t>(next);
    const uint32_t start = offset_at(args.offsets, row);
    const auto place = static_cast<uint32_t>(before + place_of(block, start));
    args.out_offsets[row] = static_cast<int32_t>(place);
    if (leaves_rows && args.row_over[row] != 0) {
      const uint32_t listed = atomic_add(&args.header->over_rows, 1);
      args.over_rows[listed] = {start, place};
      if (listed < near_over_rows) {
        args.near_rows[listed] = {start, place};
      }
    }
    if (has_chosen(block, start, offset_at(args.offsets, row + 1))) {
      args.changed[row] = 1;
    }
  }
  if (block.thread == 0 && block.from.within_row) {
    const uint32_t row = block.from.row - 1;
    if (has_chosen(block, block.from.position, offset_at(args.offsets, row + 1))) {
      args.changed[row] = 1;
    }
  }
}

// Step 8: counts, by rule.
FLINKGPU_HD void write_counts(const write_block& block) {
  batch_header& header = *block.args.header;
  const uint32_t rules = min_of(block.args.tables.rule_count, counted_rules);
  for (uint32_t rule = block.thread; rule < rules; rule += write_threads) {
    if (block.shared.rule_matches[rule] != 0) {
      atomic_add(&header.rule_matches[rule], uint64_t{block.shared.rule_matches[rule]});
    }
  }
  if (block.thread == 0 && block.shared.hash_matches != 0) {
    atomic_add(&header.hash_matches, block.shared.hash_matches);
  }
}

// 16 bytes from any position on; the caller knows that the packs that hold them are in the data.
FLINKGPU_HD byte_pack load_pack_at(const uint8_t* data, uint32_t position) {
  const uint8_t* const aligned = data + (position & ~15u);
  const uint32_t offset = position & 15;
  byte_pack first = load_pack(aligned);
  if (offset == 0) {
    return first;
  }
  const byte_pack second = load_pack(aligned + 16);
  uint64_t last = second.low;
  if (offset >= 8) {
    first = {first.high, second.low};
    last = second.high;
  }
  const uint32_t shift = offset % 8 * 8;
  if (shift == 0) {
    return first;
  }
  return {first.low >> shift | first.high << (64 - shift),
          first.high >> shift | last << (64 - shift)};
}

// The last word whose place is not behind a place in the tile's output.
FLINKGPU_HD uint32_t word_at(const write_shared& shared, uint32_t place) {
  uint32_t low = 0;
  for (uint32_t step = write_threads / 2; step > 0; step /= 2) {
    low += shared.place[low + step] <= place ? step : 0;
  }
  return low;
}

// Whether [from, to) of the tile's output is a run of the text; `word` has its first byte.
FLINKGPU_HD bool is_one_run(const write_shared& shared, uint32_t word, uint32_t to) {
  const uint32_t move = shared.moves[word];
  bool same = !is_mixed(shared, word);
  while (same && shared.place[word + 1] < to) {
    ++word;
    same = shared.place[word + 1] == shared.place[word] ||
           (!is_mixed(shared, word) && shared.moves[word] == move);
  }
  return same;
}

// Step 9: the words that are not mixed. `before` is where the tile's output starts.
FLINKGPU_HD void write_runs(const write_block& block, uint32_t before) {
  const redact_args& args = block.args;
  const write_shared& shared = block.shared;
  const uint32_t bytes = shared.place[write_threads];
  const uint32_t skew = before & 15;
  for (uint32_t at = 16 * block.thread; at < skew + bytes; at += 16 * write_threads) {
    const uint32_t from = at < skew ? 0 : at - skew;
    const uint32_t to = min_of(at + 16 - skew, bytes);
    uint32_t word = word_at(shared, from);
    if (to - from == 16 && is_one_run(shared, word, to)) {
      const uint32_t source = shared.moves[word] + from;
      if ((source & ~15u) + 32 <= args.data_bytes) {
        store_pack(args.out_data + before + from, load_pack_at(args.data, source));
        continue;
      }
    }
    for (uint32_t place = from; place < to; ++place) {
      while (shared.place[word + 1] <= place) {
        ++word;
      }
      if (!is_mixed(shared, word)) {
        args.out_data[before + place] = args.data[shared.moves[word] + place];
      }
    }
  }
}

// Writes what replaces a match to out_data[output]; returns its bytes.
FLINKGPU_HD uint32_t write_replacement(const redact_args& args, const mixed_lane& self,
                                       uint32_t rule, uint32_t start, uint32_t bytes,
                                       uint32_t output) {
  const rule_entry& entry = args.tables.rules[rule];
  uint8_t* const to = args.out_data + output;
  if (entry.action == action_mask) {
    const uint8_t* const text = args.data + start;
    const mask_shape shape = shape_mask(text, bytes, entry.keep_first, entry.keep_last);
    copy_span(self, to, text, shape.head_bytes);
    fill_span(self, to + shape.head_bytes, static_cast<uint8_t>(entry.mask_char), shape.masked);
    copy_span(self, to + shape.head_bytes + shape.masked, text + shape.tail_start,
              bytes - shape.tail_start);
    return shape.bytes;
  }
  if (entry.action == action_hash) {
    // Stars, should a span stay unpatched: never the text.
    fill_span(self, to, '*', entry.text_bytes);
    if (self.lane == 0) {
      const uint32_t patch = atomic_add(&args.header->patches, 1);
      if (patch < args.patch_capacity) {
        args.patches[patch] = {start, bytes, output, rule};
      }
    }
    return entry.text_bytes;
  }
  copy_span(self, to, args.tables.text + entry.text_offset, entry.text_bytes);
  return entry.text_bytes;
}

// Step 9: one lane's share of a mixed word: bytes of it, and a part of each replacement.
FLINKGPU_HD void write_mixed(const write_block& block, const mixed_lane& self, uint32_t word,
                             uint32_t before) {
  const redact_args& args = block.args;
  constexpr uint32_t bytes_a_lane = segment_bytes / mixed_lanes;
  const uint32_t copied = block.shared.copied[word];
  const uint32_t hidden = block.shared.hidden[word];
  const uint32_t output = before + block.shared.place[word];
  uint32_t replaced = 0;
  uint32_t replaced_before[bytes_a_lane] = {};  // of this lane's bytes
  for (uint32_t left = block.shared.chosen[word]; left != 0; left &= left - 1) {
    const uint32_t at = lowest_bit(left);
    const uint32_t start = block.begin(word) + at;
    const uint32_t candidate = args.candidates[start];
    const auto below = static_cast<uint32_t>(low_bits(at));
    replaced +=
        write_replacement(args, self, candidate_rule(candidate), start, candidate_bytes(candidate),
                          output + count_bits(copied & below) + replaced);
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < bytes_a_lane; ++i) {
      replaced_before[i] = at < i * mixed_lanes + self.lane ? replaced : replaced_before[i];
    }
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < bytes_a_lane; ++i) {
    const uint32_t at = i * mixed_lanes + self.lane;
    if ((copied >> at & 1) != 0) {
      const auto below = static_cast<uint32_t>(low_bits(at));
      args.out_data[output + count_bits(copied & below) + replaced_before[i]] =
          (hidden >> at & 1) != 0 ? '*' : args.data[block.begin(word) + at];
    }
  }
}

// The first rows that start at `first` and `second` or after them. Each round all threads look at
// one row each for either.
template <typename Each>
FLINKGPU_LIST void find_rows(Each& each, const redact_args& args, uint32_t rows, uint32_t first,
                             uint32_t second, uint32_t (&found)[2]) {
  const uint32_t position[2] = {first, second};
  found[0] = 0;
  found[1] = 0;
  uint32_t left = rows;  // rows to look at; as many for both
  while (left > 0) {
    const uint32_t step = (left + write_threads - 1) / write_threads;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < 2; ++i) {
      found[i] += step * each.count([&](uint32_t thread) {
        const uint64_t row = found[i] + (uint64_t{thread} + 1) * step - 1;
        return row < rows && offset_at(args.offsets, static_cast<uint32_t>(row)) < position[i];
      });
    }
    left = step - 1;
  }
}

// Waits for the carry of the tile before, which has started.
FLINKGPU_HD uint32_t await_carry(const redact_args& args, uint32_t tile) {
  uint32_t carry = 0;
  while (carry == 0) {
    carry = load_shared_word(&args.carries[tile - 1]);
  }
  return carry;
}

// Step 8: the text, by the words of the tile.
FLINKGPU_HD void write_words(const write_block& block, uint32_t before) {
  const mixed_lane self{block.thread % mixed_lanes};
  for (uint32_t i = block.thread / mixed_lanes; i < block.shared.mixed_count;
       i += write_threads / mixed_lanes) {
    write_mixed(block, self, block.shared.mixed[i], before);
  }
  write_runs(block, before);
}

// The kernel.
template <typename Threads>
FLINKGPU_LIST void write_tile(const Threads& threads, const redact_args& args,
                              write_shared& shared) {
  const uint32_t row_count = rows_of(args);
  const uint32_t tile = threads.take_ticket(shared.output, &args.header->tickets);
  const uint32_t start = tile * write_tile_bytes;
  const bool is_last = tile + 1 == write_tiles(args);
  const uint32_t end = is_last ? args.data_bytes : start + write_tile_bytes;
  auto numbers = threads.begin([](uint32_t thread) { return thread; });
  uint32_t rows[2];
  find_rows(numbers, args, row_count, start, end, rows);
  const tile_bound from = move_bound(args, start, rows[0]);
  const tile_bound to =
      is_last ? tile_bound{end, row_count, false} : move_bound(args, end, rows[1]);
  auto each = threads.begin(
      [&](uint32_t thread) { return write_block{args, shared, start, from, to, thread}; });
  each(
      [&](const write_block& block) {
        prepare_write(block);
        if (from.within_row && block.thread == 0) {
          shared.carry_in = await_carry(args, tile);
        }
      },
      [](const write_block& block) { load_word(block); });
  if (args.row_over[row_count] != 0) {
    each([](const write_block& block) { leave_out_rows(block); });
  }
  each.scan(
      shared.reach, [](const write_block& block) { return reach_of_word(block); },
      [](const write_block& block, uint32_t reach, uint32_t) { choose_from_word(block, reach); });
  const uint64_t bytes = each.scan_tiles(
      shared.output, args.scan_states, tile,
      [&](const write_block& block) {
        if (to.within_row && block.thread == 0) {
          atomic_set(&args.carries[tile], shared.carry_out);
        }
        return output_of_word(block);
      },
      [&](const write_block& block, uint64_t place, uint64_t total) {
        plan_word(block, place);
        if (block.thread == 0) {
          shared.place[write_threads] = static_cast<uint32_t>(total);
        }
      },
      [&](uint64_t before, uint64_t total) {
        if (is_last) {
          args.header->output_bytes = before + total;
          args.out_offsets[row_count] = static_cast<int32_t>(before + total);
        }
      });
  each.last([&](const write_block& block) {
    write_counts(block);
    if (has_room(args, shared.output.before, bytes)) {
      const auto before = static_cast<uint32_t>(shared.output.before);
      write_rows(block, before);
      write_words(block, before);
    }
  });
}

}  // namespace flinkgpu
