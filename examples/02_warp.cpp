// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The warp rung: a mean, the largest of every eight neighbours, and the values above the mean moved
// together. Runs on the GPU, or on the virtual GPU where there is no nvcc or no GPU.
#include <algorithm>
#include <cstdio>
#include <rung/rung.hpp>
#include <vector>

#include "on_some_gpu.hpp"

RUNG_KERNEL(32)
void look_at(rung::global<const float> x, rung::global<float> largest, rung::global<float> above,
             rung::global<int> count) {
  const int lane = rung::lane();
  const float v = x[lane];

  const float mean = rung::reduce(rung::this_warp, v, rung::plus{}) / 32;  // for all lanes
  const auto most = rung::reduce_to_one(rung::this_warp.sub<8>(), v, rung::maximum{});
  if (most) largest[lane / 8] = *most;  // one lane of each eight holds it

  const int keep = v > mean;
  int kept = 0;
  const int place = rung::exclusive_scan(rung::this_warp, keep, rung::plus{}, rung::total_to(kept));
  if (keep != 0) above[place] = v;
  if (lane == 0) count[0] = kept;
}

int main() {
  on_some_gpu();  // the virtual one if need be
  std::vector<float> values(32);
  for (std::size_t i = 0; i < 32; ++i) values[i] = float(i * 37 % 32) + 0.25f;

  const rung::gpu_array<float> x(values), largest(4), above(std::vector<float>(32));
  const rung::gpu_array<int> count(1);
  rung::launch(look_at, 1, 32, 0, nullptr, x, largest, above, count);

  const float mean =
      rung::reduce(rung::this_thread, std::span<const float>(values), rung::plus{}) / 32;
  std::vector<float> kept, most;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
               [mean](float v) { return v > mean; });
  for (auto eight = values.begin(); eight != values.end(); eight += 8)
    most.push_back(*std::max_element(eight, eight + 8));

  std::vector<float> got = above.to_host();
  got.resize(std::size_t(count.to_host()[0]));
  std::printf("%zu of 32 values are above the mean of %g\n", got.size(), mean);
  return got == kept && largest.to_host() == most ? 0 : 1;
}
