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

// 0x80 in the first byte that is zero, and maybe in some after it; 0 if none is zero.
FLINKGPU_HD uint32_t mark_zero_byte(uint32_t word) {
  return (word - 0x01010101U) & ~word & 0x80808080U;
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

FLINKGPU_HD void store_word(uint8_t* to, uint32_t word) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<uint32_t*>(to) = word;
#else
  std::memcpy(to, &word, sizeof(word));
#endif
}

// 4 bytes at `place` modulo 4 bytes after the start of two words.
FLINKGPU_HD uint32_t join_words(uint32_t low, uint32_t high, uint32_t place) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, place * 8);
#else
  return static_cast<uint32_t>(((uint64_t{high} << 32) | low) >> (place % 4 * 8));
#endif
}

// A word moved up by `place` modulo 4 bytes.
FLINKGPU_HD uint32_t move_up(uint32_t word, uint32_t place) {
#ifdef __CUDA_ARCH__
  return __funnelshift_l(0, word, place * 8);
#else
  return word << (place % 4 * 8);
#endif
}

// What move_up() moves out of the word.
FLINKGPU_HD uint32_t moved_out(uint32_t word, uint32_t place) {
#ifdef __CUDA_ARCH__
  return __funnelshift_l(word, 0, place * 8);
#else
  return static_cast<uint32_t>((uint64_t{word} << (place % 4 * 8)) >> 32);
#endif
}

// The bytes of a word before `place` modulo 4.
FLINKGPU_HD uint32_t bytes_before(uint32_t place) {
  return ~move_up(~0U, place);
}

// The first `count` bytes of a word, all from 4 on.
FLINKGPU_HD uint32_t first_bytes(uint32_t count) {
  return count >= 4 ? ~0U : (1U << (count * 8)) - 1;
}

// Texts in the shared memory of a block, followed by 8 bytes that may be read; a place is an
// offset.
struct window_space {
  using place = uint32_t;
  using slice = text_slice<uint32_t>;

  uint8_t* shared;

  FLINKGPU_HD window_space base() const { return {shared}; }

  FLINKGPU_HD uint8_t byte_at(place at) const { return shared[at]; }

  FLINKGPU_HD uint32_t aligned_word_at(place at) const { return load_aligned_word(shared + at); }

  FLINKGPU_HD uint32_t word_at(place at) const {
    return join_words(aligned_word_at(at & ~3U), aligned_word_at((at & ~3U) + 4), at);
  }

  // Where the byte is next, from `from` on; the length if nowhere.
  FLINKGPU_HD uint32_t find_byte(const slice& text, uint32_t from, uint8_t wanted) const {
    const uint32_t end = text.start + length_of(text);
    const uint32_t first = text.start + from;
    const uint32_t pattern = wanted * 0x01010101U;
    uint32_t at = first & ~3U;
    uint32_t marks = mark_zero_byte((aligned_word_at(at) ^ pattern) | bytes_before(first));
    while (marks == 0 && at + 4 < end) {
      at += 4;
      marks = mark_zero_byte(aligned_word_at(at) ^ pattern);
    }
    const uint32_t found = at + lowest_bit_or_end(marks) / 8;
    return (found < end ? found : end) - text.start;
  }

  FLINKGPU_HD bool same(place a, place b, uint32_t bytes) const {
    for (; bytes >= 4; bytes -= 4, a += 4, b += 4) {
      if (word_at(a) != word_at(b)) {
        return false;
      }
    }
    return bytes == 0 || ((word_at(a) ^ word_at(b)) & first_bytes(bytes)) == 0;
  }
};

// Texts in device memory.
struct device_space {
  using place = const uint8_t*;
  using slice = text_slice<const uint8_t*>;

  FLINKGPU_HD device_space base() const { return {}; }

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
    while (end - at >= 4 && mark_zero_byte(load_aligned_word(at) ^ pattern) == 0) {
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
