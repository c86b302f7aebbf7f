#pragma once

// What the search kernels and Java's SearchAbi must agree on; see redact/redact_abi.cuh.

#include <cstdint>

namespace flinkgpu {

// ---- launch shapes ----

inline constexpr uint32_t search_scan_threads = 1024;     // a group of documents a warp
inline constexpr uint32_t search_inverted_threads = 512;  // a tile and a query a block
inline constexpr uint32_t search_select_threads = 1024;   // a query a block
inline constexpr uint32_t search_need_threads = 1024;     // 32 sizes of a group of queries a block
inline constexpr uint32_t search_index_threads = 1024;    // a tile
inline constexpr uint32_t search_threads = 256;           // an item a thread

// Shared memory of a block of search_inverted.
inline constexpr uint32_t search_inverted_bytes = 74752;

// ---- documents ----

inline constexpr uint32_t search_group_documents = 32;  // a lane each
inline constexpr uint32_t search_chunk_bytes = 512;     // 16 bytes of each document of a group
inline constexpr uint32_t search_tile_groups = 2048;
inline constexpr uint32_t search_tile_slots = 65536;

// ---- queries ----

inline constexpr uint32_t search_narrow_sizes = 256;  // of documents: 0 and up to 255 elements
inline constexpr uint32_t search_wide_sizes = 1056;   // up to 1,024, and on to a multiple of 32
inline constexpr uint32_t search_need_words = 12;     // 11 planes, and who can reach it at all
inline constexpr uint32_t search_most_k = 1024;

// Of a query: those of a tile and what was found before.
inline constexpr uint32_t search_candidates = 66560;

// What a document of a size needs where no query can be reached.
inline constexpr uint32_t search_never = 65535;

// The ordinals of Similarity.
inline constexpr uint32_t similarity_max = 0;
inline constexpr uint32_t similarity_jaccard = 1;
inline constexpr uint32_t similarity_dice = 2;
inline constexpr uint32_t similarity_containment = 3;
inline constexpr uint32_t similarity_overlap = 4;

// Documents in groups of 32. The elements of a group lie in chunks, 16 bytes of each document:
// eight codes of narrow documents, where a code is an element's number and one more, and 0 where
// there are no more; or four elements of wide ones, of which those that are too many are not looked
// at.
struct search_tile {
  const uint8_t* elements;
  const uint32_t* chunks;  // the first one of each group, and where the last one ends
  const int64_t* ids;
  const int64_t* born;  // the change that made a document
  const int64_t* died;  // the change that took it away, or the greatest number
  const uint32_t* attributes;
  const uint16_t* sizes;           // of the sets
  const uint32_t* posting_starts;  // of each code, and where the last one ends; null: no index
  const uint16_t* postings;        // slots
  uint32_t documents;
  uint32_t codes;     // that posting_starts has
  uint32_t smallest;  // the least size
  uint32_t largest;
};
static_assert(sizeof(search_tile) == 88);

// A query. Those of a launch are in the order of their groups.
struct search_query {
  int64_t version;     // how many changes it sees
  uint64_t min_score;  // the bits of a double
  uint32_t k;
  uint32_t size;  // of its set
  uint32_t codes_start;
  uint32_t codes_count;  // of those elements that have one
  uint32_t elements_start;
  uint32_t mask;  // of attributes
  uint32_t value;
  uint32_t least;         // how much documents have in common with it at least: 0 or 1
  uint32_t result_start;  // of its documents in the result, k of them
  uint32_t reserved;
};
static_assert(sizeof(search_query) == 56);

// What is known of a query. Zeroed before. Each has a line of the cache of its own: atomics on one
// line wait for each other.
struct search_state {
  uint32_t candidates;
  uint32_t min_key;     // of documents that may be among the best k
  uint32_t overflowed;  // 1 if there was no room for all candidates
  uint32_t found;       // in the result
  uint64_t dropped;     // candidates that others were better than
  uint64_t reserved[13];
};
static_assert(sizeof(search_state) == 128);

// A document that died.
struct search_death {
  int64_t* died;
  int64_t change;
};
static_assert(sizeof(search_death) == 16);

// All search kernels but those below.
struct search_args {
  const search_tile* tiles;
  const search_query* queries;
  search_state* states;
  const uint16_t* codes;     // of all queries
  const uint32_t* elements;  // of all queries
  uint32_t* need;            // search_need_words for each size of each group of queries
  uint16_t* least;           // of each query and size of narrow documents
  uint64_t* table;           // of elements, for each group of queries; zeroed before
  uint64_t* candidates;      // of each query: a key, and a document's place
  int64_t* found_ids;
  uint32_t* found_counts;  // elements in common, and 16 bits up the size
  uint32_t first_tile;     // of this launch
  uint32_t tile_count;
  uint32_t query_count;
  uint32_t group_queries;  // queries of a group: 32, 16 or 8
  uint32_t first_group;    // of queries in this launch
  uint32_t groups;
  uint32_t stripes;     // the groups of documents are cut into these
  uint32_t similarity;  // ordinal
  uint32_t code_count;
  uint32_t sizes;         // that `need` has for each group
  uint32_t stride_log;    // of groups of documents in a tile
  uint32_t first;         // of them
  uint32_t skip_mask;     // left out are groups of which these bits
  uint32_t skip_first;    // are these
  uint32_t table_log;     // of slots of a group's table
  uint32_t table_shared;  // 1 if a block has it in shared memory
  uint32_t exact;         // 1 if all but the best k are dropped, 0 if ties may stay
  uint32_t reserved;
};
static_assert(sizeof(search_args) == 160);

// search_index_count, _sum and _put, which fill the inverted index of a tile of narrow documents,
// and after them search_arrange, which changes the order of codes within documents.
struct search_index_args {
  uint8_t* elements;
  const uint32_t* chunks;
  const uint16_t* sizes;
  uint32_t* posting_starts;  // codes + 1 are used in the end, codes + 2 meanwhile
  uint16_t* postings;
  uint32_t documents;
  uint32_t codes;
};
static_assert(sizeof(search_index_args) == 48);

// search_die.
struct search_die_args {
  const search_death* deaths;
  uint64_t count;
};
static_assert(sizeof(search_die_args) == 16);

}  // namespace flinkgpu
