// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdio>
#include <rung/rung.hpp>
#include <span>
#include <vector>

int main() {
  const std::vector<float> x(1000, 0.5f);
  const float sum = rung::reduce(rung::cpu, std::span<const float>(x), rung::plus{});
  std::printf("%g\n", sum);
  return sum == 500 ? 0 : 1;
}
