#pragma once

// lookup_write: combines the vectors of each bag, or copies them, and says where each bag's values
// and each row's are. As many lanes as a vector has quads, up to a warp, share a bag, an id or a
// row.

#include "lookup/elements.cuh"
#include "lookup/ids.cuh"

namespace flinkgpu {

// Vectors of a bag that are on their way at a time.
inline constexpr uint32_t lookup_ahead = 4;

// Where elements are; null: the id is left out.
struct vector_source {
  const uint8_t* elements;
  uint32_t type;
};

FLINKGPU_HD vector_source resolve(const lookup_args& args, const lookup_table& table,
                                  uint64_t source) {
  const auto kind = source & source_bits;
  if (kind == source_read) {
    const uint32_t line = args.unique_lines[source >> 2];
    const uint32_t number = line & ~(1U << lookup_disk_bit);
    const uint8_t* const lines = number == line ? args.lines : args.disk_lines;
    return {lines + uint64_t{lookup_line_bytes} * number, table.type};
  }
  return {reinterpret_cast<const uint8_t*>(static_cast<uintptr_t>(source - kind)),
          kind == source_missing ? lookup_f32 : table.type};
}

FLINKGPU_HD float_quad weigh(const float_quad& quad, float weight) {
  float_quad weighed;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    weighed.at[i] = multiply_rn(weight, quad.at[i]);
  }
  return weighed;
}

FLINKGPU_HD float_quad load_weighed(const lookup_args& args, const lookup_bag& bag,
                                    const vector_source& source, uint32_t id, uint32_t first) {
  const float_quad quad = load_quad(source.elements, source.type, first);
  return bag.weights == lookup_no_weights
             ? quad
             : weigh(quad, args.weights[bag.weights + (id - bag.start)]);
}

FLINKGPU_HD void add_quad(float_quad& sum, const float_quad& quad, bool is_max, bool is_first) {
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    if (is_max) {
      sum.at[i] = is_first || quad.at[i] > sum.at[i] ? quad.at[i] : sum.at[i];
    } else {
      sum.at[i] = add_rn(sum.at[i], quad.at[i]);
    }
  }
}

// Elements [first, first + 4) of a bag that is combined: in the order of its ids.
FLINKGPU_HD float_quad combine(const lookup_args& args, const lookup_bag& bag,
                               const lookup_table& table, uint32_t first) {
  const uint32_t combiner = combiner_of(bag);
  float_quad sum = quad_of(0);
  uint32_t used = 0;
  FLINKGPU_ROLLED
  for (uint32_t id = bag.start; id < bag.end; id += lookup_ahead) {
    uint64_t places[lookup_ahead];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_ahead; ++i) {
      places[i] = id + i < bag.end ? args.sources[id + i] : source_none;
    }
    vector_source sources[lookup_ahead];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_ahead; ++i) {
      sources[i] = resolve(args, table, places[i]);
    }
    float_quad quads[lookup_ahead];
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_ahead; ++i) {
      quads[i] = sources[i].elements == nullptr
                     ? quad_of(0)
                     : load_weighed(args, bag, sources[i], id + i, first);
    }
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < lookup_ahead; ++i) {
      if (sources[i].elements != nullptr) {
        add_quad(sum, quads[i], combiner == lookup_max, used == 0);
        ++used;
      }
    }
  }
  if (combiner == lookup_mean && used > 0) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < 4; ++i) {
      sum.at[i] = divide_rn(sum.at[i], static_cast<float>(used));
    }
  }
  return sum;
}

// Whether the values of a bag come of arithmetic.
FLINKGPU_HD bool is_computed(const lookup_bag& bag, const lookup_table& table) {
  const uint32_t combiner = combiner_of(bag);
  return combiner == lookup_sum || combiner == lookup_mean || table.type == lookup_int8 ||
         bag.weights != lookup_no_weights;
}

// Writes elements of a vector. A NaN that was computed gets the bits that it has on every
// processor.
FLINKGPU_HD void write_quad(float* values, const float_quad& quad, uint32_t first,
                            uint32_t dimension, bool is_computed) {
  float_quad written;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    written.at[i] =
        is_computed && quad.at[i] != quad.at[i] ? float_of_bits(0x7fc00000) : quad.at[i];
  }
  store_quad(values, written, first, dimension);
}

