#pragma once

// What is done to a text while it is written: Unicode's simple case mapping, or a replacement. A
// mapping is a table of Java's: the number of a page for each 256 code points, then pages of what a
// code point becomes, less itself.

#include "transform/code_points.cuh"
#include "transform/text_search.cuh"
#include "transform/transform_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t page_points = 256;
inline constexpr uint32_t pages_of_unicode = 0x110000 / page_points;

FLINKGPU_HD int32_t mapped(const uint8_t* table, int32_t point) {
  const auto* const pages = reinterpret_cast<const uint16_t*>(table);
  const auto* const deltas = reinterpret_cast<const int32_t*>(table + pages_of_unicode * 2);
  const auto index = static_cast<uint32_t>(point);
  return point + deltas[pages[index / page_points] * page_points + index % page_points];
}

FLINKGPU_HD uint32_t utf8_bytes(int32_t point) {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

FLINKGPU_HD void write_utf8(uint8_t* to, int32_t point, uint32_t bytes) {
  const auto value = static_cast<uint32_t>(point);
  if (bytes == 1) {
    to[0] = static_cast<uint8_t>(value);
    return;
  }
  for (uint32_t i = bytes - 1; i > 0; --i) {
    to[i] = static_cast<uint8_t>(0x80 | ((value >> (6 * (bytes - 1 - i))) & 0x3f));
  }
  to[0] = static_cast<uint8_t>((0xf00U >> bytes) | (value >> (6 * (bytes - 1))));
}

// The bytes of a mapped text.
template <typename Space>
FLINKGPU_HD uint64_t mapped_bytes(const Space& space, const typename Space::slice& text,
                                  const uint8_t* table) {
  const uint32_t end = length_of(text);
  uint64_t bytes = 0;
  for (uint32_t at = 0; at < end;) {
    const code_point point = code_point_at(space, text.start + at, end - at);
    at += point.bytes;
    bytes += point.value < 0x80 ? 1 : utf8_bytes(mapped(table, point.value));
  }
  return bytes;
}

// Writes a mapped text; returns where it ends.
template <typename Space>
FLINKGPU_HD uint8_t* write_mapped(const Space& space, const typename Space::slice& text,
                                  const uint8_t* table, uint8_t* to) {
  const uint32_t end = length_of(text);
  for (uint32_t at = 0; at < end;) {
    const code_point point = code_point_at(space, text.start + at, end - at);
    if (point.value < 0) {
      *to++ = space.byte_at(text.start + at);
    } else {
      const int32_t other = mapped(table, point.value);
      const uint32_t bytes = utf8_bytes(other);
      write_utf8(to, other, bytes);
      to += bytes;
    }
    at += point.bytes;
  }
  return to;
}

template <typename Space>
FLINKGPU_HD uint8_t* write_text(const Space& space, const typename Space::slice& text,
                                uint8_t* to) {
  for (uint32_t i = 0; i < length_of(text); ++i) {
    to[i] = space.byte_at(text.start + i);
  }
  return to + length_of(text);
}

// The bytes of a text with all of `what` replaced; `what` is not empty.
template <typename Space>
FLINKGPU_HD uint64_t replaced_bytes(const Space& space, const typename Space::slice& text,
                                    const typename Space::slice& what,
                                    const typename Space::slice& with) {
  uint64_t count = 0;
  uint32_t at = find_text(space, text, 0, what);
  while (at != not_found) {
    ++count;
    at = find_text(space, text, at + length_of(what), what);
  }
  return length_of(text) - count * length_of(what) + count * length_of(with);
}

template <typename Space>
FLINKGPU_HD uint8_t* write_replaced(const Space& space, const typename Space::slice& text,
                                    const typename Space::slice& what,
                                    const typename Space::slice& with, uint8_t* to) {
  uint32_t from = 0;
  uint32_t at = find_text(space, text, 0, what);
  while (at != not_found) {
    to = write_text(space, part_of(text, from, at), to);
    to = write_text(space, with, to);
    from = at + length_of(what);
    at = find_text(space, text, from, what);
  }
  return write_text(space, part_of(text, from, length_of(text)), to);
}

}  // namespace flinkgpu
