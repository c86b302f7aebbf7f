// A pass over columns, from texts to texts in one go: see instructions.cuh and
// transform_output.cuh.

#include "../include/transform_output.cuh"

using namespace flinkgpu;

namespace {

constexpr uint32_t transform_warps = transform_threads / 32;

struct block_state {
  uint64_t warp_sums[transform_warps];
  uint64_t before;
  uint32_t ticket;
};

// The sum of the threads before this one, and of all.
__device__ uint64_t scan_block(block_state& block, uint64_t own, uint64_t& total) {
  const uint32_t lane = threadIdx.x % 32;
  uint64_t sum = own;
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const uint64_t other = __shfl_up_sync(all_lanes, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  if (lane == 31) {
    block.warp_sums[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  uint64_t before = 0;
  total = 0;
  for (uint32_t warp = 0; warp < blockDim.x / 32; ++warp) {
    before += warp < threadIdx.x / 32 ? block.warp_sums[warp] : 0;
    total += block.warp_sums[warp];
  }
  return before + sum - own;
}

// look_back() with all lanes of a warp: 32 tiles at a time.
__device__ uint64_t look_back_warp(const uint64_t* states, uint32_t tile) {
  const uint32_t lane = threadIdx.x % 32;
  uint64_t sum = 0;
  for (;; tile -= 32) {
    const bool exists = lane < tile;
    uint64_t word = make_tile_word(tile_state::prefix_sum, 0);
    do {
      word = exists ? load_shared_word(&states[tile - 1 - lane]) : word;
    } while (__any_sync(all_lanes, state_of(word) == tile_state::empty));
    const uint32_t prefixes = __ballot_sync(all_lanes, state_of(word) == tile_state::prefix_sum);
    const uint32_t nearest = prefixes == 0 ? 31 : lowest_bit(prefixes);
    uint64_t part = lane <= nearest ? value_of(word) : 0;
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
      part += __shfl_xor_sync(all_lanes, part, distance);
    }
    sum += part;
    if (prefixes != 0) {
      return sum;
    }
  }
}

__device__ void write_validity(const tile_view& tile, const output_column& output,
                               uint32_t row_in_warp, bool valid, bool bit) {
  const uint32_t valid_bits = __ballot_sync(all_lanes, valid);
  const uint32_t true_bits = __ballot_sync(all_lanes, bit);
  if (row_in_warp % 32 == 0 && row_in_warp < tile.rows()) {
    write_bits(tile, output, row_in_warp / 32, valid_bits, true_bits);
  }
}

template <typename File>
__device__ void run_text_output(const tile_view& tile, const File& file, bool staged,
                                const output_column& output, uint32_t number, block_state& block) {
  uint64_t tile_bytes = 0;
  const uint64_t own = measure_rows(tile, file, output);
  const uint64_t before_thread = scan_block(block, own, tile_bytes);
  if (threadIdx.x == 0 && number > 0) {
    publish(output.scan_states, number, tile_state::own_sum, tile_bytes);
  }
  staged = staged && tile_bytes <= tile.args.stage_bytes;
  if (staged) {
    write_rows(tile, file, output, before_thread, tile.stage());
  }
  if (threadIdx.x < 32) {
    const uint64_t before = look_back_warp(output.scan_states, number);
    if (threadIdx.x == 0) {
      publish(output.scan_states, number, tile_state::prefix_sum, before + tile_bytes);
      end_tile(tile, output, before, tile_bytes);
      block.before = before;
    }
  }
  __syncthreads();
  const uint64_t before = block.before;
  const bool room = has_room(output, before + tile_bytes);
  if (room && staged) {
    copy_stage(tile, output.data + before, static_cast<uint32_t>(tile_bytes));
  } else if (room) {
    write_rows(tile, file, output, before_thread, output.data + before);
    __syncthreads();
  }
  for (uint32_t row = threadIdx.x; room && row < tile.stride(); row += blockDim.x) {
    const bool exists = row < tile.rows();
    if (exists) {
      write_offset(tile, output, before, row);
    }
    write_validity(tile, output, row, exists && tile.valid()[tile.slot_of_row(row)] != 0, false);
  }
}

__device__ void run_number_output(const tile_view& tile, const output_column& output) {
  for (uint32_t row = threadIdx.x; row < tile.stride(); row += blockDim.x) {
    const bool exists = row < tile.rows();
    const bool valid = exists && write_number(tile, output, row);
    const bool bit = exists && output.type == type_boolean && is_true(tile, output, row);
    write_validity(tile, output, row, valid, bit);
  }
}

template <typename File>
__device__ void run_tile(const tile_view& tile, bool in_window, uint32_t number,
                         block_state& block) {
  const File file(tile);
  evaluate(tile, file);
  for (uint32_t i = 0; i < tile.args.outputs_count; ++i) {
    __syncthreads();
    const output_column output = tile.args.outputs[i];
    if (output.type == type_text) {
      run_text_output(tile, file, in_window, output, number, block);
    } else {
      run_number_output(tile, output);
    }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(transform_threads)
    transform(const transform_args args) {
  extern __shared__ __align__(16) uint8_t shared[];
  __shared__ block_state block;
  if (threadIdx.x == 0) {
    block.ticket = take_tile(args);
  }
  load_head(args, shared, threadIdx.x, blockDim.x);
  __syncthreads();
  const uint32_t number = block.ticket;
  if (number == no_tile) {
    return;
  }
  const tile_view tile{args, shared, number * (blockDim.x << args.item_shift), threadIdx.x,
                       blockDim.x};
  if (fits_window(tile)) {
    load_window(tile);
    __syncthreads();
    run_tile<window_file>(tile, true, number, block);
  } else {
    run_tile<wide_file>(tile, false, number, block);
  }
}
