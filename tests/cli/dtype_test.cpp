// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Type names: rung's, NumPy's, codes of both byte orders, and the two meanings of i8.

#include "files/dtype.hpp"

#include <gtest/gtest.h>

#include "files/error.hpp"

namespace rung::files {
namespace {

TEST(dtype, reads_what_users_write) {
  EXPECT_EQ(dtype_from_text("f32"), dtype{RUNG_F32});
  EXPECT_EQ(dtype_from_text("float32"), dtype{RUNG_F32});
  EXPECT_EQ(dtype_from_text("f4"), dtype{RUNG_F32});
  EXPECT_EQ(dtype_from_text("<f4"), dtype{RUNG_F32});
  EXPECT_EQ(dtype_from_text(">f4"), (dtype{RUNG_F32, true}));
  EXPECT_EQ(dtype_from_text("=f4"), dtype{RUNG_F32});
  EXPECT_EQ(dtype_from_text("i8"), dtype{RUNG_I8});
  EXPECT_EQ(dtype_from_text("<i8"), dtype{RUNG_I64});
  EXPECT_EQ(dtype_from_text("u8"), dtype{RUNG_U8});
  EXPECT_EQ(dtype_from_text(">u8"), (dtype{RUNG_U64, true}));
  EXPECT_EQ(dtype_from_text(">i1"), dtype{RUNG_I8});  // one byte has no order
  EXPECT_EQ(dtype_from_text("|b1"), dtype{RUNG_BOOL});
  EXPECT_EQ(dtype_from_text("bf16"), dtype{RUNG_BF16});
  EXPECT_EQ(dtype_from_text("bfloat16"), dtype{RUNG_BF16});
  EXPECT_EQ(dtype_from_text("complex64"), dtype{RUNG_C64});
  EXPECT_EQ(dtype_from_text("c128"), dtype{RUNG_C128});
  EXPECT_EQ(dtype_from_text("c8"), dtype{RUNG_C64});
  for (const char* word : {"", "f", "f3", "<", "<f3", "V2", "<V2", "F4", "float", "i128", " f4"}) {
    EXPECT_FALSE(dtype_from_text(word)) << word;
  }
}

TEST(dtype, reads_what_headers_say) {
  const auto read = [](const char* descr) { return dtype_from_descr(descr, std::nullopt, "x"); };
  EXPECT_EQ(read("<f8"), dtype{RUNG_F64});
  EXPECT_EQ(read(">f8"), (dtype{RUNG_F64, true}));
  EXPECT_EQ(read("|u1"), dtype{RUNG_U8});
  EXPECT_EQ(read("i8"), dtype{RUNG_I64});  // NumPy's spelling, eight bytes
  EXPECT_EQ(read("float16"), dtype{RUNG_F16});
  EXPECT_EQ(read("bfloat16"), dtype{RUNG_BF16});
  for (const char* descr :
       {"<U3", "|S5", "|O", "<M8[ns]", "<m8[D]", "<f16", "<c32", "|V8", "", "<V2", "|V2", "f32"}) {
    EXPECT_THROW(read(descr), error) << descr;
  }
}

TEST(dtype, holds_the_user_to_what_was_told) {
  const auto read = [](const char* descr, rung_type told) {
    return dtype_from_descr(descr, dtype{told}, "x");
  };
  EXPECT_EQ(read("<V2", RUNG_BF16), dtype{RUNG_BF16});
  EXPECT_EQ(read(">V2", RUNG_BF16), (dtype{RUNG_BF16, true}));
  EXPECT_EQ(read("<f4", RUNG_F32), dtype{RUNG_F32});
  EXPECT_THROW(read("<f4", RUNG_F64), error);
  EXPECT_THROW(read("<V2", RUNG_F16), error);
  EXPECT_THROW(read("<f2", RUNG_BF16), error);
}

}  // namespace
}  // namespace rung::files
