#pragma once

// The threads of a block on the CPU, for the lists of block/tile.cuh: a loop over all of them for
// each phase, in another order each time. Blocks run one after the other.

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "block/floats.cuh"
#include "block/tile.cuh"
#include "check.hpp"

namespace flinkgpu::test {

// The shared memory of a block, with garbage in it.
template <typename Shared>
std::unique_ptr<Shared> garbage() {
  auto shared = std::make_unique<Shared>();
  std::memset(static_cast<void*>(shared.get()), 0xee, sizeof(Shared));
  return shared;
}

// The sum of all tiles before `tile`, which are done.
inline uint64_t look_back(const uint64_t* states, uint32_t tile) {
  uint64_t sum = 0;
  while (tile > 0) {
    const uint64_t word = states[--tile];
    CHECK(state_of(word) != tile_state::empty);
    sum += value_of(word);
    if (state_of(word) == tile_state::prefix_sum) {
      break;
    }
  }
  return sum;
}

// The share of a tile in the scan of all tiles. Returns the sum before the tile.
inline uint64_t link_tile(uint64_t* states, uint32_t tile, uint64_t tile_sum) {
  const uint64_t before = look_back(states, tile);
  publish(states, tile, tile_state::prefix_sum, before + tile_sum);
  return before;
}

// What mma.sync does for the 32 lanes of a warp, by the fragments that PTX defines: lane 4 g + t
// has of a row, or a column, g the numbers 2 t, 2 t + 1, and 8 after them; of A also of row g + 8.
inline void add_product(const std::vector<mma_operands>& lanes) {
  const auto number = [](uint32_t word, uint32_t half) {
    return float_of_bits((half == 0 ? word << 16 : word & 0xffff0000));
  };
  float a[16][16];
  float b[16][8];
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t g = lane / 4;
    const uint32_t k = lane % 4 * 2;
    for (uint32_t i = 0; i < 2; ++i) {
      for (uint32_t word = 0; word < 4; ++word) {
        a[g + word % 2 * 8][k + word / 2 * 8 + i] = number(lanes[lane].a[word], i);
      }
      for (uint32_t word = 0; word < 2; ++word) {
        b[k + word * 8 + i][g] = number(lanes[lane].b[word], i);
      }
    }
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t row = lane / 4 + i / 2 * 8;
      const uint32_t column = lane % 4 * 2 + i % 2;
      double sum = lanes[lane].sums[i];
      for (uint32_t k = 0; k < 16; ++k) {
        sum += double{a[row][k]} * b[k][column];
      }
      lanes[lane].sums[i] = static_cast<float>(sum);
    }
  }
}

// In which order the threads of a block take a phase.
class thread_order {
 public:
  explicit thread_order(uint32_t threads) : threads_(threads) {}

  template <typename Take>
  void each(const Take& take) {
    const auto odd = static_cast<uint32_t>(random()()) | 1U;
    const auto first = static_cast<uint32_t>(random()());
    CHECK((threads_ & (threads_ - 1)) == 0);
    for (uint32_t i = 0; i < threads_; ++i) {
      take((first + i * odd) & (threads_ - 1));
    }
  }

  static std::mt19937_64& random() {
    static std::mt19937_64 numbers(seed());
    return numbers;
  }

 private:
  uint32_t threads_;
};

// For a test of the tests: whether the barriers within each(...) are left out, and how many of them
// there were so far.
struct barriers {
  bool left_out = false;
  uint64_t seen = 0;
};

template <typename State>
class host_block {
 public:
  host_block(std::vector<State> states, barriers& all)
      : states_(std::move(states)), order_(static_cast<uint32_t>(states_.size())), barriers_(all) {}
  host_block(const host_block&) = delete;
  host_block& operator=(const host_block&) = delete;
  ~host_block() { run_open(); }

