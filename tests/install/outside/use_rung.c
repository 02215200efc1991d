// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
// The compiled runtime from plain C: 1 + 2 + 3 + 4.

#include <rung/rung.h>
#include <stdio.h>

int main(void) {
  double values[4] = {1, 2, 3, 4}, sum = 0;
  const int64_t count = 4, stride = sizeof(double);
  const rung_array in = {
      .data = values, .type = RUNG_F64, .rank = 1, .shape = &count, .strides = &stride};
  const rung_array out = {.data = &sum, .type = RUNG_F64};
  rung_options options;
  rung_options_default(&options);
  if (rung_reduce(RUNG_SUM, &in, NULL, &options, &out) != 0) {
    fprintf(stderr, "%s\n", rung_last_error());
    return 1;
  }
  printf("%g\n", sum);
  return sum == 10 ? 0 : 1;
}
