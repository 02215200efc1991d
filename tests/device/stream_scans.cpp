// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans of arrays in host memory that reach the GPU chunk by chunk: for any chunk, every entry is
// the fold of its prefix, as the type that was asked for.
#include "device/scan_sweep.hpp"
#include "device/stream_bytes.hpp"
#include "gpu/scan_chunks.cuh"

namespace rung::tests {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(device_scan);
namespace {

using runtime::gpu_scan_job;
using runtime::packed;

const std::vector<std::int64_t> around_64 = {1, 2, 63, 64, 65, 127, 128, 129, 192, 257, 510};

/// x: the elements as they lie in memory; values: what they mean.
template <class R, class Op, class E, class P>
void sweep(const std::vector<E>& x, bool swapped, const std::vector<P>& values, packed held,
           rung_type from, rung_type result, std::int64_t chunk = 64,
           const std::vector<std::int64_t>& sizes = around_64) {
  using Entry = runtime::entries_of<Op>;
  using S = state_t<Entry, P>;
  const runtime::gpu_scan scan{
      sizeof(S), {sizeof(S), runtime::fold_values<Op, P>}, runtime::scan_values<Op, P>};
  const auto bytes = bytes_of(x, swapped);
  unsigned seed = 0;
  for (const std::int64_t n : sizes) {
    ++seed;
    gpu_scan_job job;
    job.held = held, job.types[0] = {from, swapped}, job.count = n, job.chunk = chunk;
    job.result = result, job.exclusive = seed % 3 == 0;
    const S init = lift(Entry{}, values[7], 0);
    if (seed % 2 == 0) job.init = &init;
    // In place where the types allow it: a chunk is read before it is written.
    std::vector<unsigned char> out(bytes);
    if (sizeof(R) != sizeof(E)) out.resize(std::size_t(n) * sizeof(R));
    job.fill = [&](int, std::int64_t first, std::int64_t count, void* to) {
      const auto& in = sizeof(R) == sizeof(E) ? out : bytes;
      std::memcpy(to, in.data() + std::size_t(first) * sizeof(E), std::size_t(count) * sizeof(E));
    };
    job.drain = [&](std::int64_t first, std::int64_t count, const void* entries) {
      std::memcpy(out.data() + std::size_t(first) * sizeof(R), entries,
                  std::size_t(count) * sizeof(R));
    };
    reseed(seed);
    runtime::scan_chunks(job, scan);

    const auto want = prefix_folds<P>(Entry{}, std::span(values.data(), std::size_t(n)),
                                      job.init ? std::optional(init) : std::nullopt);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto& prefix = want[std::size_t(i + !job.exclusive)];
      const auto entry = result_of<Entry, P>(Entry{}, prefix ? *prefix : empty_state<S>(Entry{}));
      R got;
      std::memcpy(&got, out.data() + std::size_t(i) * sizeof(R), sizeof(R));
      ASSERT_TRUE(same(got, convert<R>(entry)))
          << "entry " << i << " of " << n << ", chunks of " << chunk;
    }
  }
}

template <class E>
std::vector<E> some(unsigned seed, bool special = false) {
  source from(seed);
  from.special = special;
  const auto x = from.many<E>(1000);
  return {x.begin(), x.end()};
}
template <class P, class E>
std::vector<P> as_values(const std::vector<E>& x) {
  std::vector<P> values;
  for (const E e : x) values.push_back(convert<P>(e));
  return values;
}

TEST(stream_scans, values_as_they_are) {
  const auto x = some<float>(1);
  sweep<float, plus>(x, false, x, packed::f32, RUNG_F32, RUNG_F32);
  sweep<float, plus>(x, false, x, packed::f32, RUNG_F32, RUNG_F32, 1,  // a chunk is one value
                     {1, 2, 3, 8, 21});
  sweep<float, plus>(x, false, x, packed::f32, RUNG_F32, RUNG_F32, 512, {511, 512, 513, 1000});
}

TEST(stream_scans, converted_and_rounded) {
  const auto x = some<f16>(2);
  sweep<f16, plus>(x, true, as_values<float>(x), packed::f32, RUNG_F16, RUNG_F16);
  const auto y = some<std::int16_t>(3);
  sweep<std::int16_t, minimum>(y, false, as_values<std::int64_t>(y), packed::i64, RUNG_I16,
                               RUNG_I16);
}

TEST(stream_scans, nan_left_out) {
  auto x = some<float>(4, true);
  for (std::size_t i = 0; i < 70; ++i) x[i] = quiet_nan<float>;  // more than a chunk
  sweep<float, runtime::mean_number>(x, false, x, packed::f32, RUNG_F32, RUNG_F32);
}

}  // namespace
}  // namespace rung::tests
