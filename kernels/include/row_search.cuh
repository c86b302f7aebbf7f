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

// The same, where the row is likely near `low`: doubles the distance before it halves it.
FLINKGPU_HD uint32_t row_near(const int32_t* offsets, uint32_t low, uint32_t rows,
                              uint32_t position) {
  uint32_t distance = 1;
  while (distance < rows - low && offset_at(offsets, low + distance) <= position) {
    low += distance;
    distance *= 2;
  }
  const uint32_t high = distance < rows - low ? low + distance : rows;
  return row_at(offsets, low, high, position);
}

}  // namespace flinkgpu
