// The bodies of redact_find and redact_write, thread by thread on the CPU, against a plain
// sequential redactor.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "redact_batch.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

struct plain_result {
  std::string row;
  bool changed = false;
  bool joins = false;
};

// Whether a text is UTF-8, by what its sequences decode to.
bool is_well_formed(const std::string& text) {
  size_t at = 0;
  while (at < text.size()) {
    const auto byte = [&](size_t i) {
      return i < text.size() ? static_cast<uint32_t>(static_cast<uint8_t>(text[i])) : 0u;
    };
    const uint32_t lead = byte(at);
    const uint32_t more = lead < 0x80 ? 0 : lead >> 5 == 6 ? 1 : lead >> 4 == 14 ? 2 : 3;
    if (more == 3 && lead >> 3 != 30) {
      return false;
    }
    uint32_t code = more == 0 ? lead : lead & (0x3fu >> more);
    for (uint32_t i = 1; i <= more; ++i) {
      if (byte(at + i) >> 6 != 2) {
        return false;
      }
      code = code << 6 | (byte(at + i) & 0x3f);
    }
    const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      return false;
    }
    at += 1 + more;
  }
  return true;
}

// Rows left to the host, and those of them that are no UTF-8 or have a match, chosen or not, that
// leaves nothing.
struct left_rows {
  uint32_t all = 0;
  uint32_t expected = 0;
};

std::string replaced(const treatment& what, const std::string& match) {
  if (what.action != action_mask) {
    return what.text;
  }
  std::vector<std::string> points;
  for (const char byte : match) {
    if ((static_cast<uint8_t>(byte) & 0xc0) != 0x80) {
      points.emplace_back();
    }
    points.back().push_back(byte);
  }
  std::string result;
  const bool whole = points.size() <= what.keep_first + what.keep_last;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool kept = !whole && (i < what.keep_first || i >= points.size() - what.keep_last);
    result += kept ? points[i] : "*";
  }
  return result;
}

bool is_valid(const treatment& what, const std::string& match) {
  switch (what.validator) {
    case validator_luhn:
      return accepts_luhn(bytes_of(match), size_of(match));
    case validator_us_ssn:
      return accepts_us_ssn(bytes_of(match), size_of(match));
    default:
      return true;
  }
}

bool is_allowed(const treatment& what, const std::string& match) {
  for (const std::string& value : what.allow_values) {
    if (match == value) {
      return true;
    }
  }
  for (const std::string& prefix : what.allow_prefixes) {
    if (match.rfind(prefix, 0) == 0) {
      return true;
    }
  }
  return false;
}

bool leaves_nothing(const treatment& what) {
  return what.action == action_text && what.text.empty();
}

// Whether a match of a rule that leaves nothing begins anywhere in a row.
bool may_join(const rule_book& book, const std::string& row) {
  for (size_t position = 0; position < row.size(); ++position) {
    for (size_t rule = 0; rule < book.rules.size(); ++rule) {
      const treatment& what = book.treatments[rule];
      const size_t end = leaves_nothing(what) ? naive_end(book.rules[rule], 0, row, position) : 0;
      const std::string match = end == 0 ? "" : row.substr(position, end - position);
      if (end != 0 && is_valid(what, match) && !is_allowed(what, match)) {
        return true;
      }
    }
  }
  return false;
}

plain_result redact_plainly(const rule_book& book, const std::string& row,
                            std::vector<uint64_t>& matches) {
  plain_result result;
  std::vector<size_t> kept_to(book.rules.size(), 0);
  size_t position = 0;
  while (position < row.size()) {
    const bool behind_word = position > 0 && is_word(static_cast<uint8_t>(row[position - 1]));
    size_t replaced_to = 0;
    for (size_t rule = 0; rule < book.rules.size() && replaced_to == 0; ++rule) {
      const size_t end = book.rules[rule].at_boundary && behind_word
                             ? 0
                             : naive_end(book.rules[rule], 0, row, position);
      const std::string match = end == 0 ? "" : row.substr(position, end - position);
      if (end == 0 || !is_valid(book.treatments[rule], match)) {
        continue;
      }
      if (is_allowed(book.treatments[rule], match)) {
        kept_to[rule] = std::max(kept_to[rule], end);
      }
      if (end > kept_to[rule]) {
        result.row += replaced(book.treatments[rule], match);
        result.changed = true;
        result.joins |= leaves_nothing(book.treatments[rule]);
        ++matches[rule];
        replaced_to = end;
      }
    }
    if (replaced_to == 0) {
      result.row.push_back(row[position++]);
    } else {
      position = replaced_to;
    }
  }
  return result;
}

