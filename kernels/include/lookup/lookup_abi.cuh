#pragma once

// What the lookup kernels and Java's LookupAbi must agree on; see redact/redact_abi.cuh.

#include <cstdint>

namespace flinkgpu {

// ---- launch shapes ----

inline constexpr uint32_t lookup_threads = 256;        // a bag, or an id, a thread
inline constexpr uint32_t lookup_warp_lines = 4;       // that a warp has on their way at a time
inline constexpr uint32_t lookup_rank_vectors = 4096;  // of a block of lookup_count, lookup_choose

// ---- vectors ----

// What is read from the host at once. A vector takes a multiple of it, or a power of two of at
// least lookup_least_stride bytes, and starts at a multiple of what it takes.
inline constexpr uint32_t lookup_line_bytes = 128;
inline constexpr uint32_t lookup_least_stride = 32;

// The ordinals of ElementType. A vector of bytes starts with its scale and its bias.
inline constexpr uint32_t lookup_f32 = 0;
inline constexpr uint32_t lookup_f16 = 1;
inline constexpr uint32_t lookup_bf16 = 2;
inline constexpr uint32_t lookup_int8 = 3;

// The ordinals of Combiner.
inline constexpr uint32_t lookup_none = 0;
inline constexpr uint32_t lookup_sum = 1;
inline constexpr uint32_t lookup_mean = 2;
inline constexpr uint32_t lookup_max = 3;

inline constexpr uint32_t lookup_kind_bits = 2;  // of a bag's combiner; its table is above them
inline constexpr uint32_t lookup_most_tables = 4096;
inline constexpr uint32_t lookup_epochs =
    1048576;  // of a table of different vectors: 1 and on, all less
inline constexpr uint32_t lookup_disk_bit = 31;  // of a line: it was read from disk
inline constexpr uint32_t lookup_frequencies = 256;

// Of host memory, by the part of an address that counts: see order.cuh.
inline constexpr uint32_t lookup_page_bits = 21;
inline constexpr uint32_t lookup_pages = 4096;

// A slot of the table of ids. Slots are a power of two, at least half of them free.
struct lookup_slot {
  uint64_t id;
  uint32_t index;  // of the vector
  uint32_t used;   // 0 or 1
};
static_assert(sizeof(lookup_slot) == 16);

// A table of vectors. Vectors have indexes; those below host_vectors are in host memory, the others
// on disk, and any of them in the cache, too.
struct lookup_table {
  const lookup_slot* slots;
  const uint64_t* chunks;    // of the vectors in host memory: where each starts, for the device
  const uint8_t* cache;      // vectors in device memory
  const int32_t* locations;  // by index: the vector's place in the cache, or -1; null: its index
  uint32_t* frequencies;     // a byte for each index; null: not counted
  const float* missing;      // the vector of an id that there is none of; null: it is left out
  uint32_t slot_shift;       // 64 less the logarithm of the slots
  uint32_t dimension;
  uint32_t type;
  uint32_t stride;        // bytes from one vector to the next
  uint32_t cached;        // where there are no locations: vectors with a smaller index are cached
  uint32_t host_vectors;  // see above
  uint32_t chunk_shift;   // the logarithm of the vectors of a chunk
  uint32_t reserved;
};
static_assert(sizeof(lookup_table) == 80);

// What is known of a batch. Zeroed before.
struct lookup_header {
  uint64_t bag_values;  // floats of all bags that are combined
  uint64_t id_values;   // and of all ids of those that are not
  uint32_t lines;       // to read from the host
  uint32_t disk_reads;
  uint32_t disk_lines;
  uint32_t bad_bags;    // 1 if one is not what it has to be
  uint32_t number;      // of the batch, put there by the host
  uint32_t uncombined;  // 1 if a bag is not combined, or lookup_direct has left the batch to others
};
static_assert(sizeof(lookup_header) == 40);

// What became of a batch's ids of a table. Zeroed before.
struct lookup_counts {
  uint32_t missing;
  uint32_t device;       // were found in the cache
  uint32_t host;         // in host memory
  uint32_t disk;         // on disk
  uint32_t unique;       // different vectors
  uint32_t host_unique;  // those that were read from the host
  uint32_t disk_unique;  // and from disk
  uint32_t nan_weights;  // of ids that were not left out
};
static_assert(sizeof(lookup_counts) == 32);

// A bag of a batch.
struct lookup_bag {
  uint32_t start;    // of its ids in the batch
  uint32_t end;      // of them
  uint32_t kind;     // its table, and its combiner in the low bits
  uint32_t weights;  // the first one's place, or 2^32 - 1 if there are none
  uint32_t row;
  uint32_t base;  // values of the combined bags before
};
static_assert(sizeof(lookup_bag) == 24);

// A vector to be read from disk.
struct lookup_read {
  uint32_t table;
  uint32_t index;
  uint32_t line;  // where it is to be put, in lines
};
static_assert(sizeof(lookup_read) == 12);

// A line to be read from the host.
struct lookup_host_line {
  uint64_t source;  // as in line_sources
  uint32_t line;    // where it is to be put, in lines
  uint32_t reserved;
};
static_assert(sizeof(lookup_host_line) == 16);

// lookup_bags, lookup_find, lookup_order, lookup_gather and lookup_write; lookup_direct.
struct lookup_args {
  const uint64_t* ids;
  const int32_t* id_offsets;  // of the rows' ids, rows + 1; they count from the first one
  const int32_t* bags;        // kinds
  const int32_t* bag_offsets;
  const int32_t* bag_ends;  // of each bag's ids, from the row's first one
  const float* weights;
  const int32_t* weight_offsets;  // null: there are no weights
  const lookup_table* tables;
  lookup_header* header;
  lookup_counts* counts;   // of each table
  uint64_t* bag_tiles;     // sums; zeroed before
  uint64_t* id_tiles;      // the same
  lookup_bag* places;      // of the bags
  uint64_t* sources;       // of each id's vector, see ids.cuh
  uint32_t* id_bases;      // values of the ids before each
  uint32_t* id_bags;       // each id's bag
  uint64_t* unique_keys;   // a hash table of the batch's different vectors
  uint32_t* unique_lines;  // of those that have to be read
  uint64_t* line_sources;  // host addresses, and in the low bits the bytes of 32 less one
  uint8_t* lines;          // read from the host
  uint32_t* page_counts;   // lines of each page, and of those that are placed; zeroed before
  lookup_host_line* ordered_lines;  // null, like the counts: lines are read in no order
  lookup_read* reads;               // from disk
  const uint8_t* disk_lines;        // null: not read yet
  float* values;                    // what was looked up
  int32_t* value_ends;              // of each bag, from the row's first one
  int32_t* value_offsets;           // of the rows' values, rows + 1
  uint64_t room;                    // of values
  uint64_t seed_low;                // of the tables of ids
  uint64_t seed_high;
  uint32_t rows;
  uint32_t bag_count;
  uint32_t id_count;
  uint32_t table_count;
  uint32_t epoch;
  uint32_t unique_shift;  // 64 less the logarithm of its slots, more than twice the ids
  uint32_t lanes;         // that share a vector: a power of two up to 32
  uint32_t warps;         // of lookup_gather, and of lookup_order
};
static_assert(sizeof(lookup_args) == 272);

// lookup_count and lookup_choose, for a table.
struct lookup_rank_args {
  uint32_t* frequencies;     // a byte for each index
  const int32_t* locations;  // of each index
  uint32_t* histogram;       // of lookup_frequencies; zeroed before
  uint64_t* tiles;           // sums; zeroed before
  uint32_t* list_counts;     // of the two lists; zeroed before
  uint32_t* admitted;        // indexes, each with its frequency behind it
  uint32_t* evicted;         // the same
  uint32_t vectors;
  uint32_t threshold;  // vectors that are used more often are to be in the cache
  uint32_t ties;       // and the first so many of those that are used so often
  uint32_t room;       // of each list
};
static_assert(sizeof(lookup_rank_args) == 72);

// Words that go to a place of their own.
struct lookup_copy {
  uint32_t* to;
  const uint32_t* from;
  uint64_t words;
};
static_assert(sizeof(lookup_copy) == 24);

// lookup_put, a warp a copy.
struct lookup_put_args {
  const lookup_copy* copies;
  uint64_t count;
};
static_assert(sizeof(lookup_put_args) == 16);

}  // namespace flinkgpu
