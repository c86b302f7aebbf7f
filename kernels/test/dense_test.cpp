// The dense kernels' steps against the plainest code that gives the same bits.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "check.hpp"
#include "dense_emulation.hpp"

using namespace flinkgpu;
using namespace flinkgpu::test;

namespace {

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

bool same(float a, float b) {
  return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
}

struct matrix {
  uint32_t rows;
  uint32_t width;
  uint32_t stride;
  std::vector<aligned_quad> quads;

  // With garbage in the gaps.
  matrix(uint32_t of_rows, uint32_t of_width)
      : rows(of_rows), width(of_width), stride((of_width + 3) / 4 * 4) {
    quads.resize(uint64_t{rows} * stride / 4);
    for (uint64_t i = 0; i < quads.size() * 4; ++i) {
      quads[i / 4].values[i % 4] = std::nanf("");
    }
  }

  float* row(uint32_t index) { return quads[0].values + uint64_t{index} * stride; }
};

matrix some(std::mt19937_64& random, uint32_t rows, uint32_t width) {
  matrix made(rows, width);
  std::normal_distribution<float> numbers;
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t i = 0; i < width; ++i) {
      // Some products are so small that their sums are -0.0.
      made.row(row)[i] = random() % 50 == 0 ? -1e-30F : numbers(random);
    }
  }
  return made;
}

template <typename Args>
void launch(dense_kernel kernel, const Args& args, uint32_t blocks) {
  std::vector<uint8_t> bytes(sizeof(args));
  std::memcpy(bytes.data(), &args, sizeof(args));
  for (uint32_t block = 0; block < blocks; ++block) {
    run_dense_block(kernel, bytes, block);
  }
}

float plain_dot(const float* x, const float* weights, uint32_t width) {
  float p[lanes] = {};
  for (uint32_t k = 0; k < width; ++k) {
    p[k % lanes] = std::fma(x[k], weights[k], p[k % lanes]);
  }
  for (uint32_t d = lanes / 2; d > 0; d /= 2) {
    float sums[lanes];
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      sums[lane] = p[lane] + p[lane ^ d];
    }
    std::memcpy(p, sums, sizeof(p));
  }
  return p[0];
}

void test_linear(uint32_t rows, uint32_t inputs, uint32_t outputs) {
  std::mt19937_64 random(seed() + rows + inputs + outputs);
  matrix x = some(random, rows, inputs);
  matrix w = some(random, inputs, outputs);
  matrix bias = some(random, 1, outputs);
  std::vector<float> result(uint64_t{rows} * outputs, std::nanf(""));
  const dense_linear_args args{x.row(0), w.row(0), bias.row(0),     result.data(),
                               rows,     inputs,   outputs,         x.stride,
                               w.stride, outputs,  activation_relu, 0};
  const uint32_t tiles =
      (rows + dense_tile - 1) / dense_tile * ((outputs + dense_tile - 1) / dense_tile);
  launch(kernel_linear, args, tiles);
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t j = 0; j < outputs; ++j) {
      float sum = 0;
      for (uint32_t k = 0; k < inputs; ++k) {
        sum = std::fma(x.row(row)[k], w.row(k)[j], sum);
      }
      sum += bias.row(0)[j];
      CHECK(same(result[uint64_t{row} * outputs + j], sum <= 0 ? 0 : sum));
    }
  }
}

