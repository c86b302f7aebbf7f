#pragma once

// Groups in open-addressing tables: a block's own table in shared memory for the keys that come
// first, and one in device memory for all. A record of zeros is empty. Whether two lines are of one
// group is always decided by their keys and slices, never by hashes.

#include "group/words.cuh"
#include "lines/lines_abi.cuh"
#include "lines/parse.cuh"

namespace flinkgpu {

// A record's first word: where its key is, plus 1, in 31 bits; the key's length in 16; bits of its
// hash in 17. One atomic sets it.
inline constexpr uint32_t key_length_bits = 16;
inline constexpr uint32_t key_hash_bits = 17;
inline constexpr uint64_t sign_bit = uint64_t{1} << 63;

FLINKGPU_HD uint64_t make_key_word(uint32_t place, uint32_t bytes, uint64_t hash) {
  return (hash >> (64 - key_hash_bits) << (64 - key_hash_bits)) |
         (uint64_t{bytes} << key_place_bits) | (uint64_t{place} + 1);
}

FLINKGPU_HD uint32_t key_place(uint64_t word) {
  return static_cast<uint32_t>(word & low_bits(key_place_bits)) - 1;
}

FLINKGPU_HD uint32_t key_length(uint64_t word) {
  return static_cast<uint32_t>((word >> key_place_bits) & low_bits(key_length_bits));
}

// Whether length and hash are the same.
FLINKGPU_HD bool may_be_same(uint64_t a, uint64_t b) {
  return ((a ^ b) >> key_place_bits) == 0;
}

// A key and slice to be found. The key's bytes are in the batch's data and, at `at`, in `buffer`.
struct group_key {
  const uint8_t* buffer;
  uint32_t at;
  uint32_t bytes;
  uint64_t word;
  uint64_t hash;
  uint64_t head[2];
  uint64_t slice;  // with its sign bit flipped; never 0 where lines have a time
};

FLINKGPU_HD bool has_time(const lines_args& args) {
  return args.time_field != no_field;
}

FLINKGPU_HD group_key make_group_key(const lines_args& args, const uint8_t* buffer, uint32_t at,
                                     uint32_t place, uint32_t bytes, uint64_t slice) {
  sip_state state = sip_start(args.seed_low, args.seed_high);
  if (has_time(args)) {
    sip_add(state, slice, 1);
  }
  sip_add_text(state, buffer, at, bytes, 1);
  const uint64_t mask = (uint64_t{args.hash_mask} << 32) | args.hash_mask;
  const uint64_t hash = sip_finish(state, 3) & mask;
  const uint64_t low = first_bytes(load_text(buffer, at), bytes);
  const uint64_t high =
      bytes <= word_bytes ? 0 : first_bytes(load_text(buffer, at + word_bytes), bytes - word_bytes);
  return {buffer, at, bytes, make_key_word(place, bytes, hash), hash, {low, high}, slice};
}

FLINKGPU_HD uint64_t slice_of(const lines_args& args, int64_t time) {
  const int64_t rest = (time - args.slice_offset) % args.slice_millis;
  return static_cast<uint64_t>(time - (rest < 0 ? rest + args.slice_millis : rest)) ^ sign_bit;
}

// A block's own table: word by word, so that neighbours use different banks.
struct own_table {
  uint64_t* words;
  uint32_t slots;

  FLINKGPU_HD uint64_t* at(uint32_t slot, uint32_t word) const {
    return &words[word * slots + slot];
  }
  FLINKGPU_HD void put(uint32_t slot, uint32_t word, uint64_t value) const {
    atomic_set(at(slot, word), value);
  }
  // Adds to a word, of which nothing else may be made meanwhile. Blocks have no atomic addition of
  // 64 bits: the carry goes its own way.
  FLINKGPU_HD void add(uint32_t slot, uint32_t word, uint64_t amount) const {
    auto* const halves = reinterpret_cast<uint32_t*>(at(slot, word));
    const auto low = static_cast<uint32_t>(amount);
    const uint32_t before = atomic_add(&halves[0], low);
    const uint32_t high = static_cast<uint32_t>(amount >> 32) + (before + low < low ? 1 : 0);
    if (high != 0) {
      atomic_add(&halves[1], high);
    }
  }
  FLINKGPU_HD uint32_t mask() const { return slots - 1; }
  FLINKGPU_HD uint32_t first_slot(uint64_t hash) const {
    return static_cast<uint32_t>(hash) & mask();
  }
};

// The table of all groups: record by record.
struct group_table {
  uint64_t* words;
  uint32_t record_words;
  uint32_t table_mask;

