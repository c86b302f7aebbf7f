// Runs the lookup kernels' functions, and the dense ones', for Java's EmulatedEmbeddings: see
// emulated_device.hpp. A kernel is the ordinal of LookupKernel; behind those come DenseKernel's.

#include "dense_emulation.hpp"
#include "emulated_device.hpp"
#include "lookup_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

enum kernel : uint64_t {
  kernel_bags,
  kernel_find,
  kernel_order,
  kernel_gather,
  kernel_write,
  kernel_direct,
  kernel_put,
  kernel_count,
  kernel_choose,
  kernels
};

void run_block(const emulated_launch& launch, uint32_t block) {
  switch (launch.kernel) {
    case kernel_bags:
      run_bags(launch.args<lookup_args>(), block);
      break;
    case kernel_find:
      run_find(launch.args<lookup_args>(), block);
      break;
    case kernel_order:
      run_order(launch.args<lookup_args>(), block);
      break;
    case kernel_gather:
      run_gather(launch.args<lookup_args>(), block);
      break;
    case kernel_write:
      run_write(launch.args<lookup_args>(), block);
      break;
    case kernel_direct:
      run_direct(launch.args<lookup_args>(), block);
      break;
    case kernel_put:
      run_put(launch.args<lookup_put_args>(), block);
      break;
    case kernel_count:
      run_count(launch.args<lookup_rank_args>(), block);
      break;
    case kernel_choose:
      run_choose(launch.args<lookup_rank_args>(), block);
      break;
    default:
      run_dense_block(launch.kernel - kernels, launch.bytes, block);
  }
}

}  // namespace

int main() {
  emulated_device().run([](const emulated_launch& launch) {
    for (uint32_t block = 0; block < launch.blocks; ++block) {
      run_block(launch, block);
    }
  });
  return 0;
}
