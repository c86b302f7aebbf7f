// What exact sums cost: group_add's kernels against plain ones, over the same rows that know their
// group. Both count, keep the least and the greatest, and sum; the plain ones add doubles with
// atomicAdd, in no fixed order and with a rounding each. Few groups are added up in a block's
// shared memory, many in device memory.
//
//   nvcc -std=c++17 -O3 -arch=native -o double_sum double_sum.cu && ./double_sum 1000003 413 41000

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "../../kernels/src/group_add.cu"
#include "check_cuda.cuh"

namespace {

constexpr uint32_t runs = 200;

// Of each group, one array after the other.
struct plain_groups {
  unsigned long long* counts;
  double* sums;
  int64_t* least;
  int64_t* greatest;
};

__device__ void add_plain(const plain_groups& to, uint32_t group, double value) {
  const int64_t order = ordered(static_cast<uint64_t>(__double_as_longlong(value)));
  atomicAdd(&to.counts[group], 1ULL);
  atomicAdd(&to.sums[group], value);
  lower(&to.least[group], order);
  raise(&to.greatest[group], order);
}

__device__ void add_plain_rows(const double* values, const uint32_t* row_groups, uint32_t rows,
                               const plain_groups& to) {
  const uint32_t first = blockIdx.x * add_threads * add_items + threadIdx.x;
  for (uint32_t item = 0; item < add_items; ++item) {
    const uint32_t row = first + item * add_threads;
    if (row < rows) {
      add_plain(to, row_groups[row], values[row]);
    }
  }
}

__global__ void __launch_bounds__(add_threads)
    plain_shared(const double* values, const uint32_t* row_groups, uint32_t rows, uint32_t groups,
                 plain_groups to) {
  __shared__ int64_t words[shared_words];
  const plain_groups own{reinterpret_cast<unsigned long long*>(words),
                         reinterpret_cast<double*>(words + groups), words + 2 * groups,
                         words + 3 * groups};
  for (uint32_t group = threadIdx.x; group < groups; group += add_threads) {
    own.counts[group] = 0;
    own.sums[group] = 0;
    own.least[group] = INT64_MAX;
    own.greatest[group] = INT64_MIN;
  }
  __syncthreads();
  add_plain_rows(values, row_groups, rows, own);
  __syncthreads();
  for (uint32_t group = threadIdx.x; group < groups; group += add_threads) {
    if (own.counts[group] != 0) {
      atomicAdd(&to.counts[group], own.counts[group]);
      atomicAdd(&to.sums[group], own.sums[group]);
      lower(&to.least[group], own.least[group]);
      raise(&to.greatest[group], own.greatest[group]);
    }
  }
}

__global__ void __launch_bounds__(add_threads)
    plain_global(const double* values, const uint32_t* row_groups, uint32_t rows, plain_groups to) {
  add_plain_rows(values, row_groups, rows, to);
}

template <typename T>
T* device_array(size_t count) {
  void* start = nullptr;
  CHECK_CUDA(cudaMalloc(&start, count * sizeof(T)));
  return static_cast<T*>(start);
}

template <typename T>
T* to_device(const std::vector<T>& host) {
  T* const start = device_array<T>(host.size());
  CHECK_CUDA(cudaMemcpy(start, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return start;
}

// The median time of a launch by events, in microseconds; `clear` runs before each, untimed.
template <typename Clear, typename Launch>
double measure(const Clear& clear, const Launch& launch) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&end));
  std::vector<float> micros;
  for (uint32_t i = 0; i < runs; ++i) {
    clear();
    CHECK_CUDA(cudaEventRecord(start));
    launch();
    CHECK_CUDA(cudaEventRecord(end));
    CHECK_CUDA(cudaEventSynchronize(end));
    CHECK_CUDA(cudaGetLastError());
    float millis = 0;
    CHECK_CUDA(cudaEventElapsedTime(&millis, start, end));
    micros.push_back(millis * 1000);
  }
  std::sort(micros.begin(), micros.end());
  return micros[runs / 2];
}

