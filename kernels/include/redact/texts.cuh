#pragma once

// redact_texts: the matches of rules that are tried only where one of their texts is
// (text/automaton/LiteralIndex.java), each of which has an automaton of its own.
//
// Most positions of a tile cost one look-up of a bit by the hash of three bytes; the others are
// listed. Where a text is, each of its rules is tried from all starts from which a match can have
// it there, a few at a time by any thread, so that none has them all while the others wait. What
// matches is judged at once: as a rule is alone in its automaton, no other one is in its way. Which
// rule comes first at a start is settled by the greatest word. A thread may take max_thread_steps
// steps, as in redact_find, and leaves the same rows to the host.

#include "block/tile.cuh"
#include "redact/candidate.cuh"
#include "redact/find.cuh"
#include "redact/judge.cuh"
#include "redact/row_count.cuh"
#include "redact/segment.cuh"
#include "redact/unknown.cuh"

namespace flinkgpu {

inline constexpr uint32_t text_filter_words = (1u << text_hash_bits) / 32;

// Starts of a row from which a rule is to be tried, one behind the other.
struct text_try {
  uint32_t row;
  uint32_t start;
  uint16_t starts;
  uint16_t rule;  // its number among those with texts
};

inline constexpr uint32_t starts_of_try = 8;

// A tile of logs has some 34 of 1,600 rules, and up to 306.
inline constexpr uint32_t listed_tries = 512;

// The shared memory of a block.
struct texts_shared {
  uint32_t filter[text_filter_words];
  uint16_t list[find_tile_bytes];  // positions where a text may start, from the tile's start
  text_try tries[listed_tries];
  uint32_t listed;
  uint32_t wanted;  // tries, more than are listed if there is no room
};

// One thread's view of a block.
struct texts_block {
  const redact_args& args;
  texts_shared& shared;
  uint32_t tile_start;
  uint32_t thread;

