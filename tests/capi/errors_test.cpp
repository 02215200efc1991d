// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong calls of the C interface: a code, a text that names what is wrong, and nothing written.
#include <string>

#include "arrays.hpp"

namespace {

using capi::array;
using capi::defaults;

/// The call fails with this code and a text that contains `says`; the output keeps its bytes.
template <class R>
void fails(rung_error code, const char* says, rung_op op, rung_array a, const rung_options& o,
           array<R> out, const rung_array* b = nullptr) {
  const auto before = out.values;
  const rung_array c = out.c();
  const int got = rung_op_is_scan(op) ? rung_scan(op, &a, &o, &c) : rung_reduce(op, &a, b, &o, &c);
  EXPECT_EQ(got, code) << rung_last_error();
  EXPECT_NE(std::string(rung_last_error()).find(says), std::string::npos) << rung_last_error();
  EXPECT_EQ(out.values, before);
}

TEST(Errors, ExtremesOfNothingNameTheAxis) {
  array<double> x({2, 0, 3}, {});
  rung_options o = defaults();
  const std::int32_t middle = 1;
  o.axes = &middle, o.axis_count = 1;
  for (rung_op op : {RUNG_MIN, RUNG_MAX})
    fails(RUNG_EMPTY, "axis 1", op, x.c(), o, array<double>({2, 3}, std::vector<double>(6, 7.0)));
  for (rung_op op : {RUNG_ARGMIN, RUNG_ARGMAX})
    fails(RUNG_EMPTY, "axis 1", op, x.c(), o,
          array<std::int64_t>({2, 3}, std::vector<std::int64_t>(6, 7)));
}

TEST(Errors, Axes) {
  array<float> x({2, 2}, {1, 2, 3, 4});
  rung_options o = defaults();
  const std::int32_t twice[] = {0, -2}, missing[] = {2};
  o.axes = twice, o.axis_count = 2;
  fails(RUNG_BAD_ARGUMENT, "twice", RUNG_SUM, x.c(), o, array<float>({}, {7}));
  fails(RUNG_BAD_ARGUMENT, "along one axis", RUNG_CUMSUM, x.c(), o,
        array<float>({2, 2}, {7, 7, 7, 7}));
  o.axes = missing, o.axis_count = 1;
  fails(RUNG_BAD_ARGUMENT, "axis 2", RUNG_SUM, x.c(), o, array<float>({2}, {7, 7}));
}

TEST(Errors, Memory) {
  array<float> x({2, 2}, {1, 2, 3, 4});
  rung_options o = defaults();
  EXPECT_EQ(o.memory, RUNG_HOST_MEMORY);
  EXPECT_EQ(o.gpu, -1);
  o.memory = 2;
  fails(RUNG_BAD_ARGUMENT, "memory with code 2", RUNG_SUM, x.c(), o, array<float>({}, {7}));
  o.memory = RUNG_GPU_MEMORY;
  fails(RUNG_BAD_ARGUMENT, "the result has shape", RUNG_SUM, x.c(), o,
        array<float>({3}, {7, 7, 7}));
  rung_partial* partial = nullptr;
  EXPECT_EQ(rung_partial_create(RUNG_SUM, RUNG_F32, &o, 0, &partial), RUNG_BAD_ARGUMENT);
  EXPECT_NE(std::string(rung_last_error()).find("a partial takes arrays in host memory"),
            std::string::npos);
  rung_groups* groups = nullptr;
  const std::int64_t n = 4;
  const rung_array keys{x.values.data(), RUNG_F32, 0, 1, &n, nullptr};
  EXPECT_EQ(rung_group(&keys, 1, &o, &groups), RUNG_BAD_ARGUMENT);
  if (std::string(rung_machine()).find("gpu 0:") != std::string::npos) return;
  // No GPU, or no kernels: every way in says so.
  fails(RUNG_DEVICE_ERROR, "an array in GPU memory: ", RUNG_SUM, x.c(), o, array<float>({}, {7}));
  fails(RUNG_DEVICE_ERROR, "an array in GPU memory: ", RUNG_CUMMAX, x.c(), o,
        array<float>({4}, {7, 7, 7, 7}));
  array<float> out({4}, {7, 7, 7, 7});
  array<std::int64_t> offsets({0, 2, 4});
  const rung_array line{x.values.data(), RUNG_F32, 0, 1, &n, nullptr}, to = out.c(),
                                                                       cuts = offsets.c();
  EXPECT_EQ(rung_linear_recurrence(&line, &line, &o, &to), RUNG_DEVICE_ERROR);
  EXPECT_EQ(rung_segmented_scan(RUNG_CUMSUM, &line, &cuts, nullptr, &o, &to), RUNG_DEVICE_ERROR);
  EXPECT_EQ(out.values, std::vector<float>(4, 7));
}

TEST(Errors, Devices) {
  array<float> x({2, 2}, {1, 2, 3, 4});
  rung_options o = defaults();
  EXPECT_EQ(o.device, RUNG_CPU);
  o.device = 3;
  fails(RUNG_BAD_ARGUMENT, "device with code 3", RUNG_SUM, x.c(), o, array<float>({}, {7}));
  o.device = RUNG_CUDA;
  o.exact = 1;
  fails(RUNG_BAD_ARGUMENT, "an exact sum runs on the cpu only", RUNG_SUM, x.c(), o,
        array<float>({}, {7}));
  const std::int32_t last = -1;
  o.axes = &last, o.axis_count = 1;
  fails(RUNG_BAD_ARGUMENT, "an exact sum runs on the cpu only", RUNG_CUMSUM, x.c(), o,
        array<float>({2, 2}, {7, 7, 7, 7}));
  EXPECT_NE(std::string(rung_machine()).find("cuda: "), std::string::npos);
}

TEST(Errors, TypesWithoutMeaning) {
  array<rung::complex<float>> z(std::vector<rung::complex<float>>{{1, 2}});
  fails(RUNG_BAD_TYPE, "min of c64", RUNG_MIN, z.c(), defaults(),
        array<rung::complex<float>>({}, {{7, 7}}));
  fails(RUNG_BAD_TYPE, "logsumexp of c64", RUNG_LOGSUMEXP, z.c(), defaults(),
        array<float>({}, {7}));
  rung_options o = defaults();
  o.accumulate = RUNG_F64;
  fails(RUNG_BAD_TYPE, "real type", RUNG_SUM, z.c(), o, array<double>({}, {7}));
  rung_array bad = z.c();
  bad.type = rung_type(99);
  fails(RUNG_BAD_TYPE, "type", RUNG_SUM, bad, defaults(), array<float>({}, {7}));
}

TEST(Errors, OutputsThatDoNotFit) {
  array<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  rung_options o = defaults();
  const std::int32_t last = 1;
  o.axes = &last, o.axis_count = 1;
  fails(RUNG_BAD_ARGUMENT, "shape (2,)", RUNG_SUM, x.c(), o, array<float>({3}, {7, 7, 7}));
  fails(RUNG_BAD_ARGUMENT, "f32", RUNG_SUM, x.c(), o, array<double>({2}, {7, 7}));
  fails(
      RUNG_BAD_ARGUMENT, "no scan", RUNG_SUM, x.c(),
      [&] {
        auto e = o;
        e.exclusive = 1;
        return e;
      }(),
      array<float>({2}, {7, 7}));
}

TEST(Errors, OverlapIsFoundBeforeAnythingIsWritten) {
  std::vector<float> memory{1, 2, 3, 4, 5};
  const auto before = memory;
  const std::int64_t n = 4;
  const rung_array in{memory.data(), RUNG_F32, 0, 1, &n, nullptr},
      out{memory.data() + 1, RUNG_F32, 0, 1, &n, nullptr};
  const rung_options o = defaults();
  EXPECT_EQ(rung_scan(RUNG_CUMSUM, &in, &o, &out), RUNG_OVERLAP);
  EXPECT_EQ(memory, before);
  EXPECT_EQ(rung_scan(RUNG_CUMSUM, &in, &o, &in), RUNG_OK) << "the very same array is fine";
  EXPECT_EQ(memory[3], 10);
  const std::int64_t still = 0;
  const rung_array flat{memory.data(), RUNG_F32, 0, 1, &n, &still};
  array<float> x({1, 2, 3, 4});
  const rung_array cx = x.c();
  EXPECT_EQ(rung_scan(RUNG_CUMSUM, &cx, &o, &flat), RUNG_OVERLAP) << "all outputs in one place";
  const std::int64_t none[] = {2, 0}, steps[] = {0, 4};
  const rung_array of_none{memory.data(), RUNG_F32, 0, 2, none, steps};
  rung_options along = defaults();
  const std::int32_t first = 0;
  along.axes = &first, along.axis_count = 1;
  EXPECT_EQ(rung_scan(RUNG_CUMSUM, &of_none, &along, &of_none), RUNG_OK) << "no elements to meet";
}

TEST(Errors, MissingArguments) {
  array<float> x({1, 2});
  const rung_array a = x.c();
  const rung_options o = defaults();
  EXPECT_EQ(rung_reduce(RUNG_SUM, nullptr, nullptr, &o, &a), RUNG_BAD_ARGUMENT);
  EXPECT_EQ(rung_reduce(RUNG_SUM, &a, nullptr, &o, nullptr), RUNG_BAD_ARGUMENT);
  fails(RUNG_BAD_ARGUMENT, "two arrays", RUNG_DOT, a, o, array<float>({}, {7}));
  rung_array hollow = a;
  hollow.data = nullptr;
  fails(RUNG_BAD_ARGUMENT, "no data", RUNG_SUM, hollow, o, array<float>({}, {7}));
  rung_options unset{};
  fails(RUNG_BAD_ARGUMENT, "rung_options_default", RUNG_SUM, a, unset, array<float>({}, {7}));
  rung_options many = o;
  many.threads = -1;
  fails(RUNG_BAD_ARGUMENT, "threads", RUNG_SUM, a, many, array<float>({}, {7}));
  const float init = 1;
  rung_options start = o;
  start.init = &init, start.init_type = RUNG_F32;
  fails(RUNG_BAD_ARGUMENT, "no initial value", RUNG_MEAN, a, start, array<float>({}, {7}));
}

TEST(Errors, ShapesThatLie) {
  float x = 1;
  const std::int64_t huge[] = {std::int64_t(1) << 40, std::int64_t(1) << 40}, negative[] = {-1};
  const rung_array big{&x, RUNG_F32, 0, 2, huge, nullptr},
      less{&x, RUNG_F32, 0, 1, negative, nullptr};
  fails(RUNG_BAD_ARGUMENT, "2^63", RUNG_SUM, big, defaults(), array<float>({}, {7}));
  fails(RUNG_BAD_ARGUMENT, "negative", RUNG_SUM, less, defaults(), array<float>({}, {7}));
  const std::int64_t ones[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const rung_array deep{&x, RUNG_F32, 0, 20, ones, nullptr};
  fails(RUNG_BAD_ARGUMENT, "16", RUNG_SUM, deep, defaults(), array<float>({}, {7}));
}

TEST(Names, BothWays) {
  for (int t = RUNG_BOOL; t <= RUNG_C128; t++) {
    rung_type back;
    ASSERT_EQ(rung_type_from_name(rung_type_name(rung_type(t)), &back), RUNG_OK);
    EXPECT_EQ(back, t);
  }
  for (int op = RUNG_SUM; op <= RUNG_CUMLOGSUMEXP; op++) {
    rung_op back;
    ASSERT_EQ(rung_op_from_name(rung_op_name(rung_op(op)), &back), RUNG_OK);
    EXPECT_EQ(back, op);
  }
  rung_type t;
  EXPECT_EQ(rung_type_from_name("float32", &t), RUNG_OK);
  EXPECT_EQ(t, RUNG_F32);
  EXPECT_EQ(rung_type_from_name("<i8", &t), RUNG_OK);
  EXPECT_EQ(t, RUNG_I64);
  EXPECT_EQ(rung_type_from_name("i8", &t), RUNG_OK);
  EXPECT_EQ(t, RUNG_I8);
  EXPECT_NE(rung_type_from_name("string", &t), RUNG_OK);
}

}  // namespace
