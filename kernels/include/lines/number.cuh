#pragma once

// Fields of numbers and times, as the readers of Java's parse package read them, but for texts that
// are left to the host: more than 18 digits, doubles that one rounding does not make exact, NaN and
// infinities. A text that is not accepted here may still be a number; one that is accepted is the
// number that Java reads.

#include "text/words.cuh"

namespace flinkgpu {

inline constexpr uint32_t max_digits = 18;

FLINKGPU_HD uint64_t power_of_ten(uint32_t exponent) {
  uint64_t power = 1;
  for (uint32_t i = 0; i < exponent; ++i) {
    power *= 10;
  }
  return power;
}

// The number that four bytes of 0 to 9 stand for, the first byte lowest.
FLINKGPU_HD uint32_t four_digits(uint32_t digits) {
  const uint32_t pairs = digits * 10 + (digits >> 8);
  return (pairs & 0xff) * 100 + ((pairs >> 16) & 0xff);
}

// Reads the first `count` bytes of a word, 1 to 8, as digits.
FLINKGPU_HD bool read_word(uint64_t word, uint32_t count, uint32_t& value) {
  const uint64_t zeros = each_byte * '0';
  const uint32_t unused = 64 - 8 * count;
  const uint64_t digits = ((word << unused) | (zeros & low_bits(unused))) ^ zeros;
  if (((digits | (digits + each_byte * (0x80 - 10))) & high_bits) != 0) {
    return false;
  }
  value = four_digits(static_cast<uint32_t>(digits)) * 10000 +
          four_digits(static_cast<uint32_t>(digits >> 32));
  return true;
}

// Reads at most max_digits digits; none are 0.
FLINKGPU_HD bool read_digits(const uint8_t* buffer, uint32_t from, uint32_t to, uint64_t& value) {
  value = 0;
  for (uint32_t at = from; at < to; at += word_bytes) {
    const uint32_t count = to - at < word_bytes ? to - at : word_bytes;
    uint32_t part = 0;
    if (!read_word(load_text(buffer, at), count, part)) {
      return false;
    }
    value = (at == from ? 0 : value * power_of_ten(count)) + part;
  }
  return true;
}

// Moves `from` after a sign; returns whether it is a minus.
FLINKGPU_HD bool skip_sign(const uint8_t* buffer, uint32_t& from, uint32_t to) {
  const uint32_t first = from < to ? buffer[from] : 0;
  from += first == '+' || first == '-' ? 1 : 0;
  return first == '-';
}

FLINKGPU_HD int64_t with_sign(uint64_t magnitude, bool negative) {
  const auto number = static_cast<int64_t>(magnitude);
  return negative ? -number : number;
}

FLINKGPU_HD bool read_integer(const uint8_t* buffer, uint32_t from, uint32_t to, int64_t& value) {
  const bool negative = skip_sign(buffer, from, to);
  uint64_t magnitude = 0;
  if (from == to || to - from > max_digits || !read_digits(buffer, from, to, magnitude)) {
    return false;
  }
  value = with_sign(magnitude, negative);
  return true;
}

FLINKGPU_HD bool fits_int(int64_t value) {
  return value >= INT32_MIN && value <= INT32_MAX;
}

// Digits with a point somewhere, or none; no sign.
struct point_number {
  uint64_t digits;
  uint32_t whole;     // how many of them are in front of the point
  uint32_t fraction;  // and after it
};

FLINKGPU_HD bool read_point_number(const uint8_t* buffer, uint32_t from, uint32_t to,
                                   point_number& number) {
  const uint32_t point = find_byte(buffer, from, to, '.');
  number.whole = point - from;
  number.fraction = point < to ? to - point - 1 : 0;
  const uint32_t digits = number.whole + number.fraction;
  uint64_t whole = 0;
  uint64_t fraction = 0;
  if (digits == 0 || digits > max_digits || !read_digits(buffer, from, point, whole) ||
      !read_digits(buffer, to - number.fraction, to, fraction)) {
    return false;
  }
  number.digits = whole * power_of_ten(number.fraction) + fraction;
  return true;
}

// A decimal's unscaled value.
FLINKGPU_HD bool read_decimal(const uint8_t* buffer, uint32_t from, uint32_t to,
                              uint32_t whole_digits, uint32_t scale, int64_t& value) {
  const bool negative = skip_sign(buffer, from, to);
  point_number number;
  if (!read_point_number(buffer, from, to, number) || number.whole > whole_digits ||
      number.fraction > scale) {
    return false;
  }
  value = with_sign(number.digits * power_of_ten(scale - number.fraction), negative);
  return true;
}

// A double's bits. W. D. Clinger, "How to Read Floating Point Numbers Accurately" (1990): where
// digits and power of ten are doubles themselves, one operation rounds correctly.
FLINKGPU_HD bool read_double(const uint8_t* buffer, uint32_t from, uint32_t to, int64_t& bits) {
  constexpr uint64_t max_exact_digits = uint64_t{1} << 53;
  constexpr int32_t max_exact_power = 22;
  constexpr uint32_t max_exponent_digits = 4;
  const bool negative = skip_sign(buffer, from, to);
  const uint32_t mark = find_byte(buffer, from, to, 'e', 0x20);
  uint64_t exponent = 0;
  bool negative_exponent = false;
  if (mark < to) {
    uint32_t first = mark + 1;
    negative_exponent = skip_sign(buffer, first, to);
    if (first == to || to - first > max_exponent_digits ||
        !read_digits(buffer, first, to, exponent)) {
      return false;
    }
  }
  point_number number;
  if (!read_point_number(buffer, from, mark, number) || number.digits > max_exact_digits) {
    return false;
  }
  const auto given = static_cast<int32_t>(exponent);
  const int32_t power =
      (negative_exponent ? -given : given) - static_cast<int32_t>(number.fraction);
  if (number.digits != 0 && (power < -max_exact_power || power > max_exact_power)) {
    return false;
  }
  double scale = 1;
  for (int32_t i = power < 0 ? -power : power; i > 0 && number.digits != 0; --i) {
    scale *= 10;
  }
  const auto digits = static_cast<double>(number.digits);
  const double magnitude = power < 0 ? digits / scale : digits * scale;
  const double value = negative ? -magnitude : magnitude;
  std::memcpy(&bits, &value, sizeof(bits));
  return true;
}

FLINKGPU_HD bool is_leap_year(uint32_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

FLINKGPU_HD uint32_t days_of_month(uint32_t year, uint32_t month) {
  if (month == 2) {
    return is_leap_year(year) ? 29 : 28;
  }
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Days from 1970-01-01 to a date of the years 0 to 9999. Years are counted from March, so that the
// leap day is a year's last.
FLINKGPU_HD int32_t epoch_day(uint32_t year, uint32_t month, uint32_t day) {
  constexpr int32_t days_of_400_years = 146097;
  constexpr int32_t days_to_1970 = 719468;  // from the first of March of the year 0
  const uint32_t marches = month > 2 ? year + 400 : year + 399;
  const uint32_t months = month > 2 ? month - 3 : month + 9;
  const uint32_t days = 365 * marches + marches / 4 - marches / 100 + marches / 400 +
                        (153 * months + 2) / 5 + day - 1;
  return static_cast<int32_t>(days) - days_of_400_years - days_to_1970;
}

FLINKGPU_HD uint32_t byte_of(uint64_t word, uint32_t index) {
  return static_cast<uint32_t>(word >> (8 * index)) & 0xff;
}

// What follows the seconds of a time: digits after a point, and the distance to UTC.
FLINKGPU_HD bool read_time_rest(const uint8_t* buffer, uint32_t at, uint32_t to, int64_t& millis) {
  millis = 0;
  if (at < to && buffer[at] == '.') {
    uint32_t digits = 0;
    for (++at; at < to && buffer[at] >= '0' && buffer[at] <= '9'; ++at, ++digits) {
      millis = digits < 3 ? 10 * millis + (buffer[at] - '0') : millis;
    }
    if (digits == 0 || digits > 9) {
      return false;
    }
    millis *= digits == 1 ? 100 : digits == 2 ? 10 : 1;
  }
  if (at == to || (to - at == 1 && buffer[at] == 'Z')) {
    return true;
  }
  const uint32_t sign = buffer[at];
  const uint64_t word = load_text(buffer, at);
  uint32_t hours = 0;
  uint32_t minutes = 0;
  const bool colon = to - at == 6 && byte_of(word, 3) == ':';
  if ((to - at != 5 && !colon) || (sign != '+' && sign != '-') || !read_word(word >> 8, 2, hours) ||
      !read_word(word >> (colon ? 32 : 24), 2, minutes) || hours > 23 || minutes > 59) {
    return false;
  }
  const int64_t distance = int64_t{60 * hours + minutes} * 60'000;
  millis -= sign == '-' ? -distance : distance;
  return true;
}

// A date and a time as milliseconds since 1970.
FLINKGPU_HD bool read_iso_timestamp(const uint8_t* buffer, uint32_t from, uint32_t to,
                                    int64_t& value) {
  constexpr uint32_t pattern_bytes = 19;  // yyyy-MM-ddTHH:mm:ss
  if (to - from < pattern_bytes) {
    return false;
  }
  const uint64_t first = load_text(buffer, from);
  const uint64_t second = load_text(buffer, from + 8);
  const uint64_t third = load_text(buffer, from + 16);
  const uint32_t between = byte_of(second, 2);
  if (byte_of(first, 4) != '-' || byte_of(first, 7) != '-' || (between != 'T' && between != ' ') ||
      byte_of(second, 5) != ':' || byte_of(third, 0) != ':') {
    return false;
  }
  uint32_t year = 0;
  uint32_t month = 0;
  uint32_t day = 0;
  uint32_t hour = 0;
  uint32_t minute = 0;
  uint32_t second_of_minute = 0;
  if (!read_word(first, 4, year) || !read_word(first >> 40, 2, month) ||
      !read_word(second, 2, day) || !read_word(second >> 24, 2, hour) ||
      !read_word(second >> 48, 2, minute) || !read_word(third >> 8, 2, second_of_minute)) {
    return false;
  }
  int64_t millis = 0;
  if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, month) || hour > 23 ||
      minute > 59 || second_of_minute > 59 ||
      !read_time_rest(buffer, from + pattern_bytes, to, millis)) {
    return false;
  }
  const uint32_t seconds = 3600 * hour + 60 * minute + second_of_minute;
  value = int64_t{epoch_day(year, month, day)} * 86'400'000 + int64_t{seconds} * 1000 + millis;
  return true;
}

}  // namespace flinkgpu
