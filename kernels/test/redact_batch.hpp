#pragma once

// Batches of rows with matches of a few simple rules.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "redact_emulation.hpp"
#include "redact_rules.hpp"

namespace flinkgpu::test {

inline const std::string digits = "0123456789";
inline const std::string lower = "abcdefghijklmnopqrstuvwxyz";

// A rule's second half, as rule_entry holds it but with texts.
struct treatment {
  uint32_t action;
  std::string text;
  uint32_t keep_first = 0;
  uint32_t keep_last = 0;
  uint32_t validator = validator_none;
  std::vector<std::string> allow_values = {};
  std::vector<std::string> allow_prefixes = {};
};

struct rule_book {
  std::vector<tiny_rule> rules;
  std::vector<treatment> treatments;
};

inline rule_book make_rules() {
  rule_book book;
  const auto add = [&](std::vector<item> items, bool at_boundary, treatment what) {
    book.rules.push_back({std::move(items), at_boundary});
    book.treatments.push_back(std::move(what));
  };
  add({{"k", false}, {"e", false}, {"y", false}, {"=", false}, {lower, true}}, true,
      {action_text, "[KEY]", 0, 0, validator_none, {"key=none", "key=x"}, {"key=test"}});
  add({{digits, true}, {"-", false}, {digits, true}}, true,
      {action_mask, "", 1, 2, validator_us_ssn});
  add({{digits, true}, {"-", false}}, true, {action_text, "[N]"});
  add({{digits, true}}, false, {action_mask, "", 0, 4, validator_luhn});
  add({{"a", true}, {"b", false}}, false, {action_text, "", 0, 0, validator_none, {"aab", "ab"}});
  add({{"k", false}, {lower, true}}, false, {action_text, "<k>"});
  add({{"a", false}, {"a", false}}, false, {action_text, "<aa>"});
  add({{"\xc3", false}, {"\xa9", false}, {"#", false}}, false, {action_mask, "", 1, 0});
  add({{"@", false}, {lower, true}}, false, {action_hash, std::string(20, '*')});
  add({{"\n", false}, {"\r", true}}, false, {action_text, "a much longer replacement"});
  return book;
}

// A batch with all that the kernels need.
struct batch : emulation {
  tiny_automaton automaton;
  std::vector<rule_entry> entries;
  std::vector<allow_entry> allow;
  std::vector<uint8_t> text;

  batch(const rule_book& book, const std::vector<std::string>& rows, uint32_t separator_bytes);

 private:
  uint32_t pool(const std::string& entry) {
    const auto at = static_cast<uint32_t>(text.size());
    text.insert(text.end(), entry.begin(), entry.end());
    return at;
  }
};

inline batch::batch(const rule_book& book, const std::vector<std::string>& rows,
                    uint32_t separator_bytes)
    : automaton(book.rules) {
  for (const treatment& what : book.treatments) {
    rule_entry entry{};
    entry.action = what.action;
    entry.text_offset = pool(what.text);
    entry.text_bytes = size_of(what.text);
    entry.keep_first = what.keep_first;
    entry.keep_last = what.keep_last;
    entry.mask_char = '*';
    entry.validator = what.validator;
    entry.allow_first = static_cast<uint32_t>(allow.size());
    entry.allow_values = static_cast<uint32_t>(what.allow_values.size());
    entry.allow_prefixes = static_cast<uint32_t>(what.allow_prefixes.size());
    for (const auto* list : {&what.allow_values, &what.allow_prefixes}) {
      CHECK(std::is_sorted(list->begin(), list->end()));
      for (const std::string& allowed : *list) {
        allow.push_back({pool(allowed), size_of(allowed)});
      }
    }
    entry.rivals = entries.size() + 1 == book.rules.size() ? rivals_none : rivals_walked;
    std::copy_n(
        automaton.start_state.begin() + static_cast<ptrdiff_t>((2 + entries.size()) * contexts),
        contexts, entry.rival_start_state);
    entries.push_back(entry);
  }
  offsets.push_back(0);
  for (const std::string& row : rows) {
    data.insert(data.end(), row.begin(), row.end());
    data.insert(data.end(), separator_bytes, '\n');
    offsets.push_back(static_cast<int32_t>(data.size()));
  }
  rule_tables& tables = args.tables;
  tables.start_info = automaton.start_info.data();
  tables.pairs = automaton.pairs.data();
  tables.class_of = automaton.class_of.data();
  tables.next = automaton.next.data();
  tables.match_rule = automaton.match_rule.data();
  tables.match_back_off = automaton.match_back_off.data();
  tables.rules = entries.data();
  tables.allow = allow.data();
  tables.text = text.data();
  std::copy_n(automaton.start_state.begin(), contexts, tables.start_state);
  std::copy_n(automaton.start_state.begin() + contexts, contexts, tables.lean_start_state);
  tables.gate_byte = automaton.gate_byte;
  tables.stride_shift = automaton.stride_shift;
  tables.end_class = automaton.end_class;
  tables.final_limit = automaton.final_limit;
  tables.match_limit = static_cast<uint32_t>(automaton.match_rule.size());
  tables.rule_count = static_cast<uint32_t>(entries.size());
  prepare(separator_bytes);
}

inline std::string random_row(std::mt19937_64& random) {
  static const std::vector<std::string> words = {"key=",
                                                 "key=none",
                                                 "key=test",
                                                 "key=x",
                                                 "abc",
                                                 "a",
                                                 "aaab",
                                                 "b",
                                                 " ",
                                                 "-",
                                                 "_",
                                                 "\r",
                                                 "\n",
                                                 "4111111111111111",
                                                 "123-456709",
                                                 "666-451234",
                                                 "0",
                                                 "7",
                                                 "\xc3\xa9#",
                                                 "@ab",
                                                 "@",
                                                 "plain text ",
                                                 "\xf0\x9f\x98\x80"};
  static const std::vector<std::string> odd = {"\xc3", "\xa9", "\xff"};
  std::string row;
  const uint64_t kind = random() % 20;
  const uint64_t count = kind == 0 ? 60 : kind < 4 ? 0 : random() % 12;
  for (uint64_t i = 0; i < count; ++i) {
    row += random() % 100 == 0 ? odd[random() % odd.size()] : words[random() % words.size()];
  }
  return row;
}

}  // namespace flinkgpu::test
