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

// Whether a word is at the start of a text. Each byte that is compared takes a step.
FLINKGPU_HD bool is_word_at(const uint8_t* word, uint32_t word_bytes, const uint8_t* text,
                            uint32_t bytes, uint32_t& steps_left) {
  if (word_bytes > bytes) {
    return false;
  }
  uint32_t same = 0;
  while (same < word_bytes && steps_left > 0 && lower_case(text[same]) == word[same]) {
    --steps_left;
    ++same;
  }
  return same == word_bytes;
}

// Without steps left a word may have been missed.
FLINKGPU_HD bool has_word(const redact_args& args, const rule_entry& rule, const searched_row& row,
                          uint32_t& steps_left) {
  const rule_tables& tables = args.tables;
  const uint32_t steps = (row.end - row.begin) / context_bytes_a_step + 1;
  steps_left = steps < steps_left ? steps_left - steps : 0;
  for (uint32_t at = row.begin; at < row.end && steps_left > 0; ++at) {
    if ((rule.word_starts >> (args.data[at] % 32) & 1) == 0) {
      continue;
    }
    for (uint32_t i = 0; i < rule.words && steps_left > 0; ++i) {
      const allow_entry word = tables.allow[rule.words_first + i];
      --steps_left;
      if (is_word_at(tables.text + word.text_offset, word.text_bytes, args.data + at, row.end - at,
                     steps_left)) {
        return true;
      }
    }
  }
  return false;
}

// The verdict on a match in a row, of which a word is asked for first. Without steps left it may be
// another one.
FLINKGPU_HD_CALL uint32_t judge_in_row(const redact_args* of, const searched_row* row, uint32_t start,
                                       uint32_t match, uint32_t* steps_left) {
  const redact_args& args = *of;
  const rule_entry& rule = args.tables.rules[candidate_rule(match)];
  if (rule.words != 0 && !has_word(args, rule, *row, *steps_left)) {
    return verdict_reject;
  }
  return judge_match(args.tables, rule, args.data + start, candidate_bytes(match));
}

}  // namespace flinkgpu
