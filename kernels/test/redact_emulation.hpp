#pragma once

// The bodies of the kernels, thread by thread on the CPU. Each array is exactly as long as the
// kernels may use it, so that the address sanitizer sees the first byte too many.

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "host_block.hpp"
#include "redact/find.cuh"
#include "redact/line_ends.cuh"
#include "redact/row_count.cuh"
#include "redact/write.cuh"

namespace flinkgpu::test {

struct emulation {
  std::vector<uint8_t> data;
  std::vector<int32_t> offsets;
  std::vector<uint32_t> bitmap;
  std::vector<uint32_t> candidates;
  std::vector<uint8_t> row_over;
  std::vector<uint32_t> over_rows;
  std::vector<uint64_t> scan_states;
  std::vector<uint64_t> line_states;
  std::vector<uint32_t> carries;
  std::vector<int32_t> out_offsets;
  std::vector<uint8_t> changed;
  std::vector<uint8_t> out_data;
  std::vector<hash_patch> patches;
  batch_header header{};
  redact_args args{};

  // Once data, offsets and args.tables are there: makes the other arrays, with garbage where
  // nothing is promised to be initialised.
  void prepare(uint32_t separator_bytes) {
    const size_t rows = offsets.size() - 1;
    bitmap.assign((data.size() + segment_bytes - 1) / segment_bytes, 0xdeadbeef);
    candidates.assign(data.size(), 0xdeadbeef);
    row_over.assign(rows + 1, 0);
    over_rows.assign(rows, 0xdeadbeef);
    out_offsets.assign(rows + 1, 0x5eadbeef);
    args.data = data.data();
    args.offsets = offsets.data();
    args.bitmap = bitmap.data();
    args.candidates = candidates.data();
    args.row_over = row_over.data();
    args.over_rows = over_rows.data();
    args.out_offsets = out_offsets.data();
    args.header = &header;
    args.rows = static_cast<uint32_t>(rows);
    args.data_bytes = static_cast<uint32_t>(data.size());
    args.separator_bytes = separator_bytes;
  }

  // The same without offsets, but with room for so many rows; run_lines finds them.
  void prepare_lines(uint32_t row_capacity) {
    offsets.assign(size_t{row_capacity} + 1, 0x5eadbeef);
    prepare(1);
    args.rows = 0;
    args.row_capacity = row_capacity;
  }

  void run_lines() {
    header = {};
    line_states.assign(line_tiles(args), 0);
    args.line_states = line_states.data();
    for (uint32_t tile = 0; tile < line_tiles(args); ++tile) {
      lines_shared shared;
      find_lines(host_threads(line_threads), args, shared);
    }
  }

  void run_find() {
    for (uint64_t start = 0; start < args.data_bytes; start += find_tile_bytes) {
      find_tile(static_cast<uint32_t>(start));
    }
  }

  // Everything that redact_write leaves behind; may be called again, with more room.
  void run_write(uint32_t out_capacity, uint32_t patch_capacity) {
    const uint32_t lines = header.lines;
    header = {};
    header.lines = lines;
    scan_states.assign(write_tiles(args), 0);
    carries.assign(write_tiles(args), 0);
    changed.assign(offsets.size() - 1, 0);
    out_data.assign(out_capacity, 0xee);
    patches.assign(patch_capacity, {});
    args.scan_states = scan_states.data();
    args.carries = carries.data();
    args.changed = changed.data();
    args.out_data = out_data.data();
    args.patches = patches.data();
    args.out_capacity = out_capacity;
    args.patch_capacity = patch_capacity;
    for (uint32_t tile = 0; tile < write_tiles(args); ++tile) {
      write_tile(tile);
    }
  }

 private:
  void find_tile(uint32_t start) {
    const auto shared = std::make_unique<find_shared>();
    std::memset(shared.get(), 0xee, sizeof(find_shared));
    const auto each = [&](const auto& step) {
      for (uint32_t thread = 0; thread < find_threads; ++thread) {
        step(find_block{args, *shared, start, thread});
      }
    };
    const uint32_t rows = rows_of(args);
    const uint32_t row = row_at(args.offsets, 0, rows, start);
    each([](const find_block& block) { prepare_find(block); });
    each([&](const find_block& block) {
      mark_rows(block, row, rows);
      mark_gates(block, load_own(block));
    });
    std::vector<starts_left> own;
    each([&](const find_block& block) { own.push_back(find_starts(block, load_own(block))); });
    std::vector<uint32_t> steps(find_threads, max_thread_steps);
    for (bool more = true; more; shared->listed = 0) {
      each([&](const find_block& block) { list_starts(block, own[block.thread]); });
      more = shared->listed > listed_starts;
      const uint32_t listed = min_of(shared->listed, listed_starts);
      each([&](const find_block& block) { walk_listed(block, row, listed, steps[block.thread]); });
    }
    each([](const find_block& block) { write_found(block); });
  }

  tile_bound bound_at(uint32_t position) {
    const auto row = std::lower_bound(offsets.begin(), offsets.begin() + rows_of(args),
                                      static_cast<int32_t>(position)) -
                     offsets.begin();
    return move_bound(args, position, static_cast<uint32_t>(row));
  }

  void write_tile(uint32_t tile) {
    const auto shared = std::make_unique<write_shared>();
    std::memset(shared.get(), 0xee, sizeof(write_shared));
    const uint32_t start = tile * write_tile_bytes;
    const bool is_last = tile + 1 == write_tiles(args);
    const uint32_t rows = rows_of(args);
    const tile_bound from = bound_at(start);
    const tile_bound to =
        is_last ? tile_bound{args.data_bytes, rows, false} : bound_at(start + write_tile_bytes);
    const auto each = [&](const auto& step) {
      for (uint32_t thread = 0; thread < write_threads; ++thread) {
        step(write_block{args, *shared, start, from, to, thread});
      }
    };
    each([](const write_block& block) { prepare_write(block); });
    if (from.within_row) {
      shared->carry_in = carries[tile - 1];
    }
    each([](const write_block& block) { load_word(block); });
    if (row_over[rows] != 0) {
      each([](const write_block& block) { leave_out_rows(block); });
    }
    uint32_t reach = 0;
    each([&](const write_block& block) {
      choose_from_word(block, reach);
      reach = std::max(reach, reach_of_word(block));
    });
    carries[tile] = shared->carry_out;
    uint64_t bytes = 0;
    each([&](const write_block& block) {
      plan_word(block, bytes);
      bytes += output_of_word(block);
    });
    shared->place[write_threads] = static_cast<uint32_t>(bytes);
    const uint64_t before = link_tile(scan_states.data(), tile, bytes);
    if (is_last) {
      header.output_bytes = before + bytes;
      out_offsets[rows] = static_cast<int32_t>(before + bytes);
    }
    each([](const write_block& block) { write_counts(block); });
    if (has_room(args, before, bytes)) {
      each([&](const write_block& block) { write_rows(block, before); });
      write_text(*shared, each, static_cast<uint32_t>(before));
    }
  }

  template <typename Each>
  void write_text(const write_shared& shared, const Each& each, uint32_t before) {
    each([&](const write_block& block) {
      write_runs(block, before);
      if (block.thread != 0) {
        return;
      }
      for (uint32_t i = 0; i < shared.mixed_count; ++i) {
        for (uint32_t lane = 0; lane < mixed_lanes; ++lane) {
          write_mixed(block, {lane}, shared.mixed[i], before);
        }
      }
    });
  }
};

}  // namespace flinkgpu::test
