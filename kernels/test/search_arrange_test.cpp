// Arranged documents have the codes that they had, and a scan's warp that looks up a code of each
// takes about half as many turns of shared memory.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "host_block.hpp"
#include "search/arrange.cuh"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

constexpr uint32_t codes = 50001;
constexpr uint32_t group_count = 24;
constexpr uint32_t document_count = group_count * search_group_documents - 5;

// Draws codes, the lower the more frequent by Zipf's law.
class code_draws {
 public:
  explicit code_draws(double skew) {
    double sum = 0;
    for (uint32_t code = 1; code <= codes; ++code) {
      sum += std::pow(code, -skew);
      sums_.push_back(sum);
    }
  }

  uint16_t next(std::mt19937_64& random) const {
    const double at = std::uniform_real_distribution<double>(0, sums_.back())(random);
    const auto found = std::lower_bound(sums_.begin(), sums_.end() - 1, at);
    return static_cast<uint16_t>(found - sums_.begin() + 1);
  }

 private:
  std::vector<double> sums_;
};

// Documents as they lie in a tile.
struct tile {
  std::vector<uint8_t> elements;
  std::vector<uint32_t> chunks{0};
  std::vector<uint16_t> sizes;

  explicit tile(std::vector<std::vector<uint16_t>> documents) {
    for (uint32_t group = 0; group * search_group_documents < documents.size(); ++group) {
      const size_t begin = group * search_group_documents;
      const size_t end = std::min(documents.size(), begin + search_group_documents);
      size_t largest = 0;
      for (size_t i = begin; i < end; ++i) {
        largest = std::max(largest, documents[i].size());
        sizes.push_back(static_cast<uint16_t>(documents[i].size()));
      }
      const auto own = static_cast<uint32_t>((largest + chunk_codes - 1) / chunk_codes);
      chunks.push_back(chunks.back() + own);
      elements.resize(chunks.back() * search_chunk_bytes);
      for (size_t i = begin; i < end; ++i) {
        for (size_t j = 0; j < documents[i].size(); ++j) {
          code(group, static_cast<uint32_t>(j), static_cast<uint32_t>(i - begin)) = documents[i][j];
        }
      }
    }
  }

  uint16_t& code(uint32_t group, uint32_t step, uint32_t lane) {
    uint8_t* const pack = elements.data() + lane * 16 +
                          size_t{chunks[group] + step / chunk_codes} * search_chunk_bytes;
    return reinterpret_cast<uint16_t*>(pack)[step % chunk_codes];
  }

  uint32_t steps(uint32_t group) const { return (chunks[group + 1] - chunks[group]) * chunk_codes; }

  std::vector<std::vector<uint16_t>> documents() {
    std::vector<std::vector<uint16_t>> all;
    for (uint32_t slot = 0; slot < sizes.size(); ++slot) {
      std::vector<uint16_t> own;
      for (uint32_t step = 0; step < steps(slot / 32); ++step) {
        const uint16_t found = code(slot / 32, step, slot % 32);
        CHECK((found != 0) == (step < sizes[slot]));
        if (found != 0) {
          own.push_back(found);
        }
      }
      all.push_back(own);
    }
    return all;
  }

  // How many different words of a bank a look-up asks for, of the bank with the most; the mean.
  double turns() {
    uint64_t turns = 0;
    uint64_t all = 0;
    for (uint32_t group = 0; group + 1 < chunks.size(); ++group) {
      for (uint32_t step = 0; step < steps(group); ++step, ++all) {
        std::set<uint16_t> words[arrange_banks];
        size_t most = 0;
        for (uint32_t lane = 0; lane < 32; ++lane) {
          const uint16_t found = code(group, step, lane);
          words[found % arrange_banks].insert(found);
          most = std::max(most, words[found % arrange_banks].size());
        }
        turns += most;
      }
    }
    return static_cast<double>(turns) / static_cast<double>(all);
  }

  void arrange() {
    for (uint32_t group = 0; group + 1 < chunks.size(); ++group) {
      const search_index_args args{elements.data(),
                                   chunks.data(),
                                   sizes.data(),
                                   nullptr,
                                   nullptr,
                                   static_cast<uint32_t>(sizes.size()),
                                   codes};
      arrange_codes(host_threads(search_group_documents), args, *garbage<arrange_shared>(), group);
    }
  }
};

std::vector<std::vector<uint16_t>> draw(double skew, uint32_t largest, std::mt19937_64& random) {
  const code_draws draws(skew);
  std::vector<std::vector<uint16_t>> all;
  for (uint32_t i = 0; i < document_count; ++i) {
    std::set<uint16_t> own;
    while (own.size() < i * (largest + 1) / document_count) {
      own.insert(draws.next(random));
    }
    all.emplace_back(own.begin(), own.end());
  }
  return all;
}

void test_arranged(double skew, uint32_t largest, double most_turns) {
  std::mt19937_64 random(seed());
  const std::vector<std::vector<uint16_t>> documents = draw(skew, largest, random);
  tile of(documents);
  CHECK(of.documents() == documents);
  const double before = of.turns();
  of.arrange();
  std::vector<std::vector<uint16_t>> after = of.documents();
  for (std::vector<uint16_t>& document : after) {
    std::sort(document.begin(), document.end());
  }
  CHECK(after == documents);
  std::printf("skew %.1f, up to %u codes: %.2f turns a look-up, %.2f arranged\n", skew, largest,
              before, of.turns());
  CHECK(before > 2);
  CHECK(of.turns() < most_turns);
}

}  // namespace

int main() {
  test_arranged(0, 127, 1.75);
  test_arranged(1, 127, 1.5);
  test_arranged(0, search_narrow_sizes - 1, 1.6);
  return 0;
}
