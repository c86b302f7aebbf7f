#pragma once

// lines_add, first part: a tile of the batch's bytes in the shared memory of a block, and where its
// lines are. A line belongs to the tile that it starts in; its end may lie in the halo. Bit p of
// `starts` is set if a line starts p bytes after the tile's start, or the batch ends there.

#include "lines/table.cuh"

namespace flinkgpu {

inline constexpr uint32_t front_bytes = 16;
inline constexpr uint32_t reach_bytes = lines_tile_bytes + lines_halo_bytes;
inline constexpr uint32_t window_bytes = front_bytes + reach_bytes + 32;
inline constexpr uint32_t start_words = reach_bytes / 32;
inline constexpr uint32_t own_bytes = lines_tile_bytes / lines_threads;  // a thread's share
inline constexpr uint32_t listed_lines = 4096;
inline constexpr uint32_t own_probes = 16;
inline constexpr uint32_t no_end = 0xffffffff;

// What a block counts.
struct lines_counts {
  uint64_t max_time;
  uint64_t lines;
  uint64_t key_bytes;
  uint32_t refused;
  uint32_t groups;
  uint32_t own_groups;
  uint32_t tile_end;  // the first start after the tile
  uint32_t full;
  uint32_t reserved;
};

inline constexpr uint32_t starts_offset = window_bytes;
inline constexpr uint32_t list_offset = starts_offset + 4 * start_words;
inline constexpr uint32_t counts_offset = list_offset + 2 * (listed_lines + 8);
static_assert(counts_offset % 16 == 0, "lines_counts is aligned");
static_assert(counts_offset + sizeof(lines_counts) == lines_shared_bytes, "lines_shared_bytes");
static_assert(own_bytes == 32 || own_bytes == 64, "a thread one word of starts, or two");
static_assert(reach_bytes < 1 << key_length_bits, "a key's length fits");

// One thread's view of a block.
struct lines_block {
  const lines_args& args;
  uint8_t* shared;
  uint32_t thread;

