#pragma once

// What the steps of a pass share: a decoded instruction, and the rows of a thread that it is for.

#include "transform/condition_words.cuh"
#include "transform/device_texts.cuh"
#include "transform/window_steps.cuh"

namespace flinkgpu {

FLINKGPU_HD uint8_t to_condition(bool value) {
  return value ? condition_true : condition_false;
}

template <typename Texts>
struct row_step {
  using slice = typename Texts::slice;
  using operand = typename Texts::operand;

  const tile_view& tile;
  const Texts& texts;
  const instruction& step;

  template <typename Body>
  FLINKGPU_HD void each(const Body& body) const {
    const uint32_t items = Texts::item_count(tile);
    FLINKGPU_ROLLED
    for (uint32_t item = 0; item < items; ++item) {
      const uint32_t slot = tile.thread * items + item;
      body(slot, tile.first_row + slot);
    }
  }

  FLINKGPU_HD operand a() const {
    if constexpr (Texts::in_window) {
      return texts.at(step.a_kind, step.a_place);
    } else {
      return texts.find(step.a_kind, step.a);
    }
  }

  FLINKGPU_HD operand b() const {
    if constexpr (Texts::in_window) {
      return texts.at(step.b_kind, step.b_place);
    } else {
      return texts.find(step.b_kind, step.b);
    }
  }

  FLINKGPU_HD static slice null_text() { return {{}, -1}; }

  FLINKGPU_HD bool selects(uint32_t slot) const {
    return tile.conditions(step.condition)[slot] == condition_true;
  }

  FLINKGPU_HD void put_number(uint32_t slot, int64_t value, bool null) const {
    tile.numbers(step.to)[slot] = value;
    tile.nulls(step.to)[slot] = null ? 1 : 0;
  }

  FLINKGPU_HD uint32_t load_words(uint32_t condition) const {
    return load_conditions<Texts::items>(tile, condition);
  }

  // c[to] = body(c[x], c[y]), on the conditions of several rows at a time; see
  // condition_words.cuh.
  template <typename Body>
  FLINKGPU_HD void combine_conditions(uint32_t x, uint32_t y, const Body& body) const {
    if constexpr (Texts::in_window) {
      store_conditions<Texts::items>(tile, step.to, body(load_words(x), load_words(y)));
    } else {
      each([&](uint32_t slot, uint32_t) {
        tile.conditions(step.to)[slot] =
            static_cast<uint8_t>(body(tile.conditions(x)[slot], tile.conditions(y)[slot]));
      });
    }
  }
};

}  // namespace flinkgpu
