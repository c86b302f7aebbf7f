// The redacted rows, a block a tile of the text: see redact/select.cuh and redact/write.cuh.

#include "block/look_back.cuh"
#include "redact/row_count.cuh"
#include "redact/write.cuh"

namespace {

using namespace flinkgpu;

inline constexpr uint32_t write_warps = write_threads / warp_lanes;
inline constexpr uint32_t whole_warp = 0xffffffff;

// What the phases of a block hand to one another besides the tile.
struct scan_shared {
  uint32_t reach[write_warps];
  uint64_t sums[write_warps];
  uint64_t before;
};

// The first rows that start at `first` and `second` or behind. Each round all threads look at one
// row each for either.
__device__ void find_rows(const redact_args& args, uint32_t rows, uint32_t first, uint32_t second,
                          uint32_t (&found)[2]) {
  uint32_t low[2] = {0, 0};
  uint32_t high = rows;  // of rows left to look at; the same for both
  while (high > 0) {
    const uint32_t step = (high + write_threads - 1) / write_threads;
    const uint32_t position[2] = {first, second};
    bool before[2];
    for (uint32_t i = 0; i < 2; ++i) {
      const uint64_t row = low[i] + (uint64_t{threadIdx.x} + 1) * step - 1;
      before[i] = row < rows && offset_at(args.offsets, static_cast<uint32_t>(row)) < position[i];
    }
    for (uint32_t i = 0; i < 2; ++i) {
      low[i] += __syncthreads_count(before[i]) * step;
    }
    high = step - 1;
  }
  found[0] = low[0];
  found[1] = low[1];
}

// The greatest of the values of all threads before.
__device__ uint32_t scan_reach(scan_shared& scan, uint32_t own) {
  uint32_t most = own;
  for (uint32_t distance = 1; distance < warp_lanes; distance *= 2) {
    const uint32_t other = __shfl_up_sync(whole_warp, most, distance);
    most = threadIdx.x % warp_lanes >= distance ? max(most, other) : most;
  }
  if (threadIdx.x % warp_lanes == warp_lanes - 1) {
    scan.reach[threadIdx.x / warp_lanes] = most;
  }
  const uint32_t before = __shfl_up_sync(whole_warp, most, 1);
  __syncthreads();
  uint32_t result = threadIdx.x % warp_lanes == 0 ? 0 : before;
  for (uint32_t warp = 0; warp < threadIdx.x / warp_lanes; ++warp) {
    result = max(result, scan.reach[warp]);
  }
  return result;
}

// The sum of the values of all threads before, and of all.
__device__ uint64_t scan_output(scan_shared& scan, uint64_t own, uint64_t& total) {
  uint64_t sum = own;
  for (uint32_t distance = 1; distance < warp_lanes; distance *= 2) {
    const uint64_t other = __shfl_up_sync(whole_warp, sum, distance);
    sum += threadIdx.x % warp_lanes >= distance ? other : 0;
  }
  if (threadIdx.x % warp_lanes == warp_lanes - 1) {
    scan.sums[threadIdx.x / warp_lanes] = sum;
  }
  __syncthreads();
  uint64_t before = 0;
  total = 0;
  for (uint32_t warp = 0; warp < write_warps; ++warp) {
    before += warp < threadIdx.x / warp_lanes ? scan.sums[warp] : 0;
    total += scan.sums[warp];
  }
  return before + sum - own;
}

// look_back by a warp, 32 tiles at a time; see block/look_back.cuh.
__device__ uint64_t look_back_wide(const uint64_t* states, uint32_t tile) {
  uint64_t sum = 0;
  for (uint32_t end = tile; end > 0; end -= min_of(end, warp_lanes)) {
    uint64_t word = make_tile_word(tile_state::prefix_sum, 0);
    if (threadIdx.x < end) {
      do {
        word = load_shared_word(&states[end - 1 - threadIdx.x]);
      } while (state_of(word) == tile_state::empty);
    }
    const uint32_t prefixes = __ballot_sync(whole_warp, state_of(word) == tile_state::prefix_sum);
    const uint32_t last = prefixes == 0 ? warp_lanes : lowest_bit(prefixes);
    uint64_t part = threadIdx.x <= last ? value_of(word) : 0;
    for (uint32_t distance = warp_lanes / 2; distance > 0; distance /= 2) {
      part += __shfl_xor_sync(whole_warp, part, distance);
    }
    sum += part;
    if (prefixes != 0) {
      break;
    }
  }
  return sum;
}

// The share of a tile's first warp in the scan of all tiles.
__device__ void link_output(const redact_args& args, scan_shared& scan, uint32_t tile,
                            uint64_t total) {
  if (tile > 0 && threadIdx.x == 0) {
    publish(args.scan_states, tile, tile_state::own_sum, total);
  }
  const uint64_t before = look_back_wide(args.scan_states, tile);
  if (threadIdx.x == 0) {
    publish(args.scan_states, tile, tile_state::prefix_sum, before + total);
    scan.before = before;
    if (tile + 1 == write_tiles(args)) {
      args.header->output_bytes = before + total;
      args.out_offsets[rows_of(args)] = static_cast<int32_t>(before + total);
    }
  }
}

// Waits for the tile before, which has started.
__device__ uint32_t await_carry(const redact_args& args, uint32_t tile) {
  uint32_t carry = 0;
  while (carry == 0) {
    carry = load_shared_word(&args.carries[tile - 1]);
  }
  return carry;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(write_threads) redact_write(const redact_args args) {
  __shared__ write_shared shared;
  __shared__ scan_shared scan;
  if (threadIdx.x == 0) {
    shared.tile = atomicAdd(&args.header->tickets, 1);
  }
  const uint32_t row_count = rows_of(args);
  __syncthreads();
  const uint32_t tile = shared.tile;
  const uint32_t start = tile * write_tile_bytes;
  const bool is_last = tile + 1 == write_tiles(args);
  const uint32_t end = is_last ? args.data_bytes : start + write_tile_bytes;
  uint32_t rows[2];
  find_rows(args, row_count, start, end, rows);
  const tile_bound from = move_bound(args, start, rows[0]);
  const tile_bound to =
      is_last ? tile_bound{end, row_count, false} : move_bound(args, end, rows[1]);
  const write_block block{args, shared, start, from, to, threadIdx.x};
  prepare_write(block);
  if (from.within_row && threadIdx.x == 0) {
    shared.carry_in = await_carry(args, tile);
  }
  __syncthreads();
  load_word(block);
  __syncthreads();
  if (args.row_over[row_count] != 0) {
    leave_out_rows(block);
    __syncthreads();
  }
  choose_from_word(block, scan_reach(scan, reach_of_word(block)));
  __syncthreads();
  if (to.within_row && threadIdx.x == 0) {
    atomicExch(&args.carries[tile], shared.carry_out);
  }
  uint64_t total = 0;
  const uint64_t place = scan_output(scan, output_of_word(block), total);
  plan_word(block, place);
  if (threadIdx.x == 0) {
    shared.place[write_threads] = static_cast<uint32_t>(total);
  }
  if (threadIdx.x < warp_lanes) {
    link_output(args, scan, tile, total);
  }
  __syncthreads();
  write_counts(block);
  if (!has_room(args, scan.before, total)) {
    return;
  }
  const auto before = static_cast<uint32_t>(scan.before);
  write_rows(block, before);
  const mixed_lane self{threadIdx.x % mixed_lanes};
  for (uint32_t i = threadIdx.x / mixed_lanes; i < shared.mixed_count;
       i += write_threads / mixed_lanes) {
    write_mixed(block, self, shared.mixed[i], before);
  }
  write_runs(block, before);
}
