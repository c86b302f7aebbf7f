#pragma once

// The bodies of all four kernels, thread by thread on the CPU. Each array is exactly as long as the
// kernels may use it, so that the address sanitizer sees the first byte too many.

#include <algorithm>
#include <utility>
#include <vector>

#include "../include/find.cuh"
#include "../include/scan.cuh"
#include "../include/select.cuh"
#include "../include/write.cuh"

namespace flinkgpu::test {

struct emulation {
  std::vector<uint8_t> data;
  std::vector<int32_t> offsets;
  std::vector<uint64_t> bitmap;
  std::vector<uint32_t> candidates;
  std::vector<uint8_t> row_over;
  std::vector<uint32_t> over_rows;
  std::vector<uint32_t> row_sizes;
  std::vector<uint64_t> scan_states;
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
    bitmap.assign((data.size() + segment_bytes - 1) / segment_bytes, 0xdeadbeefdeadbeef);
    candidates.assign(data.size(), 0xdeadbeef);
    row_over.assign(rows, 0);
    over_rows.assign(rows, 0xdeadbeef);
    row_sizes.assign(rows, 0xdeadbeef);
    scan_states.assign((rows + scan_tile_rows - 1) / scan_tile_rows, 0);
    out_offsets.assign(rows + 1, 0x5eadbeef);
    changed.assign(rows, 0xee);
    args.data = data.data();
    args.offsets = offsets.data();
    args.bitmap = bitmap.data();
    args.candidates = candidates.data();
    args.row_over = row_over.data();
    args.over_rows = over_rows.data();
    args.row_sizes = row_sizes.data();
    args.scan_states = scan_states.data();
    args.out_offsets = out_offsets.data();
    args.changed = changed.data();
    args.header = &header;
    args.rows = static_cast<uint32_t>(rows);
    args.data_bytes = static_cast<uint32_t>(data.size());
    args.separator_bytes = separator_bytes;
  }

  void run_find() {
    const byte_tables bytes{args.tables.byte_info, args.tables.class_of};
    constexpr uint32_t tile_bytes = find_threads * segment_bytes;
    const auto segments = static_cast<uint32_t>(bitmap.size());
    for (uint32_t segment = 0; segment < segments; ++segment) {
      const uint32_t first = segment / find_threads * tile_bytes;
      const uint32_t last = std::min(args.data_bytes - 1, first + tile_bytes - 1);
      find_in_segment(args, bytes, segment, row_at(args.offsets, 0, args.rows, first),
                      row_at(args.offsets, 0, args.rows, last) + 1);
    }
  }

  void run_select() {
    std::vector<uint32_t> matches(max_rules, 0);
    for (uint32_t row = 0; row < args.rows; ++row) {
      select_in_row(args, row, matches.data());
    }
    for (uint32_t rule = 0; rule < max_rules; ++rule) {
      header.rule_matches[rule] += matches[rule];
    }
  }

  void run_scan() {
    for (uint32_t tile = 0; tile < scan_states.size(); ++tile) {
      std::vector<uint64_t> own(scan_threads);
      for (uint32_t thread = 0; thread < scan_threads; ++thread) {
        own[thread] = sum_of_thread(args, tile, thread);
      }
      std::vector<uint64_t> from = own;
      std::vector<uint64_t> to(scan_threads);
      for (uint32_t distance = 1; distance < scan_threads; distance *= 2) {
        for (uint32_t thread = 0; thread < scan_threads; ++thread) {
          scan_step(from.data(), to.data(), thread, distance);
        }
        std::swap(from, to);
      }
      const uint64_t before = link_size_tile(args, tile, from[scan_threads - 1]);
      for (uint32_t thread = 0; thread < scan_threads; ++thread) {
        write_offsets(args, tile, thread, before + from[thread] - own[thread]);
      }
    }
  }

  void run_write(uint32_t out_capacity, uint32_t patch_capacity) {
    out_data.assign(out_capacity, 0xee);
    patches.assign(patch_capacity, {});
    args.out_data = out_data.data();
    args.patches = patches.data();
    args.out_capacity = out_capacity;
    args.patch_capacity = patch_capacity;
    if (!has_room(args)) {
      return;
    }
    for (uint32_t row = 0; row < args.rows; ++row) {
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        write_row(args, {lane, warp_lanes}, row);
      }
    }
  }
};

}  // namespace flinkgpu::test
