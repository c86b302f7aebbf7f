#pragma once

// SipHash of 64-bit words under a secret key: who does not know the key cannot choose keys that
// collide. J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF" (INDOCRYPT 2012).

#include "host_device.cuh"

namespace flinkgpu {

struct sip_state {
  uint64_t v0;
  uint64_t v1;
  uint64_t v2;
  uint64_t v3;
};

FLINKGPU_HD uint64_t rotate_left(uint64_t word, uint32_t bits) {
  return (word << bits) | (word >> (64 - bits));
}

FLINKGPU_HD sip_state sip_start(uint64_t key_low, uint64_t key_high) {
  return {key_low ^ 0x736f6d6570736575, key_high ^ 0x646f72616e646f6d, key_low ^ 0x6c7967656e657261,
          key_high ^ 0x7465646279746573};
}

FLINKGPU_HD void sip_rounds(sip_state& state, uint32_t rounds) {
  for (uint32_t i = 0; i < rounds; ++i) {
    state.v0 += state.v1;
    state.v1 = rotate_left(state.v1, 13) ^ state.v0;
    state.v0 = rotate_left(state.v0, 32);
    state.v2 += state.v3;
    state.v3 = rotate_left(state.v3, 16) ^ state.v2;
    state.v0 += state.v3;
    state.v3 = rotate_left(state.v3, 21) ^ state.v0;
    state.v2 += state.v1;
    state.v1 = rotate_left(state.v1, 17) ^ state.v2;
    state.v2 = rotate_left(state.v2, 32);
  }
}

FLINKGPU_HD void sip_add(sip_state& state, uint64_t word, uint32_t rounds) {
  state.v3 ^= word;
  sip_rounds(state, rounds);
  state.v0 ^= word;
}

FLINKGPU_HD uint64_t sip_finish(sip_state& state, uint32_t rounds) {
  state.v2 ^= 0xff;
  sip_rounds(state, rounds);
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

// The first `count` bytes, at most 8, as a word, the first byte lowest.
FLINKGPU_HD uint64_t load_bytes(const uint8_t* source, uint32_t count) {
  uint64_t word = 0;
  for (uint32_t i = 0; i < count; ++i) {
    word |= uint64_t{source[i]} << (8 * i);
  }
  return word;
}

// Adds bytes and, with the last of them, their number.
FLINKGPU_HD void sip_add_bytes(sip_state& state, const uint8_t* bytes, uint32_t count,
                               uint32_t rounds) {
  uint32_t at = 0;
  for (; count - at >= 8; at += 8) {
    sip_add(state, load_bytes(bytes + at, 8), rounds);
  }
  sip_add(state, (uint64_t{count} << 56) | load_bytes(bytes + at, count - at), rounds);
}

}  // namespace flinkgpu