  template <typename... Phases>
  void operator()(const Phases&... phases) {
    const std::vector<std::function<void(State&)>> list{phases...};
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) {
        wait();
      }
      open_.push_back(list[i]);
    }
    run_open();
  }

  template <typename Phase>
  void last(const Phase& phase) {
    open_.push_back(phase);
    run_open();
  }

  template <typename Phase>
  void open(const Phase& phase) {
    open_.push_back(phase);
  }

  void wait() {
    ++barriers_.seen;
    if (!barriers_.left_out) {
      run_open();
    }
  }

  void end() { run_open(); }

  template <typename Holds>
  uint32_t count(const Holds& holds) {
    uint32_t threads = 0;
    each_thread([&](uint32_t thread) { threads += holds(states_[thread]) ? 1 : 0; });
    return threads;
  }

  template <typename Value>
  auto uniform(const Value& value) {
    run_open();
    const auto all = value(states_[0]);
    order_.each([&](uint32_t thread) { CHECK(value(states_[thread]) == all); });
    return all;
  }

  template <typename Scan, typename Value, typename Take>
  auto scan(Scan&, const Value& value, const Take& take) {
    return scan_with<typename Scan::value, typename Scan::operation>(value, take, [](auto) {});
  }

  template <typename Scan, typename Value, typename Take>
  auto scan_open(Scan& shared, const Value& value, const Take& take) {
    return scan(shared, value, take);
  }

  template <typename Value, typename Take>
  void gather(uint32_t items, const Value& value, const Take& take) {
    const uint32_t sharing = 32 / items;
    std::vector<uint32_t> words((states_.size() + sharing - 1) / sharing);
    each_thread([&](uint32_t thread) {
      const uint32_t bits = static_cast<uint32_t>(low_bits(items)) & value(states_[thread]);
      words[thread / sharing] |= bits << (thread % sharing * items);
    });
    order_.each([&](uint32_t thread) { take(states_[thread], words[thread / sharing]); });
  }

  template <typename Op, typename Value, typename Take>
  void xor_tree(const Value& value, const Take& take) {
    std::vector<decltype(value(states_[0]))> totals(states_.size());
    each_thread([&](uint32_t thread) { totals[thread] = value(states_[thread]); });
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
      const auto before = totals;
      for (uint32_t thread = 0; thread < totals.size(); ++thread) {
        totals[thread] = Op()(before[thread], before[thread ^ distance]);
      }
    }
    order_.each([&](uint32_t thread) { take(states_[thread], totals[thread]); });
  }

  template <uint32_t Count, typename Of>
  void products(const Of& of) {
    for (size_t warp = 0; warp < states_.size(); warp += 32) {
      for (uint32_t i = 0; i < Count; ++i) {
        std::vector<mma_operands> lanes;
        for (size_t lane = 0; lane < 32; ++lane) {
          lanes.push_back(of(states_[warp + lane], i));
        }
        add_product(lanes);
      }
    }
  }

  template <uint32_t Threads, typename T, typename Value, typename Take, typename End>
  T scan_tiles(tile_scan<Threads, T>& shared, uint64_t* states, uint32_t tile, const Value& value,
               const Take& take, const End& end) {
    return scan_with<T, sum_of>(value, take, [&](T total) {
      shared.before = link_tile(states, tile, total);
      end(shared.before, total);
    });
  }

  template <typename Shared, typename T, typename End>
  void look_back(Shared& shared, uint64_t* states, uint32_t tile, T total, const End& end) {
    CHECK(tile == 0 || states[tile] == make_tile_word(tile_state::own_sum, total));
    const bool ends_first = thread_order::random()() % 2 == 0;
    if (!ends_first) {
      run_open();
    }
    shared.before = link_tile(states, tile, total);
    end(shared.before, total);
    run_open();
  }

 private:
  // What the threads do up to a barrier, or to where they give a value.
  template <typename Take>
  void each_thread(const Take& take) {
    const std::vector<std::function<void(State&)>> before = std::move(open_);
    open_.clear();
    order_.each([&](uint32_t thread) {
      for (const auto& phase : before) {
        phase(states_[thread]);
      }
      take(thread);
    });
  }

  void run_open() {
    if (!open_.empty()) {
      each_thread([](uint32_t) {});
    }
  }

  template <typename T, typename Op, typename Value, typename Take, typename End>
  T scan_with(const Value& value, const Take& take, const End& end) {
    std::vector<T> before(states_.size());
    each_thread([&](uint32_t thread) { before[thread] = value(states_[thread]); });
    T total = 0;
    for (T& own : before) {
      const T sum = Op()(total, own);
      own = total;
      total = sum;
    }
    const bool ends_first = thread_order::random()() % 2 == 0;
    if (ends_first) {
      end(total);
    }
    order_.each([&](uint32_t thread) { take(states_[thread], before[thread], total); });
    if (!ends_first) {
      end(total);
    }
    return total;
  }

  std::vector<State> states_;
  std::vector<std::function<void(State&)>> open_;  // phases that no barrier came after yet
  thread_order order_;
  barriers& barriers_;
};

class host_threads {
 public:
  explicit host_threads(uint32_t threads) : threads_(threads), barriers_(own_) {}
  host_threads(uint32_t threads, barriers& some) : threads_(threads), barriers_(some) {}

  uint32_t size() const { return threads_; }

  template <typename Make>
  auto begin(const Make& make) const {
    std::vector<decltype(make(0U))> states;
    for (uint32_t thread = 0; thread < threads_; ++thread) {
      states.push_back(make(thread));
    }
    return host_block<decltype(make(0U))>(std::move(states), barriers_);
  }

  template <typename Shared>
  uint32_t take_ticket(Shared& shared, uint32_t* counter) const {
    shared.ticket = atomic_add(counter, 1U);
    return shared.ticket;
  }

 private:
  uint32_t threads_;
  barriers own_;
  barriers& barriers_;
};

}  // namespace flinkgpu::test
