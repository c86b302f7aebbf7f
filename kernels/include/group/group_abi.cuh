#pragma once

// What the group kernels and Java's GroupAbi must agree on; see redact/redact_abi.cuh.

#include <cstdint>

namespace flinkgpu {

// ---- launch shapes ----

inline constexpr uint32_t group_threads = 256;  // a row each
inline constexpr uint32_t bins_items = 16;      // rows a group_bins thread owns
inline constexpr uint32_t rank_threads = 1024;
inline constexpr uint32_t rank_items = 16;  // rows a group_rank thread owns
inline constexpr uint32_t add_threads = 512;
inline constexpr uint32_t add_items = 8;  // rows a group_add thread owns

// ---- limits ----

// Room for a block's own accumulators: 48 KiB, which every GPU gives to a block, to four at a time
// where there are 192 KiB.
inline constexpr uint32_t shared_words = 6144;

// ---- the result: GroupedLayout's arrays before those of the values ----

inline constexpr uint32_t word_first_row = 0;
inline constexpr uint32_t word_key_id = 1;
inline constexpr uint32_t word_slice = 2;
inline constexpr uint32_t first_value_word = 3;

// ---- doubles that are not finite: BinaryGrid.NAN and so on ----

inline constexpr uint32_t special_nan = 1;
inline constexpr uint32_t special_positive_infinity = 2;
inline constexpr uint32_t special_negative_infinity = 4;

// ---- structs that Java writes or reads; little endian ----

// A column of values and where its accumulators are: count, least and greatest (if min_max is 1),
// specials (if it is floating and summed), bins, twice as many bins of squares (if squared).
struct value_column {
  const uint8_t* data;      // 8 bytes a row: an integer or a double
  const uint8_t* validity;  // a bit a row; null where all rows have a value
  uint32_t floating;        // 1 or 0, as the next two
  uint32_t min_max;
  uint32_t summed;
  uint32_t first_word;  // of the result: the array of its counts
  uint32_t first_bin;   // the grid's bin of its first array of bins; 0 for integers
  uint32_t bins;        // arrays of bins
  uint32_t squared;     // 1 or 0; only where it is summed
  uint32_t reserved;
};
static_assert(sizeof(value_column) == 48);

// What the host reads back before it makes room for the result. Zeroed before group_rows. After it
// lies a word a value: bit b is set if a value lies in the grid's bins b to b + 2.
struct group_header {
  uint32_t groups;
  uint32_t rank_tile;  // the ranking's ticket counter
};
static_assert(sizeof(group_header) == 8);

// One batch on its way through the group kernels; the only kernel parameter.
struct group_args {
  const int32_t* key_ids;      // an id a row; or null, and keys are bytes:
  const int32_t* key_offsets;  // rows + 1 of them
  const uint8_t* key_data;     // where offset 0 is
  const int64_t* slices;
  const value_column* columns;
  group_header* header;
  uint64_t* bins_present;  // after the header
  uint64_t* scan_states;   // a word a rank tile; zeroed before
  uint32_t* table;         // the complement of a row; 0: empty. Zeroed before
  uint32_t* row_groups;    // a row's slot in the table; after group_start: its group
  uint64_t* ranks;         // a word 32 rows
  int64_t* words;          // the result: arrays of a word a group
  uint64_t seed_low;
  uint64_t seed_high;
  uint32_t rows;
  uint32_t table_mask;  // entries of the table, a power of two, less one
  uint32_t hash_mask;   // all ones; fewer make keys collide, for tests
  uint32_t values;
  uint32_t groups;
  uint32_t reserved;
};
static_assert(sizeof(group_args) == 136);

}  // namespace flinkgpu
