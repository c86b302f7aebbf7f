#pragma once

// The stage: a tile's output in shared memory, written a word at a time, though rows begin and end
// within words. Such a word is stored by the row that has its last byte, with zeros for the bytes
// of rows before it; those rows then add their bytes. The words' order in time does not matter for
// that, but both happen in different phases.

#include "transform/tile.cuh"
#include "transform/window.cuh"

namespace flinkgpu {

// Words of a piece between two times that its places are moved.
inline constexpr uint32_t words_at_once = 4;

// What a thread writes to the stage: for each row where it is, as an offset in shared memory, and
// the bytes of the word there, up to there.
template <uint32_t Items>
struct stage_writer {
  uint8_t* shared;
  uint32_t to[Items];
  uint32_t word[Items];

  // Appends texts of the window.
  FLINKGPU_HD void append(const row_words<Items>& row_texts) {
    uint32_t at[Items];    // of the word of the stage
    uint32_t from[Items];  // of the word of the window in which what belongs there starts
    uint32_t shift[Items];
    uint32_t high[Items];
    int32_t left[Items];  // bytes from `at` on
    int32_t most = 0;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      at[i] = to[i] & ~3U;
      shift[i] = place_of(row_texts.of[i]) - to[i];
      from[i] = (shift[i] + at[i]) & ~3U;
      const uint32_t low = load_aligned_word(shared + from[i]);
      high[i] = load_aligned_word(shared + from[i] + 4);
      const uint32_t known = bytes_before(to[i]);
      word[i] = (word[i] & known) | (join_words(low, high[i], shift[i]) & ~known);
      to[i] += bytes_of(row_texts.of[i]);
      left[i] = static_cast<int32_t>(to[i] - at[i]);
      most = left[i] > most ? left[i] : most;
    }
    while (most >= 4) {
      // Places are constants apart: a word costs a row no more than what moves it.
      FLINKGPU_UNROLLED
      for (uint32_t k = 0; k < words_at_once; ++k) {
        FLINKGPU_UNROLLED
        for (uint32_t i = 0; i < Items; ++i) {
          if (left[i] >= static_cast<int32_t>(4 * k + 4)) {
            store_word(shared + at[i] + 4 * k, word[i]);
            const uint32_t low = high[i];
            high[i] = load_aligned_word(shared + from[i] + 4 * k + 8);
            word[i] = join_words(low, high[i], shift[i]);
          }
        }
        if (most < static_cast<int32_t>(4 * k + 8)) {
          return;
        }
      }
      FLINKGPU_UNROLLED
      for (uint32_t i = 0; i < Items; ++i) {
        at[i] += 4 * words_at_once;
        from[i] += 4 * words_at_once;
        left[i] -= static_cast<int32_t>(4 * words_at_once);
      }
      most -= static_cast<int32_t>(4 * words_at_once);
    }
  }

  // Appends up to 4 bytes that are the first of a word to one row.
  FLINKGPU_HD void append_short(uint32_t item, uint32_t text, uint32_t bytes) {
    const uint32_t start = to[item];
    const uint32_t known = bytes_before(start);
    word[item] = (word[item] & known) | (move_up(text, start) & ~known);
    to[item] += bytes;
    if (((to[item] ^ start) & 4) != 0) {
      store_word(shared + (start & ~3U), word[item]);
      word[item] = moved_out(text, start);
    }
  }

  // In the second phase: adds the bytes of words that later rows have stored.
  FLINKGPU_HD void add_rest() const {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      const uint32_t rest = word[i] & bytes_before(to[i]);
      if (rest != 0) {
        atomic_or(reinterpret_cast<uint32_t*>(shared + (to[i] & ~3U)), rest);
      }
    }
  }
};

// In the first phase, by one thread: the word after the last that a row stores.
FLINKGPU_HD void end_stage(const tile_view& tile, uint32_t bytes) {
  store_word(tile.stage() + (bytes & ~3U), 0);
}

inline constexpr uint32_t pair_bytes = 8;

// 8 bytes of the stage, from any place on, to an aligned one.
FLINKGPU_HD void store_pair(uint8_t* to, const uint8_t* stage, uint32_t from) {
  const uint8_t* const aligned = stage + (from & ~3U);
  const uint32_t middle = load_aligned_word(aligned + 4);
  const uint32_t low = join_words(load_aligned_word(aligned), middle, from);
  const uint32_t high = join_words(middle, load_aligned_word(aligned + 8), from);
#ifdef __CUDA_ARCH__
  *reinterpret_cast<uint2*>(to) = make_uint2(low, high);
#else
  store_word(to, low);
  store_word(to + 4, high);
#endif
}

// A thread's share of copying the stage to where the tile's text belongs.
FLINKGPU_HD void copy_stage(const tile_view& tile, uint8_t* to, uint32_t bytes) {
  const uint8_t* const stage = tile.stage();
  const auto head = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(to) % pair_bytes);
  const uint32_t begin = min_of((0 - head) % pair_bytes, bytes);
  const uint32_t end = begin + ((bytes - begin) & ~(pair_bytes - 1));
  FLINKGPU_ROLLED
  for (uint32_t at = begin + tile.thread * pair_bytes; at < end; at += tile.threads * pair_bytes) {
    store_pair(to + at, stage, at);
  }
  // The bytes at both ends, by one warp.
  if (tile.thread < 2 * pair_bytes) {
    const bool is_head = tile.thread < pair_bytes;
    const uint32_t at = is_head ? tile.thread : end + (tile.thread - pair_bytes);
    if (at < (is_head ? begin : bytes)) {
      to[at] = stage[at];
    }
  }
}

}  // namespace flinkgpu
