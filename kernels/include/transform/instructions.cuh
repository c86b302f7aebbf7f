#pragma once

// The instructions of a pass, followed for the rows of a thread. All threads of a block are at the
// same instruction, whatever their rows hold.

#include "transform/condition_steps.cuh"
#include "transform/number_steps.cuh"
#include "transform/text_condition_steps.cuh"
#include "transform/text_steps.cuh"

namespace flinkgpu {

template <typename Texts>
FLINKGPU_HD void follow(const tile_view& tile, const Texts& texts, const instruction& step) {
  if (step.code < op_equal_text) {
    text_steps<Texts>{{tile, texts, step}}.run();
  } else if (step.code < op_length) {
    text_condition_steps<Texts>{{tile, texts, step}}.run();
  } else if (step.code < op_load_condition) {
    number_steps<Texts>{{tile, texts, step}}.run();
  } else {
    condition_steps<Texts>{{tile, texts, step}}.run();
  }
}

// Any step. Out of line, so that what most passes consist of is close together.
template <uint32_t Items>
FLINKGPU_HD_CALL void follow_general(tile_view tile, uint32_t number) {
  follow(tile, window_texts<Items>(tile), tile.instructions()[number]);
}

// The fast path: the steps that most passes consist of, for texts of a window. Returns whether the
// step was one.
template <uint32_t Items>
FLINKGPU_HD bool follow_fast(const tile_view& tile, const window_texts<Items>& texts,
                             const instruction& step) {
  using texts_type = window_texts<Items>;
  if (step.code == op_equal_text) {
    return text_condition_steps<texts_type>{{tile, texts, step}}.compare_with_short();
  }
  if (step.code == op_split) {
    return text_steps<texts_type>{{tile, texts, step}}.split_at_literal();
  }
  if (step.code == op_left) {
    return text_steps<texts_type>{{tile, texts, step}}.left_few();
  }
  if (step.code >= op_and && step.code <= op_is_true) {
    condition_steps<texts_type>{{tile, texts, step}}.run_logic();
    return true;
  }
  return false;
}

// Follows the instructions for a thread's rows.
template <typename Texts>
FLINKGPU_HD void evaluate(const tile_view& tile, const Texts& texts) {
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < tile.args.instructions; ++i) {
    if constexpr (Texts::in_window) {
      if (!follow_fast(tile, texts, tile.instructions()[i])) {
        follow_general<Texts::items>(tile, i);
      }
    } else {
      follow(tile, texts, tile.instructions()[i]);
    }
  }
}

}  // namespace flinkgpu
