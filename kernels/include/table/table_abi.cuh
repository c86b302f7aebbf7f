#pragma once

// What the table kernels and Java's TableAbi must agree on; see redact/redact_abi.cuh.

#include <cstdint>

namespace flinkgpu {

inline constexpr uint32_t table_threads = 256;  // a row each

// What is in a table, or would be if there was room. A text that was taken out counts on.
struct table_header {
  uint64_t key_bytes;
  uint64_t key_count;
};
static_assert(sizeof(table_header) == 16);

// A slot of the table. Zeroed when there is no text in it.
struct table_entry {
  uint64_t claim;  // the round it was taken in, in the high half, and the hash; 0 while it is free
  uint64_t start;  // of the text in `keys`
  int64_t number;
  uint32_t length;  // of the text
  uint32_t live;    // 0 if the text was taken out, else 1
};
static_assert(sizeof(table_entry) == 32);

// table_change and table_find.
struct table_args {
  const int32_t* offsets;   // rows + 1
  const uint8_t* data;      // of the texts; offsets count from here
  const uint8_t* validity;  // a bit a row: of the numbers of changes, of the texts to find; or null
  const int64_t* numbers;   // of changes
  const uint32_t* changed;  // the rows of changes that count: the last of each text
  int64_t* found;           // a number a row
  uint32_t* found_bits;     // a bit a row: whether it has one; zeroed before
  table_header* header;
  table_entry* entries;
  uint8_t* keys;  // the bytes of all texts
  uint64_t seed_low;
  uint64_t seed_high;
  uint64_t max_key_bytes;
  uint32_t rows;  // or changes that count
  uint32_t separator_bytes;
  uint32_t slots;  // more than max_keys, so that a search ends
  uint32_t max_keys;
  uint32_t round;  // of changes, from 1
  uint32_t hash_mask;
};
static_assert(sizeof(table_args) == 128);

}  // namespace flinkgpu