void test_dot_and_cross(uint32_t rows, uint32_t width) {
  std::mt19937_64 random(seed() + rows + width);
  matrix first = some(random, rows, width);
  matrix x = some(random, rows, width);
  matrix w = some(random, 1, width);
  matrix bias = some(random, 1, width);
  matrix result(rows, width);
  std::vector<float> dots(rows, std::nanf(""));
  const uint32_t blocks = (rows + dense_warp_rows - 1) / dense_warp_rows;
  launch(kernel_dot,
         dense_linear_args{x.row(0), w.row(0), nullptr, dots.data(), rows, width, 1, x.stride, 1, 1,
                           activation_none, 0},
         blocks);
  launch(kernel_cross,
         dense_cross_args{first.row(0), x.row(0), w.row(0), bias.row(0), result.row(0), rows, width,
                          first.stride, x.stride, result.stride, 1, 0, 0},
         blocks);
  for (uint32_t row = 0; row < rows; ++row) {
    const float dot = plain_dot(x.row(row), w.row(0), width);
    CHECK(same(dots[row], dot));
    for (uint32_t i = 0; i < width; ++i) {
      const float product = first.row(row)[i] * dot;
      const float biased = product + bias.row(0)[i];
      CHECK(same(result.row(row)[i], biased + x.row(row)[i]));
    }
  }
}

// Several layers at once give the bits of one after the other.
void test_crosses(uint32_t rows, uint32_t width, uint32_t layers) {
  std::mt19937_64 random(seed() + rows + width + layers);
  matrix first = some(random, rows, width);
  matrix x = some(random, rows, width);
  matrix w = some(random, layers, width);
  matrix bias = some(random, layers, width);
  matrix result(rows, width);
  const uint32_t blocks = (rows + dense_warp_rows - 1) / dense_warp_rows;
  launch(kernel_crosses,
         dense_cross_args{first.row(0), x.row(0), w.row(0), bias.row(0), result.row(0), rows, width,
                          first.stride, x.stride, result.stride, layers, w.stride, 0},
         blocks);
  for (uint32_t layer = 0; layer < layers; ++layer) {
    matrix next(rows, width);
    launch(kernel_cross,
           dense_cross_args{first.row(0), x.row(0), w.row(layer), bias.row(layer), next.row(0),
                            rows, width, first.stride, x.stride, next.stride, 1, 0, 0},
           blocks);
    x = next;
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t i = 0; i < width; ++i) {
      CHECK(same(result.row(row)[i], x.row(row)[i]));
    }
  }
}

void test_each() {
  std::mt19937_64 random(seed());
  matrix left = some(random, 9, 70);
  matrix right = some(random, 9, 1);
  matrix result(9, 70);
  std::vector<uint16_t> rounded(9 * rounded_stride(70), 0x7fff);
  launch(kernel_each,
         dense_each_args{left.row(0), right.row(0), result.row(0), rounded.data(), 9, 70,
                         left.stride, 1, right.stride, 0, result.stride, rounded_stride(70),
                         each_multiply, activation_none},
         9 / dense_warp_rows + 1);
  for (uint32_t row = 0; row < 9; ++row) {
    for (uint32_t i = 0; i < 70; ++i) {
      const float product = left.row(row)[i] * right.row(row)[0];
      CHECK(same(result.row(row)[i], product));
      CHECK(rounded[row * rounded_stride(70) + i] == bf16_of(product));
    }
  }
}

void test_rounding() {
  CHECK(bf16_of(1.0F) == 0x3f80);
  CHECK(bf16_of(float_of_bits(0x3f808000)) == 0x3f80);  // half way: to even
  CHECK(bf16_of(float_of_bits(0x3f818000)) == 0x3f82);
  CHECK(bf16_of(float_of_bits(0x3f808001)) == 0x3f81);
  CHECK(bf16_of(-0.0F) == 0x8000);
  CHECK(bf16_of(INFINITY) == 0x7f80);
  CHECK(bf16_of(float_of_bits(0x7f7fffff)) == 0x7f80);
  CHECK((bf16_of(float_of_bits(0x7f800001)) & 0x7fff) > 0x7f80);
  CHECK((bf16_of(float_of_bits(0xffffffff)) & 0x7fff) > 0x7f80);
}

