#pragma once

// group_rank: numbers the groups in the order of their first rows, by counting the first rows
// before each. A rank word stands for 32 rows: which of them are first rows, and how many are
// before them.

#include "block/tile.cuh"
#include "group/group_abi.cuh"
#include "group/table.cuh"
#include "host_device.cuh"

namespace flinkgpu {

inline constexpr uint32_t rank_bits = 32;
inline constexpr uint32_t rank_tile_rows = rank_threads * rank_items;
inline constexpr uint32_t rank_tile_words = rank_tile_rows / rank_bits;

FLINKGPU_HD uint64_t make_rank_word(uint64_t rows_before, uint32_t first_rows) {
  return (rows_before << rank_bits) | first_rows;
}

// The group of a first row.
FLINKGPU_HD uint32_t rank_of(const group_args& args, uint32_t first_row) {
  const uint64_t word = args.ranks[first_row / rank_bits];
  const uint64_t earlier = word & low_bits(first_row % rank_bits);
  return static_cast<uint32_t>(word >> rank_bits) + count_bits(static_cast<uint32_t>(earlier));
}

// Writes word `index` of a tile, if the batch goes so far.
FLINKGPU_HD void write_rank_word(const group_args& args, uint32_t tile, uint32_t index,
                                 uint64_t rows_before, uint32_t first_rows) {
  const uint64_t word = uint64_t{tile} * rank_tile_words + index;
  if (word * rank_bits < args.rows) {
    args.ranks[word] = make_rank_word(rows_before, first_rows);
  }
}

// Sets the bit of an index, by all lanes of a warp, whose indexes follow one another.
FLINKGPU_HD void put_bit(uint32_t* words, uint32_t index, bool is_set) {
  uint32_t& word = words[index / rank_bits];
#ifdef __CUDA_ARCH__
  const uint32_t bits = __ballot_sync(all_lanes, is_set);
  if (index % rank_bits == 0) {
    word = bits;
  }
#else
  const uint32_t bit = 1U << (index % rank_bits);
  word = is_set ? word | bit : word & ~bit;
#endif
}

struct rank_shared {
  uint32_t first_rows[rank_tile_words];
  tile_scan<rank_threads, uint32_t> sums;
};

struct rank_thread {
  uint32_t thread;
  uint32_t before;
};

// The kernel. The first threads of a block have a word each.
template <typename Threads>
FLINKGPU_LIST void rank_groups(const Threads& threads, const group_args& args,
                               rank_shared& shared) {
  static_assert(rank_tile_words <= rank_threads, "a thread a word");
  const uint32_t tile = threads.take_ticket(shared.sums, &args.header->rank_tile);
  auto each = threads.begin([](uint32_t thread) { return rank_thread{thread, 0}; });
  each([&](const rank_thread& self) {
    for (uint32_t item = 0; item < rank_items; ++item) {
      const uint32_t index = item * rank_threads + self.thread;
      const uint64_t row = uint64_t{tile} * rank_tile_rows + index;
      put_bit(shared.first_rows, index,
              row < args.rows && first_row_of(args, static_cast<uint32_t>(row)) == row);
    }
  });
  each.scan_tiles(
      shared.sums, args.scan_states, tile,
      [&](const rank_thread& self) {
        return self.thread < rank_tile_words ? count_bits(shared.first_rows[self.thread]) : 0;
      },
      [](rank_thread& self, uint32_t before, uint32_t) { self.before = before; },
      [&](uint64_t before, uint32_t groups) {
        if ((uint64_t{tile} + 1) * rank_tile_rows >= args.rows) {
          args.header->groups = static_cast<uint32_t>(before + groups);
        }
      });
  each.last([&](const rank_thread& self) {
    if (self.thread < rank_tile_words) {
      write_rank_word(args, tile, self.thread, shared.sums.before + self.before,
                      shared.first_rows[self.thread]);
    }
  });
}

}  // namespace flinkgpu
