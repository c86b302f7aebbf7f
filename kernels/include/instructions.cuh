#pragma once

// The instructions of a pass, followed for the rows of a thread. All threads of a block are at the
// same instruction, whatever their rows hold.

#include "code_points.cuh"
#include "text_search.cuh"
#include "transform_tile.cuh"

namespace flinkgpu {

inline constexpr uint8_t condition_false = 0;
inline constexpr uint8_t condition_true = 1;
inline constexpr uint8_t condition_null = 2;

FLINKGPU_HD uint8_t to_condition(bool value) {
  return value ? condition_true : condition_false;
}

template <typename File>
struct row_machine {
  using slice = typename File::slice;
  using operand = typename File::operand;

  const tile_view& tile;
  const File& file;
  const instruction step;

  template <typename Body>
  FLINKGPU_HD void each(const Body& body) const {
    for (uint32_t item = 0; item < tile.items(); ++item) {
      body(tile.slot_of(item), tile.row_of(item));
    }
  }

  FLINKGPU_HD operand a() const { return file.find(step.a_kind, step.a); }
  FLINKGPU_HD operand b() const { return file.find(step.b_kind, step.b); }

  FLINKGPU_HD static slice null_text() { return {{}, -1}; }

  // t[to] = body(a), null where a is null.
  template <typename Body>
  FLINKGPU_HD void text_of_text(const Body& body) const {
    const operand source = a();
    each([&](uint32_t slot, uint32_t row) {
      const slice text = file.get(source, slot, row);
      file.put(step.to, slot, is_null(text) ? null_text() : body(text));
    });
  }

