#pragma once

// Tables of vectors as the lookup kernels want them, with vectors in the cache, on the host and on
// disk by chance.

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "lookup_emulation.hpp"

namespace flinkgpu::test {

// What a vector may well be made of.
inline float random_float(std::mt19937_64& random) {
  static constexpr uint32_t special[] = {0x80000000, 0,          1,          0x807fffff, 0x7f800000,
                                         0xff800000, 0x7fc00000, 0x7f7fffff, 0x3f800000};
  if (random() % 8 == 0) {
    return float_of_bits(special[random() % std::size(special)]);
  }
  return static_cast<float>(static_cast<int64_t>(random() % 2'000'001) - 1'000'000) * 1e-3F;
}

// A table on the CPU, and what it is for the kernels. Vectors are as wide as their stride.
class lookup_test_table {
 public:
  lookup_test_table(std::mt19937_64& random, uint32_t number, bool has_disk) : number_(number) {
    type_ = static_cast<uint32_t>(random() % 4);
    dimension_ = static_cast<uint32_t>(1 + random() % (number == 0 ? 200 : 40));
    static constexpr uint32_t sizes[] = {4, 2, 2, 1};
    const uint32_t bytes = dimension_ * sizes[type_] + (type_ == lookup_int8 ? 8 : 0);
    stride_ = lookup_least_stride;
    while (stride_ < bytes && stride_ < lookup_line_bytes) {
      stride_ *= 2;
    }
    stride_ = stride_ < bytes ? (bytes + 127) / 128 * 128 : stride_;
    chunk_shift_ = static_cast<uint32_t>(random() % 4);
    const auto vectors = static_cast<uint32_t>(random() % 100);
    host_vectors_ =
        !has_disk || random() % 2 == 0 ? vectors : static_cast<uint32_t>(random() % (vectors + 1));
    for (uint32_t i = 0; i < vectors; ++i) {
      std::vector<uint8_t> vector(stride_);
      for (uint8_t& byte : vector) {
        byte = static_cast<uint8_t>(random());
      }
      if (type_ == lookup_f32) {
        for (uint32_t k = 0; k < dimension_; ++k) {
          const float value = random_float(random);
          std::memcpy(&vector[4 * k], &value, 4);
        }
      }
      all_.push_back(vector);
    }
    if (random() % 4 != 0) {
      for (uint32_t k = 0; k < (dimension_ + 3) / 4 * 4; ++k) {
        missing_.push_back(random_float(random));
      }
    }
    const uint32_t cached = static_cast<uint32_t>(random() % 3) * vectors / 2;
    cache_.assign(size_t{stride_} * cached / 8 + 1, 0);
    frequencies_.assign(vectors / 16 * 4 + 4, 0);
    for (uint32_t i = 0; i < vectors; ++i) {
      locations_.push_back(-1);
    }
    for (uint32_t place = 0; place < cached; ++place) {
      const uint32_t index = cached == vectors ? place : static_cast<uint32_t>(random() % vectors);
      if (locations_[index] < 0) {
        locations_[index] = static_cast<int32_t>(place);
        std::memcpy(cache_bytes() + size_t{stride_} * place, all_[index].data(), stride_);
      }
    }
    for (uint32_t first = 0; first < host_vectors_; first += 1U << chunk_shift_) {
      std::vector<uint64_t> chunk((size_t{stride_} << chunk_shift_) / 8);
      for (uint32_t i = first; i < host_vectors_ && i < first + (1U << chunk_shift_); ++i) {
        std::memcpy(reinterpret_cast<uint8_t*>(chunk.data()) + size_t{stride_} * (i - first),
                    all_[i].data(), stride_);
      }
      chunks_.push_back(std::move(chunk));
      chunk_starts_.push_back(reinterpret_cast<uintptr_t>(chunks_.back().data()));
    }
    is_identity_ = cached == vectors && random() % 2 == 0;
    counts_ = !is_identity_ || random() % 2 == 0;
  }

