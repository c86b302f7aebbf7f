#pragma once

// Products of matrices that the 32 threads of a warp do together, from compute capability 8.0 on.

#include "host_device.cuh"

namespace flinkgpu {

// A thread's fragments of a product of 16 x 16 and 16 x 8 numbers of bf16, as PTX defines them for
// mma.m16n8k16, and where the four sums are that it is added to.
struct mma_operands {
  uint32_t a[4];
  uint32_t b[2];
  float* sums;
};

#ifdef __CUDACC__

__device__ __forceinline__ void add_product(const mma_operands& of) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(of.sums[0]), "+f"(of.sums[1]), "+f"(of.sums[2]), "+f"(of.sums[3])
      : "r"(of.a[0]), "r"(of.a[1]), "r"(of.a[2]), "r"(of.a[3]), "r"(of.b[0]), "r"(of.b[1]));
#else
  __trap();  // the host launches no such kernel on older devices
#endif
}

#endif

}  // namespace flinkgpu
