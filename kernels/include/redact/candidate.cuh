#pragma once

// A match that starts at a known position, in one word: | rules after its rule : 12 | bytes : 20 |,
// of as many rules as a set may have. So of two matches the greater word is that of the rule that
// comes first. No match is 0.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t candidate_length_bits = 20;
static_assert(max_thread_steps < (1u << candidate_length_bits),
              "a match has at most a byte a step");
static_assert(max_rules <= (1u << (32 - candidate_length_bits)), "a rule fits");

FLINKGPU_HD uint32_t make_candidate(uint32_t bytes, uint32_t rule) {
  return (max_rules - 1 - rule) << candidate_length_bits | bytes;
}

FLINKGPU_HD uint32_t candidate_bytes(uint32_t candidate) {
  return candidate & ((1u << candidate_length_bits) - 1);
}

FLINKGPU_HD uint32_t candidate_rule(uint32_t candidate) {
  return max_rules - 1 - (candidate >> candidate_length_bits);
}

}  // namespace flinkgpu
