#pragma once

// The transform kernel, thread by thread on the CPU: what lies between two of its barriers is taken
// by the threads in another order each time. A block's shared memory is exactly as long as the
// kernel is promised, so that the address sanitizer sees the first byte too many.

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

  // What all threads do up to the next barrier.
  template <typename Phase>
  void each(const Phase& phase) {
    thread_order(threads).each([&](uint32_t thread) { phase(view(thread)); });
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
    stage_writer<Texts::items> writer;
    uint64_t before;
  };

  template <typename Texts>
  bool are_slices(const output_column& output) {
    return Texts::in_window && output.changes == 0;
  }

  // Measures the text of each thread; returns that of the tile.
  template <typename Texts>
  uint64_t measure(const output_column& output, std::vector<text_thread<Texts>>& state) {
    each([&](const tile_view& tile) {
      text_rows<Texts::items>& rows = state[tile.thread].rows;
      rows = measure_rows(tile, Texts(tile), output);
      if constexpr (Texts::in_window) {
        if (are_slices<Texts>(output)) {
          rows = measure_slices(tile, Texts(tile), output);
        }
      }
    });
    uint64_t tile_bytes = 0;
    for (text_thread<Texts>& thread : state) {
      thread.before = tile_bytes;
      tile_bytes += thread.rows.sum();
    }
    return tile_bytes;
  }

  template <typename Texts>
  void fill_stage(const output_column& output, std::vector<text_thread<Texts>>& state,
                  uint32_t tile_bytes) {
    if constexpr (Texts::in_window) {
      const bool slices = are_slices<Texts>(output);
      each([&](const tile_view& tile) {
        text_thread<Texts>& self = state[tile.thread];
        const auto before = static_cast<uint32_t>(self.before);
        if (!slices) {
          write_rows(tile, Texts(tile), output, self.rows.valid, tile.stage() + before);
          return;
        }
        self.writer = write_slices(tile, Texts(tile), output, self.rows, before);
        if (tile.thread == 0) {
          end_stage(tile, tile_bytes);
        }
      });
      if (slices) {
        each([&](const tile_view& tile) {
          text_thread<Texts>& self = state[tile.thread];
          self.writer.add_rest();
          self.rows.set_ends(self.writer.to,
                             args.shared_stage + static_cast<uint32_t>(self.before));
        });
      }
    }
  }

  template <typename Texts>
  void write_text_output(const output_column& output) {
    std::vector<text_thread<Texts>> state(threads);
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
    each([&](const tile_view& tile) {
      const text_rows<Texts::items>& rows = state[tile.thread].rows;
      const uint64_t start = before + state[tile.thread].before;
      if (staged) {
        copy_stage(tile, output.data + before, static_cast<uint32_t>(tile_bytes));
      } else {
        write_rows(tile, Texts(tile), output, rows.valid, output.data + start);
      }
      write_offsets(tile, output, items, rows, start);
    });
    write_validity(output, [&](uint32_t row) {
      return ((state[row / items].rows.valid >> (row % items)) & 1) != 0;
    });
  }

  template <typename Texts>
  void run() {
    each([&](const tile_view& tile) { evaluate(tile, Texts(tile)); });
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
    const bool has_window = args.window_bytes != 0;
    std::vector<early_bounds<Items>> early(threads);
    each([&](const tile_view& tile) {
      load_head(args, tile.shared, threads - 1 - tile.thread, threads);
      if (has_window) {
        early[tile.thread] = load_early<Items>(tile);
        note_columns(tile);
      }
    });
    if (!has_window) {
      return false;
    }
    uint32_t fitting = 0;
    each([&](const tile_view& tile) {
      place_operands(tile);
      fitting += load_window(tile, window_texts<Items>(tile), early[tile.thread]) ? 1 : 0;
    });
    CHECK(fitting == 0 || fitting == threads);
    if (fitting != 0) {
      run<window_texts<Items>>();
    }
    return fitting != 0;
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
