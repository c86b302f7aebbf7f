#pragma once

// search_select: the best k of a query's candidates, exactly: by key, and of the same key by id.
// The k-th key is found digit by digit, as is the id of the last tie; what is left is sorted.

#include "block/tile.cuh"
#include "search/scores.cuh"

namespace flinkgpu {

inline constexpr uint32_t select_digit_bits = 11;
inline constexpr uint32_t select_bins = 1 << select_digit_bits;
inline constexpr uint32_t select_sorted = 2048;

// Candidates that a thread loads at a time.
inline constexpr uint32_t select_loads = 4;

inline constexpr uint32_t select_own_bins = select_bins / search_select_threads;

// Ranks are keys in 22 bits, the best first. The worst one is that of key 0, which no other comes
// near: keys that are not 0 are at least 2,048.
inline constexpr uint32_t select_worst_rank = (1 << search_key_bits) - 1;
inline constexpr uint32_t select_any_rank = 0xffffffff;

FLINKGPU_HD uint32_t rank_of_key(uint32_t key) {
  return min_of((1 << search_key_bits) - key, select_worst_rank);
}

FLINKGPU_HD uint32_t key_of_rank(uint32_t rank) {
  return rank >= select_worst_rank ? 0 : (1 << search_key_bits) - rank;
}

struct select_shared {
  block_scan<search_select_threads, uint32_t> sums;
  uint32_t bins[select_bins];
  uint64_t ids[select_sorted];  // in the order of signed numbers
  uint32_t ranks[select_sorted];
  uint32_t places[select_sorted];
  uint32_t kept;   // so far
  uint32_t digit;  // that the one that was asked for has
  uint32_t left;   // which one it is of those with this digit, from 1
};

// What is selected from, by a thread.
struct selection {
  const search_args& args;
  const search_query& query;
  uint64_t* candidates;
  uint32_t count;

  FLINKGPU_HD uint32_t rank(uint64_t candidate) const {
    return rank_of_key(static_cast<uint32_t>(candidate >> 32));
  }

  FLINKGPU_HD uint64_t id(uint64_t candidate) const {
    const auto place = static_cast<uint32_t>(candidate);
    return static_cast<uint64_t>(args.tiles[place >> 16].ids[place & 0xffff]) ^ (uint64_t{1} << 63);
  }
};

// Does take(candidate) for a thread's part of the candidates, some of which are under way at a
// time.
template <typename Take>
FLINKGPU_HD void each_candidate(const selection& from, uint32_t thread, const Take& take) {
  FLINKGPU_ROLLED
  for (uint32_t first = thread; first < from.count; first += select_loads * search_select_threads) {
    uint64_t loaded[select_loads];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < select_loads; ++i) {
      const uint32_t at = first + i * search_select_threads;
      loaded[i] = at < from.count ? from.candidates[at] : 0;
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < select_loads; ++i) {
      if (first + i * search_select_threads < from.count) {
        take(loaded[i]);
      }
    }
  }
}

// Finds the digit of the one that is the shared.left-th smallest of what `value` gives of
// candidates for which `is_asked` holds.
template <typename Each, typename IsAsked, typename Value>
FLINKGPU_LIST void select_digit(Each& each, select_shared& shared, const selection& from,
                                uint32_t shift, const IsAsked& is_asked, const Value& value) {
  each(
      [&](uint32_t thread) {
        for (uint32_t i = thread; i < select_bins; i += search_select_threads) {
          shared.bins[i] = 0;
        }
      },
      [&](uint32_t thread) {
        each_candidate(from, thread, [&](uint64_t candidate) {
          if (is_asked(candidate)) {
            const auto digit = static_cast<uint32_t>(value(candidate) >> shift) % select_bins;
            atomic_add(&shared.bins[digit], 1);
          }
        });
      });
  const uint32_t wanted = each.uniform([&](uint32_t) { return shared.left; });
  each.scan(
      shared.sums,
      [&](uint32_t thread) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < select_own_bins; ++i) {
          sum += shared.bins[thread * select_own_bins + i];
        }
        return sum;
      },
      [&](uint32_t thread, uint32_t before, uint32_t) {
        for (uint32_t i = 0; i < select_own_bins; ++i) {
          const uint32_t bin = thread * select_own_bins + i;
          const uint32_t end = before + shared.bins[bin];
          if (before < wanted && wanted <= end) {
            shared.digit = bin;
            shared.left = wanted - before;
          }
          before = end;
        }
      });
}

