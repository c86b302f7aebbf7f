#pragma once

// The exact order of similarities as integers: what Java's SetScores and Similarity say, digit by
// digit.

#include "host_device.cuh"
#include "search/search_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t search_key_bits = 22;

FLINKGPU_HD uint32_t max_of(uint32_t a, uint32_t b) {
  return a < b ? b : a;
}

FLINKGPU_HD uint32_t similarity_numerator(uint32_t similarity, uint32_t common) {
  return similarity == similarity_dice ? 2 * common : common;
}

FLINKGPU_HD uint32_t similarity_denominator(uint32_t similarity, uint32_t common,
                                            uint32_t query_size, uint32_t size) {
  switch (similarity) {
    case similarity_jaccard:
      return query_size + size - common;
    case similarity_dice:
      return query_size + size;
    case similarity_containment:
      return query_size;
    case similarity_overlap:
      return min_of(query_size, size);
    default:
      return max_of(query_size, size);
  }
}

FLINKGPU_HD uint32_t search_key(uint32_t similarity, uint32_t common, uint32_t query_size,
                                uint32_t size) {
  if (common == 0) {
    return 0;
  }
  const uint32_t numerator = similarity_numerator(similarity, common);
  const uint32_t denominator = similarity_denominator(similarity, common, query_size, size);
  // A division of 64 bits takes some hundred instructions.
  return numerator >> (32 - search_key_bits) == 0
             ? (numerator << search_key_bits) / denominator
             : static_cast<uint32_t>((uint64_t{numerator} << search_key_bits) / denominator);
}

// Rounded once, as IEEE says.
FLINKGPU_HD double search_score(uint32_t similarity, uint32_t common, uint32_t query_size,
                                uint32_t size) {
  return common == 0 ? 0.0
                     : static_cast<double>(similarity_numerator(similarity, common)) /
                           static_cast<double>(
                               similarity_denominator(similarity, common, query_size, size));
}

// The fewest elements in common with which a key is at least as large as one that is not 0: where
// (numerator << search_key_bits) >= key * denominator. It may be more than either set has.
FLINKGPU_HD uint32_t common_for_key(uint32_t similarity, uint32_t query_size, uint32_t size,
                                    uint32_t key) {
  const uint64_t wanted = uint64_t{key} * similarity_denominator(similarity, 0, query_size, size);
  uint64_t common;
  if (similarity == similarity_jaccard) {
    const uint64_t each = (uint64_t{1} << search_key_bits) + key;
    common = (wanted + each - 1) / each;
  } else {
    const uint32_t bits = search_key_bits + (similarity == similarity_dice ? 1 : 0);
    common = (wanted + (uint64_t{1} << bits) - 1) >> bits;
  }
  return max_of(1, static_cast<uint32_t>(common));
}

// The fewest elements that a document of some size has to have in common with a query; search_never
// if no number will do.
FLINKGPU_HD uint32_t least_common(uint32_t similarity, uint32_t query_size, uint32_t size,
                                  uint32_t least, uint32_t min_key, double min_score) {
  const uint32_t most = min_of(query_size, size);
  uint32_t low = least;
  if (min_key > 0) {
    low = max_of(low, common_for_key(similarity, query_size, size, min_key));
  }
  if (min_score > 0) {
    uint32_t high = most + 1;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (search_score(similarity, middle, query_size, size) >= min_score) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
  }
  return low > most ? search_never : low;
}

// How much a document and a query have in common whose key this is: keys of one pair of sizes are
// different.
FLINKGPU_HD uint32_t common_of_key(uint32_t similarity, uint32_t query_size, uint32_t size,
                                   uint32_t key) {
  return key == 0 ? 0 : common_for_key(similarity, query_size, size, key);
}

FLINKGPU_HD double double_of_bits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace flinkgpu
