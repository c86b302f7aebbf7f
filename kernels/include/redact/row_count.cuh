#pragma once

// How many rows a batch has. Where the host does not know, as many as redact_lines has found,
// unless there is room for fewer.

#include "host_device.cuh"
#include "redact/redact_abi.cuh"

namespace flinkgpu {

FLINKGPU_HD uint32_t rows_of(const redact_args& args) {
  return args.rows != 0 ? args.rows : min_of(args.header->lines, args.row_capacity);
}

}  // namespace flinkgpu
