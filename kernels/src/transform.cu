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

// The sum of the threads before this one modulo 2^32, and the exact sum of all.
__device__ uint32_t scan_block(block_state& block, uint64_t own, uint64_t& total) {
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t warp = threadIdx.x / 32;
  auto sum = static_cast<uint32_t>(own);
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const uint32_t other = __shfl_up_sync(all_lanes, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  uint64_t warp_sum = sum;
  if (__any_sync(all_lanes, own >> 27 != 0)) {
    warp_sum = own;
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
      warp_sum += __shfl_xor_sync(all_lanes, warp_sum, distance);
    }
  }
  if (lane == 31) {
    block.warp_sums[warp] = warp_sum;
  }
  __syncthreads();
  uint32_t before = sum - static_cast<uint32_t>(own);
  total = 0;
  for (uint32_t i = 0; i < transform_warps; ++i) {
    const uint64_t other = block.warp_sums[i];
    before += i < warp ? static_cast<uint32_t>(other) : 0;
    total += other;
  }
  return before;
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

// The bits of 32 rows, of which this thread knows some, next to each other.
__device__ uint32_t gather_bits(uint32_t own, uint32_t items) {
  if (items == 1) {
    return __ballot_sync(all_lanes, own != 0);
  }
  constexpr uint32_t most = 1U << transform_item_shift;
  uint32_t bits = own << (threadIdx.x * most % bitmap_bits);
  for (uint32_t distance = 1; distance < bitmap_bits / most; distance *= 2) {
    bits |= __shfl_xor_sync(all_lanes, bits, distance);
  }
  return bits;
}

template <typename File>
__device__ void write_text(const tile_view& tile, const File& file, const output_column& output,
                           const text_rows<File::items>& rows, uint32_t before_thread,
                           uint64_t before, uint32_t tile_bytes, bool staged) {
  if (staged) {
    copy_stage(tile, output.data + before, tile_bytes);
  } else {
    write_rows(tile, file, output, rows.valid, output.data + before + before_thread);
  }
  const uint32_t items = File::item_count(tile);
  write_offsets(tile, output, items, rows, before + before_thread);
  const uint32_t valid = gather_bits(rows.valid, items);
  const uint32_t row = threadIdx.x * items;
  if (row % bitmap_bits == 0 && row < tile.rows()) {
    write_bits(tile, output, row / bitmap_bits, valid, 0);
  }
}

// Links a tile's text to that of the tiles before: the bytes before it, for all threads.
__device__ uint64_t link_block(const tile_view& tile, const output_column& output, uint32_t number,
                               uint64_t tile_bytes, block_state& block) {
  if (threadIdx.x < 32) {
    const uint64_t before = look_back_warp(output.scan_states, number);
    if (threadIdx.x == 0) {
      publish(output.scan_states, number, tile_state::prefix_sum, before + tile_bytes);
      end_tile(tile, output, before, tile_bytes);
      block.before = before;
    }
  }
  __syncthreads();
  return block.before;
}

template <typename File>
__device__ void run_text_output(const tile_view& tile, const File& file,
                                const output_column& output, uint32_t number, block_state& block) {
  text_rows<File::items> rows;
  bool slices = false;
  if constexpr (File::in_window) {
    slices = output.changes == 0;
    if (slices) {
      rows = measure_slices(tile, file, output);
    }
  }
  if (!slices) {
    rows = measure_rows(tile, file, output);
  }
  uint64_t tile_bytes = 0;
  const uint32_t before_thread = scan_block(block, rows.sum(), tile_bytes);
  if (threadIdx.x == 0 && number > 0) {
    publish(output.scan_states, number, tile_state::own_sum, tile_bytes);
  }
  const bool staged = File::in_window && tile_bytes <= tile.args.stage_bytes;
  if constexpr (File::in_window) {
    if (staged && slices) {
      const auto writer = write_slices(tile, file, output, rows, before_thread);
      if (threadIdx.x == 0) {
        end_stage(tile, static_cast<uint32_t>(tile_bytes));
      }
      __syncthreads();
      writer.add_rest();
    } else if (staged) {
      write_rows(tile, file, output, rows.valid, tile.stage() + before_thread);
    }
  }
  const uint64_t before = link_block(tile, output, number, tile_bytes, block);
  if (has_room(output, before + tile_bytes)) {
    write_text(tile, file, output, rows, before_thread, before, static_cast<uint32_t>(tile_bytes),
               staged);
  }
}

__device__ void run_number_output(const tile_view& tile, const output_column& output) {
  for (uint32_t row = threadIdx.x; row < tile.stride(); row += blockDim.x) {
    const bool exists = row < tile.rows();
    const bool valid = exists && write_number(tile, output, row);
    const bool bit = exists && output.type == type_boolean && is_true(tile, output, row);
    const uint32_t valid_bits = __ballot_sync(all_lanes, valid);
    const uint32_t true_bits = __ballot_sync(all_lanes, bit);
    if (row % bitmap_bits == 0 && exists) {
      write_bits(tile, output, row / bitmap_bits, valid_bits, true_bits);
    }
  }
}

template <typename File>
__device__ void run_tile(const tile_view& tile, const File& file, uint32_t number,
                         block_state& block) {
  evaluate(tile, file);
  for (uint32_t i = 0; i < tile.args.outputs_count; ++i) {
    __syncthreads();
    const output_column output = tile.args.outputs[i];
    if (output.type == type_text) {
      run_text_output(tile, file, output, number, block);
    } else {
      run_number_output(tile, output);
    }
  }
}

template <uint32_t Items>
__device__ void run_window(const tile_view& tile, uint32_t number, block_state& block) {
  const window_file<Items> file(tile);
  load_window(tile, file);
  await_packs();
  __syncthreads();
  run_tile(tile, file, number, block);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(transform_threads, 8)
    transform(const transform_args args) {
  extern __shared__ __align__(16) uint8_t shared[];
  __shared__ block_state block;
  if (threadIdx.x == 0) {
    block.ticket = take_tile(args);
  }
  if (threadIdx.x < transform_warps) {
    block.warp_sums[threadIdx.x] = 0;
  }
  load_head(args, shared, threadIdx.x, blockDim.x);
  __syncthreads();
  const uint32_t number = block.ticket;
  if (number == no_tile) {
    return;
  }
  const tile_view tile{args, shared, number * (blockDim.x << args.item_shift), threadIdx.x,
                       blockDim.x};
  bool in_window = args.window_bytes != 0;
  if (in_window) {
    for (uint32_t i = threadIdx.x; i < args.text_columns; i += blockDim.x) {
      note_column(tile, args.columns[i], i);
    }
    __syncthreads();
    in_window = fits_window(tile);
  }
  if (!in_window) {
    run_tile(tile, wide_file(tile), number, block);
  } else if (args.item_shift == transform_item_shift) {
    run_window<1U << transform_item_shift>(tile, number, block);
  } else {
    run_window<1>(tile, number, block);
  }
}
