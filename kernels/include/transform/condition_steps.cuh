#pragma once

// Steps that make conditions of conditions, and load them.

#include "transform/row_step.cuh"

namespace flinkgpu {

template <typename Texts>
struct condition_steps : row_step<Texts> {
  using typename row_step<Texts>::slice;
  using typename row_step<Texts>::operand;
  using row_step<Texts>::tile;
  using row_step<Texts>::texts;
  using row_step<Texts>::step;
  using row_step<Texts>::each;
  using row_step<Texts>::combine_conditions;

  FLINKGPU_HD void load_condition() const {
    const source_column column = tile.args.columns[step.count];
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t row) {
      const bool null = row >= tile.args.rows || !is_valid(column, row);
      to[slot] = null ? condition_null : to_condition(is_set(column.data, row));
    });
  }

  FLINKGPU_HD void select_condition() const {
    const uint8_t* const which = tile.conditions(step.condition);
    const uint8_t* const x = tile.conditions(step.x);
    const uint8_t* const y = tile.conditions(step.y);
    uint8_t* const to = tile.conditions(step.to);
    each([&](uint32_t slot, uint32_t) {
      to[slot] = which[slot] == condition_true ? x[slot] : y[slot];
    });
  }

  // op_and to op_is_true.
  FLINKGPU_HD void run_logic() const {
    switch (step.code) {
      case op_and:
        return combine_conditions(step.x, step.y, both);
      case op_or:
        return combine_conditions(step.x, step.y, either);
      case op_not:
        return combine_conditions(step.x, step.x, [](uint32_t x, uint32_t) { return negated(x); });
      default:
        return combine_conditions(step.x, step.x, [](uint32_t x, uint32_t) { return are_true(x); });
    }
  }

  FLINKGPU_HD void run() const {
    switch (step.code) {
      case op_load_condition:
        return load_condition();
      case op_literal_condition: {
        uint8_t* const to = tile.conditions(step.to);
        return each([&](uint32_t slot, uint32_t) { to[slot] = static_cast<uint8_t>(step.number); });
      }
      case op_and:
      case op_or:
      case op_not:
      case op_is_true:
        return run_logic();
      case op_is_null_condition:
        return combine_conditions(step.x, step.x, [](uint32_t x, uint32_t) { return are_null(x); });
      case op_select_condition:
        return select_condition();
      case op_coalesce_condition:
        return combine_conditions(
            step.x, step.y, [](uint32_t x, uint32_t y) { return choose_bytes(are_null(x), y, x); });
      default:
        return;
    }
  }
};

}  // namespace flinkgpu
