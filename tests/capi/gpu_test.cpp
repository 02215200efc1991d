// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Every reduction and scan of every type on the GPU: the bytes of the result are those of the CPU.
// Skipped (exit code 77) where no GPU can be used.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "arrays.hpp"

namespace {

using namespace rung;
using capi::defaults;

struct need_a_gpu : testing::Environment {
  void SetUp() override {
    const float one = 1;
    float sum = 0;
    const rung_array in{const_cast<float*>(&one), RUNG_F32, 0, 0, nullptr, nullptr},
        out{&sum, RUNG_F32, 0, 0, nullptr, nullptr};
    rung_options o = defaults();
    o.device = RUNG_CUDA;
    if (rung_reduce(RUNG_SUM, &in, nullptr, &o, &out) != RUNG_DEVICE_ERROR) return;
    std::printf("skipped: %s\n", rung_last_error());
    std::exit(77);
  }
};
[[maybe_unused]] const auto* needed = testing::AddGlobalTestEnvironment(new need_a_gpu);

/// Values that are hard to add, as bytes of any type. Wild: infinities and NaN among them.
class source {
 public:
  explicit source(unsigned seed, bool wild) : bits_(seed), wild_(wild) {}
  double number(bool tame) {
    const auto pick = bits_() % 500;
    if (pick < 3) return pick == 0 ? -0.0 : 0.0;
    if (wild_ && pick < 5) return pick == 3 ? infinity<double> : quiet_nan<double>;
    const double x = (double(bits_() % 20001) - 10000) / 10000;
    return tame ? 1 + x / 512 : std::ldexp(x, int(bits_() % 12) - 4);
  }
  template <class T>
  T next(bool tame) {
    if constexpr (std::is_same_v<T, bool>) return bits_() % 61 != 0;
    else if constexpr (integer<T>) return tame ? T(1 + 2 * (bits_() % 3)) : T(bits_());
    else if constexpr (is_complex<T>) {
      const double re = number(tame);
      return convert<T>(complex<double>(re, number(tame)));
    } else return convert<T>(number(tame));
  }
  template <class T>
  std::vector<unsigned char> bytes(std::size_t n, bool tame) {
    std::vector<unsigned char> all(n * sizeof(T));
    for (std::size_t i = 0; i < n; i++) {
      const T x = next<T>(tame);
      std::memcpy(all.data() + i * sizeof(T), &x, sizeof(T));
    }
    return all;
  }
  std::vector<unsigned char> of_type(rung_type type, std::size_t n, bool tame) {
    return pick_type<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                     std::uint16_t, std::uint32_t, std::uint64_t, f16, bf16, float, double,
                     complex<float>, complex<double>>(int(type), n, tame);
  }