// Numbers, with garbage in the gaps.
std::vector<word_quad> rounded(matrix& of, bool turned) {
  const uint32_t rows = turned ? of.width : of.rows;
  const uint32_t width = turned ? of.rows : of.width;
  std::vector<word_quad> quads(uint64_t{rows} * rounded_stride(width) / fast_pack,
                               word_quad{{0x7fff7fff, 0x7fff7fff, 0x7fff7fff, 0x7fff7fff}});
  auto* const numbers = reinterpret_cast<uint16_t*>(quads.data());
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t i = 0; i < width; ++i) {
      numbers[row * rounded_stride(width) + i] = bf16_of(turned ? of.row(i)[row] : of.row(row)[i]);
    }
  }
  return quads;
}

float widened(uint16_t number) {
  return float_of_bits(uint32_t{number} << 16);
}

// Within what sums of single precision lose of the exact sums of rounded numbers.
void test_fast(uint32_t rows, uint32_t inputs, uint32_t outputs) {
  std::mt19937_64 random(seed() + rows + inputs + outputs);
  matrix x = some(random, rows, inputs);
  matrix w = some(random, inputs, outputs);
  matrix bias = some(random, 1, outputs);
  const std::vector<word_quad> some_x = rounded(x, false);
  const std::vector<word_quad> some_w = rounded(w, true);
  std::vector<float> result(uint64_t{rows} * outputs, std::nanf(""));
  std::vector<uint16_t> halves(uint64_t{rows} * rounded_stride(outputs), 0x7fff);
  const dense_fast_args args{reinterpret_cast<const uint16_t*>(some_x.data()),
                             reinterpret_cast<const uint16_t*>(some_w.data()),
                             bias.row(0),
                             result.data(),
                             halves.data(),
                             rows,
                             inputs,
                             outputs,
                             outputs,
                             activation_relu,
                             0};
  const uint32_t tiles = (rows + dense_fast_rows - 1) / dense_fast_rows *
                         ((outputs + dense_fast_outputs - 1) / dense_fast_outputs);
  launch(kernel_fast, args, tiles);
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t j = 0; j < outputs; ++j) {
      double sum = bias.row(0)[j];
      double size = std::abs(sum);
      for (uint32_t k = 0; k < inputs; ++k) {
        const double product =
            double{widened(bf16_of(x.row(row)[k]))} * widened(bf16_of(w.row(k)[j]));
        sum += product;
        size += std::abs(product);
      }
      const float value = result[uint64_t{row} * outputs + j];
      CHECK(std::abs(value - std::max(sum, 0.0)) <= 0x1p-20 * size);
      CHECK(halves[uint64_t{row} * rounded_stride(outputs) + j] == bf16_of(value));
    }
  }
}

void test_activations() {
  CHECK(bits_of(activate(activation_relu, -0.0F)) == 0);
  CHECK(std::isnan(activate(activation_relu, std::nanf(""))));
  CHECK(std::isnan(activate(activation_sigmoid, std::nanf(""))));
  CHECK(activate(activation_sigmoid, 0) == 0.5F);
  CHECK(activate(activation_sigmoid, INFINITY) == 1);
  CHECK(bits_of(activate(activation_sigmoid, -INFINITY)) == 0);
  for (float x = -100; x < 100; x += 0.01F) {
    const double exact = 1 / (1 + std::exp(-static_cast<double>(x)));
    const double unit = std::nextafter(static_cast<float>(exact), 2.0F) - static_cast<float>(exact);
    CHECK(std::abs(activate(activation_sigmoid, x) - exact) <= 2.5 * unit);
  }
}

}  // namespace

int main() {
  test_linear(1, 1, 2);
  test_linear(5, 7, 3);
  test_linear(130, 16, 129);
  test_linear(129, 41, 257);
  for (const uint32_t width : {1U, 31U, 32U, 33U, 85U, 200U}) {
    test_dot_and_cross(19, width);
  }
  for (const uint32_t width : {1U, 33U, 845U, 1024U}) {
    test_crosses(11, width, 3);
  }
  test_each();
  test_rounding();
  test_fast(1, 1, 2);
  test_fast(5, 40, 3);
  test_fast(130, 32, 70);
  test_fast(129, 201, 257);
  test_activations();
  std::puts("dense_test: ok");
  return 0;
}