  // c[to] = body(a, b), null where one of them is null.
  template <typename Body>
  FLINKGPU_HD void condition_of_texts(const Body& body) const {
    const operand first = a();
    const operand second = b();
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t row) {
      const slice text = file.get(first, slot, row);
      const slice what = file.get(second, slot, row);
      to[slot] = is_null(text) || is_null(what) ? condition_null : to_condition(body(text, what));
    });
  }

  // c[to] = body(n[x], n[y]), null where one of them is null.
  template <typename Body>
  FLINKGPU_HD void condition_of_numbers(const Body& body) const {
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t) {
      const bool null = (tile.nulls(step.x)[slot] | tile.nulls(step.y)[slot]) != 0;
      to[slot] = null ? condition_null
                      : to_condition(body(tile.numbers(step.x)[slot], tile.numbers(step.y)[slot]));
    });
  }

  // c[to] = body(c[x]).
  template <typename Body>
  FLINKGPU_HD void condition_of_condition(const Body& body) const {
    const uint8_t* const x = tile.conditions(step.x);
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t) { to[slot] = body(x[slot]); });
  }

  // c[to] = body(c[x], c[y]).
  template <typename Body>
  FLINKGPU_HD void condition_of_conditions(const Body& body) const {
    const uint8_t* const x = tile.conditions(step.x);
    const uint8_t* const y = tile.conditions(step.y);
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t) { to[slot] = body(x[slot], y[slot]); });
  }

  FLINKGPU_HD void put_number(uint32_t slot, int64_t value, bool null) const {
    tile.numbers(step.to)[slot] = value;
    tile.nulls(step.to)[slot] = null ? 1 : 0;
  }

  // n[to] = n[which(slot)].
  template <typename Which>
  FLINKGPU_HD void choose_number(const Which& which) const {
    each([&](uint32_t slot, uint32_t) {
      const uint32_t chosen = which(slot);
      put_number(slot, tile.numbers(chosen)[slot], tile.nulls(chosen)[slot] != 0);
    });
  }

  FLINKGPU_HD bool selects(uint32_t slot) const {
    return tile.conditions(step.condition)[slot] == condition_true;
  }

  FLINKGPU_HD void split() const {
    const operand first = a();
    const operand second = b();
    each([&](uint32_t slot, uint32_t row) {
      const slice text = file.get(first, slot, row);
      const slice what = file.get(second, slot, row);
      slice before = text;
      slice behind = text;
      if (is_null(text) || is_null(what)) {
        before = null_text();
        behind = before;
      } else {
        const uint32_t at = find_text(file, text, 0, what);
        if (at != not_found) {
          before = part_of(text, 0, at);
          behind = part_of(text, at + length_of(what), length_of(text));
        }
      }
      if (step.to != no_register) {
        file.put(step.to, slot, before);
      }
      if (step.to_second != no_register) {
        file.put(step.to_second, slot, behind);
      }
    });
  }

  FLINKGPU_HD slice numbered_part(const slice& text, const slice& what) const {
    uint32_t from = 0;
    for (int32_t number = 1;; ++number) {
      const uint32_t at = find_text(file, text, from, what);
      if (number == step.count) {
        return part_of(text, from, at == not_found ? length_of(text) : at);
      }
      if (at == not_found || length_of(what) == 0) {
        return null_text();
      }
      from = at + length_of(what);
    }
  }

  FLINKGPU_HD void split_part() const {
    const operand first = a();
    const operand second = b();
    each([&](uint32_t slot, uint32_t row) {
      const slice text = file.get(first, slot, row);
      const slice what = file.get(second, slot, row);
      const bool null = is_null(text) || is_null(what);
      file.put(step.to, slot, null ? null_text() : numbered_part(text, what));
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
      const uint32_t byte = file.byte_at(text.start + i);
      state = next[(state << automaton.stride_shift) + classes[byte]];
    }
    return program[automaton.accepts + state] != 0;
  }

  FLINKGPU_HD void texts() const {
    switch (step.code) {
      case op_substring:
        return text_of_text(
            [&](const slice& text) { return substring_of(file, text, step.number, step.count); });
      case op_left:
        return text_of_text(
            [&](const slice& text) { return substring_of(file, text, 1, step.count); });
      case op_right:
        return text_of_text([&](const slice& text) {
          const uint64_t count = step.count > 0 ? static_cast<uint64_t>(step.count) : 0;
          return part_of(text, skip_back(file, text, count), length_of(text));
        });
      case op_split:
        return split();
      case op_split_part:
        return split_part();
      case op_trim:
        return text_of_text([&](const slice& text) { return trimmed(file, text); });
      case op_null_text:
        return each([&](uint32_t slot, uint32_t) { file.put(step.to, slot, null_text()); });
      case op_select_text:
      case op_coalesce_text: {
        const operand first = a();
        const operand second = b();
        return each([&](uint32_t slot, uint32_t row) {
          const slice text = file.get(first, slot, row);
          const bool is_first = step.code == op_select_text ? selects(slot) : !is_null(text);
          file.put(step.to, slot, is_first ? text : file.get(second, slot, row));
        });
      }
      default:
        return;
    }
  }

  FLINKGPU_HD void conditions_of_texts() const {
    switch (step.code) {
      case op_equal_text:
        return condition_of_texts(
            [&](const slice& text, const slice& what) { return same_text(file, text, what); });
      case op_contains:
        return condition_of_texts([&](const slice& text, const slice& what) {
          return find_text(file, text, 0, what) != not_found;
        });
      case op_starts_with:
        return condition_of_texts(
            [&](const slice& text, const slice& what) { return starts_with(file, text, what); });
      case op_ends_with:
        return condition_of_texts(
            [&](const slice& text, const slice& what) { return ends_with(file, text, what); });
      case op_is_empty:
      case op_is_null_text:
      case op_matches: {
        const operand source = a();
        uint8_t* const to = tile.conditions(step.to);
        return each([&](uint32_t slot, uint32_t row) {
          const slice text = file.get(source, slot, row);
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

  FLINKGPU_HD void load_number() const {
    const source_column column = tile.args.columns[step.count];
    each([&](uint32_t slot, uint32_t row) {
      const bool null = row >= tile.args.rows || !is_valid(column, row);
      put_number(slot, null ? 0 : reinterpret_cast<const int64_t*>(column.data)[row], null);
    });
  }

  FLINKGPU_HD void load_condition() const {
    const source_column column = tile.args.columns[step.count];
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t row) {
      const bool null = row >= tile.args.rows || !is_valid(column, row);
      to[slot] = null ? condition_null : to_condition(is_set(column.data, row));
    });
  }

  FLINKGPU_HD void numbers() const {
    switch (step.code) {
      case op_length: {
        const operand source = a();
        return each([&](uint32_t slot, uint32_t row) {
          const slice text = file.get(source, slot, row);
          put_number(slot, is_null(text) ? 0 : count_points(file, text), is_null(text));
        });
      }
      case op_load_number:
        return load_number();
      case op_literal_number:
      case op_null_number:
        return each([&](uint32_t slot, uint32_t) {
          put_number(slot, step.number, step.code == op_null_number);
        });
      case op_select_number:
        return choose_number([&](uint32_t slot) { return selects(slot) ? step.x : step.y; });
      case op_coalesce_number:
        return choose_number(
            [&](uint32_t slot) { return tile.nulls(step.x)[slot] == 0 ? step.x : step.y; });
      default:
        return;
    }
  }

  FLINKGPU_HD static double as_double(int64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

  FLINKGPU_HD void conditions_of_numbers() const {
    switch (step.code) {
      case op_equal_long:
        return condition_of_numbers([](int64_t x, int64_t y) { return x == y; });
      case op_less_long:
        return condition_of_numbers([](int64_t x, int64_t y) { return x < y; });
      case op_equal_double:
        return condition_of_numbers(
            [](int64_t x, int64_t y) { return as_double(x) == as_double(y); });
      case op_less_double:
        return condition_of_numbers(
            [](int64_t x, int64_t y) { return as_double(x) < as_double(y); });
      case op_is_null_number: {
        uint8_t* const to = tile.conditions(step.to);
        return each([&](uint32_t slot, uint32_t) { to[slot] = tile.nulls(step.x)[slot]; });
      }
      default:
        return;
    }
  }

  FLINKGPU_HD void conditions() const {
    switch (step.code) {
      case op_load_condition:
        return load_condition();
      case op_literal_condition: {
        uint8_t* const to = tile.conditions(step.to);
        return each([&](uint32_t slot, uint32_t) { to[slot] = static_cast<uint8_t>(step.number); });
      }
      case op_and:
        return condition_of_conditions([](uint8_t x, uint8_t y) {
          return x == condition_false || y == condition_false ? condition_false
                 : x == condition_null || y == condition_null ? condition_null
                                                              : condition_true;
        });
      case op_or:
        return condition_of_conditions([](uint8_t x, uint8_t y) {
          return x == condition_true || y == condition_true   ? condition_true
                 : x == condition_null || y == condition_null ? condition_null
                                                              : condition_false;
        });
      case op_not:
        return condition_of_condition(
            [](uint8_t x) { return x == condition_null ? x : static_cast<uint8_t>(x ^ 1); });
      case op_is_true:
        return condition_of_condition([](uint8_t x) { return to_condition(x == condition_true); });
      case op_is_null_condition:
        return condition_of_condition([](uint8_t x) { return to_condition(x == condition_null); });
      case op_select_condition: {
        const uint8_t* const which = tile.conditions(step.condition);
        const uint8_t* const x = tile.conditions(step.x);
        const uint8_t* const y = tile.conditions(step.y);
        uint8_t* const to = tile.conditions(step.to);
        return each([&](uint32_t slot, uint32_t) {
          to[slot] = which[slot] == condition_true ? x[slot] : y[slot];
        });
      }
      case op_coalesce_condition:
        return condition_of_conditions(
            [](uint8_t x, uint8_t y) { return x == condition_null ? y : x; });
      default:
        return;
    }
  }

  FLINKGPU_HD void run() const {
    if (step.code < op_equal_text) {
      texts();
    } else if (step.code < op_length) {
      conditions_of_texts();
    } else if (step.code < op_equal_long) {
      numbers();
    } else if (step.code < op_load_condition) {
      conditions_of_numbers();
    } else {
      conditions();
    }
  }
};

// Follows the instructions for a thread's rows.
template <typename File>
FLINKGPU_HD void evaluate(const tile_view& tile, const File& file) {
  for (uint32_t i = 0; i < tile.args.instructions; ++i) {
    row_machine<File>{tile, file, tile.instructions()[i]}.run();
  }
}

}  // namespace flinkgpu
