#pragma once

// How the programs that Java's tests start get batches: one after the other on the standard input.

#include <cstdio>
#include <vector>

#include "check.hpp"

namespace flinkgpu::test {

// Turns an offset into a pointer.
template <typename T>
void relocate(T*& pointer, const std::vector<uint8_t>& base) {
  pointer = reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(base.data()) +
                                 reinterpret_cast<uintptr_t>(pointer));
}

// The same where 0 is null.
template <typename T>
void relocate_if_any(T*& pointer, const std::vector<uint8_t>& base) {
  if (pointer != nullptr) {
    relocate(pointer, base);
  }
}

// Bytes of standard input, or false at its end.
inline bool read_all(void* to, size_t bytes) {
  return bytes == 0 || std::fread(to, bytes, 1, stdin) == 1;
}

inline std::vector<uint8_t> read_bytes(size_t bytes) {
  std::vector<uint8_t> all(bytes);
  CHECK(read_all(all.data(), bytes));
  return all;
}

template <typename Args>
Args read_args() {
  Args args{};
  CHECK(read_all(&args, sizeof(args)));
  return args;
}

inline void write_all(const std::vector<uint8_t>& bytes) {
  CHECK(bytes.empty() || std::fwrite(bytes.data(), bytes.size(), 1, stdout) == 1);
  std::fflush(stdout);
}

}  // namespace flinkgpu::test
