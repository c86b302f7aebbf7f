#pragma once

// Whether a word of a rule's context is in the row: text/Words.java on the device. Most rows in
// which such a rule matches have none, and are then the device's, whatever the host is left to
// say of the others.

#include "host_device.cuh"
#include "redact/candidate.cuh"
#include "redact/judge.cuh"
#include "redact/redact_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t context_bytes_a_step = 4;

// A row, of which the bytes are data[begin, end).
struct searched_row {
  uint32_t begin;
  uint32_t end;
};

FLINKGPU_HD uint32_t lower_case(uint32_t byte) {
  return byte - 'A' < 26 ? byte + ('a' - 'A') : byte;
}

// Whether a mask of word_masks has a byte.
FLINKGPU_HD bool is_in_mask(uint32_t mask, uint32_t byte) {
  return (mask >> (byte % 32) & 1) != 0;
}

// A bit for each byte of eight, the lowest first, that a mask of word_masks has.
FLINKGPU_HD uint32_t bytes_in_mask(uint32_t mask, uint64_t eight) {
  uint32_t bits = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 8; ++i) {
    bits |= (mask >> (eight >> (8 * i) & 31) & 1) << i;
  }
  return bits;
}

// Whether one of the rule's words is at the start of a text, whose first three bytes may be those
// of one. Each byte that is compared takes a step.
FLINKGPU_HD bool is_word_at(const rule_tables& tables, const rule_entry& rule, const uint8_t* text,
                            uint32_t bytes, uint32_t& steps_left) {
  for (uint32_t i = 0; i < rule.words; ++i) {
    const allow_entry entry = tables.allow[rule.words_first + i];
    const uint8_t* const word = tables.text + entry.text_offset;
    uint32_t same = 0;
    while (same < min_of(bytes, entry.text_bytes) && steps_left > 0 &&
           lower_case(text[same]) == word[same]) {
      --steps_left;
      ++same;
    }
    if (same == entry.text_bytes) {
      return true;
    }
    steps_left -= steps_left > 0 ? 1 : 0;
  }
  return false;
}

// Whether a word is in data[begin, end). Without steps left one may have been missed. Most rows
// have none, and one thread looks at all of a row: at 16 bytes at once, with what it asks for in
// registers.
FLINKGPU_HD bool has_word(const redact_args& args, const rule_entry& rule, const searched_row& row,
                          uint32_t& steps) {
  const uint8_t* const data = args.data;
  const uint32_t first = rule.word_masks[0];
  const uint32_t second = rule.word_masks[1];
  const uint32_t third = rule.word_masks[2];
  const uint32_t needed = (row.end - row.begin) / context_bytes_a_step + 1;
  uint32_t steps_left = needed < steps ? steps - needed : 0;
  bool found = false;
  for (uint32_t at = row.begin; at < row.end && steps_left > 0 && !found;) {
    uint32_t bits = 0;
    uint32_t bytes = 1;
    if (at % 16 == 0 && row.end - at >= 16) {
      const byte_pack pack = load_pack(data + at);
      bits = bytes_in_mask(first, pack.low) | bytes_in_mask(first, pack.high) << 8;
      bytes = 16;
    } else {
      bits = is_in_mask(first, data[at]) ? 1 : 0;
    }
    for (; bits != 0 && steps_left > 0 && !found; bits &= bits - 1) {
      const uint32_t start = at + lowest_bit(bits);
      if (row.end - start >= context_word_bytes && is_in_mask(second, data[start + 1]) &&
          is_in_mask(third, data[start + 2])) {
        found = is_word_at(args.tables, rule, data + start, row.end - start, steps_left);
      }
    }
    at += bytes;
  }
  steps = steps_left;
  return found;
}

// The verdict on a match in a row, of which a word is asked for first. Without steps left it may be
// another one.
FLINKGPU_HD_CALL uint32_t judge_in_row(const redact_args* of, const searched_row* row,
                                       uint32_t start, uint32_t match, uint32_t* steps_left) {
  const redact_args& args = *of;
  const rule_entry& rule = args.tables.rules[candidate_rule(match)];
  if (rule.words != 0 && !has_word(args, rule, *row, *steps_left)) {
    return verdict_reject;
  }
  return judge_match(args.tables, rule, args.data + start, candidate_bytes(match));
}

}  // namespace flinkgpu
