#pragma once

// table_change and table_find, one thread: an open-addressing table of texts. Whether two texts are
// the same is always decided by their bytes, never by hashes. The texts of one launch of
// table_change are different, and a slot that was taken in the same launch is another's: its bytes,
// which may not be written yet, are not looked at.

#include "host_device.cuh"
#include "table/table_abi.cuh"
#include "text/sip_hash.cuh"

namespace flinkgpu {

struct table_text {
  const uint8_t* bytes;
  uint32_t length;
};

FLINKGPU_HD table_text table_text_at(const table_args& args, uint32_t row) {
  const int32_t start = args.offsets[row];
  const auto with_separator = static_cast<uint32_t>(args.offsets[row + 1] - start);
  return {args.data + start, with_separator - args.separator_bytes};
}

FLINKGPU_HD bool is_valid(const table_args& args, uint32_t row) {
  return args.validity == nullptr || ((args.validity[row / 8] >> (row % 8)) & 1) != 0;
}

// SipHash-1-3.
FLINKGPU_HD uint32_t hash_of_text(const table_args& args, const table_text& text) {
  sip_state state = sip_start(args.seed_low, args.seed_high);
  sip_add_bytes(state, text.bytes, text.length, 1);
  return static_cast<uint32_t>(sip_finish(state, 3)) & args.hash_mask;
}

FLINKGPU_HD bool has_text(const table_args& args, const table_entry& entry,
                          const table_text& text) {
  bool same = entry.length == text.length;
  for (uint32_t i = 0; same && i < text.length; ++i) {
    same = args.keys[entry.start + i] == text.bytes[i];
  }
  return same;
}

FLINKGPU_HD uint32_t first_table_slot(const table_args& args, uint32_t hash) {
  return static_cast<uint32_t>((uint64_t{hash} * args.slots) >> 32);
}

FLINKGPU_HD uint32_t next_table_slot(const table_args& args, uint32_t slot) {
  return slot + 1 == args.slots ? 0 : slot + 1;
}

// Takes a slot for a text that is new, from a free one on.
FLINKGPU_HD void put_text(const table_args& args, const table_text& text, uint32_t slot,
                          uint64_t claim, int64_t number) {
  const uint64_t before = atomic_add(&args.header->key_count, 1);
  const uint64_t start = atomic_add(&args.header->key_bytes, text.length);
  if (before >= args.max_keys || start + text.length > args.max_key_bytes) {
    return;
  }
  while (atomic_swap_if(&args.entries[slot].claim, 0, claim) != 0) {
    slot = next_table_slot(args, slot);
  }
  table_entry& entry = args.entries[slot];
  for (uint32_t i = 0; i < text.length; ++i) {
    args.keys[start + i] = text.bytes[i];
  }
  entry.start = start;
  entry.number = number;
  entry.length = text.length;
  entry.live = 1;
}

FLINKGPU_HD void change_text(const table_args& args, uint32_t index) {
  const uint32_t row = args.changed[index];
  const table_text text = table_text_at(args, row);
  const bool live = is_valid(args, row);
  const uint32_t hash = hash_of_text(args, text);
  uint32_t slot = first_table_slot(args, hash);
  for (;; slot = next_table_slot(args, slot)) {
    table_entry& entry = args.entries[slot];
    const uint64_t claim = load_shared_word(&entry.claim);
    if (claim == 0) {
      break;
    }
    if (static_cast<uint32_t>(claim >> 32) != args.round && static_cast<uint32_t>(claim) == hash &&
        has_text(args, entry, text)) {
      entry.number = args.numbers[row];
      entry.live = live ? 1 : 0;
      return;
    }
  }
  if (live) {
    put_text(args, text, slot, (uint64_t{args.round} << 32) | hash, args.numbers[row]);
  }
}

FLINKGPU_HD void find_text(const table_args& args, uint32_t row) {
  int64_t number = 0;
  if (is_valid(args, row)) {
    const table_text text = table_text_at(args, row);
    const uint32_t hash = hash_of_text(args, text);
    uint32_t slot = first_table_slot(args, hash);
    while (args.entries[slot].claim != 0) {
      const table_entry& entry = args.entries[slot];
      if (static_cast<uint32_t>(entry.claim) == hash && has_text(args, entry, text)) {
        if (entry.live != 0) {
          number = entry.number;
          atomic_or(&args.found_bits[row / 32], uint32_t{1} << (row % 32));
        }
        break;
      }
      slot = next_table_slot(args, slot);
    }
  }
  args.found[row] = number;
}

}  // namespace flinkgpu
