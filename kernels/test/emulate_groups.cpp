// Runs one batch of files through the bodies of the group kernels, for Java's
// AggregateEmulationTest.
//   emulate_groups <directory> group | shared | global
// Reads args (a group_args whose pointers are offsets into work), work (the device memory of the
// batch) and words (the result, or what is there before); writes work and words. `group` does what
// comes before the header is read back, `shared` and `global` do the rest.

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "files.hpp"
#include "group_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

std::vector<value_column> relocated_columns(const group_args& args,
                                            const std::vector<uint8_t>& work) {
  std::vector<value_column> columns(args.columns, args.columns + args.values);
  for (value_column& column : columns) {
    relocate(column.data, work);
    if (column.validity != nullptr) {
      relocate(column.validity, work);
    }
  }
  return columns;
}

void relocate_arrays(group_args& args, std::vector<uint8_t>& work, std::vector<uint8_t>& words) {
  if (args.key_ids != nullptr) {
    relocate(args.key_ids, work);
  } else {
    relocate(args.key_offsets, work);
    relocate(args.key_data, work);
  }
  relocate(args.slices, work);
  relocate(args.columns, work);
  relocate(args.header, work);
  relocate(args.bins_present, work);
  relocate(args.scan_states, work);
  relocate(args.table, work);
  relocate(args.row_groups, work);
  relocate(args.ranks, work);
  relocate(args.words, words);
}

}  // namespace

int main(int count, char** values) {
  if (count != 3) {
    std::fprintf(stderr, "usage: emulate_groups <directory> group | shared | global\n");
    return 1;
  }
  const std::string directory = std::string(values[1]) + "/";
  const std::string step = values[2];
  const std::vector<uint8_t> fields = read_file(directory + "args");
  std::vector<uint8_t> work = read_file(directory + "work");
  std::vector<uint8_t> words = read_file(directory + "words");
  group_args args{};
  CHECK(fields.size() == sizeof(args));
  std::memcpy(&args, fields.data(), sizeof(args));
  relocate_arrays(args, work, words);
  const std::vector<value_column> columns = relocated_columns(args, work);
  args.columns = columns.data();
  if (step == "group") {
    run_group_rows(args);
    run_group_bins(args);
    run_group_rank(args);
  } else {
    run_group_start(args);
    if (step == "shared") {
      run_group_add_shared(args);
    } else {
      run_group_add_global(args);
    }
  }
  write_file(directory + "work", work.data(), work.size());
  write_file(directory + "words", words.data(), words.size());
  return 0;
}
