#pragma once

// Steps that make texts of texts.

#include "transform/row_step.cuh"

namespace flinkgpu {

template <typename Texts>
struct text_steps : row_step<Texts> {
  using typename row_step<Texts>::slice;
  using typename row_step<Texts>::operand;
  using row_step<Texts>::tile;
  using row_step<Texts>::texts;
  using row_step<Texts>::step;
  using row_step<Texts>::each;
  using row_step<Texts>::a;
  using row_step<Texts>::b;
  using row_step<Texts>::null_text;
  using row_step<Texts>::selects;

  // t[to] = body(a), null where a is null.
  template <typename Body>
  FLINKGPU_HD void text_of_text(const Body& body) const {
    const operand source = a();
    each([&](uint32_t slot, uint32_t row) {
      const slice text = texts.get(source, slot, row);
      texts.put(step.to, slot, is_null(text) ? null_text() : body(text));
    });
  }

  // Returns whether b was a literal of one byte in the window, and all is done.
  FLINKGPU_HD bool split_at_literal() const {
    if constexpr (Texts::in_window) {
      const operand what = b();
      if (step.b_kind == operand_literal && bytes_of(*what.base) == 1) {
        typename Texts::words before;
        typename Texts::words after;
        split_at_byte(texts, texts.byte_at(place_of(*what.base)), texts.get_all(a()), before,
                      after);
        if (step.to != no_register) {
          texts.put_all(step.to, before);
        }
        if (step.to_second != no_register) {
          texts.put_all(step.to_second, after);
        }
        return true;
      }
    }
    return false;
  }

  FLINKGPU_HD void split() const {
    const operand first = a();
    const operand second = b();
    each([&](uint32_t slot, uint32_t row) {
      const slice text = texts.get(first, slot, row);
      const slice what = texts.get(second, slot, row);
      slice before = text;
      slice after = text;
      if (is_null(text) || is_null(what)) {
        before = null_text();
        after = before;
      } else {
        const uint32_t at = find_text(texts, text, 0, what);
        if (at != not_found) {
          before = part_of(text, 0, at);
          after = part_of(text, at + length_of(what), length_of(text));
        }
      }
      if (step.to != no_register) {
        texts.put(step.to, slot, before);
      }
      if (step.to_second != no_register) {
        texts.put(step.to_second, slot, after);
      }
    });
  }

  // Returns whether it was for few code points in the window, and all is done.
  FLINKGPU_HD bool left_few() const {
    if constexpr (Texts::in_window) {
      if (step.count > 0 && step.count <= static_cast<int32_t>(short_count)) {
        const auto count = static_cast<uint32_t>(step.count);
        texts.put_all(step.to, first_points(texts, count, texts.get_all(a())));
        return true;
      }
    }
    return false;
  }

  FLINKGPU_HD void left() const {
    text_of_text([&](const slice& text) { return substring_of(texts, text, 1, step.count); });
  }

  FLINKGPU_HD slice numbered_part(const slice& text, const slice& what) const {
    uint32_t from = 0;
    for (int32_t number = 1;; ++number) {
      const uint32_t at = find_text(texts, text, from, what);
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
      const slice text = texts.get(first, slot, row);
      const slice what = texts.get(second, slot, row);
      const bool null = is_null(text) || is_null(what);
      texts.put(step.to, slot, null ? null_text() : numbered_part(text, what));
    });
  }

  FLINKGPU_HD void choose_text() const {
    const operand first = a();
    const operand second = b();
    each([&](uint32_t slot, uint32_t row) {
      const slice text = texts.get(first, slot, row);
      const bool is_first = step.code == op_select_text ? selects(slot) : !is_null(text);
      texts.put(step.to, slot, is_first ? text : texts.get(second, slot, row));
    });
  }

  FLINKGPU_HD void run() const {
    switch (step.code) {
      case op_substring:
        return text_of_text(
            [&](const slice& text) { return substring_of(texts, text, step.number, step.count); });
      case op_left:
        return left();
      case op_right:
        return text_of_text([&](const slice& text) {
          const uint64_t count = step.count > 0 ? static_cast<uint64_t>(step.count) : 0;
          return part_of(text, skip_back(texts, text, count), length_of(text));
        });
      case op_split:
        return split();
      case op_split_part:
        return split_part();
      case op_trim:
        return text_of_text([&](const slice& text) { return trimmed(texts, text); });
      case op_null_text:
        return each([&](uint32_t slot, uint32_t) { texts.put(step.to, slot, null_text()); });
      case op_select_text:
      case op_coalesce_text:
        return choose_text();
      default:
        return;
    }
  }
};

}  // namespace flinkgpu
