// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
#include "limits.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>

namespace bench {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
constexpr hn::ScalableTag<std::uint32_t> words;
constexpr std::size_t page = 4096, unit = 4 * page;  // what one thread gets is a multiple of unit

std::size_t vector_bytes() { return hn::Lanes(words) * sizeof(std::uint32_t); }
const std::uint32_t* at(const char* p) { return reinterpret_cast<const std::uint32_t*>(p); }
std::uint32_t* at(char* p) { return reinterpret_cast<std::uint32_t*>(p); }

/// One stream from front to back, eight independent accumulators.
void read_straight(const char* p, char*, std::size_t bytes) {
  const std::size_t step = vector_bytes();
  auto a = hn::Zero(words), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (const char* end = p + bytes; p < end; p += 8 * step) {
    a = hn::Xor(a, hn::Load(words, at(p)));
    b = hn::Xor(b, hn::Load(words, at(p + step)));
    c = hn::Xor(c, hn::Load(words, at(p + 2 * step)));
    d = hn::Xor(d, hn::Load(words, at(p + 3 * step)));
    e = hn::Xor(e, hn::Load(words, at(p + 4 * step)));
    f = hn::Xor(f, hn::Load(words, at(p + 5 * step)));
    g = hn::Xor(g, hn::Load(words, at(p + 6 * step)));
    h = hn::Xor(h, hn::Load(words, at(p + 7 * step)));
  }
  a = hn::Xor(hn::Xor(hn::Xor(a, b), hn::Xor(c, d)), hn::Xor(hn::Xor(e, f), hn::Xor(g, h)));
  keep(hn::GetLane(a));
}

/// Four pages side by side, the next four asked for meanwhile: more streams for the prefetchers.
void read_pages(const char* p, char*, std::size_t bytes) {
  const std::size_t step = vector_bytes();
  auto a = hn::Zero(words), b = a, c = a, d = a;
  for (const char* end = p + bytes; p < end; p += unit)
    for (std::size_t i = 0; i < page; i += step) {
      for (std::size_t k = 1; k <= 4; k++) hwy::Prefetch(p + i + (3 + k) * page);
      a = hn::Xor(a, hn::Load(words, at(p + i)));
      b = hn::Xor(b, hn::Load(words, at(p + i + page)));
      c = hn::Xor(c, hn::Load(words, at(p + i + 2 * page)));
      d = hn::Xor(d, hn::Load(words, at(p + i + 3 * page)));
    }
  keep(hn::GetLane(hn::Xor(hn::Xor(a, b), hn::Xor(c, d))));
}

void copy_cached(const char* p, char* q, std::size_t bytes) {
  const std::size_t step = vector_bytes();
  for (std::size_t i = 0; i < bytes; i += 4 * step)
    for (std::size_t k = 0; k < 4; k++)
      hn::Store(hn::Load(words, at(p + i + k * step)), words, at(q + i + k * step));
  keep(*q);
}

/// Stores that go around the caches: the lines written are not read first.
void copy_streaming(const char* p, char* q, std::size_t bytes) {
  const std::size_t step = vector_bytes();
  for (std::size_t i = 0; i < bytes; i += 4 * step)
    for (std::size_t k = 0; k < 4; k++)
      hn::Stream(hn::Load(words, at(p + i + k * step)), words, at(q + i + k * step));
  hwy::FlushStream();
  keep(*q);
}

/// As copy_streaming, four pages side by side.
void copy_streaming_pages(const char* p, char* q, std::size_t bytes) {
  const std::size_t step = vector_bytes();
  for (std::size_t start = 0; start < bytes; start += unit)
    for (std::size_t i = start; i < start + page; i += 2 * step)
      for (std::size_t k = 0; k < 4; k++) {
        hwy::Prefetch(p + i + unit + k * page);
        hwy::Prefetch(p + i + unit + k * page + step);
        const auto a = hn::Load(words, at(p + i + k * page));
        const auto b = hn::Load(words, at(p + i + k * page + step));
        hn::Stream(a, words, at(q + i + k * page));
        hn::Stream(b, words, at(q + i + k * page + step));
      }
  hwy::FlushStream();
  keep(*q);
}

using loop = void (*)(const char*, char*, std::size_t);

struct named {
  const char* name;
  loop run;
};

/// Each loop on one thread, then on all: one contiguous part per thread.
std::vector<limit> on_threads(std::initializer_list<named> loops, const void* in, void* out,
                              std::size_t bytes, double moved_per_byte) {
  const char* p = static_cast<const char*>(in);
  char* q = static_cast<char*>(out);
  const std::size_t threads = std::size_t(tbb::this_task_arena::max_concurrency());
  std::vector<limit> limits;
  for (std::size_t parts : {std::size_t(1), threads}) {
    const std::size_t part = bytes / parts / unit * unit;
    if (part == 0 || (parts == threads && threads == 1 && !limits.empty())) continue;
    for (const named& l : loops)
      limits.push_back({std::string(l.name) + ", threads: " + std::to_string(parts),
                        moved_per_byte * double(part * parts), repeat([=, run = l.run] {
                          if (parts == 1) return run(p, q, part);
                          tbb::parallel_for(
                              std::size_t(0), parts,
                              [&](std::size_t i) { run(p + i * part, q + i * part, part); },
                              tbb::static_partitioner{});
                        })});
  }
  return limits;
}

}  // namespace

std::vector<limit> read_limits(const void* in, std::size_t bytes) {
  return on_threads({{"read", read_straight}, {"read 4 pages", read_pages}}, in, nullptr, bytes, 1);
}

std::vector<limit> copy_limits(const void* in, void* out, std::size_t moved) {
  return on_threads({{"copy", copy_cached},
                     {"streaming copy", copy_streaming},
                     {"streaming copy 4 pages", copy_streaming_pages}},
                    in, out, moved / 2, 2);
}

}  // namespace bench
