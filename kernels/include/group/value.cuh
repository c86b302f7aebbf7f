#pragma once

// A value as integers that are compared and added: the device's side of BinaryGrid and DoubleOrder.
// A finite double is a whole number of units of 2^-1074; its parts of 32 bits, signed like it,
// belong to three neighbouring bins. An integer's parts are its halves. Integer additions commute,
// so sums do not depend on the order of the rows.

#include "group/group_abi.cuh"
#include "host_device.cuh"

namespace flinkgpu {

inline constexpr uint64_t low_word = 0xffffffff;
inline constexpr uint32_t fraction_bits = 52;
inline constexpr uint32_t exponent_special = 0x7ff;
inline constexpr uint64_t canonical_nan = 0x7ff8000000000000;

struct value_parts {
  int64_t order;     // compares as the values do
  uint32_t special;  // of a double that is not finite; its parts are 0
  uint32_t bin;      // the grid's bin of the lowest part
  int64_t low;
  int64_t middle;
  int64_t high;
};

FLINKGPU_HD uint32_t exponent_of(uint64_t bits) {
  return static_cast<uint32_t>(bits >> fraction_bits) & 0x7ff;
}

FLINKGPU_HD uint64_t fraction_of(uint64_t bits) {
  return bits & ((uint64_t{1} << fraction_bits) - 1);
}

// The distance in bits from the grid's least unit to the value's.
FLINKGPU_HD uint32_t position_of(uint32_t exponent) {
  return exponent == 0 ? 0 : exponent - 1;
}

FLINKGPU_HD int64_t ordered(uint64_t bits) {
  const auto word = static_cast<int64_t>(bits);
  return word ^ ((word >> 63) & INT64_MAX);
}

FLINKGPU_HD value_parts parts_of_integer(int64_t value) {
  return {value,       0, 0, static_cast<int64_t>(static_cast<uint64_t>(value) & low_word),
          value >> 32, 0};
}

FLINKGPU_HD value_parts parts_of_double(uint64_t bits) {
  const uint32_t exponent = exponent_of(bits);
  const uint64_t fraction = fraction_of(bits);
  const bool negative = bits >> 63 != 0;
  if (exponent == exponent_special) {
    if (fraction != 0) {
      return {ordered(canonical_nan), special_nan, 0, 0, 0, 0};
    }
    return {ordered(bits),
            negative ? special_negative_infinity : special_positive_infinity,
            0,
            0,
            0,
            0};
  }
  const uint64_t magnitude = exponent == 0 ? fraction : fraction | (uint64_t{1} << fraction_bits);
  const auto number = negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
  const uint32_t position = position_of(exponent);
  const uint32_t shift = position % 32;
  const int64_t above = number >> (32 - shift);
  return {ordered(bits),
          0,
          position / 32,
          static_cast<int64_t>((static_cast<uint64_t>(number) << shift) & low_word),
          static_cast<int64_t>(static_cast<uint64_t>(above) & low_word),
          above >> 32};
}

// What a value adds to a bin of the grid.
FLINKGPU_HD int64_t part_in_bin(const value_parts& parts, uint32_t bin) {
  const uint32_t distance = bin - parts.bin;
  return distance == 0 ? parts.low : distance == 1 ? parts.middle : distance == 2 ? parts.high : 0;
}

// The square of a finite value, which lies in five neighbouring bins of SquareGrid, or in four if
// it is an integer's.
inline constexpr uint32_t square_bins = 5;

struct square_parts {
  uint32_t bin;  // the grid's bin of the lowest part
  int64_t parts[square_bins];
};

// The square of `number` 2^position.
FLINKGPU_HD square_parts parts_of_square(uint64_t number, uint32_t position) {
  const uint64_t upper = number >> 32;
  const uint64_t lower = number & low_word;
  const uint64_t twice = upper * lower;
  const uint64_t square = lower * lower;
  const uint64_t low = square + (twice << 33);
  const uint64_t high = upper * upper + (twice >> 31) + (low < square ? 1 : 0);
  const uint32_t shift = 2 * position % 32;
  const uint64_t middle = (high << (32 + shift)) | (low >> (32 - shift));
  const uint64_t top = high >> (32 - shift);
  return {2 * position / 32,
          {static_cast<int64_t>((low << shift) & low_word), static_cast<int64_t>(middle & low_word),
           static_cast<int64_t>(middle >> 32), static_cast<int64_t>(top & low_word),
           static_cast<int64_t>(top >> 32)}};
}

// The square of a value; 0 of one that is not finite.
FLINKGPU_HD square_parts square_of(uint64_t bits, bool floating) {
  if (!floating) {
    return parts_of_square(bits >> 63 != 0 ? uint64_t{0} - bits : bits, 0);
  }
  const uint32_t exponent = exponent_of(bits);
  if (exponent == exponent_special) {
    return {};
  }
  const uint64_t fraction = fraction_of(bits);
  return parts_of_square(exponent == 0 ? fraction : fraction | (uint64_t{1} << fraction_bits),
                         position_of(exponent));
}

// What a square adds to a bin of the grid.
FLINKGPU_HD int64_t square_in_bin(const square_parts& square, uint32_t bin) {
  int64_t found = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < square_bins; ++i) {
    found = bin - square.bin == i ? square.parts[i] : found;
  }
  return found;
}

FLINKGPU_HD bool has_value(const value_column& column, uint32_t row) {
  return column.validity == nullptr || ((column.validity[row / 8] >> (row % 8)) & 1) != 0;
}

FLINKGPU_HD uint64_t bits_of_row(const value_column& column, uint32_t row) {
  return reinterpret_cast<const uint64_t*>(column.data)[row];
}

// The parts of the value in a row that has one.
FLINKGPU_HD value_parts parts_of_row(const value_column& column, uint32_t row) {
  const uint64_t bits = bits_of_row(column, row);
  return column.floating != 0 ? parts_of_double(bits)
                              : parts_of_integer(static_cast<int64_t>(bits));
}

// group_bins, one row of a column of doubles: a bit that stands for the three bins that its value
// lies in. Zeros and what is not finite lie in none.
FLINKGPU_HD uint64_t bins_of_row(const value_column& column, uint32_t row) {
  if (!has_value(column, row)) {
    return 0;
  }
  const uint64_t bits = bits_of_row(column, row);
  const uint32_t exponent = exponent_of(bits);
  if (exponent == exponent_special || (exponent == 0 && fraction_of(bits) == 0)) {
    return 0;
  }
  return uint64_t{1} << (position_of(exponent) / 32);
}

}  // namespace flinkgpu
