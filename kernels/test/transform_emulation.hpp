#pragma once

// The transform kernel, thread by thread on the CPU. A block's shared memory is exactly as long as
// the kernel is promised, so that the address sanitizer sees the first byte too many.

#include <algorithm>
#include <numeric>
#include <vector>

#include "host_block.hpp"
#include "transform/output.cuh"

namespace flinkgpu::test {

inline constexpr uint32_t window_items = 1U << transform_item_shift;

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

  // Validity, and the bits of booleans.
  template <typename Valid>
  void write_validity(const output_column& output, const Valid& is_valid_row) {
    const tile_view tile = view(0);
    for (uint32_t word = 0; word * bitmap_bits < tile.rows(); ++word) {
      uint32_t valid = 0;
      uint32_t true_bits = 0;
      for (uint32_t bit = 0; bit < bitmap_bits && word * bitmap_bits + bit < tile.rows(); ++bit) {
        const uint32_t row = word * bitmap_bits + bit;
        valid |= (is_valid_row(row) ? 1U : 0U) << bit;
        if (output.type == type_boolean) {
          true_bits |= (is_true(tile, output, row) ? 1U : 0U) << bit;
        }
      }
      write_bits(tile, output, word, valid, true_bits);
    }
  }

  // What a thread knows between the phases of writing a text.
  template <typename Texts>
  struct text_thread {
    text_rows<Texts::items> rows;
    uint64_t before;
  };

  template <typename Texts>
  bool are_slices(const output_column& output) {
    return Texts::in_window && output.changes == 0;
  }

  template <typename Texts>
  uint64_t measure(const output_column& output, std::vector<text_thread<Texts>>& state) {
    uint64_t tile_bytes = 0;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const tile_view tile = view(thread);
      text_rows<Texts::items> rows = measure_rows(tile, Texts(tile), output);
      if constexpr (Texts::in_window) {
        if (are_slices<Texts>(output)) {
          rows = measure_slices(tile, Texts(tile), output);
        }
      }
      state.push_back({rows, tile_bytes});
      tile_bytes += rows.sum();
    }
    return tile_bytes;
  }

  template <typename Texts>
  void fill_stage(const output_column& output, std::vector<text_thread<Texts>>& state,
                  uint32_t tile_bytes) {
    if constexpr (Texts::in_window) {
      std::vector<stage_writer<Texts::items>> writers;
      for (uint32_t thread = 0; thread < threads; ++thread) {
        const tile_view tile = view(thread);
        const auto before = static_cast<uint32_t>(state[thread].before);
        const text_rows<Texts::items>& rows = state[thread].rows;
        if (are_slices<Texts>(output)) {
          writers.push_back(write_slices(tile, Texts(tile), output, rows, before));
        } else {
          write_rows(tile, Texts(tile), output, rows.valid, tile.stage() + before);
        }
      }
      if (!writers.empty()) {
        end_stage(view(0), tile_bytes);
      }
      for (const auto& writer : writers) {
        writer.add_rest();
      }
      for (size_t thread = 0; thread < writers.size(); ++thread) {
        state[thread].rows.set_ends(
            writers[thread].to, args.shared_stage + static_cast<uint32_t>(state[thread].before));
      }
    }
  }

  template <typename Texts>
  void write_text_output(const output_column& output) {
    std::vector<text_thread<Texts>> state;
    const uint64_t tile_bytes = measure<Texts>(output, state);
    const uint64_t before = link_tile(output.scan_states, number, tile_bytes);
    end_tile(view(0), output, before, tile_bytes);
    if (!has_room(output, before + tile_bytes)) {
      return;
    }
    const bool staged = Texts::in_window && tile_bytes <= args.stage_bytes;
    if (staged) {
      fill_stage(output, state, static_cast<uint32_t>(tile_bytes));
    }
    const uint32_t items = Texts::item_count(view(0));
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const tile_view tile = view(thread);
      const text_rows<Texts::items>& rows = state[thread].rows;
      const uint64_t start = before + state[thread].before;
      if (staged) {
        copy_stage(tile, output.data + before, static_cast<uint32_t>(tile_bytes));
      } else {
        write_rows(tile, Texts(tile), output, rows.valid, output.data + start);
      }
      write_offsets(tile, output, items, rows, start);
    }
    write_validity(output, [&](uint32_t row) {
      return ((state[row / items].rows.valid >> (row % items)) & 1) != 0;
    });
  }

  template <typename Texts>
  void run() {
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const tile_view tile = view(thread);
      evaluate(tile, Texts(tile));
    }
    for (uint32_t i = 0; i < args.outputs_count; ++i) {
      const output_column& output = args.outputs[i];
      if (output.type == type_text) {
        write_text_output<Texts>(output);
      } else {
        write_validity(output, [&](uint32_t row) { return write_number(view(0), output, row); });
      }
    }
  }

  // Returns whether the texts fit the window.
  template <uint32_t Items>
  bool run_window() {
    std::vector<early_bounds<Items>> early;
    for (uint32_t thread = 0; args.window_bytes != 0 && thread < threads; ++thread) {
      early.push_back(load_early<Items>(view(thread)));
      note_columns(view(thread));
      place_operands(view(thread));
    }
    bool fits = !early.empty();
    for (uint32_t thread = 0; fits && thread < threads; ++thread) {
      const tile_view tile = view(thread);
      fits = load_window(tile, window_texts<Items>(tile), early[thread]);
    }
    if (fits) {
      run<window_texts<Items>>();
    }
    return fits;
  }
};

// Runs a pass; returns how many tiles had their texts in the window.
inline uint32_t run_transform(const transform_args& args, uint32_t threads) {
  const uint32_t tile_rows = threads << args.item_shift;
  uint32_t in_window = 0;
  for (uint32_t tile = 0; tile < (args.rows + tile_rows - 1) / tile_rows; ++tile) {
    if (has_failed(args, args.status->failed_pass)) {
      return in_window;
    }
    emulated_block block(args, tile, threads);
    for (uint32_t thread = 0; thread < threads; ++thread) {
      load_head(args, block.shared.data(), thread, threads);
    }
    const bool single = args.item_shift == 0;
    const bool fits = single ? block.run_window<1>() : block.run_window<window_items>();
    in_window += fits ? 1 : 0;
    if (!fits) {
      block.run<device_texts>();
    }
  }
  return in_window;
}

}  // namespace flinkgpu::test
