// A pass over columns, from texts to texts in one go: see instructions.cuh and
// transform_output.cuh.

#include "../include/transform_output.cuh"

using namespace flinkgpu;

namespace {

constexpr uint32_t transform_warps = transform_threads / 32;

// Blocks that a multiprocessor has registers for: as many as it has shared memory for where rows
// are short; more registers for less blocks are slower. Compute capability 7.5 runs eight at most.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr uint32_t transform_blocks = 8;
#else
constexpr uint32_t transform_blocks = 9;
#endif

struct block_state {
  uint64_t sums[transform_warps];
  uint64_t before;
  uint32_t warp_sums[transform_warps];
  uint32_t ticket;
};

// The same number, of which the compiler knows nothing: it would keep what it compares with it in
// registers that it lacks.
__device__ uint32_t unknown(uint32_t number) {
  asm volatile("" : "+r"(number));
  return number;
}

// The sum of the lanes up to this one.
template <typename Sum>
__device__ Sum scan_warp(Sum sum) {
  const uint32_t lane = unknown(threadIdx.x % 32);
  for (uint32_t distance = 1; distance < 32; distance *= 2) {
    const Sum other = __shfl_up_sync(all_lanes, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  return sum;
}

// The sum of the threads before this one, and of all; `sums` of absent warps are 0.
template <typename Sum>
__device__ Sum scan_block(Sum* sums, Sum own, Sum& total) {
  const uint32_t warp = unknown(threadIdx.x / 32);
  Sum sum = scan_warp(own);
  if (threadIdx.x % 32 == 31) {
    sums[warp] = sum;
  }
  __syncthreads();
  sum -= own;
  total = 0;
  for (uint32_t i = 0; i < transform_warps; ++i) {
    sum += i < warp ? sums[i] : 0;
    total += sums[i];
  }
  return sum;
}

// Sums of a whole block are less than 2^32 if those of its threads are at most this.
constexpr uint32_t small_sum = UINT32_MAX / transform_threads;

struct large_sums {
  uint64_t before;
  uint64_t total;
};

// Out of line, because it is rarely needed.
__device__ __noinline__ large_sums scan_large(uint64_t* sums, uint64_t own) {
  large_sums result;
  result.before = scan_block<uint64_t>(sums, own, result.total);
  return result;
}

// The same modulo 2^32, but for the sum of all: in half the steps where the sums are small.
__device__ uint32_t scan_bytes(block_state& block, uint64_t own, uint64_t& total) {
  const bool small = own < small_sum;
  uint32_t small_total = 0;
  const uint32_t before = scan_block<uint32_t>(
      block.warp_sums, small ? static_cast<uint32_t>(own) : small_sum, small_total);
  total = small_total;
  if (small_total < small_sum) {
    return before;
  }
  const large_sums large = scan_large(block.sums, own);
  total = large.total;
  return static_cast<uint32_t>(large.before);
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
  const bool all = rows.valid == low_bits(File::items) && items == File::items;
  const uint32_t valid = any_lane(!all) ? gather_bits(rows.valid, items) : ~0U;
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
  const uint32_t before_thread = scan_bytes(block, rows.sum(), tile_bytes);
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
      rows.set_ends(writer.to, tile.args.shared_stage + before_thread);
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
    const output_column& output = tile.outputs()[i];
    if (output.type == type_text) {
      run_text_output(tile, file, output, number, block);
    } else {
      run_number_output(tile, output);
    }
  }
}

__device__ tile_view view_tile(const transform_args& args, uint8_t* shared, uint32_t number) {
  return {args, shared, number * (blockDim.x << args.item_shift), threadIdx.x, blockDim.x};
}

// Out of line: what it needs must not cost the other tiles registers.
__device__ __noinline__ void run_wide(const transform_args& args, uint32_t number,
                                      block_state& block) {
  extern __shared__ __align__(16) uint8_t shared[];
  const tile_view tile = view_tile(args, shared, number);
  run_tile(tile, wide_file(tile), number, block);
}

template <uint32_t Items>
__device__ void run_block(const transform_args& args) {
  extern __shared__ __align__(16) uint8_t shared[];
  __shared__ block_state block;
  const uint32_t thread = threadIdx.x;
  if (thread == 0) {
    block.ticket = take_tile(args);
  }
  if (thread < transform_warps) {
    block.warp_sums[thread] = 0;
    block.sums[thread] = 0;
  }
  load_head(args, shared, thread, blockDim.x);
  __syncthreads();
  const uint32_t number = block.ticket;
  if (number == no_tile) {
    return;
  }
  const tile_view tile = view_tile(args, shared, number);
  if (args.window_bytes != 0) {
    const early_bounds<Items> early = load_early<Items>(tile);
    note_columns(tile);
    place_operands(tile);
    __syncthreads();
    const window_file<Items> file(tile);
    const bool fits = load_window(tile, file, early);
    await_packs();
    __syncthreads();
    if (fits) {
      run_tile(tile, file, number, block);
      return;
    }
  }
  run_wide(args, number, block);
}

}  // namespace

// Several rows a thread.
extern "C" __global__ void __launch_bounds__(transform_threads, transform_blocks)
    transform(const __grid_constant__ transform_args args) {
  run_block<1U << transform_item_shift>(args);
}

// A row a thread: where rows are long, or few.
extern "C" __global__ void __launch_bounds__(transform_threads, transform_blocks)
    transform_single(const __grid_constant__ transform_args args) {
  run_block<1>(args);
}
