// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Eight accumulators so that no chain of additions limits the reads; four vectors in flight per
// copy.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/limits.cpp"
#include "simd/limits.hpp"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rung::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void read_only(const std::byte* from, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t step = hn::Lanes(d);
  const float* p = reinterpret_cast<const float*>(from);
  const float* end = p + n / sizeof(float);
  auto a = hn::Zero(d), b = a, c = a, e = a, f = a, g = a, h = a, i = a;
  for (; p < end; p += 8 * step) {
    a = hn::Add(a, hn::LoadU(d, p)), b = hn::Add(b, hn::LoadU(d, p + step));
    c = hn::Add(c, hn::LoadU(d, p + 2 * step)), e = hn::Add(e, hn::LoadU(d, p + 3 * step));
    f = hn::Add(f, hn::LoadU(d, p + 4 * step)), g = hn::Add(g, hn::LoadU(d, p + 5 * step));
    h = hn::Add(h, hn::LoadU(d, p + 6 * step)), i = hn::Add(i, hn::LoadU(d, p + 7 * step));
  }
  const auto all =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  volatile float sink = hn::GetLane(all);
  (void)sink;
}

void copy_only(const std::byte* from, std::byte* to, std::size_t n, bool stream) {
  const hn::ScalableTag<float> d;
  const std::size_t step = hn::Lanes(d);
  const float* p = reinterpret_cast<const float*>(from);
  float* q = reinterpret_cast<float*>(to);
  const float* end = p + n / sizeof(float);
  for (; p < end; p += 4 * step, q += 4 * step) {
    const auto a = hn::LoadU(d, p), b = hn::LoadU(d, p + step);
    const auto c = hn::LoadU(d, p + 2 * step), e = hn::LoadU(d, p + 3 * step);
    if (stream) {
      hn::Stream(a, d, q), hn::Stream(b, d, q + step);
      hn::Stream(c, d, q + 2 * step), hn::Stream(e, d, q + 3 * step);
    } else {
      hn::StoreU(a, d, q), hn::StoreU(b, d, q + step);
      hn::StoreU(c, d, q + 2 * step), hn::StoreU(e, d, q + 3 * step);
    }
  }
  if (stream) hwy::FlushStream();
}

}  // namespace rung::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rung::bench {
HWY_EXPORT(read_only);
HWY_EXPORT(copy_only);
void read_only(const std::byte* from, std::size_t n) { HWY_DYNAMIC_DISPATCH(read_only)(from, n); }
void copy_only(const std::byte* from, std::byte* to, std::size_t n, bool stream) {
  HWY_DYNAMIC_DISPATCH(copy_only)(from, to, n, stream);
}
}  // namespace rung::bench
#endif
