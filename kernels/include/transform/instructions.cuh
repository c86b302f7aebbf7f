#pragma once

// The instructions of a pass, followed for the rows of a thread. All threads of a block are at the
// same instruction, whatever their rows hold.

#include "transform/condition_steps.cuh"
#include "transform/number_steps.cuh"
#include "transform/text_condition_steps.cuh"
#include "transform/text_steps.cuh"

namespace flinkgpu {

template <typename File>
FLINKGPU_HD void follow(const tile_view& tile, const File& file, const instruction& step) {
  if (step.code < op_equal_text) {
    text_steps<File>{{tile, file, step}}.run();
  } else if (step.code < op_length) {
    text_condition_steps<File>{{tile, file, step}}.run();
  } else if (step.code < op_load_condition) {
    number_steps<File>{{tile, file, step}}.run();
  } else {
    condition_steps<File>{{tile, file, step}}.run();
  }
}

// Out of line, so that what most passes consist of is close together.
template <uint32_t Items>
FLINKGPU_HD_CALL void follow_seldom(tile_view tile, uint32_t number) {
  follow(tile, window_file<Items>(tile), tile.instructions()[number]);
}

// The steps that most passes consist of, for a file of a window. Returns whether it was one.
template <uint32_t Items>
FLINKGPU_HD bool follow_often(const tile_view& tile, const window_file<Items>& file,
                              const instruction& step) {
  using file_type = window_file<Items>;
  if (step.code == op_equal_text) {
    return text_condition_steps<file_type>{{tile, file, step}}.compare_with_short();
  }
  if (step.code == op_split) {
    return text_steps<file_type>{{tile, file, step}}.split_at_literal();
  }
  if (step.code == op_left) {
    return text_steps<file_type>{{tile, file, step}}.left_few();
  }
  if (step.code >= op_and && step.code <= op_is_true) {
    condition_steps<file_type>{{tile, file, step}}.run_logic();
    return true;
  }
  return false;
}

// Follows the instructions for a thread's rows.
template <typename File>
FLINKGPU_HD void evaluate(const tile_view& tile, const File& file) {
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < tile.args.instructions; ++i) {
    if constexpr (File::in_window) {
      if (!follow_often(tile, file, tile.instructions()[i])) {
        follow_seldom<File::items>(tile, i);
      }
    } else {
      follow(tile, file, tile.instructions()[i]);
    }
  }
}

}  // namespace flinkgpu
