#pragma once

// Code points of well-formed UTF-8, which every match is.

#include "host_device.cuh"

namespace flinkgpu {

FLINKGPU_HD bool is_continuation(uint8_t byte) {
  return (byte & 0xc0) == 0x80;
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
