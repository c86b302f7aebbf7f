#pragma once

// lookup_gather: reads lines of vectors from host memory, each with one access of a warp.

#include "host_device.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

inline constexpr uint64_t line_pack_bits = 3;

// The share of a lane of a warp in all lines of the warp: 4 bytes of each. Several lines are on
// their way at a time.
FLINKGPU_HD void gather_lines(const lookup_args& args, uint32_t warp, uint32_t lane) {
  const uint32_t lines = args.header->lines;
  const uint32_t at = 4 * lane;
  FLINKGPU_ROLLED
  for (uint32_t first = warp * lookup_warp_lines; first < lines;
       first += args.warps * lookup_warp_lines) {
    uint32_t words[lookup_warp_lines];
    bool reads[lookup_warp_lines];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_warp_lines; ++i) {
      words[i] = 0;
      reads[i] = false;
      if (first + i < lines) {
        const uint64_t source = args.line_sources[first + i];
        const auto bytes =
            static_cast<uint32_t>((source & line_pack_bits) + 1) * lookup_least_stride;
        reads[i] = at < bytes;
        if (reads[i]) {
          words[i] = *reinterpret_cast<const uint32_t*>(
              static_cast<uintptr_t>((source & ~line_pack_bits) + at));
        }
      }
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_warp_lines; ++i) {
      if (reads[i]) {
        *reinterpret_cast<uint32_t*>(args.lines + uint64_t{lookup_line_bytes} * (first + i) + at) =
            words[i];
      }
    }
  }
}

}  // namespace flinkgpu
