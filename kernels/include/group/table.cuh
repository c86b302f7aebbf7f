#pragma once

// group_rows, one thread: finds the group of a row in an open-addressing table. An entry holds the
// complement of the least row of a key and slice that was there so far. Whether two rows are of one
// group is always decided by their keys and slices, never by hashes. The table has more entries
// than there are rows, so a search ends.

#include "group/group_abi.cuh"
#include "host_device.cuh"
#include "text/sip_hash.cuh"

namespace flinkgpu {

struct key_bytes {
  const uint8_t* bytes;
  uint32_t count;
};

FLINKGPU_HD key_bytes key_at(const group_args& args, uint32_t row) {
  const int32_t start = args.key_offsets[row];
  return {args.key_data + start, static_cast<uint32_t>(args.key_offsets[row + 1] - start)};
}

FLINKGPU_HD bool same_bytes(const key_bytes& a, const key_bytes& b) {
  bool same = a.count == b.count;
  for (uint32_t i = 0; same && i < a.count; ++i) {
    same = a.bytes[i] == b.bytes[i];
  }
  return same;
}

FLINKGPU_HD bool same_group(const group_args& args, uint32_t a, uint32_t b) {
  if (args.slices[a] != args.slices[b]) {
    return false;
  }
  return args.key_ids != nullptr ? args.key_ids[a] == args.key_ids[b]
                                 : same_bytes(key_at(args, a), key_at(args, b));
}

// SipHash-1-3 of slice and key.
FLINKGPU_HD uint32_t hash_of_row(const group_args& args, uint32_t row) {
  sip_state state = sip_start(args.seed_low, args.seed_high);
  sip_add(state, static_cast<uint64_t>(args.slices[row]), 1);
  if (args.key_ids != nullptr) {
    sip_add(state, static_cast<uint32_t>(args.key_ids[row]), 1);
  } else {
    const key_bytes key = key_at(args, row);
    sip_add_bytes(state, key.bytes, key.count, 1);
  }
  return static_cast<uint32_t>(sip_finish(state, 3)) & args.hash_mask;
}

// The slot of a row's group, which from now on knows of the row.
FLINKGPU_HD uint32_t find_slot(const group_args& args, uint32_t row, uint32_t hash) {
  uint32_t slot = hash & args.table_mask;
  while (true) {
    uint32_t* const entry = &args.table[slot];
    uint32_t seen = load_shared_word(entry);
    if (seen == 0) {
      seen = atomic_swap_if(entry, 0, ~row);
      if (seen == 0) {
        return slot;
      }
    }
    if (same_group(args, row, ~seen)) {
      if (row < ~seen) {
        atomic_max(entry, ~row);
      }
      return slot;
    }
    slot = (slot + 1) & args.table_mask;
  }
}

// The first row of a row's group; all rows have their slots.
FLINKGPU_HD uint32_t first_row_of(const group_args& args, uint32_t row) {
  return ~args.table[args.row_groups[row]];
}

}  // namespace flinkgpu
