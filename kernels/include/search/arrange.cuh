#pragma once

// search_arrange: puts the codes of each document of a tile in an order in which the 32 look-ups
// that a scan's warp does at a time are in as many banks of shared memory as can be; their order
// within a document means nothing else. A block takes a group of documents.

#include "block/tile.cuh"
#include "search/search_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t arrange_banks = 32;
inline constexpr uint32_t chunk_codes = 8;

struct arrange_shared {
  uint16_t codes[search_narrow_sizes][search_group_documents];
  // Of each bank of masks that are a word each: the step that it was last looked up in, and 16 bits
  // of the code.
  uint32_t looked_up[arrange_banks];
};

struct arrange_lane {
  uint32_t lane;
  uint32_t size;  // of its document, 0 if there is none
};

// Chooses the code of a document for a step: the first one left whose bank no other document has
// taken, or has taken for the same code, which is the same word; else the one that is next.
FLINKGPU_HD void choose_code(arrange_shared& shared, const arrange_lane& self, uint32_t step) {
  for (uint32_t i = step; i < self.size; ++i) {
    const uint16_t code = shared.codes[i][self.lane];
    uint32_t* const bank = &shared.looked_up[code % arrange_banks];
    const uint32_t own = (step << 16) | code;
    uint32_t found = load_shared_word(bank);
    if (found >> 16 != step) {
      const uint32_t before = found;
      found = atomic_swap_if(bank, before, own);
      found = found == before ? own : found;
    }
    if (found == own) {
      shared.codes[i][self.lane] = shared.codes[step][self.lane];
      shared.codes[step][self.lane] = code;
      return;
    }
  }
}

template <typename Threads>
FLINKGPU_LIST void arrange_codes(const Threads& threads, const search_index_args& args,
                                 arrange_shared& shared, uint32_t group) {
  const uint32_t start = args.chunks[group];
  const uint32_t chunks = args.chunks[group + 1] - start;
  uint8_t* const elements = args.elements + uint64_t{start} * search_chunk_bytes;
  auto each = threads.begin([&](uint32_t lane) {
    const uint32_t slot = group * search_group_documents + lane;
    return arrange_lane{lane, slot < args.documents ? args.sizes[slot] : 0U};
  });
  each([&](const arrange_lane& self) {
    for (uint32_t i = 0; i < chunks * chunk_codes; ++i) {
      const uint8_t* const pack = elements + i / chunk_codes * search_chunk_bytes + self.lane * 16;
      shared.codes[i][self.lane] = reinterpret_cast<const uint16_t*>(pack)[i % chunk_codes];
    }
    shared.looked_up[self.lane] = 0xffffffff;
  });
  for (uint32_t step = 0; step < chunks * chunk_codes; ++step) {
    each([&](const arrange_lane& self) { choose_code(shared, self, step); });
  }
  each.last([&](const arrange_lane& self) {
    for (uint32_t i = 0; i < chunks * chunk_codes; ++i) {
      uint8_t* const pack = elements + i / chunk_codes * search_chunk_bytes + self.lane * 16;
      reinterpret_cast<uint16_t*>(pack)[i % chunk_codes] = shared.codes[i][self.lane];
    }
  });
}

}  // namespace flinkgpu
