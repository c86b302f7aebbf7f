#pragma once

// A match that starts at a known position, in one word: | bytes : 23 | keep : 1 | rule : 8 |.
// `keep` marks a match on its rule's allow list: it is left as it is but hides what it overlaps.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"

namespace flinkgpu {

static_assert(max_thread_steps < (1u << 23), "a match has at most a byte a step");
static_assert(max_rules <= 255, "a rule fits a byte");

FLINKGPU_HD uint32_t make_candidate(uint32_t bytes, uint32_t rule) {
  return (bytes << 9) | rule;
}

FLINKGPU_HD uint32_t candidate_bytes(uint32_t candidate) {
  return candidate >> 9;
}

FLINKGPU_HD uint32_t candidate_rule(uint32_t candidate) {
  return candidate & 0xff;
}

FLINKGPU_HD uint32_t kept_candidate(uint32_t candidate) {
  return candidate | 0x100;
}

FLINKGPU_HD bool candidate_is_kept(uint32_t candidate) {
  return (candidate & 0x100) != 0;
}

}  // namespace flinkgpu
