#pragma once

// What becomes of a match: text/MatchJudge.java on the device.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"
#include "redact/validators.cuh"

namespace flinkgpu {

// Whether the entry is not greater than the text, by unsigned bytes.
FLINKGPU_HD bool is_not_above(const uint8_t* entry, uint32_t entry_bytes, const uint8_t* text,
                              uint32_t bytes) {
  const uint32_t common = entry_bytes < bytes ? entry_bytes : bytes;
  for (uint32_t i = 0; i < common; ++i) {
    if (entry[i] != text[i]) {
      return entry[i] < text[i];
    }
  }
  return entry_bytes <= bytes;
}

// Whether the greatest of the sorted entries that is not above the text is a prefix of it, or, with
// `whole`, equal to it.
FLINKGPU_HD bool is_listed(const rule_tables& tables, uint32_t first, uint32_t count, bool whole,
                           const uint8_t* text, uint32_t bytes) {
  uint32_t low = 0;
  uint32_t high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const allow_entry entry = tables.allow[first + middle];
    if (is_not_above(tables.text + entry.text_offset, entry.text_bytes, text, bytes)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) {
    return false;
  }
  const allow_entry entry = tables.allow[first + low - 1];
  if (whole ? entry.text_bytes != bytes : entry.text_bytes > bytes) {
    return false;
  }
  for (uint32_t i = 0; i < entry.text_bytes; ++i) {
    if (tables.text[entry.text_offset + i] != text[i]) {
      return false;
    }
  }
  return true;
}

FLINKGPU_HD bool accepts(const rule_tables& tables, const rule_entry& rule, const uint8_t* text,
                         uint32_t bytes) {
  switch (rule.validator) {
    case validator_luhn:
      return accepts_luhn(text, bytes);
    case validator_iban:
      return accepts_iban(text, bytes, tables.iban_lengths);
    case validator_ipv6:
      return accepts_ipv6(text, bytes);
    case validator_us_ssn:
      return accepts_us_ssn(text, bytes);
    case validator_entropy:
      return accepts_entropy(text, bytes, rule.validator_argument, tables.entropy_terms);
    default:
      return true;
  }
}

// The verdict on a match; the validator is asked first.
FLINKGPU_HD uint32_t judge_match(const rule_tables& tables, const rule_entry& rule,
                                 const uint8_t* text, uint32_t bytes) {
  if (!accepts(tables, rule, text, bytes)) {
    return verdict_reject;
  }
  const bool kept = is_listed(tables, rule.allow_first, rule.allow_values, true, text, bytes) ||
                    is_listed(tables, rule.allow_first + rule.allow_values, rule.allow_prefixes,
                              false, text, bytes);
  return kept ? verdict_keep : verdict_redact;
}

}  // namespace flinkgpu
