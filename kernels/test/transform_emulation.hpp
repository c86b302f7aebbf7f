#pragma once

// The transform kernel, thread by thread on the CPU. A block's shared memory is exactly as long as
// the kernel is promised, so that the address sanitizer sees the first byte too many.

#include <algorithm>
#include <numeric>
#include <vector>

#include "../include/transform_output.cuh"

namespace flinkgpu::test {

struct emulated_block {
  const transform_args& args;
  uint32_t number;
  uint32_t threads;
  std::vector<uint8_t> shared;

  emulated_block(const transform_args& all, uint32_t tile_number, uint32_t thread_count)
      : args(all), number(tile_number), threads(thread_count), shared(all.shared_bytes, 0xee) {}

  tile_view view(uint32_t thread) {
    return {args, shared.data(), number * (threads << args.item_shift), thread, threads};
  }

  void write_validity(const output_column& output) {
    const tile_view tile = view(0);
    for (uint32_t word = 0; word * bitmap_bits < tile.rows(); ++word) {
      uint32_t valid = 0;
      uint32_t true_bits = 0;
      for (uint32_t bit = 0; bit < bitmap_bits && word * bitmap_bits + bit < tile.rows(); ++bit) {
        const uint32_t row = word * bitmap_bits + bit;
        const bool has_value = output.type == type_text ? tile.valid()[tile.slot_of_row(row)] != 0
                                                        : write_number(tile, output, row);
        valid |= (has_value ? 1U : 0U) << bit;
        if (output.type == type_boolean) {
          true_bits |= (is_true(tile, output, row) ? 1U : 0U) << bit;
        }
      }
      write_bits(tile, output, word, valid, true_bits);
    }
  }

  template <typename File>
  void write_text_output(const output_column& output, bool staged) {
    std::vector<uint64_t> before_thread(threads);
    uint64_t tile_bytes = 0;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const tile_view tile = view(thread);
      before_thread[thread] = tile_bytes;
      tile_bytes += measure_rows(tile, File(tile), output);
    }
    const uint64_t before = link_tile(output.scan_states, number, tile_bytes);
    end_tile(view(0), output, before, tile_bytes);
    if (!has_room(output, before + tile_bytes)) {
      return;
    }
    staged = staged && tile_bytes <= args.stage_bytes;
    uint8_t* const text = staged ? view(0).stage() : output.data + before;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const tile_view tile = view(thread);
      write_rows(tile, File(tile), output, before_thread[thread], text);
    }
    for (uint32_t thread = 0; staged && thread < threads; ++thread) {
      copy_stage(view(thread), output.data + before, static_cast<uint32_t>(tile_bytes));
    }
    for (uint32_t row = 0; row < view(0).rows(); ++row) {
      write_offset(view(0), output, before, row);
    }
    write_validity(output);
  }

  template <typename File>
  void run(bool in_window) {
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const tile_view tile = view(thread);
      evaluate(tile, File(tile));
    }
    for (uint32_t i = 0; i < args.outputs_count; ++i) {
      if (args.outputs[i].type == type_text) {
        write_text_output<File>(args.outputs[i], in_window);
      } else {
        write_validity(args.outputs[i]);
      }
    }
  }
};

// Runs a pass; returns how many tiles had their texts in the window.
inline uint32_t run_transform(const transform_args& args, uint32_t threads) {
  const uint32_t tile_rows = threads << args.item_shift;
  uint32_t in_window = 0;
  for (uint32_t tile = 0; tile < (args.rows + tile_rows - 1) / tile_rows; ++tile) {
    const uint32_t number = take_tile(args);
    if (number == no_tile) {
      return in_window;
    }
    emulated_block block(args, number, threads);
    for (uint32_t thread = 0; thread < threads; ++thread) {
      load_head(args, block.shared.data(), thread, threads);
    }
    if (!fits_window(block.view(0))) {
      block.run<wide_file>(false);
      continue;
    }
    ++in_window;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      load_window(block.view(thread));
    }
    block.run<window_file>(true);
  }
  return in_window;
}

}  // namespace flinkgpu::test
