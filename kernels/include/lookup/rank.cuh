#pragma once

// lookup_count and lookup_choose: which vectors of a table are to be in its cache: those that were
// used most often, and of those that were used as often the ones with the least indexes. The first
// counts how many vectors have each frequency, which tells the host the least one that is in; the
// second lists what has to change, and halves all frequencies.

#include "block/tile.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t rank_thread_vectors = lookup_rank_vectors / lookup_threads;

struct count_shared {
  uint32_t histogram[lookup_frequencies];
};

struct choose_shared {
  tile_scan<lookup_threads, uint32_t> ties;
  block_scan<lookup_threads, uint32_t> lists;
  uint32_t first_admitted;
  uint32_t first_evicted;
};

struct rank_state {
  uint32_t thread;
  uint32_t first;  // of its vectors
  uint32_t count;  // of them
  uint32_t ties;
  uint32_t ties_before;
  uint32_t lists_before;
  byte_pack frequencies;
};

// A number of vectors that are admitted, and of those that are evicted.
inline constexpr uint32_t evicted_shift = 16;

FLINKGPU_HD uint32_t frequency_at(const rank_state& self, uint32_t i) {
  return static_cast<uint32_t>((i < 8 ? self.frequencies.low : self.frequencies.high) >>
                               (8 * (i % 8))) &
         0xff;
}

FLINKGPU_HD rank_state rank_vectors(const lookup_rank_args& args, uint32_t tile, uint32_t thread) {
  rank_state self{};
  self.thread = thread;
  self.first = tile * lookup_rank_vectors + thread * rank_thread_vectors;
  if (self.first < args.vectors) {
    self.count = min_of(rank_thread_vectors, args.vectors - self.first);
    self.frequencies = load_pack(reinterpret_cast<const uint8_t*>(args.frequencies) + self.first);
  }
  return self;
}

template <typename Threads>
FLINKGPU_LIST void count_frequencies(const Threads& threads, const lookup_rank_args& args,
                                     count_shared& shared, uint32_t tile) {
  static_assert(lookup_frequencies == lookup_threads);
  auto each = threads.begin([&](uint32_t thread) { return rank_vectors(args, tile, thread); });
  each([&](rank_state& self) { shared.histogram[self.thread] = 0; },
       [&](rank_state& self) {
         for (uint32_t i = 0; i < self.count; ++i) {
           atomic_add(&shared.histogram[frequency_at(self, i)], 1);
         }
       });
  each.last([&](rank_state& self) {
    if (shared.histogram[self.thread] > 0) {
      atomic_add(&args.histogram[self.thread], shared.histogram[self.thread]);
    }
  });
}

// Does change(i, index, is_admitted) for each vector of a thread that has to come or go.
template <typename Change>
FLINKGPU_HD void each_change(const lookup_rank_args& args, const rank_state& self,
                             uint64_t ties_before, const Change& change) {
  uint64_t tie = ties_before + self.ties_before;
  for (uint32_t i = 0; i < self.count; ++i) {
    const uint32_t frequency = frequency_at(self, i);
    const bool is_tie = frequency == args.threshold;
    const bool is_wanted = frequency > args.threshold || (is_tie && tie < args.ties);
    tie += is_tie ? 1 : 0;
    if (is_wanted != (args.locations[self.first + i] >= 0)) {
      change(self.first + i, frequency, is_wanted);
    }
  }
}

FLINKGPU_HD void list_change(const lookup_rank_args& args, uint32_t* list, uint32_t at,
                             uint32_t index, uint32_t frequency) {
  if (at < args.room) {
    list[size_t{2} * at] = index;
    list[size_t{2} * at + 1] = frequency;
  }
}

FLINKGPU_HD void halve_frequencies(const lookup_rank_args& args, const rank_state& self) {
  constexpr uint64_t seven_bits = 0x7f7f7f7f7f7f7f7f;
  if (self.count > 0) {
    store_pack(
        reinterpret_cast<uint8_t*>(args.frequencies) + self.first,
        {(self.frequencies.low >> 1) & seven_bits, (self.frequencies.high >> 1) & seven_bits});
  }
}

template <typename Threads>
FLINKGPU_LIST void choose_vectors(const Threads& threads, const lookup_rank_args& args,
                                  choose_shared& shared, uint32_t tile) {
  auto each = threads.begin([&](uint32_t thread) { return rank_vectors(args, tile, thread); });
  each.scan_tiles(
      shared.ties, args.tiles, tile,
      [&](const rank_state& self) {
        uint32_t ties = 0;
        for (uint32_t i = 0; i < self.count; ++i) {
          ties += frequency_at(self, i) == args.threshold ? 1 : 0;
        }
        return ties;
      },
      [](rank_state& self, uint32_t before, uint32_t) { self.ties_before = before; },
      [](uint64_t, uint32_t) {});
  const uint32_t changes = each.scan(
      shared.lists,
      [&](const rank_state& self) {
        uint32_t own = 0;
        each_change(args, self, shared.ties.before, [&](uint32_t, uint32_t, bool is_admitted) {
          own += is_admitted ? 1 : 1U << evicted_shift;
        });
        return own;
      },
      [](rank_state& self, uint32_t before, uint32_t) { self.lists_before = before; });
  each([&](rank_state& self) {
    if (self.thread == 0 && changes > 0) {
      shared.first_admitted = atomic_add(&args.list_counts[0],
                                         static_cast<uint32_t>(changes & low_bits(evicted_shift)));
      shared.first_evicted = atomic_add(&args.list_counts[1], changes >> evicted_shift);
    }
  });
  each.last([&](rank_state& self) {
    uint32_t before = self.lists_before;
    each_change(
        args, self, shared.ties.before, [&](uint32_t index, uint32_t frequency, bool is_admitted) {
          if (is_admitted) {
            list_change(
                args, args.admitted,
                shared.first_admitted + static_cast<uint32_t>(before & low_bits(evicted_shift)),
                index, frequency);
            before += 1;
          } else {
            list_change(args, args.evicted, shared.first_evicted + (before >> evicted_shift), index,
                        frequency);
            before += 1U << evicted_shift;
          }
        });
    halve_frequencies(args, self);
  });
}

}  // namespace flinkgpu
