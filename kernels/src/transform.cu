// A pass over columns, from texts to texts in one go: see transform/instructions.cuh and
// transform/output.cuh.

#include "transform/block_sums.cuh"
#include "transform/output.cuh"
#include "transform/window_copy.cuh"

namespace flinkgpu {

// Blocks that a multiprocessor has registers for: as many as it has shared memory for where rows
// are short; more registers for less blocks are slower. Compute capability 7.5 runs eight at most.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr uint32_t transform_blocks = 8;
#else
constexpr uint32_t transform_blocks = 9;
#endif

struct block_state {
  uint64_t texts;  // the barrier of their copies
  uint64_t before;
  block_sums sums;
};

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

// Writes the offsets and the validity of a thread's rows.
template <uint32_t Items>
__device__ void write_bounds(const tile_view& tile, const output_column& output, uint32_t items,
                             const text_rows<Items>& rows, uint64_t before) {
  write_offsets(tile, output, items, rows, before);
  const bool all = rows.valid == low_bits(Items) && items == Items;
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

// The sums of a tile's rows before the thread's, and of all, which later tiles may use.
template <uint32_t Items>
__device__ uint32_t scan_rows(const output_column& output, const text_rows<Items>& rows,
                              uint32_t number, block_state& block, uint64_t& tile_bytes) {
  const uint32_t before_thread = scan_bytes(block.sums, rows.sum(), tile_bytes);
  if (threadIdx.x == 0 && number > 0) {
    publish(output.scan_states, number, tile_state::own_sum, tile_bytes);
  }
  return before_thread;
}

// Texts of any kind.
template <typename Texts>
__device__ void run_any_text(const tile_view& tile, const Texts& texts, const output_column& output,
                             uint32_t number, block_state& block) {
  const text_rows<Texts::items> rows = measure_rows(tile, texts, output);
  uint64_t tile_bytes = 0;
  const uint32_t before_thread = scan_rows(output, rows, number, block, tile_bytes);
  const bool staged = Texts::in_window && tile_bytes <= tile.args.stage_bytes;
  if (staged) {
    write_rows(tile, texts, output, rows.valid, tile.stage() + before_thread);
  }
  const uint64_t before = link_block(tile, output, number, tile_bytes, block);
  if (has_room(output, before + tile_bytes)) {
    if (staged) {
      copy_stage(tile, output.data + before, static_cast<uint32_t>(tile_bytes));
    } else {
      write_rows(tile, texts, output, rows.valid, output.data + before + before_thread);
    }
    write_bounds(tile, output, Texts::item_count(tile), rows, before + before_thread);
  }
}

// Slices of the window. Returns false, and nothing is written, if the texts are others, or if the
// stage has no room for them.
template <uint32_t Items>
__device__ bool run_slices(const tile_view& tile, const window_texts<Items>& texts,
                           const output_column& output, uint32_t number, block_state& block) {
  if (output.changes != 0) {
    return false;
  }
  text_rows<Items> rows = measure_slices(tile, texts, output);
  uint64_t tile_bytes = 0;
  const uint32_t before_thread = scan_rows(output, rows, number, block, tile_bytes);
  if (tile_bytes > tile.args.stage_bytes) {
    __syncthreads();
    return false;
  }
  const auto bytes = static_cast<uint32_t>(tile_bytes);
  const auto writer = write_slices(tile, texts, output, rows, before_thread);
  if (threadIdx.x == 0) {
    end_stage(tile, bytes);
  }
  __syncthreads();
  writer.add_rest();
  rows.set_ends(writer.to, tile.args.shared_stage + before_thread);
  const uint64_t before = link_block(tile, output, number, bytes, block);
  if (has_room(output, before + bytes)) {
    copy_stage(tile, output.data + before, bytes);
    write_bounds(tile, output, Items, rows, before + before_thread);
  }
  return true;
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

__device__ bool run_slices(const tile_view&, const device_texts&, const output_column&, uint32_t,
                           block_state&) {
  return false;
}

// The outputs from one on.
template <typename Texts>
__device__ void run_outputs(const tile_view& tile, const Texts& texts, uint32_t first,
                            uint32_t number, block_state& block) {
  for (uint32_t i = first; i < tile.args.outputs_count; ++i) {
    __syncthreads();
    const output_column& output = tile.outputs()[i];
    if (output.type != type_text) {
      run_number_output(tile, output);
    } else if (!run_slices(tile, texts, output, number, block)) {
      run_any_text(tile, texts, output, number, block);
    }
  }
}

// The same of texts of a window, of any kind. Out of line, so that what most passes consist of is
// close together and has the registers.
template <uint32_t Items>
__device__ __noinline__ void run_general(tile_view tile, uint32_t first, uint32_t number,
                                         block_state& block) {
  run_outputs(tile, window_texts<Items>(tile), first, number, block);
}

template <uint32_t Items>
__device__ void run_window(const tile_view& tile, const window_texts<Items>& texts, uint32_t number,
                           block_state& block) {
  evaluate(tile, texts);
  for (uint32_t i = 0; i < tile.args.outputs_count; ++i) {
    const output_column& output = tile.outputs()[i];
    // Numbers are written by other threads than those that know them; the stage is used again.
    if (i > 0 || output.type != type_text) {
      __syncthreads();
    }
    if (output.type != type_text) {
      run_number_output(tile, output);
    } else if (!run_slices(tile, texts, output, number, block)) {
      return run_general<Items>(tile, i, number, block);
    }
  }
}

__device__ tile_view view_tile(const transform_args& args, uint8_t* shared, uint32_t number) {
  return {args, shared, number * (blockDim.x << args.item_shift), threadIdx.x, blockDim.x};
}

// Out of line: what it needs must not cost the other tiles registers.
__device__ __noinline__ void run_from_device(const transform_args& args, uint32_t number,
                                             block_state& block) {
  extern __shared__ __align__(16) uint8_t shared[];
  const tile_view tile = view_tile(args, shared, number);
  const device_texts texts(tile);
  evaluate(tile, texts);
  run_outputs(tile, texts, 0, number, block);
}

template <uint32_t Items>
__device__ void run_block(const transform_args& args) {
  extern __shared__ __align__(16) uint8_t shared[];
  __shared__ block_state block;
  // Blocks start in the order of their numbers, or waiting for tiles before would not end. CUDA
  // does not say so, but NVIDIA's own scans rely on it too: cub::DeviceScan.
  const uint32_t number = blockIdx.x;
  const tile_view tile = view_tile(args, shared, number);
  const bool has_window = args.window_bytes != 0;
  start_texts(block.texts);
  early_bounds<Items> early{};
  if (has_window) {
    early = load_early<Items>(tile);
  }
  const uint32_t failed = args.status->failed_pass;
  block.sums.clear();
  // By the last threads: the first begin to load texts meanwhile.
  load_head(args, shared, blockDim.x - 1 - threadIdx.x, blockDim.x);
  const bool is_void = has_failed(args, failed);
  if (has_window) {
    begin_texts(tile, is_void, block.texts);
  }
  __syncthreads();
  if (is_void) {
    return;
  }
  if (has_window) {
    place_operands(tile);
    const window_texts<Items> texts(tile);
    const bool fits = load_window(tile, texts, early);
    await_texts(block.texts);
    if (fits) {
      run_window(tile, texts, number, block);
      return;
    }
  }
  run_from_device(args, number, block);
}

}  // namespace flinkgpu

using namespace flinkgpu;

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
