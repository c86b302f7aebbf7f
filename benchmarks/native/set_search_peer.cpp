// Runs the set search of xiatwhu/baidu_topk, version 7, on files of sets, and times it. Nothing of it is
// here: benchmarks/set-search-champion.sh fetches its public source and links this with it in
// place of its own main, which reads text.
//
//   set_search_peer DOCUMENTS QUERIES ANSWERS RUNS
//
// A file of sets is, little-endian: how many there are (4 bytes), the size of each (2 bytes), the
// elements of all (2 bytes each). Documents come by size, no query is empty. ANSWERS becomes the 100
// documents of each query, a line of numbers, as the last run found them. A line "run MILLISECONDS" is
// told for each run, after the lines of the program itself: "==== topk: ..." is what it takes once the
// documents are on the device.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "topk.h"

namespace {

using sets = std::vector<std::vector<uint16_t>>;

// It copies documents up to a multiple of this, those that are not there too.
constexpr size_t documents_read_at_a_time = 4096;

void must(bool what, const char* name) {
  if (!what) {
    std::fprintf(stderr, "set_search_peer: cannot read or write a file: file=%s\n", name);
    std::exit(1);
  }
}

sets read(const char* name) {
  std::FILE* file = std::fopen(name, "rb");
  must(file != nullptr, name);
  uint32_t count = 0;
  must(std::fread(&count, sizeof count, 1, file) == 1, name);
  std::vector<uint16_t> sizes(count);
  must(std::fread(sizes.data(), sizeof(uint16_t), count, file) == count, name);
  sets all;
  all.resize((count + documents_read_at_a_time - 1) / documents_read_at_a_time *
             documents_read_at_a_time);
  all.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    all[i].resize(sizes[i]);
    must(std::fread(all[i].data(), sizeof(uint16_t), sizes[i], file) == sizes[i], name);
  }
  std::fclose(file);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: set_search_peer DOCUMENTS QUERIES ANSWERS RUNS\n");
    return 2;
  }
  sets documents = read(argv[1]);
  sets queries = read(argv[2]);
  std::vector<uint16_t> sizes;
  for (const auto& document : documents) {
    sizes.push_back(static_cast<uint16_t>(document.size()));
  }
  std::vector<std::vector<int>> answers;
  for (int run = 0; run < std::atoi(argv[4]); ++run) {
    answers.clear();
    auto start = std::chrono::steady_clock::now();
    doc_query_scoring_gpu_function(queries, documents, sizes, answers);
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    std::printf("run %.3f\n", time.count());
    std::fflush(stdout);
  }
  std::FILE* file = std::fopen(argv[3], "w");
  must(file != nullptr, argv[3]);
  for (const auto& answer : answers) {
    for (size_t i = 0; i < answer.size(); ++i) {
      std::fprintf(file, i == 0 ? "%d" : " %d", answer[i]);
    }
    std::fprintf(file, "\n");
  }
  must(std::fclose(file) == 0, argv[3]);
  return 0;
}
