#pragma once

// A kernel as a list of phases, with a barrier after each: what a block's threads do before a
// barrier is there for all of them after it. The device and the tests run the same list: on the
// device every thread takes its own way through it; on the CPU a loop takes the threads through one
// phase after the other, in an order that is different each time (host_block.hpp). So a barrier
// that is missing makes a test fail.
//
// What a list is written against, `threads` and what its begin() gives, has
//
//   begin(make)                  threads whose state is what make(thread) gives
//   each(phase, phase, ...)      phase(state) of all threads, then a barrier
//   each.last(phase)             the same without a barrier: the kernel ends with it, or nothing
//                                that follows reads what it wrote before the next barrier
//   each.open(phase)             the same without a barrier: what comes next is of the same phase
//   each.wait()                  a barrier
//   each.end()                   no phase follows: another list does, and starts with a barrier
//   each.count(holds)            for how many threads holds(state) is true; a barrier
//   each.uniform(value)          value(state), which is the same for all threads
//   each.scan(shared, value, take)
//                                take(state, before, total) of what value(state) gives; a barrier.
//                                Returns the total
//   each.scan_open(shared, value, take)
//                                the same without a barrier: one must follow before the next scan
//   each.scan_tiles(shared, states, tile, value, take, end)
//                                the same; also sums up over the tiles before, for shared.before;
//                                one thread does end(before, total). Returns the tile's total
//   each.look_back(shared, states, tile, total, end)
//                                the second half of that, where a thread has published the tile's
//                                own total; a barrier
//   each.xor_tree<Op>(value, take)
//                                take(state, total) of what value(state) gives for the 32 threads
//                                of a warp, p[l]: for d = 16, 8, 4, 2, 1 all become Op(p[l], p[l ^
//                                d])
//   each.gather(items, value, take)
//                                take(state, bits): the lowest `items` bits that value(state) gives
//                                for 32 / items threads, 1 to 32 of a warp, next to each other
//   threads.size()               how many there are
//   each.products<Count>(of)     of(state, i) gives a thread's fragments of the warp's i-th product
//                                of matrices, for each i (block/mma.cuh)
//   take_ticket(shared, counter) the block's tile: tiles are numbered in the order they start in

#include "block/look_back.cuh"
#include "block/mma.cuh"
#include "block/scan.cuh"

namespace flinkgpu {

// The shared memory of each.scan_tiles() and take_ticket().
template <uint32_t Threads, typename T>
struct tile_scan {
  block_scan<Threads, T> block;
  uint64_t before;  // the sum of all tiles before
  uint32_t ticket;
};

// A block's dynamic shared memory: `bytes`, which on the device is the only array that it can be,
// so that the compiler knows it wherever it is used, and no register has to hold it.
FLINKGPU_HD uint8_t* dynamic_shared(uint8_t* bytes) {
#ifdef __CUDA_ARCH__
  (void)bytes;
  extern __shared__ __align__(16) uint8_t all_bytes[];
  return all_bytes;
#else
  return bytes;
#endif
}

#ifdef __CUDACC__

// In front of a list of phases, and of one that is rarely needed: its arguments are values.
#define FLINKGPU_LIST __device__ __forceinline__
#define FLINKGPU_LIST_CALL __device__ __noinline__

// The bits of 32 rows, of which each thread has `items`, next to each other; the lowest thread's
// are lowest.
__device__ __forceinline__ uint32_t gather_bits(uint32_t own, uint32_t items) {
  if (items == 1) {
    return __ballot_sync(all_lanes, own != 0);
  }
  if (!any_lane(own != static_cast<uint32_t>(low_bits(items)))) {
    return ~0U;
  }
  uint32_t bits = own << (threadIdx.x * items % 32);
  for (uint32_t distance = 1; distance < 32 / items; distance *= 2) {
    bits |= __shfl_xor_sync(all_lanes, bits, distance);
  }
  return bits;
}

template <typename State>
struct device_block {
  State self;

  template <typename... Phases>
  FLINKGPU_LIST void operator()(const Phases&... phases) {
    ((phases(self), __syncthreads()), ...);
  }

