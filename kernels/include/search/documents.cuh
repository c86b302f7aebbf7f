#pragma once

// The documents of a launch, group by group, and what becomes of one that a query may want.

#include "search/scores.cuh"

namespace flinkgpu {

inline constexpr uint32_t search_tile_log = 11;
static_assert(search_tile_groups == 1 << search_tile_log);

// The size of no document: the slot is free.
inline constexpr uint32_t search_no_document = 0xffffffff;

// A thread's part of a group of documents: the chunks of all, and one document.
struct group_cursor {
  const uint8_t* at;  // this document's part of the first chunk; any place if there is none
  uint32_t chunks;
  uint32_t size;  // or search_no_document
};

// What was loaded of it. To compute with these is to wait for them, which is for those that use
// the group.
struct group_loads {
  uint32_t first_chunk;
  uint32_t end_chunk;
  uint32_t size;
};

// The groups of documents that a warp takes, counted over the tiles of the launch: blocks take them
// in turns, as those at the end may have far larger documents than those at the start, and where
// there are few they are to be in as many blocks as can be.
struct group_range {
  uint32_t begin;
  uint32_t end;
  uint32_t step;
};

FLINKGPU_HD group_range groups_of_warp(const search_args& args, uint32_t stripe, uint32_t warp) {
  constexpr uint32_t warps = search_scan_threads / 32;
  return {warp * args.stripes + stripe, args.tile_count << (search_tile_log - args.stride_log),
          args.stripes * warps};
}

FLINKGPU_HD bool is_left_out(const search_args& args, uint32_t group) {
  return (group & args.skip_mask) == args.skip_first;
}

FLINKGPU_HD uint32_t tile_of_group(const search_args& args, uint32_t index) {
  return args.first_tile + (index >> (search_tile_log - args.stride_log));
}

FLINKGPU_HD uint32_t group_of_tile(const search_args& args, uint32_t index) {
  const uint32_t tile_log = search_tile_log - args.stride_log;
  const uint32_t of_tile = index & ((uint32_t{1} << tile_log) - 1);
  return (of_tile << args.stride_log) + args.first;
}

// The place of a lane's document in a group: its tile, and 16 bits of its slot.
FLINKGPU_HD uint32_t place_of(const search_args& args, uint32_t index, uint32_t lane) {
  return (tile_of_group(args, index) << 16) |
         (group_of_tile(args, index) * search_group_documents + lane);
}

// Begins to load the document of a lane in a group; none, and no chunks, if there is no such group.
FLINKGPU_HD group_loads load_group(const search_args& args, uint32_t index, uint32_t end,
                                   uint32_t lane) {
  group_loads loads{0, 0, search_no_document};
  if (index < end) {
    const uint32_t group = group_of_tile(args, index);
    const search_tile& tile = args.tiles[tile_of_group(args, index)];
    if (group * search_group_documents < tile.documents && !is_left_out(args, group)) {
      const uint32_t slot = group * search_group_documents + lane;
      loads.first_chunk = tile.chunks[group];
      loads.end_chunk = tile.chunks[group + 1];
      if (slot < tile.documents) {
        loads.size = tile.sizes[slot];
      }
    }
  }
  return loads;
}

FLINKGPU_HD group_cursor cursor_of(const search_args& args, uint32_t index, uint32_t lane,
                                   const group_loads& loads) {
  const uint32_t chunks = loads.end_chunk - loads.first_chunk;
  const auto* at = reinterpret_cast<const uint8_t*>(args.tiles);
  if (chunks != 0) {
    at = args.tiles[tile_of_group(args, index)].elements +
         uint64_t{loads.first_chunk} * search_chunk_bytes + lane * 16;
  }
  return {at, chunks, loads.size};
}

// 16 bytes of a document.
struct element_pack {
  uint32_t words[4];
};

// A load that leaves the first level cache to what is needed again.
FLINKGPU_HD element_pack load_elements(const uint8_t* from) {
  element_pack pack;
#ifdef __CUDA_ARCH__
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(pack.words[0]), "=r"(pack.words[1]), "=r"(pack.words[2]), "=r"(pack.words[3])
               : "l"(from));
#else
  std::memcpy(&pack, from, sizeof(pack));
#endif
  return pack;
}

// The same if they are wanted; else the pack is anything, and no other value is moved into it: that
// would wait for the load of the other one.
FLINKGPU_HD element_pack load_elements_if(bool wanted, const uint8_t* from) {
  element_pack pack;
#ifdef __CUDA_ARCH__
  asm volatile(
      "{\n"
      ".reg .pred wanted;\n"
      "setp.ne.u32 wanted, %5, 0;\n"
      "@wanted ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "=r"(pack.words[0]), "=r"(pack.words[1]), "=r"(pack.words[2]), "=r"(pack.words[3])
      : "l"(from), "r"(static_cast<uint32_t>(wanted)));
#else
  if (wanted) {
    std::memcpy(&pack, from, sizeof(pack));
  } else {
    std::memset(&pack, 0xff, sizeof(pack));
  }
#endif
  return pack;
}

// What queries ask of a document besides its elements.
struct document_facts {
  uint32_t attributes;
  int64_t born;
  int64_t died;

  // Query has a version, a mask and a value.
  template <typename Query>
  FLINKGPU_HD bool is_seen_by(const Query& query) const {
    return (attributes & query.mask) == query.value && born <= query.version &&
           died > query.version;
  }
};

FLINKGPU_HD document_facts facts_of(const search_args& args, uint32_t place) {
  const search_tile& tile = args.tiles[place >> 16];
  const uint32_t slot = place & 0xffff;
  return {tile.attributes[slot], tile.born[slot], tile.died[slot]};
}

// How many candidates a query had at some time.
FLINKGPU_HD uint32_t candidates_so_far(const search_args& args, uint32_t query_index) {
  return load_shared_word(&args.states[query_index].candidates);
}

// Reserves room for `count` candidates of a query that had some so far. Returns where they start,
// or where there is no room: once there are too many, it does not matter how many.
FLINKGPU_HD uint32_t reserve_candidates(const search_args& args, uint32_t query_index,
                                        uint32_t so_far, uint32_t count) {
  return so_far > search_candidates ? search_candidates
                                    : atomic_add(&args.states[query_index].candidates, count);
}

FLINKGPU_HD void put_candidate(const search_args& args, uint32_t query_index, uint32_t query_size,
                               uint32_t index, uint32_t place, uint32_t common, uint32_t size) {
  if (index < search_candidates) {
    const uint64_t key = search_key(args.similarity, common, query_size, size);
    args.candidates[uint64_t{query_index} * search_candidates + index] = (key << 32) | place;
  }
}

// Makes a document a candidate of a query, if the query sees it and wants its attributes.
FLINKGPU_HD_CALL void add_candidate(const search_args& args, uint32_t query_index, uint32_t place,
                                    uint32_t common, uint32_t size) {
  const search_query& query = args.queries[query_index];
  // On its way together with the facts.
  const uint32_t so_far = candidates_so_far(args, query_index);
  if (facts_of(args, place).is_seen_by(query)) {
    const uint32_t index = reserve_candidates(args, query_index, so_far, 1);
    put_candidate(args, query_index, query.size, index, place, common, size);
  }
}

}  // namespace flinkgpu