// Runs a batch through the kernels and compares all they leave behind.
left_rows check_batch(const rule_book& book, const std::vector<std::string>& rows,
                      uint32_t separator_bytes, const std::string& what) {
  batch of(book, rows, separator_bytes);
  of.run_find();
  of.run_write(0, 0);
  const uint32_t hashes = of.header.hash_matches;
  of.run_write(static_cast<uint32_t>(of.header.output_bytes), hashes);
  std::string expected;
  std::vector<uint64_t> matches(max_rules, 0);
  left_rows left;
  std::map<uint32_t, uint32_t> listed;
  for (size_t i = 0; i < of.header.over_rows; ++i) {
    listed.emplace(of.over_rows[i].source_offset, of.over_rows[i].output_offset);
    CHECK_MESSAGE(
        i >= near_over_rows || of.near_rows[i].source_offset == of.over_rows[i].source_offset,
        what);
    CHECK_MESSAGE(
        i >= near_over_rows || of.near_rows[i].output_offset == of.over_rows[i].output_offset,
        what);
  }
  for (size_t row = 0; row < rows.size(); ++row) {
    CHECK_MESSAGE(of.out_offsets[row] == static_cast<int32_t>(expected.size()), what);
    if (of.row_over[row] != 0) {
      ++left.all;
      left.expected += may_join(book, rows[row]) || !is_well_formed(rows[row]) ? 1 : 0;
      const auto found = listed.find(static_cast<uint32_t>(of.offsets[row]));
      CHECK_MESSAGE(found != listed.end() && found->second == expected.size(), what);
      CHECK_MESSAGE(of.changed[row] == 0, what);
      expected += std::string(rows[row].size(), '*');
    } else {
      const plain_result plain = redact_plainly(book, rows[row], matches);
      CHECK_MESSAGE(!plain.joins, what);
      CHECK_MESSAGE((of.changed[row] != 0) == plain.changed, what);
      expected += plain.row;
    }
    expected.append(separator_bytes, '\n');
  }
  CHECK_MESSAGE(rows.empty() || of.header.output_bytes == expected.size(), what);
  CHECK_MESSAGE(of.header.over_rows == left.all, what);
  CHECK_MESSAGE(std::equal(matches.begin(), matches.end(), of.header.rule_matches), what);
  CHECK_MESSAGE(std::string(of.out_data.begin(), of.out_data.end()) == expected, what);
  CHECK_MESSAGE(of.header.patches == hashes, what);
  for (const hash_patch& patch : of.patches) {
    CHECK_MESSAGE(of.data[patch.source_offset] == '@', what);
    CHECK_MESSAGE(expected.substr(patch.output_offset, 20) == std::string(20, '*'), what);
    CHECK_MESSAGE(book.treatments[patch.rule].action == action_hash, what);
  }
  return left;
}

void test_random_batches(const rule_book& book) {
  for (uint64_t round = 0; round < 400; ++round) {
    std::mt19937_64 random(seed() + round);
    std::vector<std::string> rows(random() % 60);
    for (std::string& row : rows) {
      row = random_row(random);
    }
    for (const uint32_t separator_bytes : {0u, 1u}) {
      const left_rows left =
          check_batch(book, rows, separator_bytes, "seed " + std::to_string(seed() + round));
      CHECK(left.all == left.expected);
    }
  }
}

// Tiles with many rows and with none starting in them.
void test_large_batch(const rule_book& book) {
  std::mt19937_64 random(seed());
  std::vector<std::string> rows(12000);
  for (std::string& row : rows) {
    row = random_row(random);
  }
  rows[5000] = std::string(40000, '.') + "key=secret" + std::string(40000, '.') + "@x";
  std::fill(rows.begin() + 7000, rows.begin() + 11500, "");
  for (const uint32_t separator_bytes : {0u, 1u}) {
    const left_rows left = check_batch(book, rows, separator_bytes, "large");
    CHECK(left.expected > 0 && left.all == left.expected);
  }
}

// Rows longer than a tile of redact_write, which cuts them: matches, kept ones too, that reach over
// the cuts, some over a whole tile.
void test_long_rows(const rule_book& book) {
  for (uint64_t round = 0; round < 12; ++round) {
    std::mt19937_64 random(seed() + round);
    std::vector<std::string> rows(5);
    for (std::string& row : rows) {
      const uint64_t bytes = random() % (4 * write_tile_bytes);
      while (row.size() < bytes) {
        row += random() % 3 == 0 ? std::string(random() % 3000, '.') : random_row(random);
        row += random() % 50 == 0 ? " key=" + std::string(random() % 8000, 'x') + " " : " ";
        row += random() % 20 == 0 ? " key=test" + std::string(random() % 3000, 'y') + " " : " ";
      }
    }
    for (const uint32_t separator_bytes : {0u, 1u}) {
      check_batch(book, rows, separator_bytes, "long, seed " + std::to_string(seed() + round));
    }
  }
}

