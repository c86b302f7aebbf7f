// Looks random requests up in random tables, and chooses what is in caches, and compares with the
// plainest code that gives the same.

#include <algorithm>
#include <set>

#include "lookup_tables.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

struct test_bag {
  uint32_t table;
  uint32_t combiner;
  std::vector<uint64_t> ids;
  std::vector<float> weights;
};

struct test_row {
  std::vector<test_bag> bags;
  bool has_weights;
};

// A NaN that was computed has these bits, others those of the vector.
constexpr uint32_t computed_nan = 0x7fc00000;

// The values of a bag, in the order that they are specified in.
std::vector<float> expected(const lookup_test_table& table, const test_bag& bag, bool has_weights) {
  std::vector<float> values;
  std::vector<float> sum(table.dimension(), 0.0F);
  uint32_t used = 0;
  for (size_t i = 0; i < bag.ids.size(); ++i) {
    std::vector<float> vector = table.elements(bag.ids[i]);
    if (vector.empty()) {
      continue;
    }
    for (size_t k = 0; k < vector.size(); ++k) {
      const volatile float weighed = has_weights ? bag.weights[i] * vector[k] : vector[k];
      vector[k] = weighed;
      if (bag.combiner != lookup_max) {
        sum[k] = sum[k] + weighed;
      } else if (used == 0 || weighed > sum[k]) {
        sum[k] = weighed;
      }
    }
    ++used;
    if (bag.combiner == lookup_none) {
      values.insert(values.end(), vector.begin(), vector.end());
    }
  }
  if (bag.combiner == lookup_none) {
    return values;
  }
  if (bag.combiner == lookup_mean && used > 0) {
    for (float& value : sum) {
      value = value / static_cast<float>(used);
    }
  }
  return sum;
}

// Lines of many pages, and how they are ordered: each once, page by page.
void check_order(std::mt19937_64& random) {
  std::vector<uint64_t> sources(random() % 3000);
  const uint64_t base = random() >> 20;
  const uint64_t space = uint64_t{1} << (7 + random() % 30);
  std::vector<uint32_t> counts(size_t{2} * lookup_pages);
  std::vector<lookup_host_line> ordered(sources.size(), {0, 0xeeeeeeee, 0});
  lookup_header header{};
  header.lines = static_cast<uint32_t>(sources.size());
  lookup_args args{};
  args.header = &header;
  args.line_sources = sources.data();
  args.page_counts = counts.data();
  args.ordered_lines = ordered.data();
  args.warps = lookup_threads / 32 * 3;
  for (uint64_t& source : sources) {
    source = ((base + random() % space) & ~uint64_t{127}) | (random() % 4);
    count_line(args, source);
  }
  for (uint32_t block = 0; block < 3; ++block) {
    run_order(args, block);
  }
  std::vector<bool> seen(sources.size());
  for (size_t i = 0; i < ordered.size(); ++i) {
    const lookup_host_line& line = ordered[i];
    CHECK(line.line < sources.size() && !seen[line.line]);
    seen[line.line] = true;
    CHECK(line.source == sources[line.line]);
    CHECK(i == 0 || page_of(ordered[i - 1].source) <= page_of(line.source));
  }
}

// Batches that lookup_direct has left.
uint32_t left_batches = 0;

// All that stays from batch to batch.
class lookups {
 public:
  // Batches go through lookup_direct if `is_direct`: their bags are combined, nothing is on disk.
  lookups(std::mt19937_64& random, bool is_direct) : random_(random), is_direct_(is_direct) {
    args_.seed_low = random();
    args_.seed_high = random();
    const auto count = static_cast<uint32_t>(random() % 40 == 0 ? 70 : 1 + random() % 5);
    for (uint32_t i = 0; i < count; ++i) {
      tables_.push_back(std::make_unique<lookup_test_table>(random, i, !is_direct));
      tables_.back()->index(args_, random);
    }
    for (const auto& table : tables_) {
      described_.push_back(table->described());
    }
    args_.tables = described_.data();
    args_.table_count = count;
    unique_keys_.assign(1 << 14, 0);
    unique_lines_.assign(1 << 14, 0xeeeeeeee);
    args_.unique_keys = unique_keys_.data();
    args_.unique_lines = unique_lines_.data();
    args_.unique_shift = 64 - 14;
  }

