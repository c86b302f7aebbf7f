#pragma once

// The stage: a tile's output in shared memory, written a word at a time, though rows begin and end
// within words. Such a word is stored by the row that has its last byte, with zeros for the bytes
// of rows before it; those rows then add their bytes. The words' order in time does not matter for
// that, but both happen in different phases.

#include "transform_tile.cuh"
#include "window.cuh"

namespace flinkgpu {

// What a thread writes to the stage: for each row where it is and the bytes of the word there, up
// to there.
template <uint32_t Items>
struct stage_writer {
  uint8_t* stage;
  uint32_t to[Items];
  uint32_t word[Items];

  // Appends texts of the window.
  FLINKGPU_HD void append(const window_space& space, const row_words<Items>& texts) {
    uint32_t at[Items];    // of the word of the stage
    uint32_t from[Items];  // of what belongs there
    uint32_t end[Items];
    uint32_t high[Items];
    bool more = false;
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      at[i] = to[i] & ~3U;
      from[i] = place_of(texts.of[i]) - to[i] + at[i];
      end[i] = to[i] + bytes_of(texts.of[i]);
      high[i] = space.aligned_word_at((from[i] & ~3U) + 4);
      const uint32_t text = join_words(space.aligned_word_at(from[i] & ~3U), high[i], from[i]);
      const uint32_t known = bytes_before(to[i]);
      word[i] = (word[i] & known) | (text & ~known);
      to[i] = end[i];
      more |= at[i] + 4 <= end[i];
    }
    while (more) {
      more = false;
      FLINKGPU_UNROLLED
      for (uint32_t i = 0; i < Items; ++i) {
        if (at[i] + 4 <= end[i]) {
          store_word(stage + at[i], word[i]);
          at[i] += 4;
          from[i] += 4;
          const uint32_t low = high[i];
          high[i] = space.aligned_word_at((from[i] & ~3U) + 4);
          word[i] = join_words(low, high[i], from[i]);
          more = true;
        }
      }
    }
  }

  // Appends texts of at most 4 bytes.
  FLINKGPU_HD void append_short(const row_words<Items>& texts, const row_words<Items>& slots) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      const uint32_t at = to[i] & ~3U;
      const uint32_t end = to[i] + bytes_of(slots.of[i]);
      const uint32_t known = bytes_before(to[i]);
      word[i] = (word[i] & known) | (move_up(texts.of[i], to[i]) & ~known);
      if (at + 4 <= end) {
        store_word(stage + at, word[i]);
        word[i] = moved_out(texts.of[i], to[i]);
      }
      to[i] = end;
    }
  }

  // In the second phase: adds the bytes of words that later rows have stored.
  FLINKGPU_HD void add_rest() const {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Items; ++i) {
      const uint32_t rest = word[i] & bytes_before(to[i]);
      if (rest != 0) {
        atomic_or(reinterpret_cast<uint32_t*>(stage + (to[i] & ~3U)), rest);
      }
    }
  }
};

// In the first phase, by one thread: the word behind the last that a row stores.
FLINKGPU_HD void end_stage(const tile_view& tile, uint32_t bytes) {
  store_word(tile.stage() + (bytes & ~3U), 0);
}

inline constexpr uint32_t word_bytes = 4;

// A thread's share of copying the stage to where the tile's text belongs.
FLINKGPU_HD void copy_stage(const tile_view& tile, uint8_t* to, uint32_t bytes) {
  const uint8_t* const stage = tile.stage();
  const auto head = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(to) % word_bytes);
  const uint32_t begin = (0 - head) % word_bytes;
  uint32_t from = begin + tile.thread * word_bytes;
  for (; from + word_bytes <= bytes; from += tile.threads * word_bytes) {
    const uint8_t* const aligned = stage + (from & ~3U);
    store_word(to + from,
               join_words(load_aligned_word(aligned), load_aligned_word(aligned + 4), from));
  }
  // The bytes at both ends.
  const bool is_head = tile.thread < word_bytes;
  const uint32_t end = begin < bytes ? begin + ((bytes - begin) & ~3U) : bytes;
  const uint32_t at = is_head ? tile.thread : end + (tile.thread - word_bytes);
  if (tile.thread < 2 * word_bytes && at < (is_head && begin < bytes ? begin : bytes)) {
    to[at] = stage[at];
  }
}

}  // namespace flinkgpu
