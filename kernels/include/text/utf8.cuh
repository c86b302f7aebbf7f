#pragma once

// UTF-8: which bytes are a code point, and how many there are in a match, which is well-formed.

#include "host_device.cuh"

namespace flinkgpu {

FLINKGPU_HD bool is_continuation(uint8_t byte) {
  return (byte & 0xc0) == 0x80;
}

inline constexpr uint32_t longest_sequence = 4;

// The length of the well-formed sequence (Unicode 16, table 3-7) that at least one byte starts
// with; 0 if there is none.
FLINKGPU_HD uint32_t sequence_bytes(const uint8_t* text, uint32_t bytes) {
  const uint32_t lead = text[0];
  if (lead < 0x80) {
    return 1;
  }
  const uint32_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || length > bytes) {
    return 0;
  }
  const uint32_t lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const uint32_t highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  bool continues = text[1] >= lowest && text[1] <= highest;
  for (uint32_t i = 2; i < length; ++i) {
    continues = continues && is_continuation(text[i]);
  }
  return continues ? length : 0;
}

FLINKGPU_HD uint32_t count_code_points(const uint8_t* text, uint32_t bytes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    count += is_continuation(text[i]) ? 0 : 1;
  }
  return count;
}

// What a mask makes of a match: head and tail stay, the middle is one mask character a code point.
struct mask_shape {
  uint32_t head_bytes;
  uint32_t masked;      // mask characters
  uint32_t tail_start;  // offset in the match
  uint32_t bytes;       // of the result
};

// A match of keep_first + keep_last code points or fewer is masked whole.
FLINKGPU_HD mask_shape shape_mask(const uint8_t* text, uint32_t bytes, uint32_t keep_first,
                                  uint32_t keep_last) {
  const uint32_t count = count_code_points(text, bytes);
  if (count <= keep_first + keep_last) {
    return {0, count, bytes, count};
  }
  uint32_t head = 0;
  for (uint32_t seen = 0; head < bytes; ++head) {
    if (!is_continuation(text[head]) && seen++ == keep_first) {
      break;
    }
  }
  uint32_t tail = bytes;
  for (uint32_t seen = 0; seen < keep_last && tail > head;) {
    --tail;
    seen += is_continuation(text[tail]) ? 0 : 1;
  }
  const uint32_t masked = count - keep_first - keep_last;
  return {head, masked, tail, head + masked + (bytes - tail)};
}

}  // namespace flinkgpu
