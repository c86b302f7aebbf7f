// Names of CUB 2 for programs that were written for it and are compiled with CUB 3 (CUDA 13), which has
// others for the same: given to nvcc with -include.

#ifdef __CUDACC__
#include <cub/cub.cuh>

#if CUB_MAJOR_VERSION >= 3
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace cub {

using Equality = ::cuda::std::equal_to<>;

template <class Value, class Offset>
using CountingInputIterator = thrust::counting_iterator<Value>;

template <class Value, class Function, class Iterator>
using TransformInputIterator = thrust::transform_iterator<Function, Iterator, Value>;

}  // namespace cub
#endif
#endif
