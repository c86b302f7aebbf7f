// Runs one batch of files through the kernel bodies, for Java's KernelEmulationTest.
//   emulate <directory> <separator bytes>
// Reads tables, struct (a rule_tables whose pointers are offsets into tables), data and offsets;
// writes header, output, output_offsets, changed, patches and over_rows.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "batches.hpp"
#include "redact_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return {bytes.begin(), bytes.end()};
}

template <typename T>
void write_file(const std::string& path, const T* values, size_t count) {
  std::ofstream file(path, std::ios::binary);
  if (count > 0) {
    file.write(reinterpret_cast<const char*>(values),
               static_cast<std::streamsize>(count * sizeof(T)));
  }
}

}  // namespace

int main(int count, char** values) {
  if (count != 3) {
    std::fprintf(stderr, "usage: emulate <directory> <separator bytes>\n");
    return 1;
  }
  const std::string directory = std::string(values[1]) + "/";
  emulation batch;
  const std::vector<uint8_t> tables = read_file(directory + "tables");
  const std::vector<uint8_t> fields = read_file(directory + "struct");
  std::memcpy(&batch.args.tables, fields.data(), sizeof(rule_tables));
  rule_tables& to = batch.args.tables;
  relocate(to.start_info, tables);
  relocate(to.pairs, tables);
  relocate(to.class_of, tables);
  relocate(to.next, tables);
  relocate(to.match_rule, tables);
  relocate(to.match_back_off, tables);
  relocate(to.rules, tables);
  relocate(to.allow, tables);
  relocate(to.text, tables);
  relocate(to.iban_lengths, tables);
  relocate(to.entropy_terms, tables);
  batch.data = read_file(directory + "data");
  const std::vector<uint8_t> offsets = read_file(directory + "offsets");
  batch.offsets.resize(offsets.size() / sizeof(int32_t));
  std::memcpy(batch.offsets.data(), offsets.data(), offsets.size());
  batch.prepare(static_cast<uint32_t>(std::atoi(values[2])));
  batch.run_find();
  batch.run_write(0, 0);
  batch.run_write(static_cast<uint32_t>(batch.header.output_bytes), batch.header.hash_matches);
  write_file(directory + "header", &batch.header, 1);
  write_file(directory + "output", batch.out_data.data(), batch.out_data.size());
  write_file(directory + "output_offsets", batch.out_offsets.data(), batch.out_offsets.size());
  write_file(directory + "changed", batch.changed.data(), batch.changed.size());
  write_file(directory + "patches", batch.patches.data(), batch.patches.size());
  write_file(directory + "over_rows", batch.over_rows.data(), batch.header.over_rows);
  return 0;
}
