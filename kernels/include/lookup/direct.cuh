#pragma once

// lookup_direct: all of a lookup in one launch, where all bags are combined, nothing is on disk and
// few vectors are read from the host twice. A thread has a bag; a block finds their ids' vectors
// and combines them, wherever they are. It leaves a batch to the other kernels if a bag is not
// combined, or if a block would have so much to do that others would wait for it.

#include "lookup/ids.cuh"
#include "lookup/write.cuh"

namespace flinkgpu {

// What a block may have to do at most: ids of its bags, and bags of its first row in the blocks
// before.
inline constexpr uint32_t direct_ids = 4096;
inline constexpr uint32_t direct_before = 1024;

struct direct_shared {
  tile_scan<lookup_threads, uint32_t> values;
  block_scan<lookup_threads, uint32_t> earlier;
  lookup_bag bags[lookup_threads];  // whose bases count from the tile's start
  lookup_counts counts[lookup_counted_tables];
  uint32_t low_row;  // the first whose bags start in the tile, or after it
};

struct direct_state {
  uint32_t thread;
  lookup_bag place;
  uint32_t values;
};

// A vector that is not in the cache is read from the host as often as it is asked for.
FLINKGPU_HD void find_on_host(const lookup_table& table, const unique_claim& claim,
                              lookup_counts& counts, id_state& self) {
  atomic_add(&counts.host, 1);
  if (claim.is_new) {
    atomic_add(&counts.host_unique, 1);
  }
  self.source = host_address(table, self.index);
}

// The `at`-th of the ids of a tile.
FLINKGPU_HD void find_direct(const lookup_args& args, direct_shared& shared, uint32_t bags,
                             uint32_t at, uint32_t ids) {
  id_state self{};
  self.id = shared.bags[0].start + at;
  const uint32_t bag = last_start_near(guess_of(at, ids, bags), bags, self.id,
                                       [&](uint32_t i) { return shared.bags[i].start; });
  find_of_bag(args, shared.bags[bag], shared.counts, self, find_on_host);
  args.sources[self.id] = self.source;
}

// Where the values of a tile's bag end, from those of its row on; `earlier` has those that the
// tile's first row has in the tiles before.
FLINKGPU_HD uint32_t direct_end(const lookup_args& args, const direct_shared& shared,
                                uint32_t first_bag, const direct_state& self, uint32_t earlier) {
  const uint32_t row_bag = row_start(args.bag_offsets, self.place.row);
  const uint32_t end = self.place.base + self.values;
  return row_bag < first_bag ? earlier + end : end - shared.bags[row_bag - first_bag].base;
}

// What a thread writes of its tile: the bags that its group of lanes has, and where rows start.
FLINKGPU_HD void write_direct(const lookup_args& args, const direct_shared& shared, uint32_t thread,
                              uint32_t first_bag, uint32_t bags) {
  const auto before = static_cast<uint32_t>(shared.values.before);
  const uint32_t lanes_log = lowest_bit(args.lanes);
  const uint32_t lane = thread & (args.lanes - 1);
  for (uint32_t i = thread >> lanes_log; i < bags; i += lookup_threads >> lanes_log) {
    const lookup_bag& bag = shared.bags[i];
    const lookup_table& table = table_of(args, bag);
    for (uint32_t first = 4 * lane; first < table.dimension; first += 4 * args.lanes) {
      write_quad(args.values + before + bag.base, combine(args, bag, table, first), first,
                 table.dimension, is_computed(bag, table));
    }
  }
  const uint32_t high_row = shared.bags[bags - 1].row + 1;
  for (uint32_t row = shared.low_row + thread; row < high_row; row += lookup_threads) {
    const uint32_t bag = row_start(args.bag_offsets, row) - first_bag;
    if (bag < bags) {
      args.value_offsets[row] = static_cast<int32_t>(before + shared.bags[bag].base);
    }
  }
}

// Where the values of all end: of the rows after the last bag, and one more.
FLINKGPU_HD void write_direct_end(const lookup_args& args, uint32_t thread, uint32_t last_row,
                                  uint32_t values) {
  for (uint32_t row = last_row + 1 + thread; row <= args.rows; row += lookup_threads) {
    args.value_offsets[row] = static_cast<int32_t>(values);
  }
}

template <typename Threads>
FLINKGPU_LIST void look_up_directly(const Threads& threads, const lookup_args& args,
                                    direct_shared& shared, uint32_t tile) {
  const uint32_t first_bag = tile * lookup_threads;
  const uint32_t bags = min_of(lookup_threads, args.bag_count - first_bag);
  auto each = threads.begin([&](uint32_t thread) { return direct_state{thread, {}, 0}; });
  each.open([&](direct_state& self) {
    if (self.thread < lookup_counted_tables) {
      shared.counts[self.thread] = {};
    }
    if (self.thread < bags) {
      self.place = find_bag(args, first_bag + self.thread);
      self.values = table_of(args, self.place).dimension;
    }
    if (self.thread == lookup_threads - 1) {
      shared.low_row = first_bag == 0 ? 0 : row_of_bag(args, first_bag - 1) + 1;
    }
  });
  const uint32_t total = each.scan(
      shared.values.block, [](const direct_state& self) { return self.values; },
      [&](direct_state& self, uint32_t before, uint32_t all) {
        if (self.thread < bags) {
          self.place.base = before;
          shared.bags[self.thread] = self.place;
        }
        if (self.thread == 0 && tile > 0) {
          publish(args.bag_tiles, tile, tile_state::own_sum, all);
        }
      });
  const uint32_t row_bag = min_of(first_bag, row_start(args.bag_offsets, shared.bags[0].row));
  const uint32_t ids = shared.bags[bags - 1].end - shared.bags[0].start;
  // One that is not what it has to be is not combined, either.
  const uint32_t unfit = each.count([&](const direct_state& self) {
    return self.thread < bags && (combiner_of(self.place) == lookup_none ||
                                  first_bag - row_bag > direct_before || ids > direct_ids);
  });
  if (unfit > 0) {
    each.open([&](direct_state& self) {
      if (self.thread == 0) {
        atomic_or(&args.header->uncombined, 1);
      }
    });
  } else {
    each.open([&](direct_state& self) {
      for (uint32_t at = self.thread; at < ids; at += lookup_threads) {
        find_direct(args, shared, bags, at, ids);
      }
    });
  }
  const uint32_t earlier = each.scan(
      shared.earlier,
      [&](const direct_state& self) {
        uint32_t values = 0;
        for (uint32_t bag = row_bag + self.thread; unfit == 0 && bag < first_bag;
             bag += lookup_threads) {
          const uint32_t table = static_cast<uint32_t>(args.bags[bag]) >> lookup_kind_bits;
          values += table < args.table_count ? args.tables[table].dimension : 0;
        }
        return values;
      },
      [](direct_state&, uint32_t, uint32_t) {});
  each.look_back(shared.values, args.bag_tiles, tile, total, [&](uint64_t before, uint32_t) {
    if (first_bag + bags == args.bag_count) {
      args.header->bag_values = before + total;
    }
  });
  each.last([&](direct_state& self) {
    if (self.thread < min_of(args.table_count, lookup_counted_tables) &&
        args.table_count <= lookup_counted_tables) {
      add_counts(args, shared.counts[self.thread], self.thread);
    }
    if (unfit > 0 || shared.values.before + total > args.room) {
      return;
    }
    if (self.thread < bags) {
      args.value_ends[first_bag + self.thread] =
          static_cast<int32_t>(direct_end(args, shared, first_bag, self, earlier));
    }
    write_direct(args, shared, self.thread, first_bag, bags);
    if (first_bag + bags == args.bag_count) {
      write_direct_end(args, self.thread, shared.bags[bags - 1].row,
                       static_cast<uint32_t>(shared.values.before) + total);
    }
  });
}

}  // namespace flinkgpu
