// The numbers of the groups, in the order of their first rows: see group/rank.cuh.

#include "group/rank.cuh"

using namespace flinkgpu;

extern "C" __global__ void __launch_bounds__(rank_threads) group_rank(const group_args args) {
  __shared__ rank_shared shared;
  rank_groups(device_threads{}, args, shared);
}