  // Puts the vectors under ids.
  void index(const lookup_args& args, std::mt19937_64& random) {
    uint32_t log = 4;
    while ((size_t{1} << log) < 2 * all_.size()) {
      ++log;
    }
    slot_shift_ = 64 - log;
    slots_.assign(size_t{1} << log, {});
    for (uint32_t i = 0; i < all_.size(); ++i) {
      const uint64_t id = i == 0 ? 0 : i == 1 ? ~uint64_t{0} : random();
      ids_.push_back(id);
      uint64_t slot = hash_of_id(args, id) >> slot_shift_;
      while (slots_[slot].used != 0) {
        slot = (slot + 1) & (slots_.size() - 1);
      }
      slots_[slot] = {id, i, 1};
    }
  }

  lookup_table described() {
    return {slots_.data(),
            chunk_starts_.data(),
            cache_bytes(),
            is_identity_ ? nullptr : locations_.data(),
            counts_ ? frequencies_.data() : nullptr,
            missing_.empty() ? nullptr : missing_.data(),
            slot_shift_,
            dimension_,
            type_,
            stride_,
            static_cast<uint32_t>(all_.size()),
            host_vectors_,
            chunk_shift_,
            0};
  }

  uint64_t random_id(std::mt19937_64& random) const {
    return ids_.empty() || random() % 8 == 0 ? random() : ids_[random() % ids_.size()];
  }

  // The elements of an id, those that is missing included; none if it is left out.
  std::vector<float> elements(uint64_t id) const {
    for (size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] == id) {
        return widened(all_[i]);
      }
    }
    return {missing_.begin(), missing_.begin() + (missing_.empty() ? 0 : dimension_)};
  }

  bool has(uint64_t id) const { return std::find(ids_.begin(), ids_.end(), id) != ids_.end(); }

  const std::vector<uint8_t>& bytes(uint32_t index) const { return all_[index]; }
  uint32_t number() const { return number_; }
  uint32_t dimension() const { return dimension_; }
  uint32_t stride() const { return stride_; }
  bool is_int8() const { return type_ == lookup_int8; }

  uint32_t frequency(uint64_t id) const {
    const auto index = static_cast<size_t>(std::find(ids_.begin(), ids_.end(), id) - ids_.begin());
    return (frequencies_[index / 4] >> (8 * (index % 4))) & 0xff;
  }

  bool counts_uses() const { return counts_; }

 private:
  uint8_t* cache_bytes() { return reinterpret_cast<uint8_t*>(cache_.data()); }

  static float half(uint32_t bits) {
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    const int exponent = static_cast<int>((bits >> 10) & 31);
    const auto fraction = static_cast<float>(bits & 1023);
    if (exponent == 31) {
      return float_of_bits(((bits & 0x8000) << 16) | 0x7f800000 | ((bits & 1023) << 13));
    }
    return sign *
           (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
  }

  std::vector<float> widened(const std::vector<uint8_t>& vector) const {
    std::vector<float> values;
    for (uint32_t k = 0; k < dimension_; ++k) {
      float value;
      uint16_t word = 0;
      if (type_ == lookup_f16 || type_ == lookup_bf16) {
        std::memcpy(&word, &vector[2 * k], 2);
      }
      switch (type_) {
        case lookup_f32:
          std::memcpy(&value, &vector[4 * k], 4);
          break;
        case lookup_f16:
          value = half(word);
          break;
        case lookup_bf16:
          value = float_of_bits(uint32_t{word} << 16);
          break;
        default: {
          float scale;
          float bias;
          std::memcpy(&scale, vector.data(), 4);
          std::memcpy(&bias, &vector[4], 4);
          const volatile float product =
              static_cast<float>(static_cast<int8_t>(vector[8 + k])) * scale;
          value = product + bias;
        }
      }
      values.push_back(value);
    }
    return values;
  }

  uint32_t number_;
  uint32_t type_;
  uint32_t dimension_;
  uint32_t stride_;
  uint32_t chunk_shift_;
  uint32_t host_vectors_;
  uint32_t slot_shift_ = 0;
  bool is_identity_;
  bool counts_;
  std::vector<std::vector<uint8_t>> all_;
  std::vector<uint64_t> ids_;
  std::vector<lookup_slot> slots_;
  std::vector<float> missing_;
  std::vector<uint64_t> cache_;
  std::vector<uint32_t> frequencies_;
  std::vector<int32_t> locations_;
  std::vector<std::vector<uint64_t>> chunks_;
  std::vector<uint64_t> chunk_starts_;
};

}  // namespace flinkgpu::test
