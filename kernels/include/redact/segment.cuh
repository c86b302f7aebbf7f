#pragma once

// The text of a segment, in the registers of the thread that owns it.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"
#include "text/words.cuh"

namespace flinkgpu {

// Zeros after the end of the data.
struct segment_text {
  byte_pack packs[2];
};

// The bytes of a segment that are in the data.
FLINKGPU_HD uint32_t bytes_in_segment(uint32_t begin, uint32_t data_bytes) {
  return begin < data_bytes ? min_of(data_bytes - begin, segment_bytes) : 0;
}

// `segment` is aligned to 16, and this many bytes of it are there.
FLINKGPU_HD segment_text load_segment(const uint8_t* segment, uint32_t bytes) {
  if (bytes == segment_bytes) {
    return {{load_pack(segment), load_pack(segment + 16)}};
  }
  uint64_t words[4] = {};
  for (uint32_t i = 0; i < bytes; ++i) {
    words[i / 8] |= static_cast<uint64_t>(segment[i]) << (i % 8 * 8);
  }
  return {{{words[0], words[1]}, {words[2], words[3]}}};
}

FLINKGPU_HD uint32_t equal_bytes(uint64_t word, uint32_t byte) {
  return byte_bits(zero_bytes(word ^ (each_byte * byte)));
}

// A bit for each byte of the segment that is this one.
FLINKGPU_HD uint32_t equal_bytes(const segment_text& text, uint32_t byte) {
  return equal_bytes(text.packs[0].low, byte) | equal_bytes(text.packs[0].high, byte) << 8 |
         equal_bytes(text.packs[1].low, byte) << 16 | equal_bytes(text.packs[1].high, byte) << 24;
}

}  // namespace flinkgpu
