#pragma once

// A line as fields: the device's side of Java's LineParser, which says what is accepted.

#include "lines/lines_abi.cuh"
#include "lines/number.cuh"
#include "text/words.cuh"

namespace flinkgpu {

// What is kept of a line.
struct line_values {
  uint32_t key_from;
  uint32_t key_to;
  int64_t time;
  uint32_t nulls;  // a bit a number
  int64_t numbers[lines_max_numbers];
};

FLINKGPU_HD bool read_value(const uint8_t* buffer, uint32_t from, uint32_t to,
                            const line_field& field, int64_t& value) {
  switch (field.type) {
    case field_int:
      return read_integer(buffer, from, to, value) && fits_int(value);
    case field_decimal:
      return read_decimal(buffer, from, to, field.whole_digits, field.scale, value);
    case field_double:
      return read_double(buffer, from, to, value);
    case field_iso_timestamp:
      return read_iso_timestamp(buffer, from, to, value);
    default:
      return read_integer(buffer, from, to, value);
  }
}

FLINKGPU_HD bool is_nullable(const line_field& field) {
  return field.type != field_epoch_millis && field.type != field_iso_timestamp;
}

// Reads field `index`, which is [from, to).
FLINKGPU_HD bool read_field(const lines_args& args, const uint8_t* buffer, uint32_t index,
                            uint32_t from, uint32_t to, line_values& line) {
  const line_field field = args.fields[index];
  if (field.type == field_skipped) {
    return true;
  }
  if (field.type == field_string) {
    if (index == args.key_field) {
      line.key_from = from;
      line.key_to = to;
    }
    return is_utf8(buffer, from, to);
  }
  if (from == to && is_nullable(field)) {
    line.nulls |= field.number == no_number ? 0 : 1U << field.number;
    return true;
  }
  int64_t value = 0;
  if (!read_value(buffer, from, to, field, value)) {
    return false;
  }
  if (index == args.time_field) {
    line.time = value;
  }
  if (field.number != no_number) {
    line.numbers[field.number] = value;
  }
  return true;
}

// The end of the field in quotes that starts at `at`, which is then the start of the next one.
// Returns false if it has none, or escaped quotes, or text after.
FLINKGPU_HD bool cut_quoted(const lines_args& args, const uint8_t* buffer, uint32_t& at,
                            uint32_t to, uint32_t& end) {
  end = find_byte(buffer, at + 1, to, '"');
  if (end == to || (end + 1 < to && buffer[end + 1] != args.separator)) {
    return false;
  }
  at = end + 2;
  return true;
}

// Cuts and reads field `index`, which starts at `at`; moves that to the start of the next one.
FLINKGPU_HD bool take_field(const lines_args& args, const uint8_t* buffer, uint32_t index,
                            uint32_t& at, uint32_t to, line_values& line) {
  if (at > to) {
    return false;
  }
  uint32_t start = at;
  uint32_t end = 0;
  if (args.quoted != 0 && at < to && buffer[at] == '"') {
    if (!cut_quoted(args, buffer, at, to, end)) {
      return false;
    }
    ++start;
  } else {
    end = find_byte(buffer, at, to, args.separator);
    at = end + 1;
  }
  return read_field(args, buffer, index, start, end, line);
}

// Reads the line [from, to), without its end, if there is one. Returns whether there is and it is
// neither malformed nor left to the host. All lanes of a warp come here.
FLINKGPU_HD bool read_line(const lines_args& args, const uint8_t* buffer, bool exists,
                           uint32_t from, uint32_t to, line_values& line) {
  line.nulls = 0;
  uint32_t at = from;
  bool valid = exists;
  for (uint32_t i = 0; i < args.fields_count; ++i) {
    valid = valid && take_field(args, buffer, i, at, to, line);
    converge();
  }
  return valid && at > to;
}

}  // namespace flinkgpu
