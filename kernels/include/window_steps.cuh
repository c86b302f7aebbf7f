#pragma once

// The steps that most passes consist of, where the texts are in the window: for all rows of a
// thread at once, so that they wait for shared memory together, and a word of text at a time.

#include "code_points.cuh"
#include "text_search.cuh"
#include "window.cuh"

namespace flinkgpu {

inline constexpr uint32_t short_literal_bytes = 8;

// Whether texts are equal to, start or end with a literal of at most 8 bytes, by the step's code.
template <uint32_t Items>
FLINKGPU_HD uint32_t compare_short(const window_file<Items>& file, uint32_t code,
                                   const row_words<Items>& texts, uint32_t literal) {
  const uint32_t wanted = bytes_of(literal);
  const uint32_t keep_low = first_bytes(wanted);
  const uint32_t keep_high = wanted > 4 ? first_bytes(wanted - 4) : 0;
  const uint32_t low = file.word_at(place_of(literal));
  const uint32_t high = file.word_at(place_of(literal) + 4);
  uint32_t conditions = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t text = texts.of[i];
    const uint32_t bytes = bytes_of(text);
    uint32_t condition = is_null_slot(text) ? condition_null : condition_false;
    if (code == op_equal_text ? bytes == wanted : bytes >= wanted && condition == condition_false) {
      const uint32_t at = place_of(text) + (code == op_ends_with ? bytes - wanted : 0);
      const uint32_t first = file.aligned_word_at(at & ~3U);
      const uint32_t second = file.aligned_word_at((at & ~3U) + 4);
      const uint32_t third = file.aligned_word_at((at & ~3U) + 8);
      const uint32_t difference = ((join_words(first, second, at) ^ low) & keep_low) |
                                  ((join_words(second, third, at) ^ high) & keep_high);
      condition = difference == 0 ? condition_true : condition_false;
    }
    conditions |= condition << (8 * i);
  }
  return conditions;
}

// What is before and behind the first `wanted` in texts; all of both where there is none.
template <uint32_t Items>
FLINKGPU_HD void split_at_byte(const window_file<Items>& file, uint32_t wanted,
                               const row_words<Items>& texts, row_words<Items>& before,
                               row_words<Items>& behind) {
  const uint32_t pattern = wanted * 0x01010101U;
  uint32_t at[Items];
  uint32_t end[Items];
  uint32_t marks[Items];
  bool more = false;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t start = place_of(texts.of[i]);
    end[i] = start + (is_null_slot(texts.of[i]) ? 0 : bytes_of(texts.of[i]));
    at[i] = start & ~3U;
    marks[i] = mark_zero_byte((file.aligned_word_at(at[i]) ^ pattern) | bytes_before(start));
    more |= marks[i] == 0 && at[i] + 4 < end[i];
  }
  while (more) {
    more = false;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      if (marks[i] == 0 && at[i] + 4 < end[i]) {
        at[i] += 4;
        marks[i] = mark_zero_byte(file.aligned_word_at(at[i]) ^ pattern);
        more = true;
      }
    }
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t start = place_of(texts.of[i]);
    const uint32_t found = at[i] + lowest_bit_or_end(marks[i]) / 8;
    const bool none = found >= end[i];
    before.of[i] = none ? texts.of[i] : make_slot(start, found - start);
    behind.of[i] = none ? texts.of[i] : make_slot(found + 1, end[i] - found - 1);
  }
}

// Out of line, because it is rarely needed.
FLINKGPU_HD_CALL uint32_t skip_in_window(window_space space, text_slice<uint32_t> text,
                                         uint32_t count) {
  return skip_code_points(space, text, 0, count);
}

inline constexpr uint32_t short_count = 4;

// The first `count` code points of texts, at most 4.
template <uint32_t Items>
FLINKGPU_HD row_words<Items> first_points(const window_file<Items>& file, uint32_t count,
                                          const row_words<Items>& texts) {
  row_words<Items> results;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t text = texts.of[i];
    const uint32_t start = place_of(text);
    const uint32_t bytes = bytes_of(text) < count ? bytes_of(text) : count;
    const uint32_t word = count == 1 ? file.byte_at(start) : file.word_at(start);
    results.of[i] = is_null_slot(text) ? text : make_slot(start, bytes);
    if ((word & first_bytes(bytes) & 0x80808080U) != 0 && !is_null_slot(text)) {
      const text_slice<uint32_t> all{start, static_cast<int32_t>(bytes_of(text))};
      results.of[i] = make_slot(start, skip_in_window(file.base(), all, count));
    }
  }
  return results;
}

}  // namespace flinkgpu