  void check_batch() {
    std::vector<test_row> rows(random_() % (is_direct_ ? 200 : 20));
    for (test_row& row : rows) {
      row.has_weights = random_() % 3 == 0;
      row.bags.resize(is_direct_ && random_() % 400 == 0 ? random_() % 2000 : random_() % 8);
      for (test_bag& bag : row.bags) {
        fill(bag);
      }
    }
    check(rows);
  }

  // One of two rows has ids and no bag.
  void check_ids_without_bags() {
    test_row row{{}, false};
    row.bags.resize(2);
    fill(row.bags[0]);
    row.bags[1].ids.push_back(7);
    row.bags[1].weights.push_back(1);
    encode({row, row});
    kinds_.resize(2);
    bag_ends_.resize(2);
    const bool has_first_bags = random_() % 2 == 0;
    bag_offsets_[1] = bag_offsets_[0] + (has_first_bags ? 2 : 0);
    bag_offsets_[2] = bag_offsets_[0] + 2;
    CHECK(header_of({row, row}).bad_bags == 1);
  }

  // A batch that no encoder makes.
  void check_bad_batch() {
    test_row row{{}, true};
    row.bags.resize(3 + random_() % 6);
    for (test_bag& bag : row.bags) {
      fill(bag);
    }
    encode({row, row});
    const size_t bags = kinds_.size();
    switch (random_() % 5) {
      case 0:
        bag_ends_[random_() % bags] = static_cast<int32_t>(random_());
        break;
      case 1:
        kinds_[random_() % bags] = static_cast<int32_t>(random_() | 0x80000000);
        break;
      case 2:
        bag_ends_[bags / 2 - 1] += 1;
        break;
      case 3:
        std::shuffle(bag_ends_.begin(), bag_ends_.end(), random_);
        break;
      default:
        weight_offsets_[1] += 1;
    }
    // It may still be a good one by chance; what matters is that no kernel leaves its arrays.
    header_of({row, row});
  }

 private:
  void fill(test_bag& bag) {
    bag.table = static_cast<uint32_t>(random_() % tables_.size());
    bag.combiner = static_cast<uint32_t>(is_direct_ ? 1 + random_() % 3 : random_() % 4);
    const uint64_t ids = random_() % (is_direct_ ? 1000 : 30) == 0 ? 700
                         : random_() % 4 == 0                      ? 0
                                                                   : random_() % 12;
    for (uint64_t i = 0; i < ids; ++i) {
      bag.ids.push_back(tables_[bag.table]->random_id(random_));
      bag.weights.push_back(random_float(random_));
    }
  }

  void encode(const std::vector<test_row>& rows) {
    // Rows of a slice do not start at 0.
    const auto first = static_cast<int32_t>(random_() % 3);
    ids_.clear();
    kinds_.clear();
    bag_ends_.clear();
    weights_.clear();
    id_offsets_ = {first};
    bag_offsets_ = {first};
    weight_offsets_ = {first};
    for (const test_row& row : rows) {
      int32_t end = 0;
      for (const test_bag& bag : row.bags) {
        ids_.insert(ids_.end(), bag.ids.begin(), bag.ids.end());
        end += static_cast<int32_t>(bag.ids.size());
        bag_ends_.push_back(end);
        kinds_.push_back(static_cast<int32_t>((bag.table << lookup_kind_bits) | bag.combiner));
        if (row.has_weights) {
          weights_.insert(weights_.end(), bag.weights.begin(), bag.weights.end());
        }
      }
      id_offsets_.push_back(first + static_cast<int32_t>(ids_.size()));
      bag_offsets_.push_back(first + static_cast<int32_t>(kinds_.size()));
      weight_offsets_.push_back(first + static_cast<int32_t>(weights_.size()));
    }
  }

