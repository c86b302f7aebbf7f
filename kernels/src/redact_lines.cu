// The rows of a text of which the host knows none: see redact/line_ends.cuh.

#include "block/scan.cuh"
#include "redact/line_ends.cuh"

namespace {

using namespace flinkgpu;

inline constexpr uint32_t line_warps = line_threads / warp_lanes;

// The share of a tile's first warp in the scan of all tiles. Returns the lines of those before.
__device__ uint32_t link_lines(const redact_args& args, uint32_t tile, uint32_t lines) {
  if (tile > 0 && threadIdx.x == 0) {
    publish(args.line_states, tile, tile_state::own_sum, lines);
  }
  const uint64_t before = look_back_warp(args.line_states, tile);
  if (threadIdx.x == 0) {
    publish(args.line_states, tile, tile_state::prefix_sum, before + lines);
    if (tile + 1 == line_tiles(args)) {
      close_lines(args, static_cast<uint32_t>(before + lines));
    }
  }
  return static_cast<uint32_t>(before);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(line_threads) redact_lines(const redact_args args) {
  __shared__ uint32_t sums[line_warps];
  __shared__ uint32_t ticket;
  __shared__ uint32_t lines_before;
  if (threadIdx.x == 0) {
    ticket = atomicAdd(&args.header->line_tickets, 1);
  }
  __syncthreads();
  const uint32_t tile = ticket;
  const uint32_t begin = line_share(tile, threadIdx.x);
  const uint64_t ends = find_line_ends(args, begin);
  uint32_t lines = 0;
  const uint32_t before = scan_block<line_warps>(sums, count_bits64(ends), lines);
  if (threadIdx.x < warp_lanes) {
    const uint32_t linked = link_lines(args, tile, lines);
    if (threadIdx.x == 0) {
      lines_before = linked;
    }
  }
  __syncthreads();
  write_row_starts(args, begin, ends, lines_before + before + 1);
}
