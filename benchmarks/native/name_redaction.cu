// Hand-written kernels for one transform, as peers for the general one: a name and a visibility
// become "D John" if the visibility is "public", else "X X". These are the ways that NVIDIA's
// article "Mastering String Transformations in RAPIDS libcudf" compares, in this project's own
// code, over columns that are on the device and give a column there: offsets and bytes.
//
//   two passes, cudaMalloc     sizes, scan, memory of the driver in each call, write
//   two passes, pool           the same with a stream-ordered pool
//   working memory             write to memory as large as the names, then sizes, scan, gather;
//   pool device malloc              a malloc a row in the kernel, then sizes, scan, gather; pool
//
//   nvcc -O3 -arch=native -o name_redaction name_redaction.cu && ./name_redaction 600000 10000000

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <random>
#include <string>
#include <vector>

#include "check_cuda.cuh"

namespace {

constexpr int threads = 256;

struct text {
  const char* start;
  int32_t bytes;
};

struct texts {
  const char* data;
  const int32_t* offsets;

  __device__ text row(int32_t i) const { return {data + offsets[i], offsets[i + 1] - offsets[i]}; }
};

__device__ bool is_public(const text& visibility) {
  const char wanted[] = "public";
  bool same = visibility.bytes == 6;
  for (int32_t i = 0; same && i < 6; ++i) {
    same = visibility.start[i] == wanted[i];
  }
  return same;
}

// What a row becomes, as three pieces.
struct answer {
  text initial;
  text space;
  text first;

  __device__ int32_t bytes() const { return initial.bytes + space.bytes + first.bytes; }

  __device__ void write(char* to) const {
    for (const text& piece : {initial, space, first}) {
      for (int32_t i = 0; i < piece.bytes; ++i) {
        *to++ = piece.start[i];
      }
    }
  }
};

__device__ answer answer_of(const text& name, const text& visibility) {
  if (!is_public(visibility)) {
    return {{"X", 1}, {" ", 1}, {"X", 1}};
  }
  int32_t space = 0;
  while (space < name.bytes && name.start[space] != ' ') {
    ++space;
  }
  const int32_t last = space < name.bytes ? space + 1 : 0;
  int32_t initial = last < name.bytes ? 1 : 0;
  while (initial > 0 && last + initial < name.bytes &&
         (name.start[last + initial] & 0xc0) == 0x80) {
    ++initial;
  }
  return {{name.start + last, initial}, {" ", 1}, {name.start, space}};
}

__global__ void size_rows(texts names, texts visibilities, int32_t rows, int32_t* sizes) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    sizes[row] = answer_of(names.row(row), visibilities.row(row)).bytes();
  }
}

__global__ void write_rows(texts names, texts visibilities, int32_t rows, const int32_t* offsets,
                           char* out) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    answer_of(names.row(row), visibilities.row(row)).write(out + offsets[row]);
  }
}

// To working memory: a row has room for its name, a space, and "X X".
__global__ void write_apart(texts names, texts visibilities, int32_t rows, char* working,
                            text* results) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    const answer result = answer_of(names.row(row), visibilities.row(row));
    char* const to = working + names.offsets[row] + 8 * static_cast<int64_t>(row);
    result.write(to);
    results[row] = {to, result.bytes()};
  }
}

__global__ void write_malloc(texts names, texts visibilities, int32_t rows, text* results) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    const answer result = answer_of(names.row(row), visibilities.row(row));
    char* const to = static_cast<char*>(malloc(result.bytes()));
    if (to == nullptr) {
      __trap();
    }
    result.write(to);
    results[row] = {to, result.bytes()};
  }
}

__global__ void size_results(const text* results, int32_t rows, int32_t* sizes) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    sizes[row] = results[row].bytes;
  }
}

__global__ void gather(const text* results, int32_t rows, const int32_t* offsets, char* out) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    for (int32_t i = 0; i < results[row].bytes; ++i) {
      out[offsets[row] + i] = results[row].start[i];
    }
  }
}

