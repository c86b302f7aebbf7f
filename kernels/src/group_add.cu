// Adds the rows' values to their groups: see group/accumulate.cuh. Where the groups are few, a
// block has accumulators of its own in shared memory and adds them up at its end; where they are
// many, atomics on the result seldom meet. Either way the rows of a warp that share a group are
// added up first, so that one key with most rows costs one atomic a warp.

#include "group/accumulate.cuh"

namespace flinkgpu {

inline constexpr uint32_t no_group = 0xffffffff;

// Below that, single atomics cost less than adding up across the warp.
inline constexpr int crowd_lanes = 8;

template <typename Operation>
__device__ __forceinline__ int64_t across_warp(int64_t value, Operation operation) {
  for (uint32_t distance = 16; distance > 0; distance /= 2) {
    value = operation(value, __shfl_xor_sync(all_lanes, value, distance));
  }
  return value;
}

// Adds the values of a warp's lanes that are in `group` and have one. All lanes come here.
__device__ void add_crowd(const value_column& column, const group_words& to, uint32_t group,
                          bool adds, const value_parts& parts) {
  const auto sum = [](int64_t a, int64_t b) { return a + b; };
  const auto least = [](int64_t a, int64_t b) { return a < b ? a : b; };
  const auto greatest = [](int64_t a, int64_t b) { return a > b ? a : b; };
  const auto either = [](int64_t a, int64_t b) { return a | b; };
  const uint32_t adding = __ballot_sync(all_lanes, adds);
  if (adding == 0) {
    return;
  }
  const bool writes = threadIdx.x % 32 == 0;
  const group_row row{to, group};
  if (writes) {
    row.add(column.first_word, __popc(adding));
  }
  if (column.min_max != 0) {
    const int64_t low = across_warp(adds ? parts.order : INT64_MAX, least);
    const int64_t high = across_warp(adds ? parts.order : INT64_MIN, greatest);
    if (writes) {
      row.extremes(least_word(column), low, high);
    }
  }
  if (column.summed == 0) {
    return;
  }
  if (__any_sync(all_lanes, adds && parts.special != 0)) {
    const int64_t specials = across_warp(adds ? parts.special : 0, either);
    if (writes) {
      row.mark(specials_word(column), specials);
    }
  }
  for (uint32_t bin = 0; bin < column.bins; ++bin) {
    const int64_t part = adds ? part_in_bin(parts, column.first_bin + bin) : 0;
    const int64_t total = across_warp(part, sum);
    if (writes) {
      add_if_any(row, bins_word(column) + bin, total);
    }
  }
}

// Adds the squares of the values of a warp's lanes, likewise. That of no value is 0.
__device__ void add_crowd_squares(const value_column& column, const group_words& to, uint32_t group,
                                  bool adds, uint64_t bits) {
  const square_parts square = square_of(adds ? bits : 0, column.floating != 0);
  for (uint32_t bin = 0; bin < 2 * column.bins; ++bin) {
    const int64_t total = across_warp(square_in_bin(square, 2 * column.first_bin + bin),
                                      [](int64_t a, int64_t b) { return a + b; });
    if (threadIdx.x % 32 == 0) {
      add_if_any(group_row{to, group}, squares_word(column) + bin, total);
    }
  }
}

// Adds a warp's rows, one a lane; `row` may lie behind the last.
__device__ __forceinline__ void add_rows(const group_args& args, const group_words& to,
                                         uint32_t row) {
  const bool in_batch = row < args.rows;
  const uint32_t group = in_batch ? args.row_groups[row] : no_group;
  const uint32_t peers = __match_any_sync(all_lanes, group);
  const uint32_t crowded = __ballot_sync(all_lanes, in_batch && __popc(peers) >= crowd_lanes);
  const bool alone = in_batch && __popc(peers) < crowd_lanes;
  for (uint32_t value = 0; value < args.values; ++value) {
    const value_column column = args.columns[value];
    const bool adds = in_batch && has_value(column, row);
    value_parts parts{};
    if (adds) {
      parts = parts_of_row(column, row);
    }
    for (uint32_t left = crowded; left != 0;) {
      const int leader = __ffs(left) - 1;
      const uint32_t crowd = __shfl_sync(all_lanes, group, leader);
      add_crowd(column, to, crowd, adds && group == crowd, parts);
      left &= ~__shfl_sync(all_lanes, peers, leader);
    }
    if (adds && alone) {
      add_value(group_row{to, group}, column, parts);
    }
  }
}

// The same for the squares of values.
__device__ __forceinline__ void add_row_squares(const group_args& args, const group_words& to,
                                                uint32_t row) {
  const bool in_batch = row < args.rows;
  const uint32_t group = in_batch ? args.row_groups[row] : no_group;
  const uint32_t peers = __match_any_sync(all_lanes, group);
  const uint32_t crowded = __ballot_sync(all_lanes, in_batch && __popc(peers) >= crowd_lanes);
  for (uint32_t value = 0; value < args.values; ++value) {
    const value_column column = args.columns[value];
    if (column.squared == 0) {
      continue;
    }
    const bool adds = in_batch && has_value(column, row);
    const uint64_t bits = adds ? bits_of_row(column, row) : 0;
    for (uint32_t left = crowded; left != 0;) {
      const int leader = __ffs(left) - 1;
      const uint32_t crowd = __shfl_sync(all_lanes, group, leader);
      add_crowd_squares(column, to, crowd, adds && group == crowd, bits);
      left &= ~__shfl_sync(all_lanes, peers, leader);
    }
    if (adds && __popc(peers) < crowd_lanes) {
      add_square(group_row{to, group}, column, bits);
    }
  }
}

template <typename AddRows>
__device__ __forceinline__ void each_row_of_block(const group_args& args, const AddRows& add) {
  const uint64_t first = uint64_t{blockIdx.x} * add_threads * add_items + threadIdx.x;
  for (uint32_t item = 0; item < add_items; ++item) {
    const uint64_t row = first + item * add_threads;
    if (row - threadIdx.x % 32 < args.rows) {  // the same for all of a warp
      add(static_cast<uint32_t>(row));
    }
  }
}

__device__ __forceinline__ void add_block(const group_args& args, const group_words& to) {
  each_row_of_block(args, [&](uint32_t row) { add_rows(args, to, row); });
}

}  // namespace flinkgpu

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(add_threads) group_add_shared(const group_args args) {
  __shared__ int64_t words[shared_words];
  add_in_block(device_threads{}, args, words,
               [&](const group_words& to, uint32_t) { add_block(args, to); });
}

extern "C" __global__ void __launch_bounds__(add_threads) group_add_global(const group_args args) {
  add_block(args, result_of(args));
}

// Squares are added apart from all else, so that it costs nothing where there are none.
extern "C" __global__ void __launch_bounds__(add_threads) group_add_squares(const group_args args) {
  each_row_of_block(args, [&](uint32_t row) { add_row_squares(args, result_of(args), row); });
}
