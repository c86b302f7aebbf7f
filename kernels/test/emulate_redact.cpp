// Runs one batch of files through the kernel bodies, for Java's KernelEmulationTest.
//   emulate <directory> <separator bytes>
// Reads tables, structs (a text_tables and each automaton's rule_tables, whose pointers are offsets
// into tables), data and offsets; writes header, output, output_offsets, changed, patches and
// over_rows. A text_tables of zeros has no rules, and a rule_tables without matches is only there
// for the actions. What is not one rule_tables alone is a set of several automata.

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

rule_tables read_tables(const uint8_t* at, const std::vector<uint8_t>& base) {
  rule_tables to;
  std::memcpy(&to, at, sizeof(to));
  relocate(to.start_info, base);
  relocate(to.pairs, base);
  relocate(to.class_of, base);
  relocate(to.next, base);
  relocate(to.match_rule, base);
  relocate(to.match_back_off, base);
  relocate(to.rules, base);
  relocate(to.allow, base);
  relocate(to.text, base);
  relocate(to.iban_lengths, base);
  relocate(to.entropy_terms, base);
  return to;
}

text_tables read_texts(const uint8_t* at, const std::vector<uint8_t>& base) {
  text_tables to;
  std::memcpy(&to, at, sizeof(to));
  if (to.context_after != nullptr) {
    relocate(to.filter, base);
    relocate(to.first, base);
    relocate(to.first_long, base);
    relocate(to.entries, base);
    relocate(to.entry_rules, base);
    relocate(to.rules, base);
    relocate(to.next, base);
    relocate(to.class_of, base);
    relocate(to.match_back_off, base);
    relocate(to.context_after, base);
  }
  return to;
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
  const std::vector<uint8_t> structs = read_file(directory + "structs");
  batch.data = read_file(directory + "data");
  const std::vector<uint8_t> offsets = read_file(directory + "offsets");
  batch.offsets.resize(offsets.size() / sizeof(int32_t));
  std::memcpy(batch.offsets.data(), offsets.data(), offsets.size());
  batch.prepare(static_cast<uint32_t>(std::atoi(values[2])));
  batch.args.texts = read_texts(structs.data(), tables);
  const bool with_texts = batch.args.texts.context_after != nullptr;
  const size_t automata = (structs.size() - sizeof(text_tables)) / sizeof(rule_tables);
  const uint8_t* const first = structs.data() + sizeof(text_tables);
  batch.args.tables = read_tables(first, tables);
  const bool everywhere = batch.args.tables.match_limit != 0;
  if (with_texts || automata > 1) {
    batch.prepare_several();
  }
  if (with_texts) {
    batch.run_texts();
  }
  for (size_t i = 0; everywhere && i < automata; ++i) {
    batch.args.tables = read_tables(first + i * sizeof(rule_tables), tables);
    batch.run_find();
  }
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
