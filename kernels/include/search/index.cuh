#pragma once

// search_index_count, search_index_sum and search_index_put, one after the other: the slots of the
// documents that have a code, for each code of a tile, in any order: a counting sort.

#include "block/tile.cuh"
#include "search/documents.cuh"

namespace flinkgpu {

struct index_shared {
  block_scan<search_index_threads, uint32_t> sums;
};

// Does take(code) for all elements of a document, eight of which are under way at a time; there may
// be no such document.
template <typename Take>
FLINKGPU_HD void each_code(const search_index_args& args, uint32_t slot, const Take& take) {
  if (slot >= args.documents) {
    return;
  }
  const uint8_t* at =
      args.elements + uint64_t{args.chunks[slot / 32]} * search_chunk_bytes + slot % 32 * 16;
  const uint32_t size = args.sizes[slot];
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < size; i += 8) {
    const element_pack pack = load_elements(at);
    at += search_chunk_bytes;
    FLINKGPU_UNROLLED
    for (uint32_t j = 0; j < 8; ++j) {
      if (i + j < size) {
        take((pack.words[j / 2] >> (j % 2 * 16)) & 0xffff);
      }
    }
  }
}

// Counts the documents that have a code, a document a thread. Starts are kept one place after their
// own, where they count up to the next code's while postings are written, so that they are in their
// own place in the end; all are 0 before this.
FLINKGPU_HD void count_codes(const search_index_args& args, uint32_t slot) {
  each_code(args, slot, [&](uint32_t code) { atomic_add(&args.posting_starts[code + 1], 1); });
}

// Makes starts of the counts: one block.
template <typename Threads>
FLINKGPU_LIST void sum_codes(const Threads& threads, const search_index_args& args,
                             index_shared& shared) {
  const uint32_t count = args.codes + 2;
  const uint32_t own = (count + search_index_threads - 1) / search_index_threads;
  auto each = threads.begin([](uint32_t thread) { return thread; });
  each.scan(
      shared.sums,
      [&](uint32_t thread) {
        uint32_t sum = 0;
        for (uint32_t i = thread * own; i < min_of(count, (thread + 1) * own); ++i) {
          sum += args.posting_starts[i];
        }
        return sum;
      },
      [&](uint32_t thread, uint32_t before, uint32_t) {
        for (uint32_t i = thread * own; i < min_of(count, (thread + 1) * own); ++i) {
          const uint32_t next = before + args.posting_starts[i];
          args.posting_starts[i] = before;
          before = next;
        }
      });
}

// Writes the postings, a document a thread.
FLINKGPU_HD void put_postings(const search_index_args& args, uint32_t slot) {
  each_code(args, slot, [&](uint32_t code) {
    args.postings[atomic_add(&args.posting_starts[code + 1], 1)] = static_cast<uint16_t>(slot);
  });
}

}  // namespace flinkgpu