  const lookup_header& header_of(const std::vector<test_row>& rows) {
    const size_t ids = ids_.size();
    const size_t bags = kinds_.size();
    uint32_t most_lines = 1;
    uint32_t most_values = 1;
    for (const auto& table : tables_) {
      most_lines = std::max(most_lines, (table->stride() + 127) / 128);
      most_values = std::max(most_values, table->dimension());
    }
    header_ = {};
    counts_.assign(tables_.size(), {});
    bag_tiles_.assign(bags / lookup_threads + 1, 0);
    id_tiles_.assign(ids / lookup_threads + 1, 0);
    places_.assign(bags, {});
    sources_.assign(ids, 0xeeeeeeeeeeeeeeee);
    id_bases_.assign(ids, 0xeeeeeeee);
    id_bags_.assign(ids, 0xeeeeeeee);
    line_sources_.assign(ids * most_lines, 0);
    lines_.assign(ids * most_lines * 16, 0xeeeeeeeeeeeeeeee);
    reads_.assign(ids, {});
    values_.assign((ids + bags) * most_values, float_of_bits(0xeeeeeeee));
    value_ends_.assign(bags, -1);
    value_offsets_.assign(rows.size() + 1, -1);
    args_.ids = ids_.data();
    args_.id_offsets = id_offsets_.data();
    args_.bags = kinds_.data();
    args_.bag_offsets = bag_offsets_.data();
    args_.bag_ends = bag_ends_.data();
    args_.weights = weights_.data();
    args_.weight_offsets =
        weights_.empty() && random_() % 2 == 0 ? nullptr : weight_offsets_.data();
    args_.header = &header_;
    args_.counts = counts_.data();
    args_.bag_tiles = bag_tiles_.data();
    args_.id_tiles = id_tiles_.data();
    args_.places = places_.data();
    args_.sources = sources_.data();
    args_.id_bases = id_bases_.data();
    args_.id_bags = id_bags_.data();
    args_.line_sources = line_sources_.data();
    args_.lines = reinterpret_cast<uint8_t*>(lines_.data());
    const bool is_ordered = random_() % 2 == 0;
    page_counts_.assign(is_ordered ? 2 * lookup_pages : 0, 0);
    ordered_lines_.assign(is_ordered ? line_sources_.size() : 0, {0, 0xeeeeeeee, 0});
    args_.page_counts = is_ordered ? page_counts_.data() : nullptr;
    args_.ordered_lines = is_ordered ? ordered_lines_.data() : nullptr;
    args_.reads = reads_.data();
    args_.values = values_.data();
    args_.value_ends = value_ends_.data();
    args_.value_offsets = value_offsets_.data();
    args_.room = values_.size();
    args_.rows = static_cast<uint32_t>(rows.size());
    args_.bag_count = static_cast<uint32_t>(bags);
    args_.id_count = static_cast<uint32_t>(ids);
    args_.epoch = args_.epoch + 1 == lookup_epochs ? 1 : args_.epoch + 1;
    args_.lanes = 1U << (random_() % 6);
    args_.warps = lookup_threads / 32 * 2;
    was_left_ = false;
    if (is_direct_ && bags > 0 && looks_up_directly()) {
      return header_;
    }
    for (uint32_t tile = 0; tile * lookup_threads < bags; ++tile) {
      run_bags(args_, tile);
    }
    for (uint32_t tile = 0; tile * lookup_threads < ids; ++tile) {
      run_find(args_, tile);
    }
    for (uint32_t block = 0; block < 2 && is_ordered; ++block) {
      run_order(args_, block);
    }
    for (uint32_t block = 0; block < 2; ++block) {
      run_gather(args_, block);
    }
    // What cannot be written yet is left alone.
    args_.disk_lines = nullptr;
    args_.room =
        header_.disk_reads == 0 && header_.bag_values + header_.id_values > 0 ? 0 : args_.room;
    write(rows.size());
    args_.room = values_.size();
    for (const int32_t end : value_ends_) {
      CHECK(end == -1 || (header_.disk_reads == 0 && args_.bag_count == value_ends_.size() &&
                          header_.bag_values + header_.id_values == 0));
    }
    read_disk();
    write(rows.size());
    return header_;
  }

