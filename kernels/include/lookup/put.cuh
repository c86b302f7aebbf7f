#pragma once

// lookup_put: copies words to places of their own, as changes of tables and of their caches do.

#include "host_device.cuh"
#include "lookup/lookup_abi.cuh"

namespace flinkgpu {

// The share of a lane of a warp in the warp's copy.
FLINKGPU_HD void put_words(const lookup_put_args& args, uint64_t copy, uint32_t lane) {
  if (copy >= args.count) {
    return;
  }
  const lookup_copy& words = args.copies[copy];
  for (uint64_t i = lane; i < words.words; i += 32) {
    words.to[i] = words.from[i];
  }
}

}  // namespace flinkgpu
