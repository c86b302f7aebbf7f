#pragma once

// redact_write, first part: which candidates of a tile win.
//
// A tile's bounds are moved to ends of rows, unless a row ends more than write_halo_bytes behind. A
// tile that starts within such a row waits for the one before to say up to where the row's matches
// reach: a carry. Among the candidates one is free if no earlier one reaches it, whether that wins
// or not. A free candidate wins, and so the thread with a free candidate decides on all up to the
// next one.

#include "block/tile.cuh"
#include "host_device.cuh"
#include "redact/candidate.cuh"
#include "redact/redact_abi.cuh"
#include "text/row_search.cuh"
#include "text/utf8.cuh"

namespace flinkgpu {

inline constexpr uint32_t write_halo_bytes = write_threads * segment_bytes - write_tile_bytes;
static_assert(write_tile_bytes % segment_bytes == 0, "a tile is whole words");
static_assert(write_halo_bytes <= write_tile_bytes, "a bound stays before the next");

FLINKGPU_HD uint32_t write_tiles(const redact_args& args) {
  const uint32_t tiles = args.data_bytes / write_tile_bytes;
  return tiles * write_tile_bytes < args.data_bytes || tiles == 0 ? tiles + 1 : tiles;
}

// Where a tile starts.
struct tile_bound {
  uint32_t position;
  uint32_t row;     // the first that starts there or behind
  bool within_row;  // the row before goes on
};

// The bound near `nominal`; `row` is the first that starts there or behind, the number of rows if
// none does.
FLINKGPU_HD tile_bound move_bound(const redact_args& args, uint32_t nominal, uint32_t row) {
  const uint32_t start = offset_at(args.offsets, row);
  return start - nominal <= write_halo_bytes ? tile_bound{start, row, false}
                                             : tile_bound{nominal, row, true};
}

// Rules whose matches a block counts before it adds them to the batch's.
inline constexpr uint32_t counted_rules = 256;

// The shared memory of a block; the arrays have a word of the tile's an entry.
struct write_shared {
  uint32_t candidates[write_threads];  // a bit a candidate
  uint32_t chosen[write_threads];      // a bit a match that is redacted
  uint32_t copied[write_threads];      // a bit a byte that stays, or is hidden
  uint32_t hidden[write_threads];      // a bit a byte of a row that is left to the host
  uint64_t added[write_threads];       // bytes of replacements of the chosen matches
  uint32_t place[write_threads + 1];   // of the word in the tile's output
  uint32_t moves[write_threads];       // from a place in the tile's output to the source's position
  uint32_t mixed[write_threads];       // a list of words that are not one run of copied bytes
  uint32_t is_mixed[write_threads / 32];
  uint32_t rule_matches[counted_rules];
  uint32_t mixed_count;
  uint32_t hash_matches;
  uint32_t carry_in;
  uint32_t carry_out;
  block_scan<write_threads, uint32_t, greatest_of> reach;
  tile_scan<write_threads, uint64_t> output;
};

// One thread's view of a block. Its word is the thread's number.
struct write_block {
  const redact_args& args;
  write_shared& shared;
  uint32_t tile_start;  // a multiple of segment_bytes; bounds are behind it
  tile_bound from;
  tile_bound to;
  uint32_t thread;

