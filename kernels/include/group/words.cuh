#pragma once

// The words that a group keeps of a value, in the order of Java's WordLayout: count, least and
// greatest (if min_max), specials, bins (if summed), twice as many bins of squares (if squared).
// How a value, or what another group has of it, comes to them: counts and bins are added, of
// extremes the outer one stays, specials are marks. All groups are added to here; where their words
// are, and what is atomic there, says a `To`:
//
//   add(word, amount)                amount is not 0
//   extremes(word, least, greatest)  at words `word` and `word + 1`, as the table keeps them
//   order(word, order)               the same for a value's order
//   mark(word, specials)
//
// A `From` has get(word). `Value` is a column of rows or a value of lines.

#include "group/group_abi.cuh"
#include "group/value.cuh"
#include "host_device.cuh"

namespace flinkgpu {

// The first bin of the grid that a value's bins are of, how many there are, and whether specials
// are kept.
FLINKGPU_HD uint32_t first_bin_of(const value_column& column) {
  return column.first_bin;
}
FLINKGPU_HD uint32_t sum_bins(const value_column& column) {
  return column.bins;
}
FLINKGPU_HD uint32_t special_words(const value_column& column) {
  return column.floating & column.summed;
}

template <typename Value>
FLINKGPU_HD uint32_t least_word(const Value& value) {
  return value.first_word + 1;
}

// The word of a value's specials; of its first bin if it has none.
template <typename Value>
FLINKGPU_HD uint32_t specials_word(const Value& value) {
  return least_word(value) + 2 * value.min_max;
}

template <typename Value>
FLINKGPU_HD uint32_t bins_word(const Value& value) {
  return specials_word(value) + special_words(value);
}

template <typename Value>
FLINKGPU_HD uint32_t squares_word(const Value& value) {
  return bins_word(value) + sum_bins(value);
}

// The word after those of a value.
template <typename Value>
FLINKGPU_HD uint32_t end_word(const Value& value) {
  return squares_word(value) + 2 * value.squared * sum_bins(value);
}

template <typename To>
FLINKGPU_HD void add_if_any(const To& to, uint32_t word, int64_t amount) {
  if (amount != 0) {
    to.add(word, amount);
  }
}

// Adds a value, but not its square.
template <typename To, typename Value>
FLINKGPU_HD void add_value(const To& to, const Value& value, const value_parts& parts) {
  to.add(value.first_word, 1);
  if (value.min_max != 0) {
    to.order(least_word(value), parts.order);
  }
  if (value.summed == 0) {
    return;
  }
  if (special_words(value) != 0 && parts.special != 0) {
    to.mark(specials_word(value), parts.special);
    return;
  }
  // A zero may lie below the first bin, but has no part to add.
  const uint32_t word = bins_word(value) + (parts.bin - first_bin_of(value));
  add_if_any(to, word, parts.low);
  add_if_any(to, word + 1, parts.middle);
  add_if_any(to, word + 2, parts.high);
}

// Adds the square of a value.
template <typename To, typename Value>
FLINKGPU_HD void add_square(const To& to, const Value& value, uint64_t bits) {
  const square_parts square = square_of(bits, value.floating != 0);
  const uint32_t word = squares_word(value) + (square.bin - 2 * first_bin_of(value));
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < square_bins; ++i) {
    // A zero may lie below the first bin, and the last part of an integer above the last.
    add_if_any(to, word + i, square.parts[i]);
  }
}

// Adds what another group has of a value.
template <typename To, typename From, typename Value>
FLINKGPU_HD void add_words(const To& to, const From& from, const Value& value) {
  const int64_t count = from.get(value.first_word);
  if (count == 0) {
    return;
  }
  to.add(value.first_word, count);
  if (value.min_max != 0) {
    to.extremes(least_word(value), from.get(least_word(value)), from.get(least_word(value) + 1));
  }
  if (special_words(value) != 0) {
    const int64_t specials = from.get(specials_word(value));
    if (specials != 0) {
      to.mark(specials_word(value), specials);
    }
  }
  for (uint32_t word = bins_word(value); word < end_word(value); ++word) {
    add_if_any(to, word, from.get(word));
  }
}

}  // namespace flinkgpu
