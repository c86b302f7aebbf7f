#pragma once

// Code points of any bytes: those of valid UTF-8, and each byte that is not part of one. That is
// what Java's decoder accepts: no surrogates, no overlong forms, nothing above U+10FFFF.

#include "text/utf8.cuh"
#include "transform/slice.cuh"

namespace flinkgpu {

struct code_point {
  uint32_t bytes;
  int32_t value;  // -1: a byte that is not valid
};

// The code point at a place; `left` bytes from there on may be read, at least 1.
template <typename Space>
FLINKGPU_HD code_point code_point_at(const Space& space, typename Space::place at, uint32_t left) {
  const uint32_t first = space.byte_at(at);
  if (first < 0x80) {
    return {1, static_cast<int32_t>(first)};
  }
  const uint32_t bytes = first < 0xc2   ? 0
                         : first < 0xe0 ? 2
                         : first < 0xf0 ? 3
                         : first < 0xf5 ? 4
                                        : 0;
  if (bytes == 0 || bytes > left) {
    return {1, -1};
  }
  const uint32_t second = space.byte_at(at + 1);
  const uint32_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const uint32_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) {
    return {1, -1};
  }
  uint32_t value = ((first & (0xffU >> (bytes + 1))) << 6) | (second & 0x3f);
  for (uint32_t i = 2; i < bytes; ++i) {
    const uint8_t next = space.byte_at(at + i);
    if (!is_continuation(next)) {
      return {1, -1};
    }
    value = (value << 6) | (next & 0x3fU);
  }
  return {bytes, static_cast<int32_t>(value)};
}

// The place after `count` code points, from `from` on; the length if there are fewer.
template <typename Space>
FLINKGPU_HD uint32_t skip_code_points(const Space& space, const typename Space::slice& text,
                                      uint32_t from, uint64_t count) {
  const uint32_t end = length_of(text);
  for (; count > 0 && from < end; --count) {
    from += code_point_at(space, text.start + from, end - from).bytes;
  }
  return from;
}

// The place before the last `count` code points; 0 if there are fewer. A code point of several
// bytes starts with a byte that no other one contains, so looking from the end finds the same ones.
template <typename Space>
FLINKGPU_HD uint32_t skip_back(const Space& space, const typename Space::slice& text,
                               uint64_t count) {
  uint32_t end = length_of(text);
  for (; count > 0 && end > 0; --count) {
    uint32_t bytes = 1;
    while (bytes < 4 && bytes < end && is_continuation(space.byte_at(text.start + (end - bytes)))) {
      ++bytes;
    }
    const bool whole = code_point_at(space, text.start + (end - bytes), bytes).bytes == bytes;
    end -= whole ? bytes : 1;
  }
  return end;
}

template <typename Space>
FLINKGPU_HD uint32_t count_points(const Space& space, const typename Space::slice& text) {
  const uint32_t end = length_of(text);
  uint32_t count = 0;
  for (uint32_t at = 0; at < end; ++count) {
    at += code_point_at(space, text.start + at, end - at).bytes;
  }
  return count;
}

// Code points [from, from + count), counted from 1.
template <typename Space>
FLINKGPU_HD typename Space::slice substring_of(const Space& space,
                                               const typename Space::slice& text, int64_t from,
                                               int64_t count) {
  const uint32_t start =
      skip_code_points(space, text, 0, from > 1 ? static_cast<uint64_t>(from - 1) : 0);
  const uint32_t end =
      skip_code_points(space, text, start, count > 0 ? static_cast<uint64_t>(count) : 0);
  return part_of(text, start, end);
}

template <typename Space>
FLINKGPU_HD typename Space::slice trimmed(const Space& space, const typename Space::slice& text) {
  uint32_t from = 0;
  uint32_t to = length_of(text);
  while (from < to && space.byte_at(text.start + from) == ' ') {
    ++from;
  }
  while (from < to && space.byte_at(text.start + (to - 1)) == ' ') {
    --to;
  }
  return part_of(text, from, to);
}

}  // namespace flinkgpu
