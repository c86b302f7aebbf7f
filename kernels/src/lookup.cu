// Looks vectors up: see lookup/bags.cuh, lookup/ids.cuh, lookup/order.cuh, lookup/gather.cuh and
// lookup/write.cuh;
// lookup/direct.cuh does all of it in one launch.

#include "lookup/bags.cuh"
#include "lookup/direct.cuh"
#include "lookup/gather.cuh"
#include "lookup/ids.cuh"
#include "lookup/order.cuh"
#include "lookup/write.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_bags(const __grid_constant__ lookup_args args) {
  __shared__ bags_shared shared;
  find_bags(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_find(const __grid_constant__ lookup_args args) {
  __shared__ ids_shared shared;
  find_ids(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_order(const __grid_constant__ lookup_args args) {
  __shared__ order_shared shared;
  order_lines(device_threads{}, args, shared, blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_gather(const __grid_constant__ lookup_args args) {
  const uint32_t thread = blockIdx.x * lookup_threads + threadIdx.x;
  gather_lines(args, thread / 32, thread % 32);
}

extern "C" __global__ void __launch_bounds__(lookup_threads)
    lookup_write(const __grid_constant__ lookup_args args) {
  // Lanes are a power of two: a division of 64 bits takes longer than to write a vector.
  const uint64_t thread = uint64_t{blockIdx.x} * lookup_threads + threadIdx.x;
  write_values(args, thread >> lowest_bit(args.lanes), threadIdx.x & (args.lanes - 1));
}

extern "C" __global__ void __launch_bounds__(lookup_threads, 4)
    lookup_direct(const __grid_constant__ lookup_args args) {
  __shared__ direct_shared shared;
  look_up_directly(device_threads{}, args, shared, blockIdx.x);
}