  FLINKGPU_HD uint32_t begin() const { return tile_start + thread * segment_bytes; }
  FLINKGPU_HD uint32_t bytes() const { return bytes_in_segment(begin(), args.data_bytes); }
};

// LiteralIndex.hash: of the three lowest bytes, letters in lower case.
FLINKGPU_HD uint32_t hash_text(uint32_t bytes) {
  return ((bytes | 0x202020) & 0xffffff) * 0x9e3779b1u >> (32 - text_hash_bits);
}

// LiteralIndex.hashOfSix: of the six lowest bytes, in lower case already.
FLINKGPU_HD uint32_t hash_long_text(uint64_t folded) {
  return static_cast<uint32_t>((folded & 0xffffffffffffu) * 0x9e3779b97f4a7c15u >>
                               (64 - text_hash_bits));
}

// Step 1: the filter.
FLINKGPU_HD void prepare_texts(const texts_block& block) {
  for (uint32_t word = block.thread; word < text_filter_words; word += find_threads) {
    block.shared.filter[word] = block.args.texts.filter[word];
  }
  if (block.thread == 0) {
    block.shared.listed = 0;
    block.shared.wanted = 0;
  }
}

// The bytes of the data at a position, at most eight, the first the lowest.
FLINKGPU_HD uint64_t load_bytes(const redact_args& args, uint32_t position, uint32_t bytes) {
  uint64_t word = 0;
  for (uint32_t i = 0; i < bytes && position + i < args.data_bytes; ++i) {
    word |= uint64_t{args.data[position + i]} << (8 * i);
  }
  return word;
}

// Step 2: lists the positions of the thread's segment that the filter lets through.
FLINKGPU_HD void list_texts(const texts_block& block, const segment_text& text) {
  const uint64_t words[5] = {text.packs[0].low, text.packs[0].high, text.packs[1].low,
                             text.packs[1].high,
                             load_bytes(block.args, block.begin() + segment_bytes, 2)};
  uint32_t likely = 0;
  FLINKGPU_UNROLLED
  for (uint32_t i = 0; i < segment_bytes; ++i) {
    const uint32_t shift = i % 8 * 8;
    uint64_t three = words[i / 8] >> shift;
    if (i % 8 > 5) {
      three |= words[i / 8 + 1] << (64 - shift);
    }
    const uint32_t hash = hash_text(static_cast<uint32_t>(three));
    likely |= (block.shared.filter[hash / 32] >> (hash % 32) & 1) << i;
  }
  likely &= static_cast<uint32_t>(low_bits(block.bytes()));
  if (likely == 0) {
    return;
  }
  uint32_t place = atomic_add(&block.shared.listed, count_bits(likely));
  for (; likely != 0; likely &= likely - 1, ++place) {
    block.shared.list[place] =
        static_cast<uint16_t>(block.thread * segment_bytes + lowest_bit(likely));
  }
}

// A row in which rules are tried, and the steps that the thread has left.
struct text_row {
  const redact_args& args;
  searched_row row;
  uint32_t steps_left;
};

// The match of a rule from a start of the row, or 0; without steps left it may be another one.
FLINKGPU_HD uint32_t walk_text_rule(text_row& in, const text_rule& rule, uint32_t start) {
  const text_tables& texts = in.args.texts;
  const uint16_t* const next = texts.next + rule.next;
  const uint8_t* const class_of = texts.class_of + rule.class_of;
  const uint32_t context =
      start == in.row.begin ? context_start : texts.context_after[in.args.data[start - 1]];
  uint32_t state = rule.start_state[context];
  uint32_t match = 0;
  for (uint32_t position = start; in.steps_left > 0; ++position) {
    --in.steps_left;
    const uint32_t symbol =
        position >= in.row.end ? rule.end_class : class_of[in.args.data[position]];
    state = next[(state << rule.stride_shift) + symbol];
    if (state < rule.match_limit) {
      if (state == 0) {
        break;
      }
      const uint32_t end = position - texts.match_back_off[rule.match_back_off + state];
      match = make_candidate(end - start, rule.rule);
      if (state < rule.final_limit) {
        break;
      }
    }
  }
  return match;
}

// Whether the rule replaces something within a text that it keeps.
FLINKGPU_HD bool text_rule_finds_within(text_row& in, const text_rule& rule, uint32_t kept_start,
                                        uint32_t kept) {
  const uint32_t end = kept_start + candidate_bytes(kept);
  for (uint32_t start = kept_start + 1; start < end && in.steps_left > 0; ++start) {
    const uint32_t match = walk_text_rule(in, rule, start);
    if (match != 0 && start + candidate_bytes(match) <= end &&
        judge_in_row(&in.args, &in.row, start, match, &in.steps_left) == verdict_redact) {
      return true;
    }
  }
  return false;
}

// Tries a rule from a start; returns whether the row is the host's.
FLINKGPU_HD bool try_text_rule_from(text_row& in, const text_rule& rule, uint32_t start) {
  const redact_args& args = in.args;
  const uint32_t match = walk_text_rule(in, rule, start);
  if (in.steps_left == 0) {
    return true;
  }
  if (match == 0) {
    return false;
  }
  const uint32_t verdict = judge_in_row(&args, &in.row, start, match, &in.steps_left);
  if (in.steps_left == 0) {
    return true;
  }
  if (verdict == verdict_keep) {
    return text_rule_finds_within(in, rule, start, match) || in.steps_left == 0;
  }
  if (verdict == verdict_reject) {
    return false;
  }
  atomic_max(&args.candidates[start], match);
  atomic_or(&args.bitmap[start / segment_bytes], 1u << (start % segment_bytes));
  return joins_text(args.tables.rules[rule.rule]);
}

// Tries a rule from starts of a row up to `last`; returns the steps that are left.
FLINKGPU_HD_CALL uint32_t try_starts(const redact_args* of, const text_try* from, uint32_t last,
                                     uint32_t steps_left) {
  const redact_args& args = *of;
  const uint32_t row = from->row;
  if (args.row_over[row] != 0) {
    return steps_left;
  }
  const text_rule& rule = args.texts.rules[from->rule];
  const uint32_t row_end = offset_at(args.offsets, row + 1) - args.separator_bytes;
  text_row in{args, {offset_at(args.offsets, row), row_end}, steps_left};
  for (uint32_t start = from->start; start <= last; ++start) {
    // Without steps left no match of the row may be missed.
    if (in.steps_left == 0 || try_text_rule_from(in, rule, start)) {
      args.row_over[row] = 1;
      args.row_over[rows_of(args)] = 1;
      return in.steps_left;
    }
  }
  return in.steps_left;
}

// A text of rules, in a row.
struct found_text {
  const texts_block& block;
  uint32_t row;
  uint32_t row_begin;
  uint32_t position;
};

// Lists all starts from which a match of a rule can have its text at the position, or tries those
// for which there is no room; returns the steps that are left.
FLINKGPU_HD uint32_t list_tries(const found_text& at, uint16_t rule, uint32_t steps_left) {
  const redact_args& args = at.block.args;
  texts_shared& shared = at.block.shared;
  const uint32_t min_lead = args.texts.rules[rule].min_lead;
  const uint32_t max_lead = args.texts.rules[rule].max_lead;
  const uint32_t before = at.position - at.row_begin;
  if (min_lead > before) {
    return steps_left;
  }
  const uint32_t last = at.position - min_lead;
  text_try next{at.row, max_lead >= before ? at.row_begin : at.position - max_lead, 0, rule};
  while (next.start <= last) {
    const uint32_t place = atomic_add(&shared.wanted, 1);
    if (place >= listed_tries) {
      return try_starts(&args, &next, last, steps_left);
    }
    next.starts = static_cast<uint16_t>(min_of(last - next.start + 1, starts_of_try));
    shared.tries[place] = next;
    next.start += next.starts;
  }
  return steps_left;
}

// Step 3: lists the rules of the texts that start at a position to be tried. `row` is one that
// starts before; returns the steps that are left.
FLINKGPU_HD uint32_t find_texts_at(const texts_block& block, uint32_t row, uint32_t position,
                                   uint32_t steps_left) {
  const redact_args& args = block.args;
  const text_tables& texts = args.texts;
  const uint64_t eight = load_bytes(args, position, 8);
  const uint64_t folded = eight | 0x2020202020202020u;
  bool row_known = false;
  found_text found{block, row, 0, position};
  uint32_t row_end = 0;
  uint32_t at = texts.first[hash_text(static_cast<uint32_t>(eight))];
  while (at != no_text) {
    if (at == long_text) {
      at = texts.first_long[hash_long_text(folded)];
      continue;
    }
    const text_entry entry = texts.entries[at];
    at = entry.next;
    if ((folded & entry.mask) != entry.value) {
      continue;
    }
    if (!row_known) {
      found.row = row_at(args.offsets, row, rows_of(args), position);
      found.row_begin = offset_at(args.offsets, found.row);
      row_end = offset_at(args.offsets, found.row + 1) - args.separator_bytes;
      row_known = true;
    }
    if (position + entry.length > row_end) {
      continue;
    }
    for (uint32_t i = 0; i < entry.rules_count; ++i) {
      steps_left = list_tries(found, texts.entry_rules[entry.rules_first + i], steps_left);
    }
  }
  return steps_left;
}

// What a thread knows between the phases.
struct texts_thread {
  texts_block block;
  segment_text text;
  uint32_t steps_left;
};

// The kernel, for a tile.
template <typename Threads>
FLINKGPU_LIST void find_texts(const Threads& threads, const redact_args& args, texts_shared& shared,
                              uint32_t tile) {
  const uint32_t start = tile * find_tile_bytes;
  const uint32_t rows = rows_of(args);
  auto each = threads.begin([&](uint32_t thread) {
    return texts_thread{{args, shared, start, thread}, {}, max_thread_steps};
  });
  each([](texts_thread& self) {
    prepare_texts(self.block);
    self.text = load_segment(self.block.args.data + self.block.begin(), self.block.bytes());
  });
  const uint32_t row = find_row(each, args, rows, start);
  each([&](texts_thread& self) {
    if (!is_ascii(self.text)) {
      leave_unknown_to_host(&args, row, self.block.begin(),
                            self.block.begin() + self.block.bytes());
    }
    list_texts(self.block, self.text);
  });
  each([&](texts_thread& self) {
    for (uint32_t i = self.block.thread; i < shared.listed; i += find_threads) {
      self.steps_left = find_texts_at(self.block, row, start + shared.list[i], self.steps_left);
    }
  });
  each.last([&](texts_thread& self) {
    const uint32_t listed = min_of(shared.wanted, listed_tries);
    for (uint32_t i = self.block.thread; i < listed; i += find_threads) {
      const text_try next = shared.tries[i];
      self.steps_left = try_starts(&args, &next, next.start + next.starts - 1, self.steps_left);
    }
  });
}

}  // namespace flinkgpu
