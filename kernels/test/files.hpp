#pragma once

// The files through which Java's tests talk to the emulations.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace flinkgpu::test {

inline std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return {bytes.begin(), bytes.end()};
}

template <typename T>
void write_file(const std::string& path, const T* values, size_t count) {
  std::ofstream file(path, std::ios::binary);
  if (count > 0) {
    file.write(reinterpret_cast<const char*>(values),
               static_cast<std::streamsize>(count * sizeof(T)));
  }
}

// Turns an offset into a pointer.
template <typename T>
void relocate(const T*& pointer, const std::vector<uint8_t>& base) {
  const auto offset = reinterpret_cast<uintptr_t>(pointer);
  pointer = reinterpret_cast<const T*>(base.data() + offset);
}

template <typename T>
void relocate(T*& pointer, std::vector<uint8_t>& base) {
  const auto offset = reinterpret_cast<uintptr_t>(pointer);
  pointer = reinterpret_cast<T*>(base.data() + offset);
}

}  // namespace flinkgpu::test
