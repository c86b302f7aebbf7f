#pragma once

// The threads of a block on the CPU, for the lists of block/tile.cuh: a loop over all of them for
// each phase, in another order each time. Blocks run one after the other.

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "block/tile.cuh"
#include "check.hpp"

namespace flinkgpu::test {

// In which order the threads of a block take a phase.
class any_order {
 public:
  explicit any_order(uint32_t threads) : threads_(threads) {}

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

// For a test of the tests: which of the barriers within each(...) is left out, and how many there
// were so far.
struct barriers {
  uint64_t left_out = UINT64_MAX;
  uint64_t seen = 0;
};

template <typename State>
class host_block {
 public:
  host_block(std::vector<State> states, barriers& all)
      : states_(std::move(states)), order_(static_cast<uint32_t>(states_.size())), barriers_(all) {}

  template <typename... Phases>
  void operator()(const Phases&... phases) {
    const std::vector<std::function<void(State&)>> list{phases...};
    for (size_t from = 0; from < list.size();) {
      size_t to = from + 1;
      while (to < list.size() && barriers_.seen++ == barriers_.left_out) {
        ++to;
      }
      order_.each([&](uint32_t thread) {
        for (size_t i = from; i < to; ++i) {
          list[i](states_[thread]);
        }
      });
      from = to;
    }
  }

  template <typename Phase>
  void last(const Phase& phase) {
    order_.each([&](uint32_t thread) { phase(states_[thread]); });
  }

  template <typename Holds>
  uint32_t count(const Holds& holds) {
    uint32_t threads = 0;
    order_.each([&](uint32_t thread) { threads += holds(states_[thread]) ? 1 : 0; });
    return threads;
  }

  template <typename Value>
  auto uniform(const Value& value) {
    const auto all = value(states_[0]);
    order_.each([&](uint32_t thread) { CHECK(value(states_[thread]) == all); });
    return all;
  }

  template <typename Scan, typename Value, typename Take>
  void scan(Scan&, const Value& value, const Take& take) {
    scan_with<typename Scan::value, typename Scan::operation>(value, take, [](auto) {});
  }

  template <uint32_t Threads, typename T, typename Value, typename Take, typename End>
  T scan_tiles(tile_scan<Threads, T>& shared, uint64_t* states, uint32_t tile, const Value& value,
               const Take& take, const End& end) {
    return scan_with<T, sum_of>(value, take, [&](T total) {
      shared.before = link_tile(states, tile, total);
      end(shared.before, total);
    });
  }

 private:
  template <typename T, typename Op, typename Value, typename Take, typename End>
  T scan_with(const Value& value, const Take& take, const End& end) {
    std::vector<T> before(states_.size());
    order_.each([&](uint32_t thread) { before[thread] = value(states_[thread]); });
    T total = 0;
    for (T& own : before) {
      const T sum = Op()(total, own);
      own = total;
      total = sum;
    }
    const bool ends_first = any_order::random()() % 2 == 0;
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
  any_order order_;
  barriers& barriers_;
};

class host_threads {
 public:
  explicit host_threads(uint32_t threads) : threads_(threads), barriers_(own_) {}
  host_threads(uint32_t threads, barriers& some) : threads_(threads), barriers_(some) {}

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
