// Runs the dense kernels' functions, for Java's EmulatedDense: see emulated_device.hpp. A kernel is
// the ordinal of DenseKernel.

#include "dense_emulation.hpp"
#include "emulated_device.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

int main() {
  emulated_device().run([](const emulated_launch& launch) {
    // Blocks come in any order.
    for (uint64_t block = launch.blocks; block-- > 0;) {
      run_dense_block(launch.kernel, launch.bytes, static_cast<uint32_t>(block));
    }
  });
  return 0;
}
