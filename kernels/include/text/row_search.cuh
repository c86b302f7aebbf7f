#pragma once

// Which row holds a byte. Rows of no bytes hold none, so the last row that starts at or before a
// byte is the one.

#include "host_device.cuh"

namespace flinkgpu {

FLINKGPU_HD uint32_t offset_at(const int32_t* offsets, uint32_t row) {
  return static_cast<uint32_t>(offsets[row]);
}

// The last row in [low, high) that starts at or before `position`; row `low` does.
FLINKGPU_HD uint32_t row_at(const int32_t* offsets, uint32_t low, uint32_t high,
                            uint32_t position) {
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (offset_at(offsets, middle) <= position) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace flinkgpu