// The rank of the k-th best; select_any_rank if there are no more than k. Then shared.left is how
// many of the candidates with this rank belong to the best k.
template <typename Each>
FLINKGPU_LIST uint32_t select_rank(Each& each, select_shared& shared, const selection& from) {
  if (from.count <= from.query.k) {
    return select_any_rank;
  }
  each([&](uint32_t thread) {
    if (thread == 0) {
      shared.left = from.query.k;
    }
  });
  const auto rank = [&](uint64_t candidate) { return uint64_t{from.rank(candidate)}; };
  select_digit(
      each, shared, from, select_digit_bits, [](uint64_t) { return true; }, rank);
  const uint32_t high = each.uniform([&](uint32_t) { return shared.digit; });
  select_digit(
      each, shared, from, 0,
      [&](uint64_t candidate) { return from.rank(candidate) >> select_digit_bits == high; }, rank);
  return (high << select_digit_bits) | each.uniform([&](uint32_t) { return shared.digit; });
}

// The id of the shared.left-th of the candidates with a rank, of which there are at least as many.
template <typename Each>
FLINKGPU_LIST uint64_t select_id(Each& each, select_shared& shared, const selection& from,
                                 uint32_t rank) {
  uint64_t id = 0;
  for (uint32_t end = 66; end > 0; end -= select_digit_bits) {
    const uint32_t shift = end - select_digit_bits;
    const uint64_t known = id;
    select_digit(
        each, shared, from, shift,
        [&](uint64_t candidate) {
          return from.rank(candidate) == rank &&
                 (end > 63 || from.id(candidate) >> end == known >> end);
        },
        [&](uint64_t candidate) { return from.id(candidate); });
    id |= uint64_t{each.uniform([&](uint32_t) { return shared.digit; })} << shift;
  }
  return id;
}

// The same as below for any number of them.
template <typename Each>
FLINKGPU_LIST uint32_t keep_many_ranks(Each& each, select_shared& shared, const selection& from,
                                       uint32_t rank) {
  // All have read what is written next.
  each([](uint32_t) {});
  each([&](uint32_t thread) {
    if (thread == 0) {
      shared.kept = 0;
    }
  });
  for (uint32_t first = 0; first < from.count; first += search_select_threads) {
    // A candidate is read by all before any is written to its place, which is here or before.
    each([&](uint32_t thread) {
      const uint32_t i = first + thread;
      if (i < from.count) {
        const uint64_t candidate = from.candidates[i];
        shared.ids[thread] = candidate;
        shared.places[thread] =
            from.rank(candidate) <= rank ? atomic_add(&shared.kept, 1) : 0xffffffff;
      }
    });
    each([&](uint32_t thread) {
      if (first + thread < from.count && shared.places[thread] != 0xffffffff) {
        from.candidates[shared.places[thread]] = shared.ids[thread];
      }
    });
  }
  return each.uniform([&](uint32_t) { return shared.kept; });
}

// Moves the candidates with at most this rank to the front. Returns how many there are.
template <typename Each>
FLINKGPU_LIST uint32_t keep_ranks(Each& each, select_shared& shared, const selection& from,
                                  uint32_t rank) {
  each(
      [&](uint32_t thread) {
        if (thread == 0) {
          shared.kept = 0;
        }
      },
      [&](uint32_t thread) {
        each_candidate(from, thread, [&](uint64_t candidate) {
          if (from.rank(candidate) <= rank) {
            const uint32_t at = atomic_add(&shared.kept, 1);
            if (at < select_sorted) {
              shared.ids[at] = candidate;
            }
          }
        });
      });
  const uint32_t kept = each.uniform([&](uint32_t) { return shared.kept; });
  if (kept > select_sorted) {
    return keep_many_ranks(each, shared, from, rank);
  }
  each([&](uint32_t thread) {
    for (uint32_t i = thread; i < kept; i += search_select_threads) {
      from.candidates[i] = shared.ids[i];
    }
  });
  return kept;
}

FLINKGPU_HD bool comes_before(const select_shared& shared, uint32_t a, uint32_t b) {
  return shared.ranks[a] != shared.ranks[b] ? shared.ranks[a] < shared.ranks[b]
                                            : shared.ids[a] < shared.ids[b];
}

template <typename T>
FLINKGPU_HD void exchange(T& a, T& b) {
  const T before = a;
  a = b;
  b = before;
}

