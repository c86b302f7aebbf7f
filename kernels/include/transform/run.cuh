#pragma once

// A pass over columns, from texts to texts in one go: the list of phases of the transform kernel.

#include "block/tile.cuh"
#include "transform/block_sums.cuh"
#include "transform/output.cuh"
#include "transform/window_copy.cuh"

namespace flinkgpu {

// Besides args.shared_bytes.
struct transform_shared {
  uint64_t texts;   // the barrier of their copies
  uint64_t before;  // bytes of all tiles before
  block_sums sums;
};

// A block's tile.
struct tile_block {
  const transform_args& args;
  uint8_t* bytes;  // dynamic shared memory
  transform_shared& shared;
  uint32_t number;
  uint32_t threads;

  FLINKGPU_HD tile_view view(uint32_t thread) const {
    return {args, dynamic_shared(bytes), number * (threads << args.item_shift), thread, threads};
  }

  FLINKGPU_HD const output_column& output(uint32_t i) const { return view(0).outputs()[i]; }
};

// What a thread knows from phase to phase.
template <typename Texts>
struct tile_thread {
  tile_block block;
  uint32_t thread;
  early_bounds<Texts::items> early;
  text_rows<Texts::items> rows;
  stage_writer<Texts::items> writer;
  uint32_t before;  // the tile's bytes before the thread's
  bool is_void = false;
  bool fits = false;

  // All else is set by the phases.
  FLINKGPU_HD tile_thread(const tile_block& of, uint32_t number) : block(of), thread(number) {}

