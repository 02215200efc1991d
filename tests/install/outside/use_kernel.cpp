// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <rung/rung.hpp>

RUNG_KERNEL(32) void sum(rung::global<int> out) {
  const int total = rung::reduce(rung::this_warp, rung::lane(), rung::plus{});
  if (rung::lane() == 0) out[0] = total;
}

int main() {
  const rung::gpu_array<int> out(1);
  rung::launch(sum, 1, 32, 0, nullptr, out);
  const int total = out.to_host()[0];
  std::printf("%d\n", total);
  return total == 31 * 32 / 2 ? 0 : 1;
}
