// The device functions one by one.

#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "host_block.hpp"
#include "redact/candidate.cuh"
#include "redact/select.cuh"
#include "redact/validators.cuh"
#include "text/row_search.cuh"
#include "text/utf8.cuh"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

std::string masked(const std::string& text, uint32_t first, uint32_t last) {
  const mask_shape shape = shape_mask(bytes_of(text), size_of(text), first, last);
  const std::string result = text.substr(0, shape.head_bytes) + std::string(shape.masked, '*') +
                             text.substr(shape.tail_start);
  CHECK(shape.bytes == result.size());
  return result;
}

void test_masks() {
  CHECK(masked("1234567890", 0, 4) == "******7890");
  CHECK(masked("1234567890", 2, 0) == "12********");
  CHECK(masked("1234567890", 3, 3) == "123****890");
  CHECK(masked("1234", 0, 4) == "****");
  CHECK(masked("1234", 2, 2) == "****");
  CHECK(masked("1", 0, 0) == "*");
  CHECK(masked("h\u00e9llo\u20ac\U0001f600", 2, 2) == "h\u00e9***\u20ac\U0001f600");
  CHECK(masked("\U0001f600\U0001f600", 0, 1) == "*\U0001f600");
  CHECK(masked("\u00e9\u00e9", 5, 1000) == "**");
}

bool luhn(const std::string& text) {
  return accepts_luhn(bytes_of(text), size_of(text));
}

void test_luhn() {
  CHECK(luhn("4111111111111111"));
  CHECK(luhn("4111-1111 1111-1111"));
  CHECK(luhn("378282246310005"));
  CHECK(!luhn("4111111111111112"));
  CHECK(luhn("000000000000"));
  CHECK(!luhn("00000000000"));
  CHECK(luhn(std::string(19, '0')));
  CHECK(!luhn(std::string(20, '0')));
  CHECK(luhn("4111111111111111" + std::string(48, ' ')));
  CHECK(!luhn("4111111111111111" + std::string(49, ' ')));
  CHECK(!luhn("41111111x11111111"));
  CHECK(!luhn(""));
}

void test_iban() {
  std::vector<uint8_t> lengths(26 * 26, 0);
  lengths[26 * ('G' - 'A') + ('B' - 'A')] = 22;
  lengths[26 * ('D' - 'A') + ('E' - 'A')] = 22;
  lengths[26 * ('N' - 'A') + ('O' - 'A')] = 15;
  const auto iban = [&](const std::string& text) {
    return accepts_iban(bytes_of(text), size_of(text), lengths.data());
  };
  CHECK(iban("GB82WEST12345698765432"));
  CHECK(iban("GB82 WEST 1234 5698 7654 32"));
  CHECK(iban("DE89370400440532013000"));
  CHECK(iban("NO9386011117947"));
  CHECK(iban("GB82WEST12345698765432" + std::string(42, ' ')));
  CHECK(!iban("GB82WEST12345698765432" + std::string(43, ' ')));
  CHECK(!iban("GB82WEST12345698765433"));
  CHECK(!iban("GB82WEST1234569876543"));
  CHECK(!iban("FR7630006000011234567890189"));
  CHECK(!iban("gb82WEST12345698765432"));
  CHECK(!iban("GB8"));
  CHECK(!iban("ZZ00" + std::string(40, '0')));
  CHECK(!iban(""));
}

bool ipv6(const std::string& text) {
  return accepts_ipv6(bytes_of(text), size_of(text));
}