  // Whether one launch does all, as the other kernels have to do what it has left.
  bool looks_up_directly() {
    const bool has_room = random_() % 8 != 0;
    args_.room = has_room ? values_.size() : 0;
    for (uint32_t tile = 0; tile * lookup_threads < args_.bag_count; ++tile) {
      run_direct(args_, tile);
    }
    args_.room = values_.size();
    if (header_.bad_bags != 0 || (has_room && header_.uncombined == 0)) {
      return true;
    }
    if (!has_room && header_.bag_values > 0) {
      for (const int32_t end : value_ends_) {
        CHECK(end == -1);
      }
    }
    was_left_ = true;
    ++left_batches;
    header_ = {};
    counts_.assign(tables_.size(), {});
    bag_tiles_.assign(bag_tiles_.size(), 0);
    ++args_.epoch;
    value_ends_.assign(value_ends_.size(), -1);
    value_offsets_.assign(value_offsets_.size(), -1);
    return false;
  }

  void write(size_t rows) {
    const uint64_t items = uint64_t{args_.bag_count} + args_.id_count + rows + 1;
    for (uint32_t block = 0; uint64_t{block} * lookup_threads < items * args_.lanes; ++block) {
      run_write(args_, block);
    }
  }

  void read_disk() {
    disk_lines_.assign(size_t{header_.disk_lines} * 16, 0xeeeeeeeeeeeeeeee);
    for (uint32_t i = 0; i < header_.disk_reads; ++i) {
      const lookup_read& read = reads_[i];
      const lookup_test_table& table = *tables_[read.table];
      std::memcpy(reinterpret_cast<uint8_t*>(disk_lines_.data()) + size_t{128} * read.line,
                  table.bytes(read.index).data(), table.stride());
    }
    args_.disk_lines = reinterpret_cast<const uint8_t*>(disk_lines_.data());
  }

  void check(const std::vector<test_row>& rows) {
    encode(rows);
    const std::map<std::pair<uint32_t, uint64_t>, uint32_t> uses = count_uses(rows);
    const lookup_header& header = header_of(rows);
    CHECK(header.bad_bags == 0);
    size_t at = 0;
    size_t bag_index = 0;
    for (size_t row = 0; row < rows.size(); ++row) {
      CHECK(value_offsets_[row] == static_cast<int32_t>(at));
      const size_t first = at;
      for (const test_bag& bag : rows[row].bags) {
        const bool has_weights = rows[row].has_weights && args_.weight_offsets != nullptr;
        const lookup_test_table& table = *tables_[bag.table];
        const bool is_computed = bag.combiner == lookup_sum || bag.combiner == lookup_mean ||
                                 has_weights || table.is_int8();
        for (const float value : expected(table, bag, has_weights)) {
          const uint32_t bits = is_computed && value != value ? computed_nan : bits_of_float(value);
          CHECK(bits_of_float(values_[at]) == bits);
          ++at;
        }
        CHECK(value_ends_[bag_index] == static_cast<int32_t>(at - first));
        ++bag_index;
      }
    }
    CHECK(value_offsets_[rows.size()] == static_cast<int32_t>(at));
    CHECK(header.bag_values + header.id_values == at);
    check_counts(rows);
    for (const auto& [key, count] : uses) {
      CHECK(was_left_ || tables_[key.first]->frequency(key.second) == std::min(count, 255U));
    }
  }

  // How often each vector will have been used.
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> count_uses(const std::vector<test_row>& rows) {
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> uses;
    for (const test_row& row : rows) {
      for (const test_bag& bag : row.bags) {
        const lookup_test_table& table = *tables_[bag.table];
        for (const uint64_t id : bag.ids) {
          if (table.counts_uses() && table.has(id)) {
            const auto key = std::make_pair(bag.table, id);
            uses.emplace(key, table.frequency(id));
            ++uses[key];
          }
        }
      }
    }
    return uses;
  }

