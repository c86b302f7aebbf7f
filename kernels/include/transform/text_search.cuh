#pragma once

// Where a text is in another one, in time that is linear in their lengths.

#include "transform/slice.cuh"

namespace flinkgpu {

// Up to here a candidate is compared as a whole: at most this many steps a byte.
inline constexpr uint32_t short_pattern_bytes = 16;

template <typename Space>
FLINKGPU_HD uint8_t byte_of(const Space& space, const typename Space::slice& text, int64_t index) {
  return space.byte_at(text.start + static_cast<uint32_t>(index));
}

// A maximal suffix of a pattern: where it starts, less 1, and its period.
struct maximal_suffix {
  int64_t before;
  int64_t period;
};

template <typename Space>
FLINKGPU_HD maximal_suffix find_maximal_suffix(const Space& space,
                                               const typename Space::slice& pattern,
                                               bool reversed) {
  maximal_suffix suffix{-1, 1};
  int64_t other = 0;
  int64_t same = 1;
  while (other + same < pattern.bytes) {
    const uint8_t a = byte_of(space, pattern, other + same);
    const uint8_t b = byte_of(space, pattern, suffix.before + same);
    if (a == b) {
      if (same == suffix.period) {
        other += suffix.period;
        same = 1;
      } else {
        ++same;
      }
    } else if (reversed ? a > b : a < b) {
      other += same;
      same = 1;
      suffix.period = other - suffix.before;
    } else {
      suffix.before = other;
      ++other;
      same = 1;
      suffix.period = 1;
    }
  }
  return suffix;
}

// Crochemore and Perrin, "Two-way string-matching" (1991): linear time, no memory.
template <typename Space>
FLINKGPU_HD uint32_t find_two_way(const Space& space, const typename Space::slice& text,
                                  uint32_t from, const typename Space::slice& pattern) {
  const maximal_suffix one = find_maximal_suffix(space, pattern, false);
  const maximal_suffix two = find_maximal_suffix(space, pattern, true);
  const maximal_suffix cut = one.before > two.before ? one : two;
  const int64_t length = pattern.bytes;
  int64_t period = cut.period;
  // Only then may a prefix that is known to match be remembered.
  const bool periodic = cut.before + 1 + period <= length &&
                        space.same(pattern.start, pattern.start + static_cast<uint32_t>(period),
                                   static_cast<uint32_t>(cut.before + 1));
  if (!periodic) {
    const int64_t after = length - cut.before - 1;
    period = (cut.before + 1 > after ? cut.before + 1 : after) + 1;
  }
  int64_t known = -1;
  for (int64_t at = from; at <= text.bytes - length;) {
    int64_t i = (cut.before > known ? cut.before : known) + 1;
    while (i < length && byte_of(space, pattern, i) == byte_of(space, text, at + i)) {
      ++i;
    }
    if (i < length) {
      at += i - cut.before;
      known = -1;
      continue;
    }
    i = cut.before;
    while (i > known && byte_of(space, pattern, i) == byte_of(space, text, at + i)) {
      --i;
    }
    if (i <= known) {
      return static_cast<uint32_t>(at);
    }
    at += period;
    known = periodic ? length - period - 1 : -1;
  }
  return length_of(text);
}

inline constexpr uint32_t not_found = 0xffffffff;

// find_text of a pattern of more than a byte. By value: what a call has the address of cannot stay
// in registers.
template <typename Space>
FLINKGPU_HD_CALL uint32_t find_bytes(Space space, typename Space::slice text, uint32_t from,
                                     typename Space::slice pattern) {
  const uint32_t length = length_of(pattern);
  if (length > length_of(text) - from) {
    return not_found;
  }
  if (length > short_pattern_bytes) {
    const uint32_t at = find_two_way(space, text, from, pattern);
    return at < length_of(text) ? at : not_found;
  }
  const uint8_t first = space.byte_at(pattern.start);
  // Where it can start.
  const typename Space::slice starts = part_of(text, 0, length_of(text) - length + 1);
  for (uint32_t at = from;; ++at) {
    at = space.find_byte(starts, at, first);
    if (at == length_of(starts)) {
      return not_found;
    }
    if (space.same(text.start + at, pattern.start, length)) {
      return at;
    }
  }
}

// Where `pattern` is next in `text`, from `from` on, or not_found. The empty pattern is everywhere.
template <typename Space>
FLINKGPU_HD uint32_t find_text(const Space& space, const typename Space::slice& text, uint32_t from,
                               const typename Space::slice& pattern) {
  if (pattern.bytes == 1) {
    const uint32_t at = space.find_byte(text, from, space.byte_at(pattern.start));
    return at == length_of(text) ? not_found : at;
  }
  return pattern.bytes == 0 ? from : find_bytes(space.base(), text, from, pattern);
}

}  // namespace flinkgpu
