// Counts by an inverted index are those of a comparison of all documents with the query: with more
// codes than a block has threads, with more packs of postings than it has heads for, with more
// documents that may be candidates than it has room for, and with counters that their top bit does
// not say enough of.

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "host_block.hpp"
#include "search/index.cuh"
#include "search/inverted.cuh"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

constexpr uint32_t code_count = 700;

// A tile with an index, and what a query finds in it.
struct searched_tile {
  std::vector<std::vector<uint16_t>> documents;
  std::vector<uint8_t> elements;
  std::vector<uint32_t> chunks{0};
  std::vector<uint16_t> sizes;
  std::vector<uint32_t> starts = std::vector<uint32_t>(code_count + 3);
  std::vector<byte_pack> postings;
  std::vector<int64_t> born;
  std::vector<int64_t> died;
  std::vector<uint32_t> attributes;

  searched_tile(uint32_t count, uint32_t largest, std::mt19937_64& random) {
    for (uint32_t i = 0; i < count; ++i) {
      std::set<uint16_t> own;
      for (uint64_t j = random() % (largest + 1); j > 0; --j) {
        own.insert(static_cast<uint16_t>(1 + random() % code_count));
      }
      documents.emplace_back(own.begin(), own.end());
    }
    uint32_t all = 0;
    for (uint32_t slot = 0; slot < count; ++slot) {
      const auto size = static_cast<uint32_t>(documents[slot].size());
      all += size;
      sizes.push_back(static_cast<uint16_t>(size));
      if (slot % 32 == 0) {
        chunks.push_back(chunks.back() + (largest + 7) / 8);
        elements.resize(chunks.back() * search_chunk_bytes);
      }
      uint8_t* const at = elements.data() + chunks[slot / 32] * search_chunk_bytes + slot % 32 * 16;
      for (uint32_t i = 0; i < size; ++i) {
        std::memcpy(at + i / 8 * search_chunk_bytes + i % 8 * 2, &documents[slot][i], 2);
      }
    }
    postings.resize((all + 7) / 8);
    born.assign(count, 0);
    died.assign(count, INT64_MAX);
    attributes.assign(count, 0);
    const search_index_args args{elements.data(),
                                 chunks.data(),
                                 sizes.data(),
                                 starts.data(),
                                 reinterpret_cast<uint16_t*>(postings.data()),
                                 count,
                                 code_count + 1};
    for (uint32_t slot = 0; slot < count; ++slot) {
      count_codes(args, slot);
    }
    sum_codes(host_threads(search_index_threads), args, *garbage<index_shared>());
    for (uint32_t slot = count; slot > 0; --slot) {
      put_postings(args, slot - 1);
    }
  }

  search_tile described() const {
    return {elements.data(),
            chunks.data(),
            nullptr,
            born.data(),
            died.data(),
            attributes.data(),
            sizes.data(),
            starts.data(),
            reinterpret_cast<const uint16_t*>(postings.data()),
            static_cast<uint32_t>(documents.size()),
            code_count + 1,
            0,
            *std::max_element(sizes.begin(), sizes.end())};
  }

  // Slots that have at least so much in common with a query.
  std::vector<uint32_t> expected(const std::vector<uint16_t>& query, uint32_t least) const {
    const std::set<uint16_t> asked(query.begin(), query.end());
    std::vector<uint32_t> found;
    for (uint32_t slot = 0; slot < documents.size(); ++slot) {
      uint32_t common = 0;
      for (const uint16_t code : documents[slot]) {
        common += asked.count(code) > 0 ? 1 : 0;
      }
      if (common >= least) {
        found.push_back(slot);
      }
    }
    return found;
  }
};

void test_counts(uint32_t documents, uint32_t largest, uint32_t query_codes, uint32_t least,
                 bool overflows) {
  std::mt19937_64 random(seed());
  const searched_tile tile(documents, largest, random);
  std::vector<uint16_t> query;
  for (uint32_t i = 0; i < code_count + 1; ++i) {
    query.push_back(static_cast<uint16_t>(i + 1));
  }
  std::shuffle(query.begin(), query.end(), random);
  query.resize(query_codes);
  const search_tile described = tile.described();
  search_query asked{};
  asked.size = query_codes;
  asked.codes_count = query_codes;
  search_state state{};
  std::vector<uint16_t> needs(search_narrow_sizes, static_cast<uint16_t>(least));
  std::vector<uint64_t> candidates(search_candidates);
  search_args args{};
  args.tiles = &described;
  args.queries = &asked;
  args.states = &state;
  args.codes = query.data();
  args.least = needs.data();
  args.candidates = candidates.data();
  args.tile_count = 1;
  args.query_count = 1;
  args.group_queries = 32;
  args.groups = 1;
  args.skip_first = 1;
  count_inverted(host_threads(search_inverted_threads), args, *garbage<inverted_shared>(), 0);
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < state.candidates; ++i) {
    found.push_back(static_cast<uint32_t>(candidates[i]) & 0xffff);
  }
  std::sort(found.begin(), found.end());
  CHECK(found == tile.expected(query, least));
  std::printf("%u documents, %u codes, at least %u: %zu candidates\n", documents, query_codes,
              least, found.size());
  CHECK((found.size() > counted_room) == overflows);
  CHECK(!found.empty());
}

}  // namespace

int main() {
  test_counts(1000, 60, 40, 5, false);
  test_counts(1000, 60, code_count + 1, 30, false);
  test_counts(5000, 60, 40, 1, true);
  constexpr uint32_t most = search_narrow_sizes - 1;
  test_counts(999, most, code_count, 20, false);
  test_counts(999, most, code_count, 127, false);
  test_counts(999, most, code_count, 128, false);
  test_counts(999, most, code_count, 200, false);
  test_counts(5000, most, code_count, 1, true);
  test_counts(5000, most, code_count, 0, true);
  return 0;
}