void test_ipv6() {
  for (const char* good : {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "2001:DB8::8:800:200C:417A",
                           "::ffff:129.144.52.38", "1:2:3:4:5:6:1.2.3.4", "1::3:4:5:6:7:8",
                           "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "0:0:0:0:0:0:013.001.068.003"}) {
    CHECK_MESSAGE(ipv6(good), good);
  }
  for (const char* bad : {"",
                          ":",
                          ":::",
                          "1",
                          "1:",
                          ":1",
                          "1:2:3:4:5:6:7",
                          "1:2:3:4:5:6:7:8:9",
                          "1::2::3",
                          "12345::",
                          "::1:2:3:4:5:6:7:8",
                          "1:2:3:4:5:6:7:1.2.3.4",
                          "::1.2.3",
                          "::1.2.3.256",
                          "::1.2.3.4.5",
                          "::1.2..4",
                          "::1.2.3.",
                          "::1.2.3.4:5",
                          "::0001.2.3.4",
                          "::a.2.3.4",
                          "::1.2.3.a",
                          "::g",
                          "fe80::1%eth0",
                          "::1/64",
                          "::.1.2.3",
                          "1111:2222:3333:4444:5555:6666:123.123.123.1234"}) {
    CHECK_MESSAGE(!ipv6(bad), bad);
  }
}

bool us_ssn(const std::string& text) {
  return accepts_us_ssn(bytes_of(text), size_of(text));
}

void test_us_ssn() {
  CHECK(us_ssn("123-45-6709"));
  CHECK(us_ssn("123 45 6709"));
  CHECK(us_ssn("899999999"));
  CHECK(us_ssn("899999999" + std::string(55, '-')));
  CHECK(!us_ssn("899999999" + std::string(56, '-')));
  CHECK(!us_ssn("000-45-6789"));
  CHECK(!us_ssn("666-45-6789"));
  CHECK(!us_ssn("900-45-6789"));
  CHECK(!us_ssn("123-00-6789"));
  CHECK(!us_ssn("123-45-0000"));
  CHECK(!us_ssn("123-45-678"));
  CHECK(!us_ssn("123-45-67890"));
  CHECK(!us_ssn("123.45.6789"));
}

void test_entropy() {
  std::vector<int32_t> terms(entropy_max_bytes + 1, 0);
  for (uint32_t k = 2; k <= entropy_max_bytes; ++k) {
    terms[k] = static_cast<int32_t>(std::lround(k * std::log2(k) * (1u << entropy_fraction_bits)));
  }
  const auto entropy = [&](const std::string& text, uint32_t milli_bits) {
    return accepts_entropy(bytes_of(text), size_of(text), milli_bits, terms.data());
  };
  CHECK(!entropy("", 1));
  CHECK(!entropy("aaaaaaaa", 1));
  CHECK(entropy("abababab", 1000));
  CHECK(!entropy("abababab", 1001));
  CHECK(entropy("abcdefgh", 3000));
  CHECK(!entropy("abcdefgh", 3001));
  std::string all;
  for (int i = 0; i < 40 * 256; ++i) {
    all.push_back(static_cast<char>(i));
  }
  CHECK(entropy(all, 8000));
  CHECK(!entropy(std::string(entropy_max_bytes, 'x') + all, 1));
}

void test_rows() {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 200; ++round) {
    const uint32_t rows = 1 + static_cast<uint32_t>(random() % 40);
    std::vector<int32_t> offsets{0};
    for (uint32_t row = 0; row < rows; ++row) {
      offsets.push_back(offsets.back() + static_cast<int32_t>(random() % 3 ? random() % 5 : 0));
    }
    for (uint32_t row = 0; row < rows; ++row) {
      for (int32_t at = offsets[row]; at < offsets[row + 1]; ++at) {
        const auto position = static_cast<uint32_t>(at);
        CHECK(row_at(offsets.data(), 0, rows, position) == row);
      }
    }
  }
}

void test_words() {
  CHECK(bits_between(0, 0, 32) == 0xffffffff);
  CHECK(bits_between(32, 0, 32) == 0);
  CHECK(bits_between(32, 38, 40) == 0xc0);
  CHECK(bits_between(32, 20, 33) == 1);
  CHECK(bits_between(0, 31, 200) == 0x80000000);
  CHECK(bits_between(64, 31, 200) == 0xffffffff);
  for (const uint32_t rule : {0u, 255u, 256u, max_rules - 1}) {
    const uint32_t candidate = make_candidate(max_thread_steps, rule);
    CHECK(candidate_bytes(candidate) == max_thread_steps);
    CHECK(candidate_rule(candidate) == rule);
    CHECK(rule == max_rules - 1 || make_candidate(1, rule) > make_candidate(9, rule + 1));
    CHECK(make_candidate(1, rule) != 0);
  }
}

void test_look_back() {
  std::vector<uint64_t> states(4, 0);
  CHECK(look_back(states.data(), 0) == 0);
  publish(states.data(), 0, tile_state::prefix_sum, 5);
  publish(states.data(), 1, tile_state::own_sum, 7);
  publish(states.data(), 2, tile_state::own_sum, uint64_t{1} << 40);
  CHECK(look_back(states.data(), 3) == (uint64_t{1} << 40) + 12);
  publish(states.data(), 2, tile_state::prefix_sum, 100);
  CHECK(look_back(states.data(), 3) == 100);
}

}  // namespace

int main() {
  test_masks();
  test_luhn();
  test_iban();
  test_ipv6();
  test_us_ssn();
  test_entropy();
  test_rows();
  test_words();
  test_look_back();
  std::puts("parts_test: ok");
}
