#pragma once

// The steps that most passes consist of, where the texts are in the window: for all rows of a
// thread at once and without branches, so that they wait for shared memory together.

#include "transform/code_points.cuh"
#include "transform/text_search.cuh"
#include "transform/window.cuh"

namespace flinkgpu {

inline constexpr uint32_t short_literal_bytes = 8;

// Whether texts are equal to a literal of at most 8 bytes.
template <uint32_t Items>
FLINKGPU_HD uint32_t equal_short(const window_texts<Items>& texts,
                                 const row_words<Items>& row_texts, uint32_t literal) {
  const uint32_t wanted = bytes_of(literal);
  const uint32_t keep_low = first_bytes(wanted);
  const uint32_t keep_high = wanted > 4 ? first_bytes(wanted - 4) : 0;
  const uint32_t low = texts.word_at(place_of(literal));
  const uint32_t high = texts.word_at(place_of(literal) + 4);
  uint32_t conditions = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t text = row_texts.of[i];
    const uint8_t* const aligned = texts.shared + (text & 0xfffc);
    const uint32_t middle = load_aligned_word(aligned + 4);
    const uint32_t first = join_words(load_aligned_word(aligned), middle, text);
    const uint32_t second = join_words(middle, load_aligned_word(aligned + 8), text);
    const uint32_t difference = ((first ^ low) & keep_low) | ((second ^ high) & keep_high);
    const bool same = ((text ^ literal) < 0x10000) & (difference == 0);
    conditions |= same ? condition_true << (8 * i) : 0;
    conditions |= is_null_slot(text) ? condition_null << (8 * i) : 0;
  }
  return conditions;
}

// Marks of mark_zero_byte() in 8 bytes as bits 14 to 7, the first byte highest, above those of
// `bits`.
FLINKGPU_HD uint32_t gather_marks(uint32_t low, uint32_t high, uint32_t bits) {
  return dot_bytes(high, 0x01020408, dot_bytes(low, 0x10204080, bits));
}

// Where a byte is in the 13 to 16 bytes of a text up to a multiple of 4; after them if nowhere.
FLINKGPU_HD uint32_t find_near(const window_space& space, uint32_t pattern, uint32_t start) {
  const uint8_t* const aligned = space.shared + (start & 0xfffc);
  const auto mark = [&](uint32_t at, uint32_t ignored) {
    return mark_zero_byte((load_aligned_word(aligned + at) ^ pattern) | ignored);
  };
  // Only the first of a word is sure, so the highest of all is what counts; one is after the
  // others.
  const uint32_t first = gather_marks(mark(0, bytes_before(start)), mark(4, 0), 0);
  const uint32_t marks = first * 256 + gather_marks(mark(8, 0), mark(12, 0), 64);
  return (start & 0xfffc) + 22 - highest_bit(marks);
}

inline constexpr uint32_t near_bytes = 16;

// What is before and after the first `wanted` in texts; all of both where there is none.
template <uint32_t Items>
FLINKGPU_HD void split_at_byte(const window_texts<Items>& texts, uint32_t wanted,
                               const row_words<Items>& row_texts, row_words<Items>& before,
                               row_words<Items>& after) {
  const uint32_t pattern = wanted * 0x01010101U;
  uint32_t found[Items];
  uint32_t end[Items];
  bool far = false;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t text = row_texts.of[i];
    const uint32_t bytes = is_null_slot(text) ? 0 : bytes_of(text);
    found[i] = find_near(texts, pattern, text);
    end[i] = place_of(text) + bytes;
    far |= (found[i] == (text & 0xfffc) + near_bytes) & (found[i] < end[i]);
  }
  if (far) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      if (found[i] == (row_texts.of[i] & 0xfffc) + near_bytes && found[i] < end[i]) {
        const text_slice<uint32_t> rest{found[i], static_cast<int32_t>(end[i] - found[i])};
        found[i] += texts.find_byte(rest, 0, static_cast<uint8_t>(wanted));
      }
    }
  }
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t text = row_texts.of[i];
    const bool none = found[i] >= end[i];
    before.of[i] = none ? text : make_slot(place_of(text), found[i] - place_of(text));
    after.of[i] = none ? text : make_slot(found[i] + 1, end[i] - found[i] - 1);
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
FLINKGPU_HD row_words<Items> first_points(const window_texts<Items>& texts, uint32_t count,
                                          const row_words<Items>& row_texts) {
  row_words<Items> results;
  uint32_t bytes = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < Items; ++i) {
    const uint32_t text = row_texts.of[i];
    // Of the same place, so that the shorter one is the lesser one.
    const uint32_t most = make_slot(place_of(text), count);
    results.of[i] = is_null_slot(text) || text < most ? text : most;
    bytes |= count == 1 ? texts.byte_at(place_of(text)) : texts.word_at(place_of(text));
  }
  // Bytes after the texts count too: seldom, and no harm.
  if ((bytes & first_bytes(count) & 0x80808080U) != 0) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      const uint32_t text = row_texts.of[i];
      if (!is_null_slot(text)) {
        const text_slice<uint32_t> all{place_of(text), static_cast<int32_t>(bytes_of(text))};
        results.of[i] = make_slot(place_of(text), skip_in_window(texts.base(), all, count));
      }
    }
  }
  return results;
}

}  // namespace flinkgpu