  template <typename Phase>
  FLINKGPU_LIST void last(const Phase& phase) {
    phase(self);
  }

  template <typename Phase>
  FLINKGPU_LIST void open(const Phase& phase) {
    phase(self);
  }

  FLINKGPU_LIST void wait() { __syncthreads(); }

  FLINKGPU_LIST void end() {}

  template <typename Holds>
  FLINKGPU_LIST uint32_t count(const Holds& holds) {
    return static_cast<uint32_t>(__syncthreads_count(holds(self)));
  }

  template <typename Value>
  FLINKGPU_LIST auto uniform(const Value& value) {
    return value(self);
  }

  template <typename Scan, typename Value, typename Take>
  FLINKGPU_LIST auto scan(Scan& shared, const Value& value, const Take& take) {
    const auto total = scan_open(shared, value, take);
    __syncthreads();
    return total;
  }

  template <typename Scan, typename Value, typename Take>
  FLINKGPU_LIST auto scan_open(Scan& shared, const Value& value, const Take& take) {
    typename Scan::value total;
    const auto before = shared.scan(value(self), total);
    take(self, before, total);
    return total;
  }

  template <uint32_t Threads, typename T, typename Value, typename Take, typename End>
  FLINKGPU_LIST T scan_tiles(tile_scan<Threads, T>& shared, uint64_t* states, uint32_t tile,
                             const Value& value, const Take& take, const End& end) {
    T total;
    const T before_thread = shared.block.scan(value(self), total);
    take(self, before_thread, total);
    if (threadIdx.x < 32) {
      if (tile > 0 && threadIdx.x == 0) {
        publish(states, tile, tile_state::own_sum, total);
      }
      link_warp(shared, states, tile, total, end);
    }
    __syncthreads();
    return total;
  }

  template <typename Shared, typename T, typename End>
  FLINKGPU_LIST void look_back(Shared& shared, uint64_t* states, uint32_t tile, T total,
                               const End& end) {
    if (threadIdx.x < 32) {
      link_warp(shared, states, tile, total, end);
    }
    __syncthreads();
  }

  template <typename Op, typename Value, typename Take>
  FLINKGPU_LIST void xor_tree(const Value& value, const Take& take) {
    auto total = value(self);
    for (int distance = 16; distance > 0; distance /= 2) {
      total = Op()(total, __shfl_xor_sync(all_lanes, total, distance));
    }
    take(self, total);
  }

  template <typename Value, typename Take>
  FLINKGPU_LIST void gather(uint32_t items, const Value& value, const Take& take) {
    take(self, gather_bits(value(self), items));
  }

  template <uint32_t Count, typename Of>
  FLINKGPU_LIST void products(const Of& of) {
    FLINKGPU_UNROLLED
    for (uint32_t i = 0; i < Count; ++i) {
      add_product(of(self, i));
    }
  }

  // By the first warp.
  template <typename Shared, typename T, typename End>
  FLINKGPU_LIST static void link_warp(Shared& shared, uint64_t* states, uint32_t tile, T total,
                                      const End& end) {
    const uint64_t before = look_back_warp(states, tile);
    if (threadIdx.x == 0) {
      publish(states, tile, tile_state::prefix_sum, before + total);
      shared.before = before;
      end(before, total);
    }
  }
};

struct device_threads {
  FLINKGPU_LIST uint32_t size() const { return blockDim.x; }

  template <typename Make>
  FLINKGPU_LIST auto begin(const Make& make) const {
    return device_block<decltype(make(0U))>{make(threadIdx.x)};
  }

  template <typename Shared>
  FLINKGPU_LIST uint32_t take_ticket(Shared& shared, uint32_t* counter) const {
    if (threadIdx.x == 0) {
      shared.ticket = atomic_add(counter, 1U);
    }
    __syncthreads();
    return shared.ticket;
  }
};

#else
#define FLINKGPU_LIST inline
#define FLINKGPU_LIST_CALL inline
#endif

}  // namespace flinkgpu
