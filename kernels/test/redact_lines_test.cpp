// Redaction of texts in which redact_lines finds the rows, against redaction of the same rows,
// which redact_test compares with a plain redactor.

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "redact_batch.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

// What a '\n' ends. Of more lines than there is room for the last one goes on to the end.
std::vector<std::string> lines_of(const std::string& text, uint32_t row_capacity) {
  std::vector<std::string> lines;
  for (size_t from = 0; from < text.size();) {
    const size_t end = lines.size() + 1 < row_capacity ? text.find('\n', from) : text.size() - 1;
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

bool is_before(const over_row& a, const over_row& b) {
  return a.source_offset < b.source_offset;
}

// The lists come in any order.
void run(batch& of) {
  of.run_find();
  of.run_write(0, 0);
  of.run_write(static_cast<uint32_t>(of.header.output_bytes), of.header.hash_matches);
  of.over_rows.resize(of.header.over_rows);
  std::sort(of.over_rows.begin(), of.over_rows.end(), is_before);
  std::sort(of.patches.begin(), of.patches.end(), [](const hash_patch& a, const hash_patch& b) {
    return a.output_offset < b.output_offset;
  });
}

bool same_row(const over_row& a, const over_row& b) {
  return a.source_offset == b.source_offset && a.output_offset == b.output_offset;
}

bool same_patch(const hash_patch& a, const hash_patch& b) {
  return std::memcmp(&a, &b, sizeof(hash_patch)) == 0;
}

void check_same(const rule_book& book, const std::string& text, uint32_t row_capacity) {
  const std::vector<std::string> rows = lines_of(text, row_capacity);
  batch known(book, rows, 1);
  run(known);
  batch found(book, rows, 1);
  found.prepare_lines(row_capacity);
  found.run_lines();
  run(found);
  const std::string what = "seed " + std::to_string(seed()) + ", " + std::to_string(text.size()) +
                           " bytes, room for " + std::to_string(row_capacity);
  CHECK_MESSAGE(found.header.lines == std::count(text.begin(), text.end(), '\n'), what);
  known.header.lines = found.header.lines;
  CHECK_MESSAGE(std::memcmp(&known.header, &found.header, sizeof(batch_header)) == 0, what);
  CHECK_MESSAGE(known.out_data == found.out_data, what);
  found.out_offsets.resize(known.out_offsets.size());
  CHECK_MESSAGE(known.out_offsets == found.out_offsets, what);
  found.changed.resize(known.changed.size());
  CHECK_MESSAGE(known.changed == found.changed, what);
  CHECK_MESSAGE(std::equal(known.over_rows.begin(), known.over_rows.end(), found.over_rows.begin(),
                           found.over_rows.end(), same_row),
                what);
  CHECK_MESSAGE(std::equal(known.patches.begin(), known.patches.end(), found.patches.begin(),
                           found.patches.end(), same_patch),
                what);
}

// With more room than lines, with just enough, and with less.
void check_text(const rule_book& book, const std::string& text) {
  const auto lines = static_cast<uint32_t>(lines_of(text, UINT32_MAX).size());
  for (const uint32_t row_capacity : {lines + 7, lines, lines - lines / 3, 1u}) {
    check_same(book, text, std::max(1u, row_capacity));
  }
}

void test_random_texts(const rule_book& book) {
  for (uint64_t round = 0; round < 60; ++round) {
    std::mt19937_64 random(seed() + round);
    std::string text;
    for (uint64_t rows = random() % 60; rows > 0; --rows) {
      text += random_row(random) + "\n";
    }
    check_text(book, text);
  }
}

// Many tiles; in some of them no row starts, in some only empty ones.
void test_large_text(const rule_book& book) {
  std::mt19937_64 random(seed());
  std::string text;
  for (int row = 0; row < 4000; ++row) {
    text += row == 1000 ? std::string(40000, '.') + "key=secret" + std::string(40000, '.') + "@x"
                        : random_row(random);
    text += row == 2000 ? std::string(20000, '\n') : "\n";
  }
  check_text(book, text);
}

// Every 'a' starts a walk to the end of the row.
void test_step_limit(const rule_book& book) {
  const std::string text =
      "key=abc\n" + std::string(20000, 'a') + "\n@x aab\n" + std::string(9000, 'a') + "b\n";
  check_text(book, text);
  check_text(book, std::string(find_tile_bytes, '.') + "\n" + text + text);
}

}  // namespace

int main() {
  const rule_book book = make_rules();
  test_random_texts(book);
  test_large_text(book);
  test_step_limit(book);
  std::puts("found_lines_test: ok");
}
