#pragma once

// Steps that make conditions of texts.

#include "transform/row_step.cuh"

namespace flinkgpu {

template <typename Texts>
struct text_condition_steps : row_step<Texts> {
  using typename row_step<Texts>::slice;
  using typename row_step<Texts>::operand;
  using row_step<Texts>::tile;
  using row_step<Texts>::texts;
  using row_step<Texts>::step;
  using row_step<Texts>::each;
  using row_step<Texts>::a;
  using row_step<Texts>::b;

  // c[to] = body(a, b), null where one of them is null.
  template <typename Body>
  FLINKGPU_HD void condition_of_texts(const Body& body) const {
    const operand first = a();
    const operand second = b();
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t row) {
      const slice text = texts.get(first, slot, row);
      const slice what = texts.get(second, slot, row);
      to[slot] = is_null(text) || is_null(what) ? condition_null : to_condition(body(text, what));
    });
  }

  FLINKGPU_HD bool matches(const slice& text) const {
    const uint8_t* const program = tile.args.program;
    const automaton_entry automaton =
        reinterpret_cast<const automaton_entry*>(program + tile.args.automata_offset)[step.count];
    const uint8_t* const classes = program + automaton.classes;
    const auto* const next = reinterpret_cast<const uint16_t*>(program + automaton.next);
    uint32_t state = automaton.start;
    for (uint32_t i = 0; i < length_of(text) && state != automaton.dead; ++i) {
      const uint32_t byte = texts.byte_at(text.start + i);
      state = next[(state << automaton.stride_shift) + classes[byte]];
    }
    return program[automaton.accepts + state] != 0;
  }

  // Whether b was a short literal in the window, and all is done.
  FLINKGPU_HD bool compare_with_short() const {
    if constexpr (Texts::in_window) {
      const operand what = b();
      if (step.b_kind == operand_literal && bytes_of(*what.base) <= short_literal_bytes) {
        store_conditions<Texts::items>(tile, step.to,
                                       equal_short(texts, texts.get_all(a()), *what.base));
        return true;
      }
    }
    return false;
  }

  FLINKGPU_HD void run() const {
    switch (step.code) {
      case op_equal_text:
        return condition_of_texts(
            [&](const slice& text, const slice& what) { return same_text(texts, text, what); });
      case op_contains:
        return condition_of_texts([&](const slice& text, const slice& what) {
          return find_text(texts, text, 0, what) != not_found;
        });
      case op_starts_with:
        return condition_of_texts(
            [&](const slice& text, const slice& what) { return starts_with(texts, text, what); });
      case op_ends_with:
        return condition_of_texts(
            [&](const slice& text, const slice& what) { return ends_with(texts, text, what); });
      case op_is_empty:
      case op_is_null_text:
      case op_matches: {
        const operand source = a();
        uint8_t* const to = tile.conditions(step.to);
        return each([&](uint32_t slot, uint32_t row) {
          const slice text = texts.get(source, slot, row);
          to[slot] = step.code == op_is_null_text ? to_condition(is_null(text))
                     : is_null(text)              ? condition_null
                     : step.code == op_is_empty   ? to_condition(text.bytes == 0)
                                                  : to_condition(matches(text));
        });
      }
      default:
        return;
    }
  }
};

}  // namespace flinkgpu
