#pragma once

// redact_find, first part: where in a tile a match may start, as a list in shared memory.
//
// A start costs two table look-ups: one for its byte, one for it and the next. Only what they do
// not rule out is listed. Rows are found from a bit a byte of the tile that says whether one starts
// there.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"
#include "redact/segment.cuh"
#include "text/row_search.cuh"

namespace flinkgpu {

inline constexpr uint32_t find_tile_bytes = find_threads * segment_bytes;
inline constexpr uint32_t summary_words = find_threads / 32;
inline constexpr uint32_t listed_starts = find_tile_bytes / 4;
inline constexpr uint32_t no_place = 0xffffffff;

// A bit a byte of the tile, and a bit a word that has one set.
struct tile_bits {
  uint32_t words[find_threads];
  uint32_t summary[summary_words];
};

// The shared memory of a block.
struct find_shared {
  uint8_t start_info[256];
  uint8_t class_of[256];
  uint8_t pairs[pair_classes * pair_classes];
  uint32_t list[listed_starts];
  tile_bits row_starts;
  tile_bits gates;
  uint32_t found[find_threads];  // a bit a start with a match
  uint32_t listed;               // starts that wanted a place in the list
  uint32_t next_start;           // of the first row that starts after the tile
};

// One thread's view of a block.
struct find_block {
  const redact_args& args;
  find_shared& shared;
  uint32_t tile_start;
  uint32_t thread;

  FLINKGPU_HD uint32_t begin() const { return tile_start + thread * segment_bytes; }
  FLINKGPU_HD uint32_t tile_end() const {
    return args.data_bytes - tile_start < find_tile_bytes ? args.data_bytes
                                                          : tile_start + find_tile_bytes;
  }
  // The start positions of the thread.
  FLINKGPU_HD uint32_t bytes() const { return bytes_in_segment(begin(), args.data_bytes); }
};

// A listed start: | end of its row : 16 | row starts here : 1 | lean : 1 | start : 14 |, both in
// bytes from the tile's start.
inline constexpr uint32_t listed_start_mask = 0x3fff;
inline constexpr uint32_t listed_lean = 0x4000;
inline constexpr uint32_t listed_row_start = 0x8000;
inline constexpr uint32_t listed_end_shift = 16;
inline constexpr uint32_t listed_far_end = 0xffff;  // after the tile
static_assert(find_tile_bytes <= listed_start_mask, "a start fits");

FLINKGPU_HD void set_bit(tile_bits& bits, uint32_t place) {
  atomic_or(&bits.words[place / 32], 1u << (place % 32));
  atomic_or(&bits.summary[place / 1024], 1u << (place / 32 % 32));
}

// The first bit that is set in a word from `word` on, or no_place.
FLINKGPU_HD uint32_t next_place(const tile_bits& bits, uint32_t word) {
  if (word >= find_threads) {
    return no_place;
  }
  uint32_t group = word / 32;
  uint32_t left = bits.summary[group] & (0xffffffff << (word % 32));
  while (left == 0) {
    if (++group == summary_words) {
      return no_place;
    }
    left = bits.summary[group];
  }
  const uint32_t at = group * 32 + lowest_bit(left);
  return at * 32 + lowest_bit(bits.words[at]);
}

// Step 1: the tables, and no bits.
FLINKGPU_HD void prepare_find(const find_block& block) {
  const rule_tables& tables = block.args.tables;
  find_shared& shared = block.shared;
  shared.start_info[block.thread] = tables.start_info[block.thread];
  shared.class_of[block.thread] = tables.class_of[block.thread];
  constexpr uint32_t share = pair_classes * pair_classes / find_threads;
  static_assert(share == sizeof(byte_pack), "a thread copies a pack");
  store_pack(shared.pairs + share * block.thread, load_pack(tables.pairs + share * block.thread));
  shared.row_starts.words[block.thread] = 0;
  shared.found[block.thread] = 0;
  if (block.thread < summary_words) {
    shared.row_starts.summary[block.thread] = 0;
    shared.gates.summary[block.thread] = 0;
  }
  if (block.thread == 0) {
    shared.listed = 0;
  }
}

// Step 2: marks where the `rows` rows start. `row` is the last one that starts at the tile's start
// or before.
FLINKGPU_HD void mark_rows(const find_block& block, uint32_t row, uint32_t rows) {
  const uint32_t end = block.tile_end();
  for (uint64_t next = uint64_t{row} + block.thread; next <= rows; next += find_threads) {
    const uint32_t start = offset_at(block.args.offsets, static_cast<uint32_t>(next));
    if (start >= end) {
      if (offset_at(block.args.offsets, static_cast<uint32_t>(next - 1)) < end) {
        block.shared.next_start = start;
      }
      return;
    }
    if (start >= block.tile_start) {
      set_bit(block.shared.row_starts, start - block.tile_start);
    }
  }
}

FLINKGPU_HD segment_text load_own(const find_block& block) {
  return load_segment(block.args.data + block.begin(), block.bytes());
}

// Step 2: marks gate bytes.
FLINKGPU_HD void mark_gates(const find_block& block, const segment_text& text) {
  const uint32_t gate = block.args.tables.gate_byte;
  uint32_t bits = 0;
  if (gate != no_gate) {
    bits = equal_bytes(text, gate) & static_cast<uint32_t>(low_bits(block.bytes()));
  }
  block.shared.gates.words[block.thread] = bits;
  if (bits != 0) {
    atomic_or(&block.shared.gates.summary[block.thread / 32], 1u << (block.thread % 32));
  }
}

// Which starts of a thread its look-ups do not rule out, for either automaton.
struct likely_starts {
  uint32_t all;
  uint32_t lean;
};

FLINKGPU_HD likely_starts look_up_starts(const find_block& block, const segment_text& text) {
  const find_shared& shared = block.shared;
  const uint32_t begin = block.begin();
  const uint32_t after = begin + segment_bytes;
  constexpr uint32_t class_mask = pair_classes - 1;
  uint32_t context =
      begin == 0 ? context_start
                 : shared.start_info[block.args.data[begin - 1]] >> start_info_context_shift;
  const uint32_t last =
      shared.start_info[after < block.args.data_bytes ? block.args.data[after] : 0];
  const uint64_t words[4] = {text.packs[0].low, text.packs[0].high, text.packs[1].low,
                             text.packs[1].high};
  likely_starts likely{0, 0};
  uint32_t info = shared.start_info[words[0] & 0xff];
  FLINKGPU_UNROLLED
  for (uint32_t four = 0; four < segment_bytes / 4; ++four) {
    uint32_t found = 0;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t next = 4 * four + i + 1;
      const uint32_t next_info = next == segment_bytes
                                     ? last
                                     : shared.start_info[words[next / 8] >> (next % 8 * 8) & 0xff];
      const uint32_t pair =
          shared.pairs[(info & class_mask) * pair_classes + (next_info & class_mask)];
      found |= (pair >> context & (1 | 1 << pairs_lean_shift)) << i;
      context = info >> start_info_context_shift;
      info = next_info;
    }
    likely.all |= (found & 0xf) << (4 * four);
    likely.lean |= (found >> pairs_lean_shift & 0xf) << (4 * four);
  }
  return likely;
}

