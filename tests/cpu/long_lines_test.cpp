// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A few long lines side by side or one after the other: along the rows and down the columns of
// matrices that are only a few elements wide, on 1, 2, 3 and 8 threads.
#include "cpu/long_lines.hpp"

namespace rung::test {
namespace {

TEST(LongLines, ThreeRows) { check_long_lines<float>(plus{}, 3, (1 << 19) + 5, 1, 1); }
TEST(LongLines, ThreeColumns) { check_long_lines<float>(plus{}, (1 << 19) + 5, 3, 0, 2); }
TEST(LongLines, FiveRowsOfAPowerOfTwo) { check_long_lines<float>(plus{}, 5, 1 << 18, 1, 3); }
TEST(LongLines, SeventeenColumns) { check_long_lines<float>(plus{}, 40000, 17, 0, 4); }
TEST(LongLines, TwoRowsOfMaps) { check_long_lines<affine_map<double>>(affine{}, 2, 150001, 1, 5); }
TEST(LongLines, FourColumnsOfMaps) {
  check_long_lines<affine_map<double>>(affine{}, 70001, 4, 0, 6);
}
TEST(LongLines, TwoColumnsOfHalves) { check_long_lines<f16>(plus{}, 300001, 2, 0, 7); }

}  // namespace
}  // namespace rung::test
