// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The .npy header: what NumPy writes and reads is read, what lies or is broken is refused, and
// what is written is read back.

#include "files/npy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/npy_bytes.hpp"
#include "files/error.hpp"

namespace rung::files {
namespace {

using shape = std::vector<std::int64_t>;

npy_header read(const std::string& bytes) {
  return read_npy_header(std::as_bytes(std::span(bytes)), "x.npy");
}

std::string refusal(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

std::string dict(const std::string& shape_text) {
  return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape_text + ", }";
}

TEST(npy, reads_every_version_and_any_header_length) {
  for (const int version : {1, 2, 3}) {
    for (const std::size_t length : {0UL, 118UL, 300UL, 1001UL, 65535UL}) {
      const npy_header header = read(npy_bytes(dict("(3, 2)"), version, length));
      EXPECT_EQ(header.descr, "<f4");
      EXPECT_FALSE(header.fortran_order);
      EXPECT_EQ(header.shape, (shape{3, 2}));
      const std::size_t prefix = version == 1 ? 10 : 12;
      EXPECT_EQ(header.data_offset, prefix + std::max(length, dict("(3, 2)").size() + 1));
    }
  }
  EXPECT_EQ(read(npy_bytes(dict("(3,)"), 2, 70000)).data_offset, 70012U);
}

TEST(npy, reads_shapes_of_any_rank) {
  EXPECT_EQ(read(npy_bytes(dict("()"))).shape, shape{});
  EXPECT_EQ(read(npy_bytes(dict("(768,)"))).shape, shape{768});
  EXPECT_EQ(read(npy_bytes(dict("(0, 3)"))).shape, (shape{0, 3}));
  EXPECT_EQ(read(npy_bytes(dict("( 3 ,\n4 )"))).shape, (shape{3, 4}));
  EXPECT_EQ(read(npy_bytes(dict("(3L, 4L)"))).shape, (shape{3, 4}));
  EXPECT_EQ(read(npy_bytes(dict("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2)"))).shape.size(), 16U);
}

TEST(npy, reads_keys_in_any_order_and_either_quote) {
  const npy_header header =
      read(npy_bytes("{\"shape\":(2,3),'descr':\"|b1\" , 'fortran_order' :True}"));
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.descr, "|b1");
  EXPECT_EQ(header.shape, (shape{2, 3}));
}

TEST(npy, refuses_what_is_no_npy_file) {
  EXPECT_NE(refusal("").find("not a .npy file"), std::string::npos);
  EXPECT_NE(refusal("\x93NUMPX 12345678").find("not a .npy file"), std::string::npos);
  std::string wrong = npy_bytes(dict("(3,)"));
  wrong[6] = 4;
  EXPECT_NE(refusal(wrong).find("version 4.0"), std::string::npos);
  wrong[6] = 1;
  wrong[7] = 1;
  EXPECT_NE(refusal(wrong).find("version 1.1"), std::string::npos);
}

TEST(npy, refuses_a_header_cut_off_anywhere) {
  for (const int version : {1, 2, 3}) {
    const std::string whole = npy_bytes(dict("(3, 2)"), version);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_NE(refusal(whole.substr(0, length)), "") << version << " " << length;
    }
  }
}

TEST(npy, refuses_headers_that_lie_or_are_broken) {
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f4'}", "()", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': 'True', 'shape': (3,)}",
        "{'descr': 4, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (3,)}",
        "{descr: '<f4', 'fortran_order': False, 'shape': (3,)}"}) {
    EXPECT_NE(refusal(npy_bytes(text)), "") << text;
  }
  for (const char* text : {"(3)", "3", "[3]", "(3,", "(3 4)", "(3,,4)", "(,)", "(-1,)", "(3, -4)",
                           "(3.0,)", "(3e2,)", "(0x10,)", "('3',)", "(9223372036854775808,)",
                           "(99999999999999999999999999,)", "None", "((3,),)", "(3LL,)"}) {
    EXPECT_NE(refusal(npy_bytes(dict(text))), "") << text;
  }
  EXPECT_NE(refusal(npy_bytes(dict("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"))).find("at most 16"),
            std::string::npos);
  const std::string many(100000, '(');
  EXPECT_NE(refusal(npy_bytes(dict(many), 2)), "");
}

TEST(npy, refuses_records_and_says_so) {
  const std::string text = refusal(npy_bytes(
      "{'descr': [('name', 'S4'), ('weight', '<f4')], 'fortran_order': False, 'shape': (1,)}"));
  EXPECT_NE(text.find("records"), std::string::npos) << text;
}

TEST(npy, reads_back_what_it_writes) {
  for (int code = RUNG_BOOL; code <= RUNG_C128; ++code) {
    const auto type = static_cast<rung_type>(code);
    for (const shape& s : {shape{}, shape{7}, shape{0, 3}, shape{2, 3, 4}, shape(16, 1'000'000)}) {
      const std::string bytes = write_npy_header(type, s);
      EXPECT_EQ(bytes.size() % 64, 0U);
      EXPECT_EQ(bytes.back(), '\n');
      const npy_header header = read(bytes);
      EXPECT_EQ(header.data_offset, bytes.size());
      EXPECT_EQ(header.shape, s);
      const auto told = std::optional(dtype{type});
      EXPECT_EQ(dtype_from_descr(header.descr, told, "x"), (dtype{type, false}));
    }
  }
}

TEST(npy, counts_bytes_in_64_bits_or_not_at_all) {
  EXPECT_EQ(count_bytes(shape{}, 8, "x"), 8);
  EXPECT_EQ(count_bytes(shape{3, 5}, 4, "x"), 60);
  EXPECT_EQ(count_bytes(shape{0, 5}, 4, "x"), 0);
  EXPECT_EQ(count_bytes(shape{std::int64_t{1} << 60}, 4, "x"), std::int64_t{1} << 62);
  EXPECT_THROW(count_bytes(shape{std::int64_t{1} << 62}, 4, "x"), error);
  EXPECT_THROW(count_bytes(shape{std::int64_t{1} << 40, 1 << 30}, 1, "x"), error);
  EXPECT_THROW(count_bytes(shape{0, std::int64_t{1} << 40, 1 << 30}, 1, "x"), error);
  EXPECT_THROW(count_bytes(shape{-1}, 1, "x"), error);
}

TEST(npy, gives_strides_of_both_orders) {
  EXPECT_EQ(packed_strides(shape{2, 3, 4}, 8, false), (shape{96, 32, 8}));
  EXPECT_EQ(packed_strides(shape{2, 3, 4}, 8, true), (shape{8, 16, 48}));
  EXPECT_EQ(packed_strides(shape{}, 8, false), shape{});
}

}  // namespace
}  // namespace rung::files