// A bitonic sort of the first `room` that are kept, a power of two.
template <typename Each>
FLINKGPU_LIST void sort_kept(Each& each, select_shared& shared, uint32_t room) {
  for (uint32_t length = 2; length <= room; length *= 2) {
    for (uint32_t distance = length / 2; distance > 0; distance /= 2) {
      each([&](uint32_t thread) {
        if (thread < room / 2) {
          const uint32_t a = 2 * thread - (thread & (distance - 1));
          const uint32_t b = a + distance;
          const bool rises = (a & length) == 0;
          if (comes_before(shared, rises ? b : a, rises ? a : b)) {
            exchange(shared.ranks[a], shared.ranks[b]);
            exchange(shared.ids[a], shared.ids[b]);
            exchange(shared.places[a], shared.places[b]);
          }
        }
      });
    }
  }
}

// Gets the candidates up to a rank and, where that is theirs, up to an id ready to be sorted.
// Returns how many there are, for more than select_sorted of which there is no room.
template <typename Each>
FLINKGPU_LIST uint32_t gather_best(Each& each, select_shared& shared, const selection& from,
                                   uint32_t rank, uint64_t last_id) {
  each(
      [&](uint32_t thread) {
        for (uint32_t i = thread; i < select_sorted; i += search_select_threads) {
          shared.ranks[i] = select_any_rank;
          shared.ids[i] = ~uint64_t{0};
          shared.places[i] = 0;
        }
        if (thread == 0) {
          shared.kept = 0;
        }
      },
      [&](uint32_t thread) {
        each_candidate(from, thread, [&](uint64_t candidate) {
          const uint32_t own = from.rank(candidate);
          if (own > rank) {
            return;
          }
          const uint64_t id = from.id(candidate);
          if (own < rank || id <= last_id) {
            const uint32_t at = atomic_add(&shared.kept, 1);
            if (at < select_sorted) {
              shared.ranks[at] = own;
              shared.ids[at] = id;
              shared.places[at] = static_cast<uint32_t>(candidate);
            }
          }
        });
      });
  return each.uniform([&](uint32_t) { return shared.kept; });
}

// Sorts the best k, and with them those that are equally good as the last one and have any id.
template <typename Each>
FLINKGPU_LIST uint32_t sort_best(Each& each, select_shared& shared, const selection& from,
                                 uint32_t rank) {
  uint32_t kept = gather_best(each, shared, from, rank, ~uint64_t{0});
  if (kept > select_sorted) {
    const uint64_t last_id = select_id(each, shared, from, rank);
    kept = gather_best(each, shared, from, rank, last_id);
  }
  uint32_t room = 2;
  while (room < kept) {
    room *= 2;
  }
  sort_kept(each, shared, room);
  return kept;
}

// Writes what was found, also in place of the candidates.
FLINKGPU_HD void put_found(const selection& from, const select_shared& shared, uint32_t index) {
  const uint32_t place = shared.places[index];
  const uint32_t key = key_of_rank(shared.ranks[index]);
  const uint32_t size = from.args.tiles[place >> 16].sizes[place & 0xffff];
  const uint64_t at = uint64_t{from.query.result_start} + index;
  from.candidates[index] = (uint64_t{key} << 32) | place;
  from.args.found_ids[at] = static_cast<int64_t>(shared.ids[index] ^ (uint64_t{1} << 63));
  from.args.found_counts[at] =
      common_of_key(from.args.similarity, from.query.size, size, key) | (size << 16);
}

template <typename Threads>
FLINKGPU_LIST void select_best(const Threads& threads, const search_args& args,
                               select_shared& shared, uint32_t query_index) {
  search_state& state = args.states[query_index];
  const search_query& query = args.queries[query_index];
  const uint32_t candidates = state.candidates;
  const selection from{args, query, args.candidates + uint64_t{query_index} * search_candidates,
                       min_of(candidates, search_candidates)};
  auto each = threads.begin([](uint32_t thread) { return thread; });
  const uint32_t rank = select_rank(each, shared, from);
  uint32_t kept;
  if (args.exact != 0) {
    kept = min_of(sort_best(each, shared, from, rank), query.k);
    each([&](uint32_t thread) {
      for (uint32_t i = thread; i < kept; i += search_select_threads) {
        put_found(from, shared, i);
      }
    });
  } else {
    kept = keep_ranks(each, shared, from, rank);
  }
  each.last([&](uint32_t thread) {
    if (thread == 0) {
      state.candidates = kept;
      state.dropped += candidates - kept;
      state.found = args.exact != 0 ? kept : 0;
      state.overflowed |= candidates > search_candidates ? 1 : 0;
      if (rank != select_any_rank) {
        state.min_key = key_of_rank(rank);
      }
    }
  });
}

}  // namespace flinkgpu
