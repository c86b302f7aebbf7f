#pragma once

// redact_select, one thread: which candidates of one row win, and how long the row becomes.

#include "abi.cuh"
#include "candidate.cuh"
#include "host_device.cuh"
#include "row_search.cuh"
#include "utf8.cuh"

namespace flinkgpu {

static_assert(segment_bytes == 64, "a segment is a word of the bitmap");

// The bits of word `word` that lie in [begin, end).
FLINKGPU_HD uint64_t bits_between(uint32_t word, uint32_t begin, uint32_t end) {
  const uint32_t base = word * segment_bytes;
  const uint64_t below_end = end > base ? low_bits(end - base) : 0;
  const uint64_t below_begin = begin > base ? low_bits(begin - base) : 0;
  return below_end & ~below_begin;
}

// The bytes that replace a match.
FLINKGPU_HD uint32_t replacement_bytes(const redact_args& args, const rule_entry& rule,
                                       uint32_t start, uint32_t bytes) {
  return rule.action == action_mask
             ? shape_mask(args.data + start, bytes, rule.keep_first, rule.keep_last).bytes
             : rule.text_bytes;
}

// A row over the step budget: an empty row for now, and a note for the host.
FLINKGPU_HD void leave_to_host(const redact_args& args, uint32_t row) {
  args.row_sizes[row] = args.separator_bytes;
  args.changed[row] = 0;
  args.over_rows[atomic_add(&args.header->over_rows, 1)] = row;
}

// The work of one thread. In the bitmap, the row's bits that stay are the matches to redact.
// `rule_matches` has a counter a rule, shared by a block on the device.
FLINKGPU_HD void select_in_row(const redact_args& args, uint32_t row, uint32_t* rule_matches) {
  if (args.row_over[row] != 0) {
    leave_to_host(args, row);
    return;
  }
  const uint32_t begin = offset_at(args.offsets, row);
  const uint32_t next_start = offset_at(args.offsets, row + 1);
  const uint32_t end = next_start - args.separator_bytes;
  uint64_t size = next_start - begin;
  uint32_t position = begin;  // behind the last match
  uint32_t hashes = 0;
  bool changed = false;
  for (uint32_t word = begin / segment_bytes; word * uint64_t{segment_bytes} < end; ++word) {
    uint64_t left = load_shared_word(&args.bitmap[word]) & bits_between(word, begin, end);
    uint64_t dropped = 0;
    for (; left != 0; left &= left - 1) {
      const uint32_t start = word * segment_bytes + lowest_bit(left);
      const uint32_t candidate = start < position ? 0 : args.candidates[start];
      if (start < position || candidate_is_kept(candidate)) {
        dropped |= left & (~left + 1);
      }
      if (start < position) {
        continue;
      }
      const uint32_t bytes = candidate_bytes(candidate);
      position = start + bytes;
      if (candidate_is_kept(candidate)) {
        continue;
      }
      const uint32_t rule = candidate_rule(candidate);
      const rule_entry& entry = args.tables.rules[rule];
      size = size - bytes + replacement_bytes(args, entry, start, bytes);
      hashes += entry.action == action_hash ? 1 : 0;
      changed = true;
      atomic_add(&rule_matches[rule], 1);
    }
    if (dropped != 0) {
      atomic_and(&args.bitmap[word], ~dropped);
    }
  }
  if (hashes != 0) {
    atomic_add(&args.header->hash_matches, hashes);
  }
  args.changed[row] = changed ? 1 : 0;
  // A row longer than that makes the sum too large for a batch just as well.
  args.row_sizes[row] = size > 0xffffffff ? 0xffffffff : static_cast<uint32_t>(size);
}

}  // namespace flinkgpu
