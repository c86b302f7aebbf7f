#pragma once

// A hash table of the vectors that a batch has to read, each of them once. Its keys have the number
// of the batch, the epoch, in them: those of others are free slots, so nothing is cleared between
// batches.

#include "host_device.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t miss_epoch_shift = 44;  // the table's number and the index are below it

struct miss_claim {
  uint32_t slot;
  bool is_new;  // nobody else has claimed it
};

FLINKGPU_HD uint64_t miss_key(const lookup_args& args, uint32_t table, uint32_t index) {
  return (static_cast<uint64_t>(args.epoch) << miss_epoch_shift) |
         (static_cast<uint64_t>(table) << 32) | index;
}

FLINKGPU_HD miss_claim claim_miss(const lookup_args& args, uint32_t table, uint32_t index) {
  const uint64_t key = miss_key(args, table, index);
  const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << (64 - args.miss_shift)) - 1);
  auto slot = static_cast<uint32_t>((key * 0x9e3779b97f4a7c15) >> args.miss_shift);
  for (;; slot = (slot + 1) & mask) {
    uint64_t found = load_shared_word(&args.miss_keys[slot]);
    if (found >> miss_epoch_shift != args.epoch) {
      const uint64_t free = found;
      found = atomic_swap_if(&args.miss_keys[slot], free, key);
      if (found == free) {
        return {slot, true};
      }
    }
    if (found == key) {
      return {slot, false};
    }
  }
}

}  // namespace flinkgpu
