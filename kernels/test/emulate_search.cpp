// Runs the search kernels' functions, for Java's EmulatedSearch: see emulated_device.hpp. A kernel
// is the ordinal of SearchKernel.

#include <vector>

#include "emulated_device.hpp"
#include "host_block.hpp"
#include "search/arrange.cuh"
#include "search/deaths.cuh"
#include "search/index.cuh"
#include "search/inverted.cuh"
#include "search/need.cuh"
#include "search/select.cuh"
#include "search/wide.cuh"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

enum kernel : uint64_t {
  kernel_scan,
  kernel_scan_16,
  kernel_scan_8,
  kernel_hash,
  kernel_wide,
  kernel_inverted,
  kernel_index_count,
  kernel_index_sum,
  kernel_index_put,
  kernel_arrange,
  kernel_need,
  kernel_select,
  kernel_die
};

void run_block(const emulated_launch& launch, uint32_t block, std::vector<uint64_t>& shared) {
  auto* const words = reinterpret_cast<uint32_t*>(shared.data());
  switch (launch.kernel) {
    case kernel_scan:
      scan<uint32_t>(host_threads(search_scan_threads), launch.args<search_args>(), words, block);
      break;
    case kernel_scan_16:
      scan<uint16_t>(host_threads(search_scan_threads), launch.args<search_args>(), words, block);
      break;
    case kernel_scan_8:
      scan<uint8_t>(host_threads(search_scan_threads), launch.args<search_args>(), words, block);
      break;
    case kernel_hash:
      for (uint32_t thread = 0; thread < search_threads; ++thread) {
        hash_elements(launch.args<search_args>(), block, thread);
      }
      break;
    case kernel_wide:
      scan_wide(host_threads(search_scan_threads), launch.args<search_args>(), shared.data(),
                block);
      break;
    case kernel_inverted:
      CHECK(shared.size() * 8 >= sizeof(inverted_shared));
      count_inverted(host_threads(search_inverted_threads), launch.args<search_args>(),
                     *reinterpret_cast<inverted_shared*>(shared.data()), block);
      break;
    case kernel_index_count:
      for (uint32_t thread = 0; thread < search_threads; ++thread) {
        count_codes(launch.args<search_index_args>(), block * search_threads + thread);
      }
      break;
    case kernel_index_sum:
      sum_codes(host_threads(search_index_threads), launch.args<search_index_args>(),
                *garbage<index_shared>());
      break;
    case kernel_index_put:
      for (uint32_t thread = 0; thread < search_threads; ++thread) {
        put_postings(launch.args<search_index_args>(), block * search_threads + thread);
      }
      break;
    case kernel_arrange:
      arrange_codes(host_threads(search_group_documents), launch.args<search_index_args>(),
                    *garbage<arrange_shared>(), block);
      break;
    case kernel_need:
      find_needs(host_threads(search_need_threads), launch.args<search_args>(),
                 *garbage<need_shared>(), block);
      break;
    case kernel_select:
      select_best(host_threads(search_select_threads), launch.args<search_args>(),
                  *garbage<select_shared>(), block);
      break;
    default:
      CHECK(launch.kernel == kernel_die);
      for (uint32_t thread = 0; thread < search_threads; ++thread) {
        record_death(launch.args<search_die_args>(), uint64_t{block} * search_threads + thread);
      }
  }
}

}  // namespace

int main() {
  emulated_device().run([](const emulated_launch& launch) {
    for (uint32_t block = 0; block < launch.blocks; ++block) {
      std::vector<uint64_t> shared((launch.shared_bytes + 7) / 8, 0xdeadbeefdeadbeef);
      run_block(launch, block, shared);
    }
  });
  return 0;
}
