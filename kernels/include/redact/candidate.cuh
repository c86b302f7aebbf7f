#pragma once

// A match that starts at a known position, in one word: | bytes : 24 | rule : 8 |.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"

namespace flinkgpu {

static_assert(max_thread_steps < (1u << 24), "a match has at most a byte a step");
static_assert(max_rules <= 255, "a rule fits a byte");

FLINKGPU_HD uint32_t make_candidate(uint32_t bytes, uint32_t rule) {
  return (bytes << 8) | rule;
}

FLINKGPU_HD uint32_t candidate_bytes(uint32_t candidate) {
  return candidate >> 8;
}

FLINKGPU_HD uint32_t candidate_rule(uint32_t candidate) {
  return candidate & 0xff;
}

}  // namespace flinkgpu
