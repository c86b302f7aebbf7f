#pragma once

// Copies from device memory to a block's shared memory that a thread begins and no thread takes
// part in, from compute capability 9.0 on; see "Asynchronous copies" in the CUDA C++ Programming
// Guide.

#include "host_device.cuh"

namespace flinkgpu {

#if FLINKGPU_BULK_COPY

__device__ inline uint32_t shared_address(const void* place) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(place));
}

// By one thread, before a barrier of the block.
__device__ inline void start_barrier(uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Begins to copy a multiple of 16 bytes between places that are aligned to 16.
__device__ inline void begin_copy(uint64_t* barrier, uint8_t* to, const uint8_t* from,
                                  uint32_t bytes) {
  asm volatile(
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// By one thread, after all copies.
__device__ inline void end_copies(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

// By all threads: waits for all copies, and what the thread that ended them wrote.
__device__ inline void await_copies(uint64_t* barrier) {
  uint32_t done = 0;
  do {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], 0;\n"
        "selp.u32 %0, 1, 0, done;\n"
        "}"
        : "=r"(done)
        : "r"(shared_address(barrier))
        : "memory");
  } while (done == 0);
}

#endif

}  // namespace flinkgpu
