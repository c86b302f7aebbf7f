// What a document needs to have in common with a query, and has where its key is known, is what
// trying all numbers one after the other says: for each key that there is, and those next to it.

#include <cstdio>
#include <random>
#include <vector>

#include "check.hpp"
#include "search/scores.cuh"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

constexpr uint32_t similarities = similarity_overlap + 1;

uint32_t expected(uint32_t similarity, uint32_t query_size, uint32_t size, uint32_t least,
                  uint32_t min_key, double min_score) {
  for (uint32_t common = least; common <= min_of(query_size, size); ++common) {
    if (search_key(similarity, common, query_size, size) >= min_key &&
        search_score(similarity, common, query_size, size) >= min_score) {
      return common;
    }
  }
  return search_never;
}

uint64_t test_sizes(uint32_t query_size, uint32_t size, const std::vector<double>& min_scores) {
  uint64_t compared = 0;
  for (uint32_t similarity = 0; similarity < similarities; ++similarity) {
    std::vector<uint32_t> keys{0, 1, 1U << search_key_bits};
    for (uint32_t common = 1; common <= min_of(query_size, size); ++common) {
      const uint32_t key = search_key(similarity, common, query_size, size);
      CHECK(common_of_key(similarity, query_size, size, key) == common);
      keys.insert(keys.end(), {key - 1, key, key + 1});
    }
    CHECK(common_of_key(similarity, query_size, size, 0) == 0);
    for (const uint32_t key : keys) {
      for (const double min_score : min_scores) {
        for (const uint32_t least : {0U, 1U}) {
          CHECK(least_common(similarity, query_size, size, least, key, min_score) ==
                expected(similarity, query_size, size, least, key, min_score));
          ++compared;
        }
      }
    }
  }
  return compared;
}

}  // namespace

int main() {
  uint64_t compared = 0;
  for (uint32_t query_size = 0; query_size <= 24; ++query_size) {
    for (uint32_t size = 0; size <= 24; ++size) {
      compared += test_sizes(query_size, size, {0, 0.25, 1.0 / 3, 1, 2});
    }
  }
  std::mt19937_64 random(seed());
  for (uint32_t i = 0; i < 30; ++i) {
    const auto query_size = static_cast<uint32_t>(1 + random() % search_most_k);
    const auto size = static_cast<uint32_t>(1 + random() % search_most_k);
    compared += test_sizes(query_size, size, {0, 0.1});
  }
  std::printf("%llu needs are equal\n", static_cast<unsigned long long>(compared));
  CHECK(compared > 100000);
  return 0;
}
