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
#include "redact/texts.cuh"
#include "redact/write.cuh"

namespace flinkgpu::test {

struct emulation {
  std::vector<uint8_t> data;
  std::vector<int32_t> offsets;
  std::vector<uint32_t> bitmap;
  std::vector<uint32_t> candidates;
  std::vector<uint32_t> found;  // where there are several automata
  std::vector<uint8_t> row_over;
  std::vector<over_row> over_rows;
  std::vector<over_row> near_rows;
  std::vector<uint64_t> scan_states;
  std::vector<uint64_t> line_states;
  std::vector<uint32_t> carries;
  std::vector<int32_t> out_offsets;
  std::vector<uint8_t> changed;
  std::vector<uint8_t> out_data;
  std::vector<hash_patch> patches;
  batch_header header{};
  redact_args args{};
  barriers left_out;

  // Once data, offsets and args.tables are there: makes the other arrays, with garbage where
  // nothing is promised to be initialised.
  void prepare(uint32_t separator_bytes) {
    const size_t rows = offsets.size() - 1;
    bitmap.assign((data.size() + segment_bytes - 1) / segment_bytes, 0xdeadbeef);
    candidates.assign(data.size(), 0xdeadbeef);
    row_over.assign(rows + 1, 0);
    over_rows.assign(rows, {0xdeadbeef, 0xdeadbeef});
    near_rows.assign(near_over_rows, {0xdeadbeef, 0xdeadbeef});
    out_offsets.assign(rows + 1, 0x5eadbeef);
    args.data = data.data();
    args.offsets = offsets.data();
    args.bitmap = bitmap.data();
    args.candidates = candidates.data();
    args.found = candidates.data();
    args.row_over = row_over.data();
    args.over_rows = over_rows.data();
    args.near_rows = near_rows.data();
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

  // After that, if the set is several automata.
  void prepare_several() {
    std::fill(bitmap.begin(), bitmap.end(), 0);
    std::fill(candidates.begin(), candidates.end(), 0);
    found.assign(data.size(), 0xdeadbeef);
    args.found = found.data();
  }

  void run_texts() {
    for (uint32_t tile = 0; uint64_t{tile} * find_tile_bytes < args.data_bytes; ++tile) {
      const auto shared = garbage<texts_shared>();
      find_texts(host_threads(find_threads, left_out), args, *shared, tile);
    }
  }

  void run_lines() {
    header = {};
    line_states.assign(line_tiles(args), 0);
    args.line_states = line_states.data();
    for (uint32_t i = 0; i < line_tiles(args); ++i) {
      const auto shared = garbage<line_ends_shared>();
      find_lines(host_threads(line_threads, left_out), args, *shared);
    }
  }

  void run_find() {
    for (uint32_t tile = 0; uint64_t{tile} * find_tile_bytes < args.data_bytes; ++tile) {
      const auto shared = garbage<find_shared>();
      find_matches(host_threads(find_threads, left_out), args, *shared, tile);
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
    for (uint32_t i = 0; i < write_tiles(args); ++i) {
      const auto shared = garbage<write_shared>();
      write_tile(host_threads(write_threads, left_out), args, *shared);
    }
  }
};

}  // namespace flinkgpu::test