void test_special_batches(const rule_book& book) {
  for (const uint32_t separator_bytes : {0u, 1u}) {
    check_batch(book, {}, separator_bytes, "no rows");
    check_batch(book, {""}, separator_bytes, "an empty row");
    check_batch(book, std::vector<std::string>(5000, ""), separator_bytes, "empty rows");
    check_batch(book, {"a"}, separator_bytes, "a byte");
    for (size_t length = 50; length < 200; ++length) {
      check_batch(book, {std::string(length, 'a') + "b", "aab", std::string(length, '1') + "-2"},
                  separator_bytes, "length " + std::to_string(length));
    }
  }
}

// Quadratic for an anchored automaton: every 'a' starts a walk to the end of the row.
void test_step_limit(const rule_book& book) {
  const std::vector<std::string> rows = {"key=abc", std::string(20000, 'a'), "@x aab",
                                         std::string(100, 'a'), std::string(9000, 'a') + "b"};
  for (const uint32_t separator_bytes : {0u, 1u}) {
    // The threads that give up on the long rows may be those of their neighbours.
    CHECK(check_batch(book, rows, separator_bytes, "over the limit").all >= 2);
    std::vector<std::string> far = rows;
    far.insert(far.begin(), 3, std::string(find_tile_bytes, '.') + "key=abc");
    // The first two share no tile with a long row, so they are finished, whoever comes first.
    CHECK(check_batch(book, far, separator_bytes, "over the limit, and far from it").all <= 6);
  }
}

// A rule that finds more within what it kept: such rows are the host's, and no others.
void test_found_within_kept() {
  rule_book book;
  book.rules = {{{{digits, true}}, false}, {{{"9", false}, {lower, true}}, false}};
  book.treatments = {{action_text, "<n>", 0, 0, validator_none, {"129"}, {"77"}},
                     {action_text, "<9>"}};
  const std::vector<std::string> rows = {"12", "129", "x129ab", "777", "1299", "77", "abc", "9ab"};
  for (const uint32_t separator_bytes : {0u, 1u}) {
    CHECK(check_batch(book, rows, separator_bytes, "within kept").all == 4);
  }
  // Kept by its prefix, and so is what is within it.
  book.treatments[0].allow_values = {};
  book.treatments[0].allow_prefixes = {"1", "2", "9"};
  for (const uint32_t separator_bytes : {0u, 1u}) {
    CHECK(check_batch(book, rows, separator_bytes, "kept again").all == 0);
  }
}

// A rule whose rivals have no automaton: a row with a match of it that is refused is the host's.
void test_unknown_rivals(const rule_book& book) {
  const std::vector<std::string> rows = {"@x key=yes", "1234", "x", "666-451234", "aab"};
  batch of(book, rows, 1);
  for (rule_entry& entry : of.entries) {
    entry.rivals = rivals_unknown;
  }
  of.run_find();
  CHECK((of.row_over == std::vector<uint8_t>{0, 1, 0, 1, 1, 1}));
}

// Rows with bytes that are no UTF-8 are the host's, and no others.
void test_unknown_bytes(const rule_book& book) {
  const std::string odd =
      "zz\x80\x8f\x90\x9f\xa0\xbf\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xf0\xf1\xf3\xf4\xf5\xff";
  const std::vector<std::string> whole = {"\xc2\x80",         "\xdf\xbf",        "\xe0\xa0\x80",
                                          "\xed\x9f\xbf",     "\xee\x80\x80",    "\xf0\x90\x80\x80",
                                          "\xf4\x8f\xbf\xbf", "zzzzzzzzzzzzzzzz"};
  std::mt19937_64 random(seed());
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> rows;
    std::vector<uint8_t> over;
    for (int i = 0; i < 400; ++i) {
      std::string row;
      for (uint64_t parts = random() % 24; parts > 0; --parts) {
        row += random() % (round % 3 == 0 ? 40 : 4) == 0
                   ? std::string(1, odd[random() % odd.size()])
                   : whole[random() % whole.size()];
      }
      rows.push_back(row);
      over.push_back(is_well_formed(row) ? 0 : 1);
    }
    over.push_back(std::count(over.begin(), over.end(), 1) > 0 ? 1 : 0);
    for (const uint32_t separator_bytes : {0u, 1u}) {
      batch of(book, rows, separator_bytes);
      of.run_find();
      CHECK_MESSAGE(of.row_over == over,
                    "seed " + std::to_string(seed()) + ", round " + std::to_string(round));
    }
  }
}

}  // namespace

int main() {
  const rule_book book = make_rules();
  test_found_within_kept();
  test_unknown_rivals(book);
  test_unknown_bytes(book);
  test_special_batches(book);
  test_random_batches(book);
  test_large_batch(book);
  test_long_rows(book);
  test_step_limit(book);
  std::puts("redact_test: ok");
}