  FLINKGPU_HD uint32_t begin(uint32_t word) const { return tile_start + word * segment_bytes; }
};

// The bits of the word of `base` and the positions behind it that lie in [from, to).
FLINKGPU_HD uint32_t bits_between(uint32_t base, uint32_t from, uint32_t to) {
  const uint64_t below_to = to > base ? low_bits(to - base) : 0;
  const uint64_t below_from = from > base ? low_bits(from - base) : 0;
  return static_cast<uint32_t>(below_to & ~below_from);
}

// A carry: up to where the last match reaches, or the tile's own bound. Never 0, which says that
// there is none yet.
FLINKGPU_HD uint32_t make_carry(uint32_t end) {
  return end + 1;
}

FLINKGPU_HD uint32_t carry_end(uint32_t carry) {
  return carry - 1;
}

// Step 1, once a block has its tile.
FLINKGPU_HD void prepare_write(const write_block& block) {
  write_shared& shared = block.shared;
  for (uint32_t rule = block.thread; rule < counted_rules; rule += write_threads) {
    shared.rule_matches[rule] = 0;
  }
  shared.chosen[block.thread] = 0;
  shared.added[block.thread] = 0;
  shared.hidden[block.thread] = 0;
  if (block.thread < write_threads / 32) {
    shared.is_mixed[block.thread] = 0;
  }
  if (block.thread == 0) {
    shared.mixed_count = 0;
    shared.hash_matches = 0;
    shared.carry_in = make_carry(block.from.position);
  }
}

// Step 2, once the carry is there: the word's candidates and bytes.
FLINKGPU_HD void load_word(const write_block& block) {
  write_shared& shared = block.shared;
  const uint32_t carried_to = carry_end(load_shared_word(&shared.carry_in));
  const uint32_t word = block.thread;
  const uint32_t own = bits_between(block.begin(word), block.from.position, block.to.position);
  const uint32_t carried = bits_between(block.begin(word), block.from.position, carried_to);
  shared.copied[word] = own & ~carried;
  shared.candidates[word] =
      own == 0 ? 0 : block.args.bitmap[block.begin(word) / segment_bytes] & own & ~carried;
  if (block.thread == 0) {
    const uint32_t least = block.to.position;
    shared.carry_out = make_carry(carried_to > least ? carried_to : least);
  }
}

// Clears the bits of [from, to) in an array of words.
FLINKGPU_HD void clear_bits(const write_block& block, uint32_t* words, uint32_t from, uint32_t to) {
  const uint32_t first = (from - block.tile_start) / segment_bytes;
  const uint32_t end = to < block.to.position ? to : block.to.position;
  for (uint32_t word = first; word < write_threads && block.begin(word) < end; ++word) {
    atomic_and(&words[word], ~bits_between(block.begin(word), from, end));
  }
}

// Sets the bits of [from, to) in an array of words.
FLINKGPU_HD void set_bits(const write_block& block, uint32_t* words, uint32_t from, uint32_t to) {
  const uint32_t first = (from - block.tile_start) / segment_bytes;
  const uint32_t end = to < block.to.position ? to : block.to.position;
  for (uint32_t word = first; word < write_threads && block.begin(word) < end; ++word) {
    atomic_or(&words[word], bits_between(block.begin(word), from, end));
  }
}

// Step 3, only if any row is left to the host: nothing of such rows is replaced, and nothing shown.
FLINKGPU_HD void leave_out_rows(const write_block& block) {
  const redact_args& args = block.args;
  const uint32_t first = block.from.row - (block.from.within_row ? 1 : 0);
  for (uint64_t next = uint64_t{first} + block.thread; next < block.to.row; next += write_threads) {
    const auto row = static_cast<uint32_t>(next);
    if (args.row_over[row] == 0) {
      continue;
    }
    const uint32_t start = offset_at(args.offsets, row);
    const uint32_t end = offset_at(args.offsets, row + 1) - args.separator_bytes;
    const uint32_t from = start < block.from.position ? block.from.position : start;
    clear_bits(block, block.shared.candidates, from, end);
    set_bits(block, block.shared.hidden, from, end);
  }
}

// Step 4: up to where the candidates of the word reach; 0 if there are none.
FLINKGPU_HD uint32_t reach_of_word(const write_block& block) {
  uint32_t reach = 0;
  for (uint32_t left = block.shared.candidates[block.thread]; left != 0; left &= left - 1) {
    const uint32_t start = block.begin(block.thread) + lowest_bit(left);
    const uint32_t end = start + candidate_bytes(block.args.candidates[start]);
    reach = end > reach ? end : reach;
  }
  return reach;
}

// The bytes that replace a match.
FLINKGPU_HD uint32_t replacement_bytes(const redact_args& args, const rule_entry& rule,
                                       uint32_t start, uint32_t bytes) {
  return rule.action == action_mask
             ? shape_mask(args.data + start, bytes, rule.keep_first, rule.keep_last).bytes
             : rule.text_bytes;
}

FLINKGPU_HD void choose(const write_block& block, uint32_t start, uint32_t candidate) {
  write_shared& shared = block.shared;
  const uint32_t bytes = candidate_bytes(candidate);
  const uint32_t end = start + bytes;
  atomic_max(&shared.carry_out, make_carry(end));
  const uint32_t word = (start - block.tile_start) / segment_bytes;
  const uint32_t rule = candidate_rule(candidate);
  const rule_entry& entry = block.args.tables.rules[rule];
  atomic_or(&shared.chosen[word], 1u << (start % segment_bytes));
  clear_bits(block, shared.copied, start, end);
  atomic_add(&shared.added[word], uint64_t{replacement_bytes(block.args, entry, start, bytes)});
  if (rule < counted_rules) {
    atomic_add(&shared.rule_matches[rule], 1);
  } else {
    atomic_add(&block.args.header->rule_matches[rule], 1);
  }
  if (entry.action == action_hash) {
    atomic_add(&shared.hash_matches, 1);
  }
}

// Step 5: decides on the candidates from the first free one of the word on, up to the first free
// one of a later word. `reach` is up to where the candidates of all words before reach.
FLINKGPU_HD void choose_from_word(const write_block& block, uint32_t reach) {
  uint32_t position = 0;  // up to where the last winner reaches
  bool free_seen = false;
  for (uint32_t word = block.thread; word < write_threads; ++word) {
    for (uint32_t left = block.shared.candidates[word]; left != 0; left &= left - 1) {
      const uint32_t start = block.begin(word) + lowest_bit(left);
      const bool is_free = start >= reach;
      if (is_free && word != block.thread) {
        return;
      }
      free_seen = free_seen || is_free;
      const uint32_t candidate = block.args.candidates[start];
      const uint32_t end = start + candidate_bytes(candidate);
      reach = end > reach ? end : reach;
      if (free_seen && start >= position) {
        choose(block, start, candidate);
        position = end;
      }
    }
    if (!free_seen || reach <= block.begin(word + 1)) {
      return;
    }
  }
}

}  // namespace flinkgpu
