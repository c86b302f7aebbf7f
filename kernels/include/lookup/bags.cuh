#pragma once

// lookup_bags: where the ids and the weights of each bag are, and how many values the combined bags
// before it have. A bag that is not what it has to be is told of, and becomes an empty one.

#include "block/tile.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

inline constexpr uint32_t lookup_no_weights = 0xffffffff;

struct bags_shared {
  tile_scan<lookup_threads, uint32_t> values;
};

struct bag_state {
  uint32_t bag;
  lookup_bag place;
  uint32_t values;
};

// The last of `count` items that starts at or before `at`; the first one does.
template <typename Start>
FLINKGPU_HD uint32_t last_start(uint32_t low, uint32_t count, uint32_t at, const Start& start) {
  uint32_t high = count;
  while (low + 1 < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (start(middle) <= at) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// The same by a guess, which is a good one where all items are as long: a few steps from there.
template <typename Start>
FLINKGPU_HD uint32_t last_start_near(uint32_t guess, uint32_t count, uint32_t at,
                                     const Start& start) {
  uint32_t low = min_of(guess, count - 1);
  uint32_t high = low + 1;
  uint32_t step = 1;
  if (start(low) <= at) {
    for (; high < count && start(high) <= at; high = low + step) {
      low = high;
      step *= 2;
    }
  } else {
    do {
      high = low;
      low = low > step ? low - step : 0;
      step *= 2;
    } while (low > 0 && start(low) > at);
  }
  return last_start(low, min_of(high, count), at, start);
}

// Where an item would be among `count` others if all were as long, or near there: the `at`-th of
// `all`.
FLINKGPU_HD uint32_t guess_of(uint32_t at, uint32_t all, uint32_t count) {
  const float share = static_cast<float>(count) / static_cast<float>(all);
  return static_cast<uint32_t>(static_cast<float>(at) * share + 0.01F);
}

// How many things a row has before its own, from the first of the batch on.
FLINKGPU_HD uint32_t row_start(const int32_t* offsets, uint32_t row) {
  return static_cast<uint32_t>(offsets[row] - offsets[0]);
}

// How many weights a row has.
FLINKGPU_HD uint32_t weight_count(const lookup_args& args, uint32_t row) {
  return args.weight_offsets == nullptr
             ? 0
             : row_start(args.weight_offsets, row + 1) - row_start(args.weight_offsets, row);
}

FLINKGPU_HD uint32_t row_of_bag(const lookup_args& args, uint32_t bag) {
  return last_start_near(guess_of(bag, args.bag_count, args.rows), args.rows, bag,
                         [&](uint32_t i) { return row_start(args.bag_offsets, i); });
}

// Where the ids end of the row before a bag that has bags, too.
FLINKGPU_HD uint32_t ids_before(const lookup_args& args, uint32_t bag) {
  return bag == 0 ? 0 : row_start(args.id_offsets, row_of_bag(args, bag - 1) + 1);
}

FLINKGPU_HD lookup_bag find_bag(const lookup_args& args, uint32_t bag) {
  const uint32_t row = row_of_bag(args, bag);
  const uint32_t first = row_start(args.id_offsets, row);
  const uint32_t count = row_start(args.id_offsets, row + 1) - first;
  const bool is_first = bag == row_start(args.bag_offsets, row);
  const bool is_last = bag + 1 == row_start(args.bag_offsets, row + 1);
  const uint32_t before = is_first ? 0 : static_cast<uint32_t>(args.bag_ends[bag - 1]);
  const auto end = static_cast<uint32_t>(args.bag_ends[bag]);
  const auto kind = static_cast<uint32_t>(args.bags[bag]);
  const uint32_t weights = weight_count(args, row);
  // Each id is of a bag: of those before it, of it, or of those after it.
  const bool is_good = before <= end && end <= count && (!is_last || end == count) &&
                       (!is_first || first == ids_before(args, bag)) &&
                       (bag + 1 < args.bag_count || first + end == args.id_count) &&
                       (weights == 0 || weights == count) &&
                       kind >> lookup_kind_bits < args.table_count;
  if (!is_good) {
    atomic_or(&args.header->bad_bags, 1);
    return {first, first, lookup_none, lookup_no_weights, row, 0};
  }
  const uint32_t first_weight =
      weights == 0 ? lookup_no_weights : row_start(args.weight_offsets, row) + before;
  return {first + before, first + end, kind, first_weight, row, 0};
}

FLINKGPU_HD uint32_t combiner_of(const lookup_bag& bag) {
  return bag.kind & ((1U << lookup_kind_bits) - 1);
}

FLINKGPU_HD const lookup_table& table_of(const lookup_args& args, const lookup_bag& bag) {
  return args.tables[bag.kind >> lookup_kind_bits];
}

template <typename Threads>
FLINKGPU_LIST void find_bags(const Threads& threads, const lookup_args& args, bags_shared& shared,
                             uint32_t tile) {
  auto each = threads.begin([&](uint32_t thread) {
    return bag_state{tile * lookup_threads + thread, {}, 0};
  });
  each([&](bag_state& self) {
    if (self.bag < args.bag_count) {
      self.place = find_bag(args, self.bag);
      self.values =
          combiner_of(self.place) == lookup_none ? 0 : table_of(args, self.place).dimension;
    }
  });
  each.scan_tiles(
      shared.values, args.bag_tiles, tile, [](const bag_state& self) { return self.values; },
      [](bag_state& self, uint32_t before, uint32_t) { self.place.base = before; },
      [&](uint64_t before, uint32_t total) {
        if ((tile + 1) * lookup_threads >= args.bag_count) {
          args.header->bag_values = before + total;
        }
      });
  const uint32_t uncombined = each.count([&](const bag_state& self) {
    return self.bag < args.bag_count && combiner_of(self.place) == lookup_none;
  });
  each.last([&](bag_state& self) {
    if (uncombined > 0 && self.bag == tile * lookup_threads) {
      atomic_or(&args.header->uncombined, 1);
    }
    if (self.bag < args.bag_count) {
      self.place.base += static_cast<uint32_t>(shared.values.before);
      args.places[self.bag] = self.place;
    }
  });
}

}  // namespace flinkgpu