  void check_counts(const std::vector<test_row>& rows) {
    std::vector<uint32_t> ids(tables_.size());
    std::vector<uint32_t> missing(tables_.size());
    std::vector<uint32_t> nans(tables_.size());
    std::vector<std::set<uint64_t>> found(tables_.size());
    for (const test_row& row : rows) {
      for (const test_bag& bag : row.bags) {
        const lookup_test_table& table = *tables_[bag.table];
        for (size_t i = 0; i < bag.ids.size(); ++i) {
          ++ids[bag.table];
          missing[bag.table] += table.has(bag.ids[i]) ? 0 : 1;
          if (table.has(bag.ids[i])) {
            found[bag.table].insert(bag.ids[i]);
          }
          nans[bag.table] += row.has_weights && bag.weights[i] != bag.weights[i] &&
                                     !table.elements(bag.ids[i]).empty()
                                 ? 1
                                 : 0;
        }
      }
    }
    uint32_t disk_reads = 0;
    for (size_t i = 0; i < tables_.size(); ++i) {
      const lookup_counts& counts = counts_[i];
      CHECK(counts.missing == missing[i]);
      CHECK(counts.nan_weights == nans[i]);
      CHECK(counts.unique == found[i].size());
      CHECK(counts.missing + counts.device + counts.host + counts.disk == ids[i]);
      CHECK(counts.host_unique <= counts.host && (counts.host_unique > 0 || counts.host == 0));
      disk_reads += counts.disk_unique;
    }
    CHECK(disk_reads == header_.disk_reads);
  }

  std::mt19937_64& random_;
  bool is_direct_;
  bool was_left_ = false;  // so that uses are counted twice
  std::vector<std::unique_ptr<lookup_test_table>> tables_;
  std::vector<lookup_table> described_;
  lookup_args args_{};
  lookup_header header_{};
  std::vector<lookup_counts> counts_;
  std::vector<uint64_t> ids_;
  std::vector<int32_t> id_offsets_;
  std::vector<int32_t> kinds_;
  std::vector<int32_t> bag_offsets_;
  std::vector<int32_t> bag_ends_;
  std::vector<float> weights_;
  std::vector<int32_t> weight_offsets_;
  std::vector<uint64_t> bag_tiles_;
  std::vector<uint64_t> id_tiles_;
  std::vector<lookup_bag> places_;
  std::vector<uint64_t> sources_;
  std::vector<uint32_t> id_bases_;
  std::vector<uint32_t> id_bags_;
  std::vector<uint64_t> unique_keys_;
  std::vector<uint32_t> unique_lines_;
  std::vector<uint64_t> line_sources_;
  std::vector<uint32_t> page_counts_;
  std::vector<lookup_host_line> ordered_lines_;
  std::vector<uint64_t> lines_;
  std::vector<lookup_read> reads_;
  std::vector<uint64_t> disk_lines_;
  std::vector<float> values_;
  std::vector<int32_t> value_ends_;
  std::vector<int32_t> value_offsets_;
};

void check_halves() {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto exponent = static_cast<int>((bits >> 10) & 31);
    const auto fraction = static_cast<double>(bits & 1023);
    const float value = half_value(bits);
    CHECK((bits_of_float(value) >> 31) == (bits >> 15));
    if (exponent == 31) {
      CHECK(fraction == 0 ? std::isinf(value) : std::isnan(value));
    } else {
      const double magnitude =
          exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
      CHECK(std::fabs(static_cast<double>(value)) == magnitude);
    }
  }
}

