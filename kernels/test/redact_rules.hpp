#pragma once

// A few simple rules, an automaton made of them by ordered subset construction, and the plainest
// possible search for their matches to compare it with.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "redact/redact_abi.cuh"

namespace flinkgpu::test {

// One byte of a set, or, with `repeated`, one or more (greedy).
struct item {
  std::string set;
  bool repeated;
};

// Items in a row; with `at_boundary` only where no word byte precedes.
struct tiny_rule {
  std::vector<item> items;
  bool at_boundary;
};

// Whether every match of the rule has the byte.
inline bool needs(const tiny_rule& rule, char byte) {
  for (const item& of : rule.items) {
    if (of.set == std::string(1, byte)) {
      return true;
    }
  }
  return false;
}

inline bool is_word(uint8_t byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_';
}

inline uint32_t context_behind(uint8_t byte) {
  return byte == '\r' ? context_cr : is_word(byte) ? context_word : context_other;
}

// The end of the match of items[index..] at `position`, 0 if there is none. Tries the most
// repetitions first.
inline size_t naive_end(const tiny_rule& rule, size_t index, const std::string& row,
                        size_t position) {
  if (index == rule.items.size()) {
    return position;
  }
  const item& now = rule.items[index];
  if (position == row.size() || now.set.find(row[position]) == std::string::npos) {
    return 0;
  }
  if (now.repeated) {
    size_t most = position;
    while (most < row.size() && now.set.find(row[most]) != std::string::npos) {
      ++most;
    }
    for (; most > position; --most) {
      const size_t end = naive_end(rule, index + 1, row, most);
      if (end != 0) {
        return end;
      }
    }
    return 0;
  }
  return naive_end(rule, index + 1, row, position + 1);
}

// The tables of text/Dfa.java for a list of rules; classes are bytes, and 256 is the end.
struct tiny_automaton {
  std::vector<uint8_t> start_info;
  std::vector<uint8_t> pairs;
  std::vector<uint8_t> class_of;
  std::vector<uint16_t> next;
  std::vector<uint16_t> match_rule;
  std::vector<uint8_t> match_back_off;
  // Of all rules, then of those that do not need the gate byte, then of those after each rule.
  std::vector<uint16_t> start_state;
  uint32_t stride_shift = 9;
  uint32_t end_class = 256;
  uint32_t final_limit = 0;
  uint32_t gate_byte = '@';

  explicit tiny_automaton(const std::vector<tiny_rule>& rules);

 private:
  uint32_t step(uint32_t state, uint32_t symbol) const {
    return next[(static_cast<size_t>(state) << stride_shift) + symbol];
  }

  void fill_pairs();
};

// Places in the rules by priority, and the rule that the last symbol but one completed, or -1.
struct subset {
  std::vector<std::pair<size_t, size_t>> places;
  int matched = -1;

