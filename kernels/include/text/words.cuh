#pragma once

// Text eight bytes at a time. A text is a place in a buffer that is aligned to 4 bytes and may be
// read 12 bytes past its end.

#include "host_device.cuh"
#include "text/sip_hash.cuh"

namespace flinkgpu {

inline constexpr uint32_t word_bytes = 8;
inline constexpr uint64_t each_byte = 0x0101010101010101;
inline constexpr uint64_t high_bits = 0x8080808080808080;

// The eight bytes at a place, the first byte lowest.
FLINKGPU_HD uint64_t load_text(const uint8_t* buffer, uint32_t at) {
  const uint32_t shift = at % 4 * 8;
#ifdef __CUDA_ARCH__
  const auto* const words = reinterpret_cast<const uint32_t*>(buffer) + at / 4;
  const uint32_t middle = words[1];
  const uint32_t low = __funnelshift_r(words[0], middle, shift);
  const uint32_t high = __funnelshift_r(middle, words[2], shift);
  return (uint64_t{high} << 32) | low;
#else
  // What the device reads, so that sanitizers see it.
  uint64_t low = 0;
  uint32_t high = 0;
  std::memcpy(&low, buffer + (at & ~3U), sizeof(low));
  std::memcpy(&high, buffer + (at & ~3U) + sizeof(low), sizeof(high));
  return shift == 0 ? low : (low >> shift) | (uint64_t{high} << (64 - shift));
#endif
}

// The first bytes of a word, at most all; zero after them.
FLINKGPU_HD uint64_t first_bytes(uint64_t word, uint32_t count) {
  return count >= word_bytes ? word : word & low_bits(8 * count);
}

// The high bit of each byte that is zero, and of no other.
FLINKGPU_HD uint64_t zero_bytes(uint64_t word) {
  return ~(((word & ~high_bits) + ~high_bits) | word | ~high_bits);
}

// One bit a byte of what zero_bytes gives.
FLINKGPU_HD uint32_t byte_bits(uint64_t mask) {
  return static_cast<uint32_t>(((mask >> 7) * 0x0102040810204080) >> 56);
}

// Where the first such byte of [from, to) is, or `to`. `fold` is added to the bits of each byte
// before.
FLINKGPU_HD uint32_t find_byte(const uint8_t* buffer, uint32_t from, uint32_t to, uint32_t byte,
                               uint32_t fold = 0) {
  const uint64_t pattern = each_byte * byte;
  for (uint32_t at = from; at < to; at += word_bytes) {
    const uint64_t differs = (load_text(buffer, at) | (each_byte * fold)) ^ pattern;
    // Right up to the lowest zero byte.
    const uint64_t zeros = (differs - each_byte) & ~differs & high_bits;
    if (zeros != 0) {
      const uint32_t found = at + lowest_bit(zeros) / 8;
      return found < to ? found : to;
    }
  }
  return to;
}

// How many bytes the code point at `at` takes, or 0 if it is none: table 3-7 of the Unicode
// Standard.
FLINKGPU_HD uint32_t code_point_bytes(const uint8_t* buffer, uint32_t at, uint32_t to) {
  const uint32_t lead = buffer[at];
  if (lead < 0x80) {
    return 1;
  }
  const uint32_t bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || to - at < bytes) {
    return 0;
  }
  const uint32_t least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const uint32_t greatest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  const uint32_t second = buffer[at + 1];
  bool valid = second >= least && second <= greatest;
  for (uint32_t i = 2; i < bytes; ++i) {
    valid = valid && (buffer[at + i] & 0xc0) == 0x80;
  }
  return valid ? bytes : 0;
}

// How many of the eight bytes of a word, which are not all ASCII, are whole code points of one byte
// and two; 0 if there are others. Of two, which are most of Europe's letters, there is no need to
// look at them one by one.
FLINKGPU_HD uint32_t short_code_points(uint64_t word) {
  const uint64_t leads = zero_bytes((word & (each_byte * 0xe0)) ^ (each_byte * 0xc0));
  const uint64_t rests = zero_bytes((word & (each_byte * 0xc0)) ^ high_bits);
  const uint64_t overlong = zero_bytes((word & (each_byte * 0xfe)) ^ (each_byte * 0xc0));
  const bool others = (word & high_bits) != (leads | rests);
  if (others || overlong != 0 || (leads << 8) != rests) {
    return 0;
  }
  return leads >> 63 != 0 ? word_bytes - 1 : word_bytes;
}

FLINKGPU_HD bool is_utf8(const uint8_t* buffer, uint32_t from, uint32_t to) {
  uint32_t at = from;
  while (at < to) {
    const uint64_t word = first_bytes(load_text(buffer, at), to - at);
    uint32_t bytes = (word & high_bits) == 0 ? word_bytes : short_code_points(word);
    if (bytes == 0) {
      bytes = code_point_bytes(buffer, at, to);
    }
    if (bytes == 0) {
      return false;
    }
    at += bytes;
  }
  return true;
}

FLINKGPU_HD bool same_text(const uint8_t* a, uint32_t at_a, const uint8_t* b, uint32_t at_b,
                           uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += word_bytes) {
    if (first_bytes(load_text(a, at_a + i) ^ load_text(b, at_b + i), bytes - i) != 0) {
      return false;
    }
  }
  return true;
}

// Adds bytes and, with the last of them, their number: the same as sip_add_bytes.
FLINKGPU_HD void sip_add_text(sip_state& state, const uint8_t* buffer, uint32_t from,
                              uint32_t bytes, uint32_t rounds) {
  uint32_t at = 0;
  for (; bytes - at >= word_bytes; at += word_bytes) {
    sip_add(state, load_text(buffer, from + at), rounds);
  }
  const uint64_t rest = bytes == at ? 0 : first_bytes(load_text(buffer, from + at), bytes - at);
  sip_add(state, (uint64_t{bytes} << 56) | rest, rounds);
}

}  // namespace flinkgpu