// What is admitted and evicted is what a sort says.
void check_ranks(std::mt19937_64& random) {
  const auto vectors = static_cast<uint32_t>(1 + random() % 10'000);
  const uint64_t places = random() % (vectors + 1);
  std::vector<uint32_t> words(vectors / 16 * 4 + 4, 0);
  auto* const bytes = reinterpret_cast<uint8_t*>(words.data());
  std::vector<int32_t> locations(vectors, -1);
  std::vector<uint32_t> order(vectors);
  const uint32_t most = random() % 2 == 0 ? 4 : 255;
  for (uint32_t i = 0; i < vectors; ++i) {
    bytes[i] = static_cast<uint8_t>(random() % (most + 1));
    locations[i] = random() % 3 == 0 ? static_cast<int32_t>(i) : -1;
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return bytes[a] > bytes[b]; });
  std::vector<bool> wanted(vectors, false);
  for (uint64_t i = 0; i < places; ++i) {
    wanted[order[i]] = true;
  }
  std::vector<uint32_t> histogram(lookup_frequencies, 0);
  const uint32_t blocks = (vectors + lookup_rank_vectors - 1) / lookup_rank_vectors;
  std::vector<uint64_t> tiles(blocks, 0);
  std::vector<uint32_t> list_counts(2, 0);
  std::vector<uint32_t> admitted(2 * vectors);
  std::vector<uint32_t> evicted(2 * vectors);
  lookup_rank_args args{words.data(),
                        locations.data(),
                        histogram.data(),
                        tiles.data(),
                        list_counts.data(),
                        admitted.data(),
                        evicted.data(),
                        vectors,
                        0,
                        0,
                        vectors};
  for (uint32_t block = 0; block < blocks; ++block) {
    run_count(args, block);
  }
  uint64_t above = 0;
  args.threshold = lookup_frequencies - 1;
  while (args.threshold > 0 && above + histogram[args.threshold] < places) {
    above += histogram[args.threshold--];
  }
  args.ties = static_cast<uint32_t>(places - above);
  const std::vector<uint8_t> before(bytes, bytes + vectors);
  for (uint32_t block = 0; block < blocks; ++block) {
    run_choose(args, block);
  }
  std::map<uint32_t, uint32_t> changes[2];
  for (uint32_t list = 0; list < 2; ++list) {
    for (uint32_t i = 0; i < list_counts[list]; ++i) {
      const uint32_t* const entry = &(list == 0 ? admitted : evicted)[size_t{2} * i];
      CHECK(changes[list].emplace(entry[0], entry[1]).second);
    }
  }
  for (uint32_t i = 0; i < vectors; ++i) {
    CHECK(changes[0].count(i) == (wanted[i] && locations[i] < 0 ? 1 : 0));
    CHECK(changes[1].count(i) == (!wanted[i] && locations[i] >= 0 ? 1 : 0));
    CHECK(changes[0].count(i) == 0 || changes[0][i] == before[i]);
    CHECK(bytes[i] == before[i] / 2);
  }
}

void check_put(std::mt19937_64& random) {
  std::vector<uint32_t> from(1000);
  std::vector<uint32_t> to(1000, 0);
  for (uint32_t& word : from) {
    word = static_cast<uint32_t>(random());
  }
  std::vector<lookup_copy> copies;
  for (uint64_t at = 0; at < from.size();) {
    const uint64_t words = std::min<uint64_t>(from.size() - at, random() % 70);
    copies.push_back({&to[at], &from[at], words});
    at += words;
  }
  const lookup_put_args args{copies.data(), copies.size()};
  for (uint32_t block = 0; block * (lookup_threads / 32) < copies.size(); ++block) {
    run_put(args, block);
  }
  CHECK(to == from);
}

}  // namespace

int main() {
  std::mt19937_64 random(seed());
  check_halves();
  for (int round = 0; round < 120; ++round) {
    lookups all(random, round % 2 == 0);
    for (int batch = 0; batch < 4; ++batch) {
      all.check_batch();
    }
    for (int batch = 0; batch < 4; ++batch) {
      all.check_bad_batch();
    }
    all.check_ids_without_bags();
  }
  CHECK(left_batches > 0);
  for (int round = 0; round < 30; ++round) {
    check_order(random);
    check_ranks(random);
    check_put(random);
  }
  return 0;
}