 private:
  template <class T, class... Rest>
  std::vector<unsigned char> pick_type(int which, std::size_t n, bool tame) {
    if (which == 0) return bytes<T>(n, tame);
    if constexpr (sizeof...(Rest) > 0) return pick_type<Rest...>(which - 1, n, tame);
    return {};
  }
  std::mt19937 bits_;
  bool wild_;
};

/// The code and the bytes of a result.
struct answer {
  int code;
  unsigned char bytes[64];
  std::string what;
};
answer reduce_on(rung_device where, rung_op op, const rung_array& a, const rung_array* b,
                 rung_options o) {
  o.device = where;
  answer got{};
  rung_type type;
  std::int32_t rank;
  std::int64_t shape[17];
  got.code = rung_result(op, &a, b, &o, &type, &rank, shape);
  if (got.code == RUNG_OK) {
    const rung_array out{got.bytes, type, 0, rank, shape, nullptr};
    got.code = rung_reduce(op, &a, b, &o, &out);
    got.what = rung_last_kernel();
  }
  if (got.code != RUNG_OK) got.what = rung_last_error();
  return got;
}
void expect_same(rung_op op, const rung_array& a, const rung_array* b, const rung_options& o,
                 const std::string& what) {
  const answer cpu = reduce_on(RUNG_CPU, op, a, b, o), gpu = reduce_on(RUNG_CUDA, op, a, b, o);
  ASSERT_EQ(gpu.code, cpu.code) << what << ": " << gpu.what << " / " << cpu.what;
  if (cpu.code != RUNG_OK) return;
  ASSERT_EQ(gpu.what.substr(0, 4), "cuda") << what;
  ASSERT_EQ(std::memcmp(gpu.bytes, cpu.bytes, sizeof gpu.bytes), 0) << what;
}

/// The same of a scan; in place if the result has the input's type and that is asked for.
void expect_same_scan(rung_op op, const rung_array& a, const rung_options& options, bool in_place,
                      const std::string& what) {
  rung_type type;
  std::int32_t rank;
  std::int64_t shape[17];
  const int form = rung_result(op, &a, nullptr, &options, &type, &rank, shape);
  std::vector<unsigned char> results[2];
  int codes[2];
  for (const rung_device where : {RUNG_CPU, RUNG_CUDA}) {
    rung_options o = options;
    o.device = where;
    auto& got = results[where];
    codes[where] = form;
    if (form != RUNG_OK) continue;
    std::int64_t values = 1;
    for (int d = 0; d < rank; d++) values *= shape[d];
    got.resize(std::size_t(values) * rung_type_size(type));
    rung_array in = a;
    const rung_array out{got.data(), type, 0, rank, shape, nullptr};
    if (in_place && type == a.type)
      std::memcpy(got.data(), a.data, got.size()), in.data = got.data();
    codes[where] = rung_scan(op, &in, &o, &out);
    if (where == RUNG_CUDA && codes[where] == RUNG_OK) {
      ASSERT_EQ(std::string(rung_last_kernel()).substr(0, 4), "cuda") << what;
    }
  }
  ASSERT_EQ(codes[RUNG_CUDA], codes[RUNG_CPU]) << what << ": " << rung_last_error();
  ASSERT_EQ(results[RUNG_CUDA], results[RUNG_CPU]) << what;
}

/// f() for the CPU and the GPU: the code and the bytes of both.
template <class F>
void expect_same_result(std::size_t bytes, const rung_options& options, const std::string& what,
                        const F& f) {
  std::vector<unsigned char> results[2];
  int codes[2];
  for (const rung_device where : {RUNG_CPU, RUNG_CUDA}) {
    rung_options o = options;
    o.device = where;
    results[where].resize(bytes);
    codes[where] = f(o, results[where].data());
  }
  ASSERT_EQ(codes[RUNG_CUDA], codes[RUNG_CPU]) << what << ": " << rung_last_error();
  if (codes[RUNG_CPU] != RUNG_OK) return;  // the places of NaNs that are skipped
  ASSERT_EQ(std::string(rung_last_kernel()).substr(0, 4), "cuda") << what;
  ASSERT_EQ(results[RUNG_CUDA], results[RUNG_CPU]) << what;
}
/// Along axes of a.
void expect_same_along(rung_op op, const rung_array& a, const rung_array* b, rung_options o,
                       std::initializer_list<std::int32_t> axes, const std::string& what) {
  o.axes = axes.begin(), o.axis_count = std::int32_t(axes.size());
  rung_type type;
  std::int32_t rank;
  std::int64_t shape[17], values = 1;
  if (rung_result(op, &a, b, &o, &type, &rank, shape) == RUNG_BAD_TYPE) return;
  for (int d = 0; d < rank; d++) values *= shape[d];
  expect_same_result(std::size_t(values) * rung_type_size(type), o, what,
                     [&](const rung_options& with, void* data) {
                       const rung_array out{data, type, 0, rank, shape, nullptr};
                       return rung_op_is_scan(op) ? rung_scan(op, &a, &with, &out)
                                                  : rung_reduce(op, &a, b, &with, &out);
                     });
}
/// Of the segments of a line, perhaps in another order.
void expect_same_segments(rung_op op, const rung_array& a, const std::vector<std::int64_t>& offsets,
                          const rung_array* order, const rung_options& o, const std::string& what) {
  const auto count = std::int64_t(offsets.size()), segments = count - 1;
  const rung_array cuts{const_cast<std::int64_t*>(offsets.data()), RUNG_I64, 0, 1, &count, nullptr};
  rung_type type;
  std::int32_t rank;
  std::int64_t form[17];
  rung_array one = a;
  one.rank = 0;
  if (rung_result(op, &one, nullptr, &o, &type, &rank, form) != RUNG_OK) return;
  const bool scans = rung_op_is_scan(op);
  const int planes = !scans && rank > 0 ? 2 : 1;
  const std::int64_t shape[] = {2, segments}, last = scans ? a.shape[0] : segments;
  expect_same_result(std::size_t(last * planes) * rung_type_size(type), o, what,
                     [&](const rung_options& with, void* data) {
                       const rung_array out{data,   type, 0, planes, planes == 2 ? shape : &last,
                                            nullptr};
                       return (scans ? rung_segmented_scan : rung_segmented_reduce)(
                           op, &a, &cuts, order, &with, &out);
                     });
}

class EveryType : public testing::TestWithParam<int> {};

TEST_P(EveryType, EveryOperationAroundTheEdgesOfChunks) {
  const auto type = rung_type(GetParam());
  const std::int64_t most = 5 * 4096, sizes[] = {1, 2, 1000, 4095, 4096, 4097, 8192, 12289, 20479};
  setenv("RUNG_GPU_CHUNK", "4096", 1);
  for (const bool wild : {false, true})
    for (int code = RUNG_SUM; code <= RUNG_LOGSUMEXP; code++) {
      const auto op = rung_op(code);
      source from(unsigned(code * 100 + type), wild);
      auto x = from.of_type(type, std::size_t(most), op == RUNG_PROD);
      auto y = from.of_type(type, std::size_t(most), op == RUNG_PROD);
      for (const std::int64_t n : sizes) {
        const rung_array a{x.data(), type, 0, 1, &n, nullptr}, b{y.data(), type, 0, 1, &n, nullptr};
        rung_options o = defaults();
        o.skip_nan = wild && n % 2;
        const bool product = op == RUNG_DOT || op == RUNG_VDOT;
        expect_same(op, a, product ? &b : nullptr, o,
                    std::string(rung_op_name(op)) + " of " + std::to_string(n) + " " +
                        rung_type_name(type) + (wild ? ", wild" : ""));
        if (HasFatalFailure()) return;
      }
    }
}
TEST_P(EveryType, EveryScanAroundTheEdgesOfChunks) {
  const auto type = rung_type(GetParam());
  const std::int64_t most = 6 * 4096, sizes[] = {1, 2, 1000, 4095, 4096, 4097, 8192, 12289, 24575};
  setenv("RUNG_GPU_CHUNK", "4096", 1);
  for (const bool wild : {false, true})
    for (int code = RUNG_CUMSUM; code <= RUNG_CUMLOGSUMEXP; code++) {
      const auto op = rung_op(code);
      source from(unsigned(code * 100 + type), wild);
      auto x = from.of_type(type, std::size_t(most), op == RUNG_CUMPROD);
      const double start = 1.5;
      for (std::size_t i = 0; i < std::size(sizes); i++) {
        const std::int64_t n = sizes[i];
        const rung_array a{x.data(), type, 0, 1, &n, nullptr};
        rung_options o = defaults();
        o.skip_nan = wild && n % 2, o.exclusive = i % 3 == 1, o.reverse = i % 5 == 3;
        if (i % 4 == 2 && type != RUNG_C64 && type != RUNG_C128)
          o.init = &start, o.init_type = RUNG_F64;
        expect_same_scan(op, a, o, i % 2 == 0,
                         std::string(rung_op_name(op)) + " of " + std::to_string(n) + " " +
                             rung_type_name(type) + (wild ? ", wild" : ""));
        if (HasFatalFailure()) return;
      }
    }
}
TEST_P(EveryType, EveryOperationAlongAxesAndOfSegments) {
  const auto type = rung_type(GetParam());
  setenv("RUNG_GPU_CHUNK", "4096", 1);
  const std::int64_t shape[] = {6, 41, 50}, n = 6 * 41 * 50,
                     size = std::int64_t(rung_type_size(type));
  const std::int64_t turned[] = {size, 6 * size, 6 * 41 * size};
  std::vector<std::int64_t> offsets{3};
  for (int s = 0; s < 900; s++)
    offsets.push_back(offsets.back() + (s == 400 ? 9001 : s % 7 == 0 ? 0 : s % 5));
  for (const bool wild : {false, true})
    for (int code = RUNG_SUM; code <= RUNG_CUMLOGSUMEXP; code++) {
      const auto op = rung_op(code);
      source from(unsigned(code * 100 + type), wild);
      const bool product = op == RUNG_DOT || op == RUNG_VDOT;
      auto x = from.of_type(type, std::size_t(n), op == RUNG_PROD || op == RUNG_CUMPROD);
      const rung_array a{x.data(), type, 0, 3, shape, turned},
          b{x.data(), type, 0, 3, shape, nullptr}, line{x.data(), type, 0, 1, &n, nullptr};
      rung_options o = defaults();
      o.skip_nan = wild && code % 2;
      o.exclusive = rung_op_is_scan(op) && wild;
      const std::string what = std::string(rung_op_name(op)) + " of " + rung_type_name(type);
      for (int axis = 0; axis < 3; axis++)
        expect_same_along(op, a, product ? &b : nullptr, o, {axis}, what + " along an axis");
      if (!rung_op_is_scan(op)) {
        expect_same_along(op, b, product ? &a : nullptr, o, {0, 2}, what + " along two axes");
        expect_same_along(op, b, product ? &a : nullptr, o, {}, what + " along none");
      }
      if (!product) expect_same_segments(op, line, offsets, nullptr, o, what + " segments");
      if (HasFatalFailure()) return;
    }
}
INSTANTIATE_TEST_SUITE_P(Gpu, EveryType, testing::Range(int(RUNG_BOOL), int(RUNG_C128) + 1));

TEST(Gpu, LayoutsByteOrdersAndOptions) {
  setenv("RUNG_GPU_CHUNK", "1024", 1);
  source from(5, false);
  const std::int64_t shape[] = {61, 83}, fortran[] = {8, 8 * 61}, back[] = {-8 * 83, 8};
  auto x = from.of_type(RUNG_F64, 61 * 83, false), y = from.of_type(RUNG_I16, 61 * 83, false);
  rung_array a{x.data(), RUNG_F64, 0, 2, shape, fortran};
  const rung_array b{y.data(), RUNG_I16, 1, 2, shape, nullptr};
  for (const int swapped : {0, 1}) {
    a.swapped = swapped;
    for (const rung_op op : {RUNG_SUM, RUNG_ARGMAX, RUNG_NORM, RUNG_MINMAX})
      expect_same(op, a, nullptr, defaults(), "columns first");
  }
  a.swapped = 0;
  expect_same(RUNG_DOT, a, &b, defaults(), "f64 times i16");
  expect_same(RUNG_VAR, b, nullptr, defaults(), "i16 in the other byte order");
  a.data = x.data() + 8 * 83 * 60, a.strides = back;
  rung_options o = defaults();
  const double start = 0.1;
  o.init = &start, o.init_type = RUNG_F64, o.keepdims = 1;
  expect_same(RUNG_SUM, a, nullptr, o, "rows upwards, after an initial value");
  o = defaults(), o.accumulate = RUNG_F64;
  expect_same(RUNG_SUM, b, nullptr, o, "integers in f64");
  o = defaults(), o.ddof = 1;
  expect_same(RUNG_STD, a, nullptr, o, "ddof");
  for (const rung_op op : {RUNG_CUMSUM, RUNG_CUMMAX, RUNG_CUMLOGSUMEXP}) {
    expect_same_scan(op, a, defaults(), false, "rows upwards");
    expect_same_scan(op, b, defaults(), false, "i16 in the other byte order");
  }
  o = defaults(), o.accumulate = RUNG_F64;
  expect_same_scan(RUNG_CUMSUM, b, o, false, "integers in f64");
  const std::int64_t columns[] = {1, 61 * 83}, rows[] = {61 * 83, 1};
  const std::int32_t axes[] = {0, 1};
  o = defaults(), o.axis_count = 1;
  for (int d = 0; d < 2; d++) {
    const rung_array line{y.data(), RUNG_I16, 0, 2, d ? columns : rows, nullptr};
    o.axes = &axes[d];
    expect_same_scan(RUNG_CUMPROD, line, o, false, "the one axis that has a length");
  }
  const std::int64_t none = 0;
  const rung_array empty{x.data(), RUNG_F64, 0, 1, &none, nullptr};
  EXPECT_EQ(reduce_on(RUNG_CUDA, RUNG_SUM, empty, nullptr, defaults()).code, RUNG_OK);
  EXPECT_EQ(reduce_on(RUNG_CUDA, RUNG_MAX, empty, nullptr, defaults()).code, RUNG_EMPTY);
}

TEST(Gpu, LinesOfTheUsualLength) {
  unsetenv("RUNG_GPU_CHUNK");
  source from(7, false);
  const std::int64_t shape[] = {1021, 67, 129}, n = 1021 * 67 * 129;
  auto x = from.of_type(RUNG_F32, std::size_t(n), false);
  const rung_array a{x.data(), RUNG_F32, 0, 3, shape, nullptr},
      line{x.data(), RUNG_F32, 0, 1, &n, nullptr};
  std::vector<std::int64_t> offsets{5}, order(static_cast<std::size_t>(n));
  while (offsets.back() < n - 3000)
    offsets.push_back(offsets.back() + std::int64_t(offsets.size() * offsets.size() % 3000));
  for (std::int64_t i = 0; i < n; i++) order[std::size_t(i)] = n - 1 - i;
  const rung_array back{order.data(), RUNG_I64, 0, 1, &n, nullptr};
  rung_options o = defaults();
  const float start = 0.5f;
  o.init = &start, o.init_type = RUNG_F32;
  for (const rung_op op : {RUNG_SUM, RUNG_CUMSUM}) {
    o.exclusive = op == RUNG_CUMSUM;
    for (int axis = 0; axis < 3; axis++) expect_same_along(op, a, nullptr, o, {axis}, "a cube");
    expect_same_segments(op, line, offsets, nullptr, o, "segments");
    expect_same_segments(op, line, offsets, &back, o, "segments of a line backwards");
  }
}

TEST(Gpu, ChunksOfTheUsualLength) {
  unsetenv("RUNG_GPU_CHUNK");
  source from(6, false);
  const std::int64_t n = 5 * (std::int64_t(1) << 22) + 12345;
  auto x = from.of_type(RUNG_F32, std::size_t(n), false);
  const rung_array a{x.data(), RUNG_F32, 0, 1, &n, nullptr};
  for (const rung_op op : {RUNG_SUM, RUNG_ARGMIN, RUNG_VAR, RUNG_LOGSUMEXP})
    expect_same(op, a, nullptr, defaults(), rung_op_name(op));
  for (const rung_op op : {RUNG_CUMSUM, RUNG_CUMMIN})
    expect_same_scan(op, a, defaults(), op == RUNG_CUMMIN, rung_op_name(op));
}

}  // namespace
