#pragma once

// lookup_gather: reads lines of vectors from host memory, each with one access of a warp.

#include "host_device.cuh"
#include "lookup/lookup_abi.cuh"
#include "lookup/order.cuh"

namespace flinkgpu {

inline constexpr uint64_t line_pack_bits = 3;

// Whether there is a line with a byte at `at`.
FLINKGPU_HD bool reads_line(uint64_t source, uint32_t at) {
  return source != 0 &&
         at < (static_cast<uint32_t>(source & line_pack_bits) + 1) * lookup_least_stride;
}

FLINKGPU_HD const uint32_t* line_word(uint64_t source, uint32_t at) {
  return reinterpret_cast<const uint32_t*>(static_cast<uintptr_t>((source & ~line_pack_bits) + at));
}

// How many lines a warp reads at a time: all warps have as many where there are few, as each
// multiprocessor has a part of what translates addresses.
FLINKGPU_HD uint32_t lines_at_once(uint32_t lines, uint32_t warps) {
  return min_of(lookup_warp_lines, (lines + warps - 1) / warps);
}

// The share of a lane of a warp in all lines of the warp: 4 bytes of each. Several lines are on
// their way at a time.
FLINKGPU_HD void gather_lines(const lookup_args& args, uint32_t warp, uint32_t lane) {
  const uint32_t lines = args.header->lines;
  const uint32_t at = 4 * lane;
  const uint32_t some = lines_at_once(lines, args.warps);
  FLINKGPU_ROLLED
  for (uint32_t first = warp * some; first < lines; first += args.warps * some) {
    // All of their places are known before the first is read.
    lookup_host_line own[lookup_warp_lines];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_warp_lines; ++i) {
      own[i] = i < some && first + i < lines ? line_at(args, first + i) : lookup_host_line{};
    }
    uint32_t words[lookup_warp_lines];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_warp_lines; ++i) {
      words[i] = reads_line(own[i].source, at) ? *line_word(own[i].source, at) : 0;
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_warp_lines; ++i) {
      if (reads_line(own[i].source, at)) {
        *reinterpret_cast<uint32_t*>(args.lines + uint64_t{lookup_line_bytes} * own[i].line + at) =
            words[i];
      }
    }
  }
}

}  // namespace flinkgpu
