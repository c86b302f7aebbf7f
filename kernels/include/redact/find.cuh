#pragma once

// redact_find, second part: the matches at the listed starts.
//
// A match depends on its start alone (the automaton is anchored) and so does the verdict on it, so
// every start of a batch is worked on independently of all others; which of the matches that
// overlap win is left to redact_write. A thread may take max_thread_steps steps. The rows of the
// starts it could not finish are left to the host, whose matcher is linear for every input. So is
// the one case where starts do depend on each other: a rule finds more within a text that it kept;
// and so are rows with bytes that are no UTF-8.

#include "block/tile.cuh"
#include "redact/candidate.cuh"
#include "redact/context.cuh"
#include "redact/judge.cuh"
#include "redact/row_count.cuh"
#include "redact/starts.cuh"
#include "redact/unknown.cuh"

namespace flinkgpu {

inline constexpr uint32_t steps_at_once = 4;

// A walk of the automaton.
struct walk {
  uint32_t start;
  uint32_t position;
  uint32_t row_end;
  uint32_t state;
  uint32_t match;  // a candidate; 0: none yet
};

FLINKGPU_HD walk start_walk(const find_block& block, uint32_t listed) {
  const redact_args& args = block.args;
  const uint32_t start = block.tile_start + (listed & listed_start_mask);
  const uint32_t end = listed >> listed_end_shift;
  const uint32_t row_end = end == listed_far_end ? block.shared.next_start - args.separator_bytes
                                                 : block.tile_start + end;
  uint32_t context = context_start;
  if ((listed & listed_row_start) == 0) {
    const uint32_t before =
        block.shared.start_info[args.data[start - 1]] >> start_info_context_shift;
    context = before == context_start ? context_other : before;
  }
  const uint32_t state = (listed & listed_lean) != 0 ? args.tables.lean_start_state[context]
                                                     : args.tables.start_state[context];
  return {start, start, row_end, state, 0};
}

// Takes a step; returns whether another may follow.
FLINKGPU_HD bool take_step(const find_block& block, walk& at) {
  const rule_tables& tables = block.args.tables;
  const uint32_t symbol = at.position >= at.row_end
                              ? tables.end_class
                              : block.shared.class_of[block.args.data[at.position]];
  at.state = tables.next[(at.state << tables.stride_shift) + symbol];
  if (at.state < tables.match_limit) {
    if (at.state == 0) {
      return false;
    }
    at.match = make_candidate(at.position - tables.match_back_off[at.state] - at.start,
                              tables.match_rule[at.state]);
    if (at.state < tables.final_limit) {
      return false;
    }
  }
  ++at.position;
  return true;
}

// A start over the step budget. `row` is one that starts before the tile.
FLINKGPU_HD void leave_to_host(const find_block& block, uint32_t row, uint32_t listed) {
  const redact_args& args = block.args;
  const uint32_t start = block.tile_start + (listed & listed_start_mask);
  const uint32_t rows = rows_of(args);
  args.row_over[row_at(args.offsets, row, rows, start)] = 1;
  args.row_over[rows] = 1;
}

// Step 5: walks from the thread's share of the `listed` starts. One loop over steps, not a loop
// over starts around one: the lanes of a warp then wait for the lane with the most steps, not at
// each start for the longest walk.
FLINKGPU_HD void walk_listed(const find_block& block, uint32_t row, uint32_t listed,
                             uint32_t& steps_left) {
  find_shared& shared = block.shared;
  uint32_t index = block.thread;
  walk at{};
  bool walking = false;
  while (walking || index < listed) {
    if (!walking) {
      at = start_walk(block, shared.list[index]);
      walking = true;
    }
    if (steps_left < steps_at_once) {
      leave_to_host(block, row, shared.list[index]);
      walking = false;
      index += find_threads;
      continue;
    }
    steps_left -= steps_at_once;
    for (uint32_t step = 0; step < steps_at_once && walking; ++step) {
      walking = take_step(block, at);
    }
    if (!walking) {
      index += find_threads;
      if (at.match != 0) {
        block.args.found[at.start] = at.match;
        const uint32_t place = at.start - block.tile_start;
        atomic_or(&shared.found[place / 32], 1u << (place % 32));
      }
    }
  }
}

// What is replaced at a start.
struct settled {
  uint32_t match;  // 0: nothing
  uint32_t steps_left;
};

// A row with a match that was refused or kept.
struct row_again {
  const find_block& block;
  searched_row row;
};

// The match from a start of the row; without steps left it may be another one.
FLINKGPU_HD uint32_t walk_start(const row_again& in, uint32_t start, const uint16_t* start_states,
                                uint32_t& steps_left) {
  const redact_args& args = in.block.args;
  uint32_t context = context_start;
  if (start != in.row.begin) {
    const uint32_t before = in.block.shared.start_info[args.data[start - 1]];
    context = before >> start_info_context_shift;
    context = context == context_start ? context_other : context;
  }
  walk at{start, start, in.row.end, start_states[context], 0};
  bool walking = true;
  while (walking && steps_left > 0) {
    --steps_left;
    walking = take_step(in.block, at);
  }
  return at.match;
}

// The match of the next rule that matches where the match's rule does, or 0.
FLINKGPU_HD uint32_t next_rival(const row_again& in, uint32_t start, uint32_t match,
                                uint32_t& steps_left) {
  const rule_entry& rule = in.block.args.tables.rules[candidate_rule(match)];
  if (rule.rivals == rivals_none) {
    return 0;
  }
  if (rule.rivals == rivals_unknown) {
    steps_left = 0;
    return 0;
  }
  return walk_start(in, start, rule.rival_start_state, steps_left);
}

// Whether a rule replaces something within a text that it keeps, as far as one start at a time
// says: it has to leave that alone.
FLINKGPU_HD bool finds_own_within(const row_again& in, uint32_t kept_start, uint32_t kept,
                                  uint32_t& steps_left) {
  const redact_args& args = in.block.args;
  const uint32_t end = kept_start + candidate_bytes(kept);
  for (uint32_t start = kept_start + 1; start < end && steps_left > 0; ++start) {
    uint32_t match = walk_start(in, start, args.tables.start_state, steps_left);
    while (match != 0 && steps_left > 0 &&
           judge_in_row(&args, &in.row, start, match, &steps_left) != verdict_redact) {
      match = next_rival(in, start, match, steps_left);
    }
    if (match != 0 && candidate_rule(match) == candidate_rule(kept) &&
        start + candidate_bytes(match) <= end) {
      return true;
    }
  }
  return false;
}

// What is replaced at a start whose match is refused or kept, or may be: the first match that is
// neither, of its rule or a later one. `row` is one that starts before. Leaves the row to the host
// where that takes too many steps, or depends on other starts.
FLINKGPU_HD_CALL settled settle_start(const redact_args* of, find_shared* shared, uint32_t row,
                                      uint32_t start, uint32_t match, uint32_t steps_left) {
  const redact_args& args = *of;
  const find_block block{args, *shared, 0, 0};
  const uint32_t rows = rows_of(args);
  const uint32_t own_row = row_at(args.offsets, row, rows, start);
  if (args.row_over[own_row] != 0) {
    return {0, steps_left};
  }
  const row_again in{block,
                     {offset_at(args.offsets, own_row),
                      offset_at(args.offsets, own_row + 1) - args.separator_bytes}};
  bool to_host = steps_left == 0;
  while (match != 0 && !to_host) {
    const uint32_t verdict = judge_in_row(&args, &in.row, start, match, &steps_left);
    if (verdict == verdict_redact) {
      break;
    }
    to_host = verdict == verdict_keep && finds_own_within(in, start, match, steps_left);
    match = next_rival(in, start, match, steps_left);
    to_host = to_host || steps_left == 0;
  }
  if (to_host) {
    args.row_over[own_row] = 1;
    args.row_over[rows] = 1;
  }
  return {match, steps_left};
}

// Whether a rule leaves nothing in place of a match, so that what is around it becomes one text.
FLINKGPU_HD bool joins_text(const rule_entry& rule) {
  return rule.action == action_text && rule.text_bytes == 0;
}

// Leaves the row of a start to the host, which scans what has come together.
FLINKGPU_HD_CALL void leave_row_to_host(const redact_args* args, uint32_t row, uint32_t start) {
  const uint32_t rows = rows_of(*args);
  args->row_over[row_at(args->offsets, row, rows, start)] = 1;
  args->row_over[rows] = 1;
}

// Judges the candidates of a word: puts the match that is replaced in place of one that a validator
// refuses or an allow list keeps, if there is any. A row with one that leaves nothing is the
// host's, whether or not that one overlaps another.
FLINKGPU_HD uint32_t judge_candidates(const find_block& block, uint32_t row, uint32_t begin,
                                      uint32_t found, uint32_t steps_left) {
  const redact_args& args = block.args;
  uint32_t accepted = found;
  for (uint32_t left = found; left != 0; left &= left - 1) {
    const uint32_t start = begin + lowest_bit(left);
    const uint32_t match = args.found[start];
    const rule_entry& rule = args.tables.rules[candidate_rule(match)];
    const bool in_row = rule.words != 0;
    const bool judged = !in_row && (rule.validator != validator_none ||
                                    rule.allow_values + rule.allow_prefixes != 0);
    const uint32_t verdict =
        judged ? judge_match(args.tables, rule, args.data + start, candidate_bytes(match))
               : verdict_redact;
    if (verdict == verdict_redact && !in_row) {
      if (joins_text(rule)) {
        leave_row_to_host(&args, row, start);
      }
      continue;
    }
    settled other{0, steps_left};
    if (in_row || verdict == verdict_keep || rule.rivals != rivals_none) {
      other = settle_start(&args, &block.shared, row, start, match, steps_left);
      steps_left = other.steps_left;
    }
    if (other.match != 0) {
      args.found[start] = other.match;
      if (joins_text(args.tables.rules[candidate_rule(other.match)])) {
        leave_row_to_host(&args, row, start);
      }
    } else {
      accepted &= ~(left & (~left + 1));
    }
  }
  return accepted;
}

// Of several automata: adds a word's accepted matches to those of the ones before.
FLINKGPU_HD_CALL void add_accepted(const redact_args* args, uint32_t begin, uint32_t accepted) {
  for (uint32_t left = accepted; left != 0; left &= left - 1) {
    const uint32_t start = begin + lowest_bit(left);
    const uint32_t before = args->candidates[start];
    const uint32_t match = args->found[start];
    args->candidates[start] = match > before ? match : before;
  }
  args->bitmap[begin / segment_bytes] |= accepted;
}

// Step 6: writes the thread's word of the bitmap.
FLINKGPU_HD void write_found(const find_block& block, uint32_t row, uint32_t steps_left) {
  const redact_args& args = block.args;
  if (block.begin() < args.data_bytes) {
    const uint32_t accepted =
        judge_candidates(block, row, block.begin(), block.shared.found[block.thread], steps_left);
    if (args.found == args.candidates) {
      args.bitmap[block.begin() / segment_bytes] = accepted;
    } else if (accepted != 0) {
      add_accepted(&args, block.begin(), accepted);
    }
  }
}

// The last row that starts at `position` or before it. Each round all threads look at one row each.
template <typename Each>
FLINKGPU_LIST uint32_t find_row(Each& each, const redact_args& args, uint32_t rows,
                                uint32_t position) {
  uint32_t low = 0;
  uint32_t high = rows;
  while (high - low > 1) {
    const uint32_t step = (high - low + find_threads - 1) / find_threads;
    const uint32_t before = each.count([&](const auto& self) {
      const uint64_t row = low + uint64_t{self.block.thread} * step;
      return row < high && offset_at(args.offsets, static_cast<uint32_t>(row)) <= position;
    });
    low += (before - 1) * step;
    high = min_of(low + step, high);
  }
  return low;
}

// What a thread knows between the phases.
struct find_thread {
  find_block block;
  segment_text text;
  starts_left starts;
  uint32_t steps_left;
  uint32_t listed;
};

// The kernel, for a tile.
template <typename Threads>
FLINKGPU_LIST void find_matches(const Threads& threads, const redact_args& args,
                                find_shared& shared, uint32_t tile) {
  const uint32_t start = tile * find_tile_bytes;
  const uint32_t rows = rows_of(args);
  auto each = threads.begin([&](uint32_t thread) {
    return find_thread{{args, shared, start, thread}, {}, {}, max_thread_steps, 0};
  });
  each([](find_thread& self) {
    prepare_find(self.block);
    self.text = load_own(self.block);
  });
  const uint32_t row = find_row(each, args, rows, start);
  const auto list = [](find_thread& self) { list_starts(self.block, self.starts); };
  each(
      [&](find_thread& self) {
        mark_rows(self.block, row, rows);
        mark_gates(self.block, self.text);
        if (!is_ascii(self.text)) {
          leave_unknown_to_host(&args, row, self.block.begin(),
                                self.block.begin() + self.block.bytes());
        }
      },
      [&](find_thread& self) {
        self.starts = find_starts(self.block, self.text);
        list(self);
      });
  while (true) {
    each([&](find_thread& self) {
      self.listed = shared.listed;
      walk_listed(self.block, row, min_of(self.listed, listed_starts), self.steps_left);
    });
    if (each.uniform([](const find_thread& self) { return self.listed; }) <= listed_starts) {
      break;
    }
    each(
        [&](find_thread& self) {
          if (self.block.thread == 0) {
            shared.listed = 0;
          }
        },
        list);
  }
  each.last([&](const find_thread& self) { write_found(self.block, row, self.steps_left); });
}

}  // namespace flinkgpu