// Sets an array on the device.
template <typename T>
void fill(T* to, uint32_t count, T value) {
  const std::vector<T> host(count, value);
  CHECK_CUDA(cudaMemcpy(to, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
}

void check(double exact, double plain, uint32_t group) {
  if (std::abs(exact - plain) > 1e-9 * (1 + std::abs(exact))) {
    std::fprintf(stderr, "group %u: exact sum %.17g, plain sum %.17g\n", group, exact, plain);
    std::exit(1);
  }
}

void run(uint32_t rows, uint32_t groups) {
  std::mt19937_64 random(1);
  std::vector<double> values(rows);
  std::vector<uint32_t> row_groups(rows);
  for (uint32_t row = 0; row < rows; ++row) {
    values[row] = static_cast<double>(static_cast<int64_t>(random() % 2000) - 1000) / 10;
    row_groups[row] = static_cast<uint32_t>(random() % groups);
  }
  const double* const device_values = to_device(values);
  uint32_t* const device_groups = to_device(row_groups);

  // The bins that these values need, as group_bins finds them.
  uint64_t present = 0;
  value_column column{reinterpret_cast<const uint8_t*>(values.data()),
                      nullptr,
                      1,
                      1,
                      1,
                      first_value_word,
                      0,
                      0,
                      0,
                      0};
  for (uint32_t row = 0; row < rows; ++row) {
    present |= bins_of_row(column, row);
  }
  column.first_bin = lowest_bit(present);
  column.bins = 0;
  for (uint64_t left = present >> column.first_bin; left != 0; left >>= 1) {
    ++column.bins;
  }
  column.bins += 2;
  column.data = reinterpret_cast<const uint8_t*>(device_values);

  group_args args{};
  args.columns = to_device(std::vector<value_column>{column});
  args.row_groups = device_groups;
  args.words = device_array<int64_t>(size_t{bins_word(column) + column.bins} * groups);
  args.rows = rows;
  args.values = 1;
  args.groups = groups;
  const auto clear_exact = [&] {
    for (uint32_t word = 0; word < bins_word(column) + column.bins; ++word) {
      const bool least = word == column.first_word + 1;
      const bool greatest = word == column.first_word + 2;
      fill(args.words + size_t{word} * groups, groups,
           least      ? INT64_MAX
           : greatest ? INT64_MIN
                      : int64_t{0});
    }
  };
  const plain_groups plain{device_array<unsigned long long>(groups), device_array<double>(groups),
                           device_array<int64_t>(groups), device_array<int64_t>(groups)};
  const auto clear_plain = [&] {
    fill(plain.counts, groups, 0ULL);
    fill(plain.sums, groups, 0.0);
    fill(plain.least, groups, INT64_MAX);
    fill(plain.greatest, groups, INT64_MIN);
  };

  const uint32_t blocks = (rows + add_threads * add_items - 1) / (add_threads * add_items);
  const uint32_t words_a_group = bins_word(column) + column.bins - first_value_word;
  const bool shared = groups * words_a_group <= shared_words;
  const double exact = measure(clear_exact, [&] {
    shared ? group_add_shared<<<blocks, add_threads>>>(args)
           : group_add_global<<<blocks, add_threads>>>(args);
  });
  const double rounded = measure(clear_plain, [&] {
    shared
        ? plain_shared<<<blocks, add_threads>>>(device_values, device_groups, rows, groups, plain)
        : plain_global<<<blocks, add_threads>>>(device_values, device_groups, rows, plain);
  });

  std::vector<int64_t> words(size_t{bins_word(column) + column.bins} * groups);
  std::vector<double> sums(groups);
  CHECK_CUDA(
      cudaMemcpy(words.data(), args.words, words.size() * sizeof(int64_t), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(sums.data(), plain.sums, groups * sizeof(double), cudaMemcpyDeviceToHost));
  for (uint32_t group = 0; group < groups; ++group) {
    double sum = 0;
    for (uint32_t bin = column.bins; bin-- > 0;) {
      const int64_t part = words[size_t{bins_word(column) + bin} * groups + group];
      sum += std::ldexp(static_cast<double>(part),
                        static_cast<int>(32 * (column.first_bin + bin)) - 1074);
    }
    check(sum, sums[group], group);
  }
  std::printf(
      "%9u rows, %6u groups, %s memory, %u bins: exact %7.1f us, plain %7.1f us, %.2f times\n",
      rows, groups, shared ? "shared" : "device", column.bins, exact, rounded, exact / rounded);
  CHECK_CUDA(cudaDeviceSynchronize());
}

}  // namespace

// ./double_sum ROWS GROUPS...
int main(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    run(static_cast<uint32_t>(std::atoi(argv[1])), static_cast<uint32_t>(std::atoi(argv[i])));
  }
  return 0;
}