__global__ void free_results(const text* results, int32_t rows) {
  const int32_t row = blockIdx.x * threads + threadIdx.x;
  if (row < rows) {
    free(const_cast<char*>(results[row].start));
  }
}

struct memory {
  bool pool;
  cudaStream_t stream;

  template <typename T>
  T* take(int64_t count) const {
    void* start = nullptr;
    const size_t bytes = std::max<size_t>(1, count * sizeof(T));
    CHECK_CUDA(pool ? cudaMallocAsync(&start, bytes, stream) : cudaMalloc(&start, bytes));
    return static_cast<T*>(start);
  }

  void give(void* start) const {
    CHECK_CUDA(pool ? cudaFreeAsync(start, stream) : cudaFree(start));
  }
};

struct batch {
  int32_t rows;
  texts names;
  texts visibilities;
  int64_t name_bytes;
};

struct column {
  int32_t* offsets;
  char* data;
  int32_t bytes;
};

int blocks_of(int32_t rows) {
  return (rows + threads - 1) / threads;
}

// Offsets of rows + 1 from the sizes in place, and memory for the bytes.
void make_room(const memory& source, column& out, int32_t rows) {
  size_t scratch_bytes = 0;
  CHECK_CUDA(cudaMemsetAsync(out.offsets + rows, 0, sizeof(int32_t), source.stream));
  CHECK_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, scratch_bytes, out.offsets, out.offsets,
                                           rows + 1, source.stream));
  char* const scratch = source.take<char>(scratch_bytes);
  CHECK_CUDA(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, out.offsets, out.offsets,
                                           rows + 1, source.stream));
  CHECK_CUDA(cudaMemcpyAsync(&out.bytes, out.offsets + rows, sizeof(int32_t),
                             cudaMemcpyDeviceToHost, source.stream));
  CHECK_CUDA(cudaStreamSynchronize(source.stream));
  source.give(scratch);
  out.data = source.take<char>(out.bytes);
}

column two_passes(const memory& source, const batch& in) {
  column out{source.take<int32_t>(in.rows + 1), nullptr, 0};
  size_rows<<<blocks_of(in.rows), threads, 0, source.stream>>>(in.names, in.visibilities, in.rows,
                                                               out.offsets);
  make_room(source, out, in.rows);
  write_rows<<<blocks_of(in.rows), threads, 0, source.stream>>>(in.names, in.visibilities, in.rows,
                                                                out.offsets, out.data);
  return out;
}

column gathered(const memory& source, const text* results, int32_t rows) {
  column out{source.take<int32_t>(rows + 1), nullptr, 0};
  size_results<<<blocks_of(rows), threads, 0, source.stream>>>(results, rows, out.offsets);
  make_room(source, out, rows);
  gather<<<blocks_of(rows), threads, 0, source.stream>>>(results, rows, out.offsets, out.data);
  return out;
}

column working_memory(const memory& source, const batch& in) {
  char* const working = source.take<char>(in.name_bytes + 8 * static_cast<int64_t>(in.rows));
  text* const results = source.take<text>(in.rows);
  write_apart<<<blocks_of(in.rows), threads, 0, source.stream>>>(in.names, in.visibilities, in.rows,
                                                                 working, results);
  const column out = gathered(source, results, in.rows);
  source.give(results);
  source.give(working);
  return out;
}

column device_malloc(const memory& source, const batch& in) {
  text* const results = source.take<text>(in.rows);
  write_malloc<<<blocks_of(in.rows), threads, 0, source.stream>>>(in.names, in.visibilities,
                                                                  in.rows, results);
  const column out = gathered(source, results, in.rows);
  free_results<<<blocks_of(in.rows), threads, 0, source.stream>>>(results, in.rows);
  source.give(results);
  return out;
}

