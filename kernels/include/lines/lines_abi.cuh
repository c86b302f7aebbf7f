#pragma once

// What the line kernels and Java's LinesAbi must agree on; see redact/redact_abi.cuh.

#include <cstdint>

namespace flinkgpu {

// ---- launch shapes ----

inline constexpr uint32_t lines_threads = 512;
inline constexpr uint32_t lines_tile_bytes = 32768;
inline constexpr uint32_t lines_result_threads = 512;

// ---- limits ----

// A line that starts in a tile and ends farther beyond it is left to the host.
inline constexpr uint32_t lines_halo_bytes = 2048;
inline constexpr uint32_t lines_max_numbers = 32;  // fields whose values are kept

// Shared memory of a block but for bins_present and its own table: see tile.cuh.
inline constexpr uint32_t lines_shared_bytes = 47472;

// Bytes past the data that may be read; zero.
inline constexpr uint32_t lines_padding_bytes = 32;

// ---- FieldType ----

inline constexpr uint32_t field_string = 0;
inline constexpr uint32_t field_int = 1;
inline constexpr uint32_t field_long = 2;
inline constexpr uint32_t field_decimal = 3;
inline constexpr uint32_t field_double = 4;
inline constexpr uint32_t field_epoch_millis = 5;
inline constexpr uint32_t field_iso_timestamp = 6;
inline constexpr uint32_t field_skipped = 7;

// ---- a group's record: these words, its slice if lines have a time, then each value's words ----

inline constexpr uint32_t record_key = 0;
inline constexpr uint32_t key_place_bits = 31;  // its lowest: where the key is, plus 1
inline constexpr uint32_t record_head = 1;      // the first 16 bytes of the key
inline constexpr uint32_t record_slice = 3;
inline constexpr uint32_t record_first_value = 3;  // without a slice

// ---- the result: GroupedLayout's arrays before those of the values ----

inline constexpr uint32_t lines_first_value_word = 3;

// Doubles that the device converts lie in these bins of the exponent grid.
inline constexpr uint32_t lines_first_bin = 29;
inline constexpr uint32_t lines_double_bins = 9;
inline constexpr uint32_t lines_integer_bins = 2;

// ---- structs that Java writes or reads; little endian ----

inline constexpr uint32_t no_number = 0xffffffff;
inline constexpr uint32_t no_field = 0xffffffff;

// A field of a line.
struct alignas(16) line_field {
  uint32_t type;
  uint32_t number;        // where its value is kept while the line is read, or no_number
  uint32_t whole_digits;  // of a decimal, in front of the point
  uint32_t scale;         // digits after it
};
static_assert(sizeof(line_field) == 16);

// A value and its words of a record: count, least and greatest (if min_max is 1), bins (if summed),
// twice as many bins of squares (if squared).
struct line_value {
  uint32_t number;    // where it is kept while the line is read
  uint32_t floating;  // 1 or 0, as the next two
  uint32_t min_max;
  uint32_t summed;
  uint32_t first_word;  // of the record
  uint32_t squared;     // 1 or 0; only where it is summed
};
static_assert(sizeof(line_value) == 24);

// What the host reads back. Zeroed before. After it lies a word a value: bit b is set if a value
// lies in the grid's bins b to b + 2.
struct lines_header {
  uint64_t lines;
  uint64_t groups;
  uint64_t key_bytes;
  uint64_t max_time;       // the greatest, with its sign bit flipped; 0: none
  uint64_t result_cursor;  // groups written so far << 32 | bytes of their keys
  uint32_t refused;
  uint32_t refused_tile;  // the ticket counter of lines_refused
  uint32_t full;          // not 0: the table had no room, and all else but the lines means nothing
  uint32_t reserved;
};
static_assert(sizeof(lines_header) == 56);

// What a program holds of the groups of its batches, as the host reads it back. After it lies a
// word a value, as after lines_header. Zeroed when nothing is held.
struct held_header {
  uint64_t cursor;  // groups << 32 | bytes of their keys
};
static_assert(sizeof(held_header) == 8);

// One batch on its way through the line kernels; the only kernel parameter.
struct lines_args {
  const uint8_t* data;  // zero for lines_padding_bytes after its end; aligned to 16
  // Where the rows but the first start. A row is whole lines, the last of which may lack its '\n'.
  const int32_t* breaks;
  const line_field* fields;
  const line_value* values;
  lines_header* header;
  uint64_t* bins_present;   // after the header
  uint32_t* refused_bits;   // a bit a byte: a refused line starts there. Zeroed before
  uint64_t* scan_states;    // a word a tile of lines_refused. Zeroed before
  uint64_t* table;          // records of all groups; zeroed before
  uint8_t* result;          // the words of GroupedLayout, then the keys' offsets, then their bytes
  int32_t* refused_starts;  // offsets like the breaks; room for all of them
  held_header* held;        // this and what follows of what is held: only in lines_hold, lines_give
  uint64_t* held_bins;      // after the header: the bins present of all batches held
  uint64_t* held_index;     // half of a group's hash << 32 | its record, plus 1. 0: free
  uint64_t* held_records;   // like those of the table, one after the other
  uint8_t* held_keys;       // the bytes of the records' keys, in the order of the records
  uint64_t seed_low;
  uint64_t seed_high;
  int64_t slice_millis;
  int64_t slice_offset;
  uint64_t result_room;  // bytes; nothing is written if they are too few
  uint32_t data_bytes;
  uint32_t breaks_count;
  uint32_t first_offset;  // what breaks are counted from: data[0]
  uint32_t fields_count;
  uint32_t values_count;
  uint32_t key_field;
  uint32_t time_field;  // or no_field
  uint32_t separator;
  uint32_t quoted;        // 1 or 0
  uint32_t record_words;  // words of a record
  uint32_t table_mask;    // records of the table, a power of two, less one
  uint32_t probes;        // records that are compared with one key; then the table is full
  uint32_t own_slots;     // records of a block's own table, a power of two, or 0
  uint32_t hash_mask;     // all ones; fewer make keys collide, for tests
  uint32_t held_mask;     // entries of the index, a power of two, less one; twice the groups' room
  uint32_t held_groups;   // before the launch
  uint32_t given_first;   // lines_give: the first record that is written
  uint32_t given_count;   // how many are
};
static_assert(sizeof(lines_args) == 240);

}  // namespace flinkgpu
