#pragma once

// The instructions of a pass, followed for the rows of a thread. All threads of a block are at the
// same instruction, whatever their rows hold.

#include "condition_steps.cuh"
#include "number_steps.cuh"
#include "text_condition_steps.cuh"
#include "text_steps.cuh"

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

// Follows the instructions for a thread's rows.
template <typename File>
FLINKGPU_HD void evaluate(const tile_view& tile, const File& file) {
  FLINKGPU_ROLLED
  for (uint32_t i = 0; i < tile.args.instructions; ++i) {
    follow(tile, file, tile.instructions()[i]);
  }
}

}  // namespace flinkgpu