  FLINKGPU_HD uint64_t* at(uint32_t slot, uint32_t word) const {
    return &words[uint64_t{slot} * record_words + word];
  }
  FLINKGPU_HD void put(uint32_t slot, uint32_t word, uint64_t value) const {
    *const_cast<volatile uint64_t*>(at(slot, word)) = value;
  }
  FLINKGPU_HD void add(uint32_t slot, uint32_t word, uint64_t amount) const {
    atomic_add(at(slot, word), amount);
  }
  FLINKGPU_HD uint32_t mask() const { return table_mask; }
  FLINKGPU_HD uint32_t first_slot(uint64_t hash) const {
    return static_cast<uint32_t>(hash >> 16) & mask();
  }
};

FLINKGPU_HD group_table group_table_of(const lines_args& args) {
  return {args.table, args.record_words, args.table_mask};
}

// Whether a record's key is the same. Its head may not be written yet and is zero then, so only
// words other than zero count.
template <typename Table>
FLINKGPU_HD bool same_key(const lines_args& args, const Table& table, uint32_t slot, uint64_t word,
                          const group_key& key) {
  const bool low = key.head[0] != 0 && load_shared_word(table.at(slot, record_head)) == key.head[0];
  if (key.bytes <= word_bytes && low) {
    return true;
  }
  const bool high =
      key.head[1] != 0 && load_shared_word(table.at(slot, record_head + 1)) == key.head[1];
  if (key.bytes <= 2 * word_bytes && low && high) {
    return true;
  }
  return same_text(args.data, key_place(word), key.buffer, key.at, key.bytes);
}

template <typename Table>
FLINKGPU_HD bool same_slice(const Table& table, uint32_t slot, const group_key& key) {
  uint64_t slice = 0;
  do {
    slice = load_shared_word(table.at(slot, record_slice));  // soon written
  } while (slice == 0);
  return slice == key.slice;
}

inline constexpr uint32_t no_slot = 0xffffffff;

// The record of a group, which is made if there is none and `may_add` says so. Compares `probes`
// records at most; `added` says whether the record is new.
template <typename Table, typename MayAdd>
FLINKGPU_HD uint32_t find_record(const lines_args& args, const Table& table, const group_key& key,
                                 uint32_t probes, const MayAdd& may_add, bool& added) {
  added = false;
  uint32_t slot = table.first_slot(key.hash);
  for (uint32_t i = 0; i < probes; ++i) {
    uint64_t* const word = table.at(slot, record_key);
    uint64_t seen = load_shared_word(word);
    if (seen == 0) {
      if (!may_add()) {
        return no_slot;
      }
      seen = atomic_swap_if(word, 0, key.word);
      if (seen == 0) {
        if (has_time(args)) {
          table.put(slot, record_slice, key.slice);
        }
        table.put(slot, record_head, key.head[0]);
        table.put(slot, record_head + 1, key.head[1]);
        added = true;
        return slot;
      }
    }
    if (may_be_same(seen, key.word) && same_key(args, table, slot, seen, key) &&
        (!has_time(args) || same_slice(table, slot, key))) {
      return slot;
    }
    slot = (slot + 1) & table.mask();
  }
  return no_slot;
}

FLINKGPU_HD void raise(uint64_t* target, uint64_t value) {
  if (value > load_shared_word(target)) {
    atomic_max(target, value);
  }
}

// For words.cuh: a line's double is finite, and lies in bins that are always the same.
FLINKGPU_HD uint32_t first_bin_of(const line_value& value) {
  return value.floating != 0 ? lines_first_bin : 0;
}
FLINKGPU_HD uint32_t sum_bins(const line_value& value) {
  return value.summed == 0 ? 0 : value.floating != 0 ? lines_double_bins : lines_integer_bins;
}
FLINKGPU_HD uint32_t special_words(const line_value&) {
  return 0;
}

// A record's words: see words.cuh. Of extremes the greater one stays, the complement of the least
// among them, so that those of an empty record are 0.
template <typename Table>
struct record_of {
  Table table;
  uint32_t slot;

  FLINKGPU_HD int64_t get(uint32_t word) const {
    return static_cast<int64_t>(*table.at(slot, word));
  }
  FLINKGPU_HD void add(uint32_t word, int64_t amount) const {
    table.add(slot, word, static_cast<uint64_t>(amount));
  }
  FLINKGPU_HD void extremes(uint32_t word, int64_t least, int64_t greatest) const {
    raise(table.at(slot, word), static_cast<uint64_t>(least));
    raise(table.at(slot, word + 1), static_cast<uint64_t>(greatest));
  }
  FLINKGPU_HD void order(uint32_t word, int64_t order) const {
    const auto greatest = static_cast<int64_t>(static_cast<uint64_t>(order) ^ sign_bit);
    extremes(word, ~greatest, greatest);
  }
  FLINKGPU_HD void mark(uint32_t, int64_t) const {}  // doubles of lines are finite
};

FLINKGPU_HD value_parts parts_of_number(const line_value& value, int64_t number) {
  if (value.floating != 0) {
    return parts_of_double(static_cast<uint64_t>(number));
  }
  // A small integer is one part, which may be negative.
  return fits_int(number) ? value_parts{number, 0, 0, number, 0, 0} : parts_of_integer(number);
}

// Adds a line's values to a record. `bins_present` is as after the header.
template <typename Table>
FLINKGPU_HD void add_line(const lines_args& args, const Table& table, uint32_t slot,
                          const line_values& line, uint64_t* bins_present) {
  for (uint32_t i = 0; i < args.values_count; ++i) {
    const line_value value = args.values[i];
    if (((line.nulls >> value.number) & 1) != 0) {
      continue;
    }
    const int64_t number = line.numbers[value.number];
    const value_parts parts = parts_of_number(value, number);
    const record_of<Table> record{table, slot};
    add_value(record, value, parts);
    if ((value.floating & value.summed) != 0 && (parts.low | parts.middle | parts.high) != 0) {
      const uint64_t bit = uint64_t{1} << parts.bin;
      if ((load_shared_word(&bins_present[i]) & bit) == 0) {
        atomic_or(&bins_present[i], bit);
      }
    }
    if (value.squared != 0) {
      add_square(record, value, static_cast<uint64_t>(number));
    }
  }
}

// Adds a record's values to another table's.
template <typename From, typename To>
FLINKGPU_HD void add_record(const lines_args& args, const From& from, uint32_t from_slot,
                            const To& to, uint32_t to_slot) {
  for (uint32_t i = 0; i < args.values_count; ++i) {
    add_words(record_of<To>{to, to_slot}, record_of<From>{from, from_slot}, args.values[i]);
  }
}

}  // namespace flinkgpu