  // Made in each phase: what they consist of is cheaper to compute again than to keep.
  FLINKGPU_HD tile_view tile() const { return block.view(thread); }
  FLINKGPU_HD Texts texts() const { return Texts(tile()); }
};

template <typename Texts, typename Threads>
FLINKGPU_LIST auto begin_tile(const Threads& threads, const tile_block& block) {
  return threads.begin([&](uint32_t thread) { return tile_thread<Texts>(block, thread); });
}

template <typename Each>
FLINKGPU_LIST void evaluate_all(Each& each) {
  each.open([](auto& self) { evaluate(self.tile(), self.texts()); });
}

// Links a tile's text to that of the tiles before. Returns whether there is room for it.
template <typename Each>
FLINKGPU_LIST bool link_text(Each& each, const tile_block& block, const output_column& output,
                             uint64_t tile_bytes) {
  each.look_back(
      block.shared, output.scan_states, block.number, tile_bytes,
      [&](uint64_t before, uint64_t bytes) { end_tile(block.view(0), output, before, bytes); });
  return has_room(output, block.shared.before + tile_bytes);
}

// Writes the validity of all rows of a text output.
template <typename Each>
FLINKGPU_LIST void write_validity(Each& each, const output_column& output, uint32_t items) {
  each.gather(
      items, [](auto& self) { return self.rows.valid; },
      [&](auto& self, uint32_t valid) {
        const uint32_t row = self.thread * items;
        if (row % bitmap_bits == 0 && row < self.tile().rows()) {
          write_valid_bits(self.tile(), output, row / bitmap_bits, valid);
        }
      });
}

// Measures all rows. Returns the tile's bytes, which later tiles may use from then on.
template <typename Each, typename Measure>
FLINKGPU_LIST uint64_t sum_rows(Each& each, const tile_block& block, const output_column& output,
                                const Measure& measure) {
  return each.scan_open(
      block.shared.sums,
      [&](auto& self) {
        self.rows = measure(self);
        return self.rows.sum();
      },
      [&](auto& self, uint64_t before, uint64_t total) {
        self.before = static_cast<uint32_t>(before);
        if (self.thread == 0 && block.number > 0) {
          publish(output.scan_states, block.number, tile_state::own_sum, total);
        }
      });
}

// Texts of any kind.
template <typename Texts, typename Each>
FLINKGPU_LIST void run_any_text(Each& each, const tile_block& block, const output_column& output) {
  const uint64_t bytes = sum_rows(each, block, output, [&](auto& self) {
    return measure_rows(self.tile(), self.texts(), output);
  });
  const bool staged = Texts::in_window && bytes <= block.args.stage_bytes;
  if (staged) {
    each.open([&](auto& self) {
      write_rows(self.tile(), self.texts(), output, self.rows.valid,
                 self.tile().stage() + self.before);
    });
  }
  if (link_text(each, block, output, bytes)) {
    const uint64_t before = block.shared.before;
    const uint32_t items = Texts::item_count(block.view(0));
    each.open([=, &output](auto& self) {
      if (staged) {
        copy_stage(self.tile(), output.data + before, static_cast<uint32_t>(bytes));
      } else {
        write_rows(self.tile(), self.texts(), output, self.rows.valid,
                   output.data + before + self.before);
      }
      write_offsets(self.tile(), output, items, self.rows, before + self.before);
    });
    write_validity(each, output, items);
  }
}

// Slices of the window. Returns false, and nothing is written, if the stage has no room for them: a
// barrier must follow then.
template <uint32_t Items, typename Each>
FLINKGPU_LIST bool run_slices(Each& each, const tile_block& block, const output_column& output) {
  const uint64_t tile_bytes = sum_rows(each, block, output, [&](auto& self) {
    return measure_slices(self.tile(), self.texts(), output);
  });
  if (tile_bytes > block.args.stage_bytes) {
    return false;
  }
  const auto bytes = static_cast<uint32_t>(tile_bytes);
  each([&](auto& self) {
    self.writer = write_slices(self.tile(), self.texts(), output, self.rows, self.before);
    if (self.thread == 0) {
      end_stage(self.tile(), bytes);
    }
  });
  each.open([](auto& self) {
    self.writer.add_rest();
    self.rows.set_ends(self.writer.to, self.tile().args.shared_stage + self.before);
  });
  if (link_text(each, block, output, bytes)) {
    const uint64_t before = block.shared.before;
    each.open([=, &output](auto& self) {
      copy_stage(self.tile(), output.data + before, bytes);
      write_offsets(self.tile(), output, Items, self.rows, before + self.before);
    });
    write_validity(each, output, Items);
  }
  return true;
}

// Numbers and booleans, each by another thread than the one that computed it.
template <typename Each>
FLINKGPU_LIST void run_numbers(Each& each, const tile_block& block, const output_column& output) {
  const uint32_t stride = block.threads << block.args.item_shift;
  for (uint32_t from = 0; from < stride; from += block.threads) {
    each.gather(
        1,
        [&](auto& self) -> uint32_t {
          const uint32_t row = from + self.thread;
          return row < self.tile().rows() && write_number(self.tile(), output, row) ? 1 : 0;
        },
        [&](auto& self, uint32_t valid) {
          const uint32_t row = from + self.thread;
          if (row % bitmap_bits == 0 && row < self.tile().rows()) {
            write_valid_bits(self.tile(), output, row / bitmap_bits, valid);
          }
        });
    if (output.type == type_boolean) {
      each.gather(
          1,
          [&](auto& self) -> uint32_t {
            const uint32_t row = from + self.thread;
            return row < self.tile().rows() && is_true(self.tile(), output, row) ? 1 : 0;
          },
          [&](auto& self, uint32_t true_bits) {
            const uint32_t row = from + self.thread;
            if (row % bitmap_bits == 0 && row < self.tile().rows()) {
              write_true_bits(self.tile(), output, row / bitmap_bits, true_bits);
            }
          });
    }
  }
}

// The outputs from one on, texts of any kind; a barrier comes first.
template <typename Texts, typename Each>
FLINKGPU_LIST void run_outputs(Each& each, const tile_block& block, uint32_t first) {
  for (uint32_t i = first; i < block.args.outputs_count; ++i) {
    each.wait();
    const output_column& output = block.output(i);
    if (output.type != type_text) {
      run_numbers(each, block, output);
      continue;
    }
    if constexpr (Texts::in_window) {
      if (output.changes == 0) {
        if (run_slices<Texts::items>(each, block, output)) {
          continue;
        }
        each.wait();
      }
    }
    run_any_text<Texts>(each, block, output);
  }
}

// The same of texts of a window. Out of line, so that what most passes consist of is close together
// and has the registers.
template <uint32_t Items, typename Threads>
FLINKGPU_LIST_CALL void run_general(Threads threads, tile_block block, uint32_t first) {
  auto each = begin_tile<window_texts<Items>>(threads, block);
  run_outputs<window_texts<Items>>(each, block, first);
}

template <uint32_t Items, typename Threads, typename Each>
FLINKGPU_LIST void run_window(const Threads& threads, Each& each, const tile_block& block) {
  evaluate_all(each);
  for (uint32_t i = 0; i < block.args.outputs_count; ++i) {
    const output_column& output = block.output(i);
    // Numbers are written by other threads than those that know them; the stage is used again.
    if (i > 0 || output.type != type_text) {
      each.wait();
    }
    if (output.type != type_text) {
      run_numbers(each, block, output);
    } else if (output.changes != 0 || !run_slices<Items>(each, block, output)) {
      each.end();
      return run_general<Items>(threads, block, i);
    }
  }
}

// Out of line: what it needs must not cost the other tiles registers.
template <typename Threads>
FLINKGPU_LIST_CALL void run_from_device(Threads threads, tile_block block) {
  auto each = begin_tile<device_texts>(threads, block);
  evaluate_all(each);
  run_outputs<device_texts>(each, block, 0);
}

// The kernel. Blocks start in the order of their numbers, or waiting for tiles before would not
// end. CUDA does not say so, but NVIDIA's own scans rely on it too: cub::DeviceScan.
template <uint32_t Items, typename Threads>
FLINKGPU_LIST void run_tile(const Threads& threads, const transform_args& args, uint8_t* bytes,
                            transform_shared& shared, uint32_t number) {
  const tile_block block{args, bytes, shared, number, threads.size()};
  const bool has_window = args.window_bytes != 0;
  auto each = begin_tile<window_texts<Items>>(threads, block);
  each([&](auto& self) {
    const uint32_t thread = self.thread;
    start_texts(thread, shared.texts);
    if (has_window) {
      self.early = load_early<Items>(self.tile());
    }
    const uint32_t failed = args.status->failed_pass;
    shared.sums.clear(thread);
    // By the last threads: the first begin to load texts meanwhile.
    load_head(args, bytes, block.threads - 1 - thread, block.threads);
    self.is_void = has_failed(args, failed);
    if (has_window) {
      begin_texts(self.tile(), self.is_void, shared.texts);
    }
  });
  if (each.uniform([](auto& self) { return self.is_void; })) {
    return;
  }
  if (has_window) {
    each([](auto& self) {
      place_operands(self.tile());
      self.fits = load_window(self.tile(), self.texts(), self.early);
      await_packs();
    });
    each.open([&](auto&) { await_texts(shared.texts); });
    if (each.uniform([](auto& self) { return self.fits; })) {
      return run_window<Items>(threads, each, block);
    }
  }
  run_from_device(threads, block);
}

}  // namespace flinkgpu
