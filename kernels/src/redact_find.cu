// Candidates of every start position: see find.cuh.

#include "../include/find.cuh"

namespace {

using namespace flinkgpu;

inline constexpr uint32_t tile_bytes = find_threads * segment_bytes;

}  // namespace

extern "C" __global__ void __launch_bounds__(find_threads) redact_find(const redact_args args) {
  __shared__ uint8_t byte_info[256];
  __shared__ uint8_t class_of[256];
  __shared__ uint32_t row_range[2];
  for (uint32_t i = threadIdx.x; i < 256; i += find_threads) {
    byte_info[i] = args.tables.byte_info[i];
    class_of[i] = args.tables.class_of[i];
  }
  // The rows of the block's first and last byte narrow the search of each thread.
  if (threadIdx.x < 2) {
    const uint32_t first = blockIdx.x * tile_bytes;
    const uint32_t last =
        args.data_bytes - first < tile_bytes ? args.data_bytes - 1 : first + tile_bytes - 1;
    row_range[threadIdx.x] = row_at(args.offsets, 0, args.rows, threadIdx.x == 0 ? first : last);
  }
  __syncthreads();
  const uint32_t segment = blockIdx.x * find_threads + threadIdx.x;
  if (segment < (args.data_bytes + segment_bytes - 1) / segment_bytes) {
    find_in_segment(args, {byte_info, class_of}, segment, row_range[0], row_range[1] + 1);
  }
}
