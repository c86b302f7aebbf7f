#pragma once

// Copies of 16 bytes to shared memory that a thread begins and waits for later, without registers
// in between. From compute capability 8.0 on; on the CPU they are done at once.

#include "host_device.cuh"

namespace flinkgpu {

// Begins to copy the first `bytes` of 16 bytes; zeros take the place of the rest. `source` is not
// read if there are no bytes; both sides are aligned to 16.
FLINKGPU_HD void copy_async(void* to, const void* source, uint32_t bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(source),
               "r"(bytes));
#else
  std::memset(to, 0, 16);
  if (bytes > 0) {
    std::memcpy(to, source, bytes);
  }
#endif
}

// Ends a group of copies.
FLINKGPU_HD void end_async_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most so many of the thread's groups are under way, the last ones.
template <uint32_t Groups>
FLINKGPU_HD void await_async_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
#endif
}

}  // namespace flinkgpu
