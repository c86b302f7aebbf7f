#pragma once

// Slices of texts, and where the texts are. A tile's texts are either in a window of shared memory,
// padded so that words may be read beyond their ends, or spread over device memory, where a read
// must not leave the slice.

#include "host_device.cuh"

namespace flinkgpu {

// A text that is part of another; null if its length is negative.
template <typename Place>
struct text_slice {
  Place start;
  int32_t bytes;
};

template <typename Place>
FLINKGPU_HD bool is_null(const text_slice<Place>& text) {
  return text.bytes < 0;
}

template <typename Place>
FLINKGPU_HD uint32_t length_of(const text_slice<Place>& text) {
  return static_cast<uint32_t>(text.bytes);
}

// The part of a text from one place in it to another.
template <typename Place>
FLINKGPU_HD text_slice<Place> part_of(const text_slice<Place>& text, uint32_t from, uint32_t to) {
  return {text.start + from, static_cast<int32_t>(to - from)};
}

// 0x80 in each byte that is zero, 0 in the others (Mycroft's test in its exact form).
FLINKGPU_HD uint32_t zero_bytes(uint32_t word) {
  return ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word | 0x7f7f7f7f);
}

FLINKGPU_HD uint32_t load_aligned_word(const uint8_t* source) {
#ifdef __CUDA_ARCH__
  return *reinterpret_cast<const uint32_t*>(source);
#else
  uint32_t word = 0;
  std::memcpy(&word, source, sizeof(word));
  return word;
#endif
}

// 4 bytes at `shift` bytes behind the start of two words.
FLINKGPU_HD uint32_t join_words(uint32_t low, uint32_t high, uint32_t shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, shift * 8);
#else
  return static_cast<uint32_t>(((uint64_t{high} << 32) | low) >> (shift * 8));
#endif
}

// Texts in a window: aligned to 16 and followed by 8 bytes that may be read.
struct window_space {
  using place = uint32_t;
  using slice = text_slice<uint32_t>;

  const uint8_t* window;

  FLINKGPU_HD window_space base() const { return {window}; }

  FLINKGPU_HD uint8_t byte_at(place at) const { return window[at]; }

  FLINKGPU_HD uint32_t word_at(place at) const {
    const uint8_t* const aligned = window + (at & ~3U);
    return join_words(load_aligned_word(aligned), load_aligned_word(aligned + 4), at & 3);
  }

  // Where the byte is next, from `from` on; the length if nowhere.
  FLINKGPU_HD uint32_t find_byte(const slice& text, uint32_t from, uint8_t wanted) const {
    const uint32_t end = text.start + length_of(text);
    const uint32_t first = text.start + from;
    const uint32_t pattern = wanted * 0x01010101U;
    uint32_t kept = ~0U << ((first & 3) * 8);
    for (uint32_t at = first & ~3U; at < end; at += 4) {
      const uint32_t marks = zero_bytes(load_aligned_word(window + at) ^ pattern) & kept;
      if (marks != 0) {
        const uint32_t found = at + lowest_bit(marks) / 8;
        return (found < end ? found : end) - text.start;
      }
      kept = ~0U;
    }
    return length_of(text);
  }

  FLINKGPU_HD bool same(place a, place b, uint32_t bytes) const {
    for (; bytes >= 4; bytes -= 4, a += 4, b += 4) {
      if (word_at(a) != word_at(b)) {
        return false;
      }
    }
    return bytes == 0 || ((word_at(a) ^ word_at(b)) & (~0U >> (32 - 8 * bytes))) == 0;
  }
};

// Texts in device memory.
struct wide_space {
  using place = const uint8_t*;
  using slice = text_slice<const uint8_t*>;

  FLINKGPU_HD wide_space base() const { return {}; }

  FLINKGPU_HD uint8_t byte_at(place at) const { return *at; }

  FLINKGPU_HD uint32_t find_byte(const slice& text, uint32_t from, uint8_t wanted) const {
    const uint8_t* const end = text.start + length_of(text);
    const uint8_t* at = text.start + from;
    for (; at < end && reinterpret_cast<uintptr_t>(at) % 4 != 0; ++at) {
      if (*at == wanted) {
        return static_cast<uint32_t>(at - text.start);
      }
    }
    const uint32_t pattern = wanted * 0x01010101U;
    while (end - at >= 4 && zero_bytes(load_aligned_word(at) ^ pattern) == 0) {
      at += 4;
    }
    while (at < end && *at != wanted) {
      ++at;
    }
    return static_cast<uint32_t>(at - text.start);
  }

  FLINKGPU_HD bool same(place a, place b, uint32_t bytes) const {
    for (uint32_t i = 0; i < bytes; ++i) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }
};

template <typename Space>
FLINKGPU_HD bool same_text(const Space& space, const typename Space::slice& a,
                           const typename Space::slice& b) {
  return a.bytes == b.bytes && space.same(a.start, b.start, length_of(a));
}

template <typename Space>
FLINKGPU_HD bool starts_with(const Space& space, const typename Space::slice& text,
                             const typename Space::slice& what) {
  return text.bytes >= what.bytes && space.same(text.start, what.start, length_of(what));
}

template <typename Space>
FLINKGPU_HD bool ends_with(const Space& space, const typename Space::slice& text,
                           const typename Space::slice& what) {
  return text.bytes >= what.bytes &&
         space.same(text.start + (text.bytes - what.bytes), what.start, length_of(what));
}

}  // namespace flinkgpu
