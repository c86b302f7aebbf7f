#pragma once

// The transform kernel on the CPU, thread by thread. A block's shared memory is exactly as long as
// the kernel is promised, so that the address sanitizer sees the first byte too many.

#include <vector>

#include "host_block.hpp"
#include "transform/run.cuh"

namespace flinkgpu::test {

// Runs a pass; `all` as of host_threads.
inline void run_transform(const transform_args& args, uint32_t threads, barriers& all) {
  const uint32_t tile_rows = threads << args.item_shift;
  for (uint32_t tile = 0; tile < (args.rows + tile_rows - 1) / tile_rows; ++tile) {
    std::vector<uint8_t> bytes(args.shared_bytes, 0xee);
    const auto shared = garbage<transform_shared>();
    if (args.item_shift == 0) {
      run_tile<1>(host_threads(threads, all), args, bytes.data(), *shared, tile);
    } else {
      run_tile<1U << transform_item_shift>(host_threads(threads, all), args, bytes.data(), *shared,
                                           tile);
    }
  }
}

}  // namespace flinkgpu::test