  // Byte 0 is the tile's first.
  FLINKGPU_HD uint8_t* text() const { return shared + front_bytes; }
  FLINKGPU_HD uint32_t* starts() const {
    return reinterpret_cast<uint32_t*>(shared + starts_offset);
  }
  FLINKGPU_HD uint16_t* list() const { return reinterpret_cast<uint16_t*>(shared + list_offset); }
  FLINKGPU_HD lines_counts& counts() const {
    return *reinterpret_cast<lines_counts*>(shared + counts_offset);
  }
  FLINKGPU_HD uint64_t* bins_present() const {
    return reinterpret_cast<uint64_t*>(shared + lines_shared_bytes);
  }
  FLINKGPU_HD own_table own() const { return {bins_present() + args.values_count, args.own_slots}; }
};

FLINKGPU_HD uint32_t tiles_of(const lines_args& args) {
  return (args.data_bytes + lines_tile_bytes - 1) / lines_tile_bytes;
}

// Where lines of a tile may start: its bytes, up to the end of the batch.
FLINKGPU_HD uint32_t tile_limit(const lines_args& args, uint32_t tile_start) {
  const uint32_t left = args.data_bytes - tile_start;
  return left < lines_tile_bytes ? left : lines_tile_bytes;
}

// Step 1: loads the tile, the halo and what is before. A line starts the batch as if one had ended
// before it; zeros follow it.
FLINKGPU_HD void load_tile(const lines_block& block, uint32_t tile_start) {
  constexpr uint32_t packs = window_bytes / sizeof(byte_pack);
  for (uint32_t i = block.thread; i < packs; i += lines_threads) {
    const uint64_t place = uint64_t{tile_start} + i * sizeof(byte_pack);  // front_bytes too far
    byte_pack pack{each_byte * '\n', each_byte * '\n'};
    if (place >= front_bytes) {
      const uint64_t from = place - front_bytes;
      pack = from < block.args.data_bytes ? load_pack(block.args.data + from) : byte_pack{0, 0};
    }
    store_pack(block.shared + i * sizeof(byte_pack), pack);
  }
  if (block.thread == 0) {
    block.counts().tile_end = no_end;
    block.counts().full = load_shared_word(&block.args.header->full);
  }
}

// Step 2: marks the starts after a '\n'.
FLINKGPU_HD void mark_lines(const lines_block& block) {
  for (uint32_t word = block.thread; word < start_words; word += lines_threads) {
    const uint8_t* const text = block.text() + 32 * word;
    uint32_t ends = 0;
    for (uint32_t i = 0; i < 2; ++i) {
      const byte_pack pack = load_pack(text + 16 * i);
      const uint64_t pattern = each_byte * '\n';
      ends |= byte_bits(zero_bytes(pack.low ^ pattern)) << (16 * i);
      ends |= byte_bits(zero_bytes(pack.high ^ pattern)) << (16 * i + 8);
    }
    block.starts()[word] = (ends << 1) | (text[-1] == '\n' ? 1 : 0);
  }
}

FLINKGPU_HD void mark_start(const lines_block& block, uint32_t place) {
  atomic_or(&block.starts()[place / 32], 1U << (place % 32));
}

FLINKGPU_HD uint32_t break_at(const lines_args& args, uint32_t index) {
  return static_cast<uint32_t>(args.breaks[index]) - args.first_offset;
}

// The first break at `place` or after.
FLINKGPU_HD uint32_t find_break(const lines_args& args, uint32_t place) {
  uint32_t low = 0;
  uint32_t high = args.breaks_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (break_at(args, middle) < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Step 3: marks the starts of rows, and the end of the batch.
FLINKGPU_HD void mark_breaks(const lines_block& block, uint32_t tile_start) {
  const lines_args& args = block.args;
  if (block.thread == 0 && args.data_bytes - tile_start < reach_bytes) {
    mark_start(block, args.data_bytes - tile_start);
  }
  if (args.breaks_count == 0) {
    return;
  }
  for (uint32_t i = find_break(args, tile_start) + block.thread; i < args.breaks_count;
       i += lines_threads) {
    const uint32_t place = break_at(args, i) - tile_start;
    if (place >= reach_bytes) {
      return;
    }
    mark_start(block, place);
  }
}

// The starts in a thread's share of the tile.
FLINKGPU_HD uint64_t own_starts(const lines_block& block, uint32_t limit) {
  const uint32_t first = own_bytes * block.thread;
  if (first >= limit) {
    return 0;
  }
  const uint32_t* const words = &block.starts()[first / 32];
  const uint64_t high = own_bytes == 32 ? 0 : words[1];
  return ((high << 32) | words[0]) & low_bits(limit - first);
}

// Step 4: finds the end of the tile's last line.
FLINKGPU_HD void find_tile_end(const lines_block& block, uint32_t limit) {
  for (uint32_t word = limit / 32 + block.thread; word < start_words; word += lines_threads) {
    const uint32_t first = 32 * word;
    const uint64_t before = first < limit ? low_bits(limit - first) : 0;
    const uint64_t starts = block.starts()[word] & ~before;
    if (starts != 0) {
      atomic_min(&block.counts().tile_end, first + lowest_bit(starts));
      return;
    }
  }
}

// Step 5: lists the starts of lines [first, first + listed_lines], of which `rank` are before the
// thread's.
FLINKGPU_HD void list_starts(const lines_block& block, uint64_t starts, uint32_t rank,
                             uint32_t first) {
  for (; starts != 0; starts &= starts - 1, ++rank) {
    if (rank - first <= listed_lines) {
      block.list()[rank - first] =
          static_cast<uint16_t>(own_bytes * block.thread + lowest_bit(starts));
    }
  }
}

// A line of the tile: its bytes, without its end.
struct line_place {
  uint32_t from;
  uint32_t to;
  bool complete;  // its end is in reach
};

// Line `index` of the list, which starts with the tile's line `first`.
FLINKGPU_HD line_place listed_line(const lines_block& block, uint32_t first, uint32_t index,
                                   uint32_t lines) {
  const uint8_t* const text = block.text();
  const uint32_t from = block.list()[index];
  const bool last = first + index + 1 == lines;
  uint32_t to = last ? block.counts().tile_end : block.list()[index + 1];
  if (to == no_end) {
    return {from, from, false};
  }
  to -= text[to - 1] == '\n' ? 1 : 0;
  to -= to > from && text[to - 1] == '\r' ? 1 : 0;
  return {from, to, true};
}

}  // namespace flinkgpu