  bool operator<(const subset& that) const {
    return std::tie(places, matched) < std::tie(that.places, that.matched);
  }
};

inline void add_place(subset& to, size_t rule, size_t index) {
  for (const auto& place : to.places) {
    if (place == std::make_pair(rule, index)) {
      return;
    }
  }
  to.places.emplace_back(rule, index);
}

inline subset step_of(const std::vector<tiny_rule>& rules, const subset& from, int symbol) {
  subset to;
  for (const auto& [rule, index] : from.places) {
    const auto& items = rules[rule].items;
    if (index == items.size()) {
      to.matched = static_cast<int>(rule);
      break;
    }
    if (symbol == 256 || items[index].set.find(static_cast<char>(symbol)) == std::string::npos) {
      continue;
    }
    if (items[index].repeated) {
      add_place(to, rule, index);
    }
    add_place(to, rule, index + 1);
  }
  return to;
}

inline tiny_automaton::tiny_automaton(const std::vector<tiny_rule>& rules)
    : start_info(256), pairs(pair_classes * pair_classes), class_of(256) {
  std::vector<subset> found;
  std::map<subset, size_t> number;
  const auto number_of = [&](const subset& wanted) {
    const auto [at, added] = number.emplace(wanted, found.size());
    if (added) {
      found.push_back(wanted);
    }
    return at->second;
  };
  std::vector<size_t> starts;
  for (const bool lean : {false, true}) {
    for (uint32_t context = 0; context < contexts; ++context) {
      subset start;
      for (size_t rule = 0; rule < rules.size(); ++rule) {
        if ((!rules[rule].at_boundary || context != context_word) &&
            !(lean && needs(rules[rule], static_cast<char>(gate_byte)))) {
          add_place(start, rule, 0);
        }
      }
      starts.push_back(number_of(start));
    }
  }
  for (size_t before = 0; before < rules.size(); ++before) {
    for (uint32_t context = 0; context < contexts; ++context) {
      subset start;
      for (size_t rule = before + 1; rule < rules.size(); ++rule) {
        if (!rules[rule].at_boundary || context != context_word) {
          add_place(start, rule, 0);
        }
      }
      starts.push_back(number_of(start));
    }
  }
  const size_t dead = number_of(subset{});
  std::vector<std::vector<size_t>> edges;
  for (size_t state = 0; state < found.size(); ++state) {
    std::vector<size_t> row;
    for (int symbol = 0; symbol <= 256; ++symbol) {
      row.push_back(number_of(step_of(rules, found[state], symbol)));
    }
    edges.push_back(row);
  }
  // Dead first, then final, other matching, other states.
  std::vector<size_t> order{dead};
  for (const int group : {0, 1, 2}) {
    for (size_t state = 0; state < found.size(); ++state) {
      const bool matching = found[state].matched >= 0;
      const int of = matching ? (found[state].places.empty() ? 0 : 1) : 2;
      if (state != dead && of == group) {
        order.push_back(state);
      }
    }
    if (group == 0) {
      final_limit = static_cast<uint32_t>(order.size());
    }
    if (group == 1) {
      match_back_off.assign(order.size(), 0);
    }
  }
  std::vector<uint16_t> renumbered(found.size());
  for (size_t i = 0; i < order.size(); ++i) {
    renumbered[order[i]] = static_cast<uint16_t>(i);
  }
  for (size_t i = 0; i < match_back_off.size(); ++i) {
    match_rule.push_back(static_cast<uint16_t>(i == 0 ? 0 : found[order[i]].matched));
  }
  next.assign(order.size() << stride_shift, 0);
  for (size_t state = 0; state < found.size(); ++state) {
    for (size_t symbol = 0; symbol <= 256; ++symbol) {
      next[(static_cast<size_t>(renumbered[state]) << stride_shift) + symbol] =
          renumbered[edges[state][symbol]];
    }
  }
  for (const size_t start : starts) {
    start_state.push_back(renumbered[start]);
  }
  for (uint32_t byte = 0; byte < 256; ++byte) {
    class_of[byte] = static_cast<uint8_t>(byte);
    const uint32_t context =
        byte == '\n' ? context_start : context_behind(static_cast<uint8_t>(byte));
    start_info[byte] =
        static_cast<uint8_t>(byte % pair_classes | context << start_info_context_shift);
  }
  fill_pairs();
}

// Bytes share pair classes, so that some pairs say yes for others.
inline void tiny_automaton::fill_pairs() {
  for (uint32_t start = 0; start < 2 * contexts; ++start) {
    for (uint32_t first = 0; first < 256; ++first) {
      for (uint32_t second = 0; second <= end_class; ++second) {
        if (step(step(start_state[start], first), second) == 0) {
          continue;
        }
        const uint32_t pair_class = second == end_class ? '\n' : second % pair_classes;
        uint8_t& bits = pairs[first % pair_classes * pair_classes + pair_class];
        bits = static_cast<uint8_t>(bits | 1u << start);
        if (start % contexts == context_other) {
          bits = static_cast<uint8_t>(bits | 1u << (start - context_other + context_start));
        }
      }
    }
  }
}

}  // namespace flinkgpu::test
