#pragma once

// Steps that make numbers, and conditions of numbers.

#include "transform/row_step.cuh"

namespace flinkgpu {

template <typename Texts>
struct number_steps : row_step<Texts> {
  using typename row_step<Texts>::slice;
  using typename row_step<Texts>::operand;
  using row_step<Texts>::tile;
  using row_step<Texts>::texts;
  using row_step<Texts>::step;
  using row_step<Texts>::each;
  using row_step<Texts>::a;
  using row_step<Texts>::selects;
  using row_step<Texts>::put_number;

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

  // n[to] = n[which(slot)].
  template <typename Which>
  FLINKGPU_HD void choose_number(const Which& which) const {
    each([&](uint32_t slot, uint32_t) {
      const uint32_t chosen = which(slot);
      put_number(slot, tile.numbers(chosen)[slot], tile.nulls(chosen)[slot] != 0);
    });
  }

  FLINKGPU_HD void load_number() const {
    const source_column column = tile.args.columns[step.count];
    each([&](uint32_t slot, uint32_t row) {
      const bool null = row >= tile.args.rows || !is_valid(column, row);
      put_number(slot, null ? 0 : reinterpret_cast<const int64_t*>(column.data)[row], null);
    });
  }

  FLINKGPU_HD void make_number() const {
    switch (step.code) {
      case op_length: {
        const operand source = a();
        return each([&](uint32_t slot, uint32_t row) {
          const slice text = texts.get(source, slot, row);
          put_number(slot, is_null(text) ? 0 : count_points(texts, text), is_null(text));
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

  FLINKGPU_HD void make_condition() const {
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

  FLINKGPU_HD void run() const {
    if (step.code < op_equal_long) {
      make_number();
    } else {
      make_condition();
    }
  }
};

}  // namespace flinkgpu
