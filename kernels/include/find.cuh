#pragma once

// redact_find, one thread: the candidates that start in one segment.
//
// A match depends on its start alone (the automaton is anchored) and so does the verdict on it, so
// every start of a batch is worked on independently of all others; which of the matches that
// overlap win is left to redact_select. A segment may take max_segment_steps steps. The rows of the
// starts it could not finish are left to the host, whose matcher is linear for every input.

#include "abi.cuh"
#include "candidate.cuh"
#include "host_device.cuh"
#include "judge.cuh"
#include "row_search.cuh"

namespace flinkgpu {

// The tables that every step reads, in shared memory on the device.
struct byte_tables {
  const uint8_t* byte_info;
  const uint8_t* class_of;
};

// The context at a position of a row that starts at `row_start`.
FLINKGPU_HD uint32_t context_at(const redact_args& args, const byte_tables& bytes,
                                uint32_t row_start, uint32_t position) {
  return position == row_start
             ? context_start
             : bytes.byte_info[args.data[position - 1]] >> byte_info_context_shift;
}

// Looks at `count` consecutive bytes, the first lowest in `word`. Returns a bit for each whose
// value does not rule out a match, and moves `context` behind them.
FLINKGPU_HD uint64_t likely_bytes(const byte_tables& bytes, uint64_t word, uint32_t count,
                                  uint32_t& context) {
  uint64_t likely = 0;
  for (uint32_t i = 0; i < count; ++i, word >>= 8) {
    const uint32_t info = bytes.byte_info[word & 0xff];
    likely |= static_cast<uint64_t>((info >> context) & 1) << i;
    context = info >> byte_info_context_shift;
  }
  return likely;
}

// The positions in [begin, end) where the first byte does not rule out a match, relative to begin.
// All bytes are looked at as if they were one row; then the starts and ends of rows are put right.
FLINKGPU_HD uint64_t likely_starts(const redact_args& args, const byte_tables& bytes, uint32_t row,
                                   uint32_t begin, uint32_t end) {
  uint64_t starts = 0;
  uint32_t context = context_at(args, bytes, 0, begin);
  uint32_t position = begin;
  for (; end - position >= 16; position += 16) {
    const byte_pack pack = load_pack(args.data + position);
    starts |= likely_bytes(bytes, pack.low, 8, context) << (position - begin);
    starts |= likely_bytes(bytes, pack.high, 8, context) << (position - begin + 8);
  }
  for (; position < end; ++position) {
    starts |= likely_bytes(bytes, args.data[position], 1, context) << (position - begin);
  }
  while (true) {
    const uint32_t row_start = offset_at(args.offsets, row);
    const uint32_t next_start = offset_at(args.offsets, row + 1);
    if (row_start >= begin) {
      uint32_t at_start = context_start;
      const uint64_t bit = uint64_t{1} << (row_start - begin);
      const bool likely = likely_bytes(bytes, args.data[row_start], 1, at_start) != 0;
      starts = likely ? starts | bit : starts & ~bit;
    }
    if (args.separator_bytes != 0 && next_start <= end && next_start > begin) {
      starts &= ~(uint64_t{1} << (next_start - 1 - begin));
    }
    if (next_start >= end) {
      return starts;
    }
    row = row_near(args.offsets, row + 1, args.rows, next_start);
  }
}

// Walks the automaton from each start. Returns the starts with a match, which is in
// args.candidates. One loop over steps, not a loop over starts around one: the lanes of a warp then
// wait for the lane with the most steps, not at each start for the longest walk.
FLINKGPU_HD uint64_t walk_starts(const redact_args& args, const byte_tables& bytes, uint32_t row,
                                 uint32_t begin, uint64_t starts) {
  const rule_tables& tables = args.tables;
  uint64_t found = 0;
  uint32_t steps = 0;
  uint32_t start = 0;
  uint32_t position = 0;
  uint32_t row_end = 0;
  uint32_t state = 0;
  uint32_t match = 0;
  bool walking = false;
  while (walking || starts != 0) {
    if (!walking) {
      start = begin + lowest_bit(starts);
      row = row_near(args.offsets, row, args.rows, start);
      row_end = offset_at(args.offsets, row + 1) - args.separator_bytes;
      state = tables.start_state[context_at(args, bytes, offset_at(args.offsets, row), start)];
      position = start;
      match = 0;
      walking = true;
    }
    if (steps == max_segment_steps) {
      break;
    }
    ++steps;
    const bool at_end = position >= row_end;
    const uint32_t symbol = at_end ? tables.end_class : bytes.class_of[args.data[position]];
    state = tables.next[(state << tables.stride_shift) + symbol];
    if (state != 0 && state < tables.match_limit) {
      match =
          make_candidate(position - tables.match_back_off[state] - start, tables.match_rule[state]);
    }
    ++position;
    if (state < tables.final_limit || at_end) {
      if (match != 0) {
        args.candidates[start] = match;
        found |= starts & (~starts + 1);
      }
      starts &= starts - 1;
      walking = false;
    }
  }
  // What is left was cut short by the step limit.
  for (; starts != 0; starts &= starts - 1) {
    row = row_near(args.offsets, row, args.rows, begin + lowest_bit(starts));
    args.row_over[row] = 1;
  }
  return found;
}

// Judges the candidates: drops what a validator rejects, marks what an allow list keeps.
FLINKGPU_HD uint64_t judge_candidates(const redact_args& args, uint32_t begin, uint64_t found) {
  uint64_t accepted = found;
  for (uint64_t left = found; left != 0; left &= left - 1) {
    const uint32_t start = begin + lowest_bit(left);
    const uint32_t match = args.candidates[start];
    const rule_entry& rule = args.tables.rules[candidate_rule(match)];
    if (rule.validator == validator_none && rule.allow_values + rule.allow_prefixes == 0) {
      continue;
    }
    const uint32_t verdict =
        judge_match(args.tables, rule, args.data + start, candidate_bytes(match));
    if (verdict == verdict_reject) {
      accepted &= ~(left & (~left + 1));
    } else if (verdict == verdict_keep) {
      args.candidates[start] = kept_candidate(match);
    }
  }
  return accepted;
}

// The work of one thread: writes the segment's word of the bitmap. The row of the segment's first
// byte is in [row_low, row_high).
FLINKGPU_HD void find_in_segment(const redact_args& args, const byte_tables& bytes,
                                 uint32_t segment, uint32_t row_low, uint32_t row_high) {
  const uint32_t begin = segment * segment_bytes;
  const uint32_t end =
      args.data_bytes - begin < segment_bytes ? args.data_bytes : begin + segment_bytes;
  const uint32_t row = row_at(args.offsets, row_low, row_high, begin);
  const uint64_t starts = likely_starts(args, bytes, row, begin, end);
  const uint64_t found = walk_starts(args, bytes, row, begin, starts);
  args.bitmap[segment] = judge_candidates(args, begin, found);
}

}  // namespace flinkgpu