template <typename T>
T* to_device(const std::vector<T>& host) {
  T* start = nullptr;
  CHECK_CUDA(cudaMalloc(&start, host.size() * sizeof(T)));
  CHECK_CUDA(cudaMemcpy(start, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return start;
}

texts to_device(const std::vector<std::string>& rows) {
  std::vector<char> data;
  std::vector<int32_t> offsets{0};
  for (const std::string& row : rows) {
    data.insert(data.end(), row.begin(), row.end());
    offsets.push_back(static_cast<int32_t>(data.size()));
  }
  return {to_device(data), to_device(offsets)};
}

std::string expected(const std::string& name, const std::string& visibility) {
  if (visibility != "public") {
    return "X X";
  }
  const size_t space = name.find(' ');
  return name.substr(space + 1, 1) + " " + name.substr(0, space);
}

void check(const column& out, const std::vector<std::string>& answers) {
  std::vector<int32_t> offsets(answers.size() + 1);
  std::string data(out.bytes, ' ');
  CHECK_CUDA(cudaMemcpy(offsets.data(), out.offsets, offsets.size() * sizeof(int32_t),
                        cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(data.data(), out.data, data.size(), cudaMemcpyDeviceToHost));
  for (size_t row = 0; row < answers.size(); ++row) {
    if (data.substr(offsets[row], offsets[row + 1] - offsets[row]) != answers[row]) {
      std::fprintf(stderr, "row %zu is wrong\n", row);
      std::exit(1);
    }
  }
}

// The median of a call until the device is done, in microseconds.
template <typename Call>
double measure(const memory& source, const batch& in, const std::vector<std::string>& answers,
               int runs, const Call& call) {
  std::vector<double> micros;
  for (int i = 0; i < runs + 2; ++i) {
    CHECK_CUDA(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    const column out = call(source, in);
    CHECK_CUDA(cudaStreamSynchronize(source.stream));
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    CHECK_CUDA(cudaGetLastError());
    if (i == 0) {
      check(out, answers);
    } else if (i > 1) {
      micros.push_back(taken.count());
    }
    source.give(out.offsets);
    source.give(out.data);
  }
  std::sort(micros.begin(), micros.end());
  return micros[micros.size() / 2];
}

void run(int32_t rows) {
  const std::vector<std::string> firsts{"John", "Mary", "Alexander", "Li", "Zoe", "Christopher"};
  const std::vector<std::string> lasts{"Doe", "Smith",    "Featherstone",
                                       "Ng",  "Anderson", "Fernandez"};
  std::mt19937_64 random(1);
  std::vector<std::string> names;
  std::vector<std::string> visibilities;
  std::vector<std::string> answers;
  int64_t name_bytes = 0;
  int64_t moved = 12;
  for (int32_t row = 0; row < rows; ++row) {
    names.push_back(firsts[random() % firsts.size()] + " " + lasts[random() % lasts.size()]);
    visibilities.push_back(random() % 2 == 0 ? "public" : "private");
    answers.push_back(expected(names.back(), visibilities.back()));
    name_bytes += names.back().size();
    moved += names.back().size() + visibilities.back().size() + answers.back().size() + 12;
  }
  const batch in{rows, to_device(names), to_device(visibilities), name_bytes};
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const memory driver{false, stream};
  const memory pool{true, stream};
  std::printf("%d rows, %.1f bytes a row in and out, microseconds a call:\n", rows,
              static_cast<double>(moved) / rows);
  std::printf("  two passes, cudaMalloc  %10.1f\n", measure(driver, in, answers, 30, two_passes));
  std::printf("  two passes, pool        %10.1f\n", measure(pool, in, answers, 100, two_passes));
  std::printf("  working memory, pool    %10.1f\n",
              measure(pool, in, answers, 100, working_memory));
  if (rows <= 1000000) {
    std::printf("  device malloc, pool     %10.1f\n", measure(pool, in, answers, 3, device_malloc));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{1} << 30));
  cudaMemPool_t pool = nullptr;
  uint64_t keep = UINT64_MAX;
  CHECK_CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  for (int i = 1; i < argc; ++i) {
    run(std::atoi(argv[i]));
  }
  return 0;
}