FLINKGPU_HD uint64_t all_values(const lookup_args& args) {
  return args.header->bag_values + args.header->id_values;
}

// Where a bag's values start, or those of all end.
FLINKGPU_HD uint32_t values_start(const lookup_args& args, uint32_t bag) {
  if (bag >= args.bag_count) {
    return static_cast<uint32_t>(all_values(args));
  }
  const lookup_bag& place = args.places[bag];
  if (args.header->uncombined == 0) {
    return place.base;
  }
  const uint32_t of_ids = place.start < args.id_count
                              ? args.id_bases[place.start]
                              : static_cast<uint32_t>(args.header->id_values);
  return place.base + of_ids;
}

FLINKGPU_HD void write_bag(const lookup_args& args, const lookup_bag& bag, uint32_t index,
                           uint32_t lane) {
  if (combiner_of(bag) == lookup_none) {
    return;
  }
  const uint32_t start = args.header->uncombined == 0 ? bag.base : values_start(args, index);
  const lookup_table& table = table_of(args, bag);
  for (uint32_t first = 4 * lane; first < table.dimension; first += 4 * args.lanes) {
    write_quad(args.values + start, combine(args, bag, table, first), first, table.dimension,
               is_computed(bag, table));
  }
}

// Where a row's values start, and where those of its bags end. One more row is the end of all.
FLINKGPU_HD void write_row(const lookup_args& args, uint32_t row, uint32_t lane) {
  const uint32_t first_bag = row_start(args.bag_offsets, row);
  const uint32_t start = values_start(args, first_bag);
  if (lane == 0) {
    args.value_offsets[row] = static_cast<int32_t>(start);
  }
  const uint32_t end = row < args.rows ? row_start(args.bag_offsets, row + 1) : first_bag;
  for (uint32_t bag = first_bag + lane; bag < end; bag += args.lanes) {
    args.value_ends[bag] = static_cast<int32_t>(values_start(args, bag + 1) - start);
  }
}

// The vector of an id whose bag is not combined.
FLINKGPU_HD void write_id(const lookup_args& args, uint32_t id, uint32_t lane) {
  const lookup_bag& bag = args.places[args.id_bags[id]];
  if (combiner_of(bag) != lookup_none) {
    return;
  }
  const lookup_table& table = table_of(args, bag);
  const vector_source source = resolve(args, table, args.sources[id]);
  if (source.elements == nullptr) {
    return;
  }
  float* const values = args.values + bag.base + args.id_bases[id];
  for (uint32_t first = 4 * lane; first < table.dimension; first += 4 * args.lanes) {
    write_quad(values, load_weighed(args, bag, source, id, first), first, table.dimension,
               is_computed(bag, table));
  }
}

// Whether there is nothing to be written, or not yet: a bag is not what it has to be, there is no
// room, or vectors have to be read from disk first.
FLINKGPU_HD bool is_held_up(const lookup_args& args) {
  return args.header->bad_bags != 0 || all_values(args) > args.room ||
         (args.header->disk_reads > 0 && args.disk_lines == nullptr);
}

// Bags come first, then rows and their end, then ids where a bag is not combined.
FLINKGPU_HD void write_values(const lookup_args& args, uint64_t item, uint32_t lane) {
  // Two loads that do not wait for each other.
  const lookup_bag bag = item < args.bag_count ? args.places[item] : lookup_bag{};
  if (is_held_up(args)) {
    return;
  }
  if (item < args.bag_count) {
    write_bag(args, bag, static_cast<uint32_t>(item), lane);
    return;
  }
  item -= args.bag_count;
  if (item <= args.rows) {
    write_row(args, static_cast<uint32_t>(item), lane);
    return;
  }
  item -= args.rows + uint64_t{1};
  if (item < args.id_count && args.header->uncombined != 0) {
    write_id(args, static_cast<uint32_t>(item), lane);
  }
}

}  // namespace flinkgpu
