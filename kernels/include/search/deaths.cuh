#pragma once

// search_die, one thread: a document of a tile was replaced or deleted.

#include "host_device.cuh"
#include "search/search_abi.cuh"

namespace flinkgpu {

FLINKGPU_HD void record_death(const search_die_args& args, uint64_t index) {
  if (index < args.count) {
    *args.deaths[index].died = args.deaths[index].change;
  }
}

}  // namespace flinkgpu
