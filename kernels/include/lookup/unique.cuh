#pragma once

// A hash table of a batch's vectors, each of them once. Its keys have the number of the batch, the
// epoch, in them: those of others are free slots, so nothing is cleared between batches.

#include "host_device.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t unique_epoch_shift = 44;  // the table's number and the index are below it

struct unique_claim {
  uint32_t slot;
  bool is_new;  // nobody else has claimed it
};

FLINKGPU_HD uint64_t unique_key(const lookup_args& args, uint32_t table, uint32_t index) {
  return (static_cast<uint64_t>(args.epoch) << unique_epoch_shift) |
         (static_cast<uint64_t>(table) << 32) | index;
}

FLINKGPU_HD unique_claim claim_unique(const lookup_args& args, uint32_t table, uint32_t index) {
  const uint64_t key = unique_key(args, table, index);
  const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << (64 - args.unique_shift)) - 1);
  auto slot = static_cast<uint32_t>((key * 0x9e3779b97f4a7c15) >> args.unique_shift);
  for (;; slot = (slot + 1) & mask) {
    uint64_t found = load_shared_word(&args.unique_keys[slot]);
    if (found >> unique_epoch_shift != args.epoch) {
      const uint64_t free = found;
      found = atomic_swap_if(&args.unique_keys[slot], free, key);
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