// A thread's starts that are left to be listed, and what it knows about their rows.
struct starts_left {
  uint32_t left;
  uint32_t row_starts;
  uint32_t lean;
  uint32_t next_start;  // of the first row that starts after the segment, from the tile's start
};

// Step 3: finds starts.
FLINKGPU_HD starts_left find_starts(const find_block& block, const segment_text& text) {
  const find_shared& shared = block.shared;
  const uint32_t bytes = block.bytes();
  if (bytes == 0) {
    return {0, 0, 0, 0};
  }
  const likely_starts likely = look_up_starts(block, text);
  const uint32_t own_begin = block.thread * segment_bytes;
  const uint32_t rows = shared.row_starts.words[block.thread];
  const uint32_t gates = shared.gates.words[block.thread];
  uint32_t next_start = next_place(shared.row_starts, block.thread + 1);
  bool gated = false;  // whether a gate byte follows in the row of the segment's last byte
  if (next_start == no_place) {
    next_start = shared.next_start - block.tile_start;
    gated = shared.next_start > block.tile_end();
  }
  gated = gated || next_place(shared.gates, block.thread + 1) < next_start;
  uint32_t lean = 0;
  uint32_t from = 0;
  for (uint32_t left = rows; left != 0; left &= left - 1) {
    const uint32_t to = lowest_bit(left);
    const uint32_t row = (1u << to) - (1u << from);
    lean |= (gates & row) == 0 ? row : 0;
    from = to;
  }
  const uint32_t row = 0xffffffff << from;
  lean |= !gated && (gates & row) == 0 ? row : 0;
  const uint32_t last = next_start - own_begin - 1;
  const uint32_t ends = rows >> 1 | (last < segment_bytes ? 1u << last : 0);
  uint32_t starts = (likely.lean & lean) | (likely.all & ~lean);
  // The bytes at either end of a row were looked up with those of its neighbours. Separators end
  // walks just as the end of a row does, so the tables cover that; else both ends are listed.
  starts = block.args.separator_bytes == 0 ? starts | rows | ends : starts & ~ends;
  return {starts & static_cast<uint32_t>(low_bits(bytes)), rows, lean, next_start};
}

// Step 4: lists starts while there is room; those left wait for the next round.
FLINKGPU_HD void list_starts(const find_block& block, starts_left& starts) {
  if (starts.left == 0) {
    return;
  }
  uint32_t place = atomic_add(&block.shared.listed, count_bits(starts.left));
  for (; starts.left != 0 && place < listed_starts; starts.left &= starts.left - 1, ++place) {
    const uint32_t at = lowest_bit(starts.left);
    const uint32_t own_begin = block.thread * segment_bytes;
    const uint32_t after = starts.row_starts & (0xfffffffe << at);
    const uint32_t next_start = after != 0 ? own_begin + lowest_bit(after) : starts.next_start;
    const uint32_t row_end = next_start - block.args.separator_bytes;
    const uint32_t far = next_start >= find_tile_bytes ? listed_far_end : row_end;
    block.shared.list[place] = (own_begin + at) | (starts.lean >> at & 1) * listed_lean |
                               (starts.row_starts >> at & 1) * listed_row_start |
                               far << listed_end_shift;
  }
}

}  // namespace flinkgpu
