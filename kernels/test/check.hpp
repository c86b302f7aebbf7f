#pragma once

// Just enough of a test framework: a failed check says where and stops the program with status 1.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define CHECK_MESSAGE(condition, message)                                             \
  do {                                                                                \
    if (!(condition)) {                                                               \
      std::fprintf(stderr, "%s:%d: not so: %s  %s\n", __FILE__, __LINE__, #condition, \
                   std::string(message).c_str());                                     \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (false)

#define CHECK(condition) CHECK_MESSAGE(condition, "")

namespace flinkgpu::test {

inline const uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

inline uint32_t size_of(const std::string& text) {
  return static_cast<uint32_t>(text.size());
}

// The seed of random tests: FLINKGPU_SEED, or a fixed one.
inline uint64_t seed() {
  const char* const set = std::getenv("FLINKGPU_SEED");
  return set == nullptr ? 20260101 : std::strtoull(set, nullptr, 10);
}

}  // namespace flinkgpu::test
