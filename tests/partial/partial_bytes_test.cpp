// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The stored form, byte by byte, and what happens to damaged, cut, foreign and hostile bytes:
// always an error in words or a partial that behaves, never anything else. RUNG_FUZZ_ROUNDS sets
// how many mutations are tried.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cpu/random_layout.hpp"
#include "order/same.hpp"
#include "rung/partial.hpp"

namespace rung::test {
namespace {

using bytes = std::vector<std::byte>;

std::string refusal(const auto& read) {
  try {
    read();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), error_code::bad_argument);
    EXPECT_EQ(std::string(e.what()).find("rung: "), 0u);
    return e.what();
  }
  return "read";
}
#define EXPECT_REFUSED(text, ...)                                                \
  EXPECT_NE(refusal([&] { (void)(__VA_ARGS__); }).find(text), std::string::npos) \
      << refusal([&] { (void)(__VA_ARGS__); })

template <class Op, class T>
bytes example(std::int64_t begin, std::int64_t n, std::string_view kind, Op op = {}) {
  generator rng(3);
  partial<Op, T> p(op, begin);
  std::vector<T> x;
  for (std::int64_t i = 0; i < n; i++) x.push_back(random_value<T>(rng));
  p.append(x);
  return p.serialise(kind);
}

/// Sets `size` little-endian bytes at a place and makes the checksum fit again.
bytes patched(bytes b, std::size_t at, std::uint64_t value, int size) {
  for (int i = 0; i < size; i++) b[at + std::size_t(i)] = std::byte(value >> (8 * i));
  const std::uint64_t sum = host::format::checksum(std::span(b).first(b.size() - 8));
  for (std::size_t i = 0; i < 8; i++) b[b.size() - 8 + i] = std::byte(sum >> (8 * i));
  return b;
}

/// From an allocation of exactly their size, so that a read past the end is seen.
template <class Op, class T>
partial<Op, T> read(const bytes& b, std::string_view kind = "k") {
  const auto exact = std::make_unique<std::byte[]>(b.size());
  std::copy(b.begin(), b.end(), exact.get());
  return partial<Op, T>::deserialise({exact.get(), b.size()}, Op{}, kind);
}
auto read_sum(const bytes& b, std::string_view kind = "k") { return read<plus, float>(b, kind); }

TEST(PartialBytes, AreFrozen) {
  partial<plus, float> p(plus{}, 5);
  p.append(std::vector<float>{1, 2, 4, 8});  // positions 5, [6, 8), 8
  const unsigned char want[] = {
      'R', 'U', 'N', 'G', 'P', 'A', 'R', 'T', 1, 0, 0, 0,  1, 0, 0, 0,  // magic, format, order
      4,   0,   0,   0,   7,   0,   0,   0,  // bytes per state, of the kind
      5,   0,   0,   0,   0,   0,   0,   0,   9, 0, 0, 0,  0, 0, 0, 0,  // begin, end
      's', 'u', 'm', ' ', 'f', '3', '2',                                // the kind
      0,   0,   128, 63,  0,   0,   192, 64,  0, 0, 0, 65,              // 1, 6, 8
      0,   0,   0,   0,   0,   0,   0,   0};
  const bytes got = p.serialise("sum f32");
  ASSERT_EQ(got.size(), sizeof want);
  EXPECT_EQ(std::memcmp(got.data(), want, sizeof want - 8), 0);
  EXPECT_EQ(host::format::read(got, got.size() - 8, 8), 0x764c9bb33977de35u);
  EXPECT_EQ(read_sum(got, "sum f32").serialise("sum f32"), got);
}

TEST(PartialBytes, PaddingAndNaNsDoNotShow) {
  // A NaN of any payload, and whatever lies between the fields of indexed<float>.
  const float quiet = quiet_nan<float>, odd = std::bit_cast<float>(0xffc54321u);
  partial<arg_max, float> a, b;
  a.append(std::vector<float>{1, quiet, 3}), b.append(std::vector<float>{1, odd, 3});
  const bytes stored = a.serialise();
  EXPECT_EQ(stored, b.serialise());
  for (const std::size_t state : {40u, 56u})
    for (std::size_t i = 4; i < 8; i++) EXPECT_EQ(stored[state + i], std::byte(0));
  const auto skip = [](float missing) {
    partial<skip_nan<moments>, float> p;
    p.append(std::vector<float>{2, missing, missing, missing, missing});
    return p.serialise();
  };
  EXPECT_EQ(skip(quiet), skip(odd));
}

TEST(PartialBytes, RefusedWithAReason) {
  const bytes good = example<plus, float>(3, 100, "k");
  const std::size_t size = good.size();
  EXPECT_EQ(read_sum(good).range(), (position_range{3, 103}));
  EXPECT_REFUSED("does not begin with RUNGPART", read_sum({}));
  EXPECT_REFUSED("does not begin with RUNGPART", read_sum(bytes(100)));
  EXPECT_REFUSED("20 bytes, less than the shortest",
                 read_sum(bytes(good.begin(), good.begin() + 20)));
  EXPECT_REFUSED("damaged or cut short", read_sum(bytes(good.begin(), good.end() - 1)));
  bytes longer = good;
  longer.push_back(std::byte(0));
  EXPECT_REFUSED("damaged or cut short", read_sum(longer));
  bytes flipped = good;
  flipped[size - 12] ^= std::byte(1);
  EXPECT_REFUSED("checksum", read_sum(flipped));
  EXPECT_REFUSED("format version 2, this library reads version 1",
                 read_sum(patched(good, 8, 2, 4)));
  EXPECT_REFUSED("folded in order 2", read_sum(patched(good, 12, 2, 4)));
  EXPECT_REFUSED("kind \"k\", not \"sum f64\"", read_sum(good, "sum f64"));
  EXPECT_REFUSED("states of 4 bytes, the operator's have 8", (read<plus, double>(good)));
  EXPECT_REFUSED("are not what positions [3, 103)", read_sum(patched(good, 16, 8, 4)));
  EXPECT_REFUSED("are not what positions", read_sum(patched(good, 16, 0xffffffff, 4)));
  EXPECT_REFUSED("are not what positions", read_sum(patched(good, 20, 0xffffffff, 4)));
  EXPECT_REFUSED("are not what positions", read_sum(patched(good, 20, 0, 4)));
  EXPECT_REFUSED("are not what positions", read_sum(patched(good, 32, std::uint64_t(1) << 61, 8)));
  EXPECT_REFUSED("are no range", read_sum(patched(good, 24, 104, 8)));
  EXPECT_REFUSED("are no range", read_sum(patched(good, 32, ~std::uint64_t(0), 8)));
  EXPECT_REFUSED("are no range", read_sum(patched(good, 32, (std::uint64_t(1) << 62) + 1, 8)));
  EXPECT_REFUSED("not printable", read_sum(patched(good, 40, '\n', 1), "\n"));
}

TEST(PartialBytes, KindsAreShortPrintableText) {
  partial<plus, float> p;
  EXPECT_REFUSED("printable text", p.serialise("a\tb"));
  EXPECT_REFUSED("at most 255", p.serialise(std::string(256, 'x')));
  const std::string longest(255, 'x');
  EXPECT_EQ(read_sum(p.serialise(longest), longest).range(), position_range{});
  EXPECT_EQ(host::read_partial_header(p.serialise("any ~ kind")).kind, "any ~ kind");
}

TEST(PartialBytes, StatesThatAreNoneAreRefused) {
  partial<any, float> p;
  p.append(std::vector<float>{1, 0, 1});
  const bytes good = p.serialise("k");  // blocks [0, 2) and [2, 3), a bool each
  ASSERT_EQ(good.size(), 40u + 1 + 2 + 8);
  EXPECT_TRUE((read<any, float>(good)).value());
  EXPECT_REFUSED("the state of block 1", (read<any, float>(patched(good, 42, 2, 1))));
  const bytes skips = example<skip_nan<plus>, float>(0, 1, "k", skip_nan<plus>{});
  ASSERT_EQ(skips.size(), 40u + 1 + 8 + 8);
  EXPECT_REFUSED("the state of block 0", (read<skip_nan<plus>, float>(patched(skips, 45, 255, 1))));
}

int rounds() {
  const char* text = std::getenv("RUNG_FUZZ_ROUNDS");
  return text ? std::atoi(text) : 4000;
}

/// Mutations with and without a checksum that fits. What is accepted must write itself back, take
/// values, merge and have a value, without upsetting the sanitizers.
template <class Op, class T>
void fuzz(std::uint64_t seed) {
  generator rng(seed);
  const std::vector<T> more(5, T(1));
  int accepted = 0;
  for (int round = 0; round < rounds(); round++) {
    bytes b = example<Op, T>(one_in(rng, 2) ? 0 : pick(rng, 0, 1000), pick(rng, 0, 300), "k");
    for (std::int64_t k = pick(rng, 1, 4); k > 0; k--) {
      const std::int64_t at = pick(rng, 0, std::int64_t(b.size()) - 1);
      const auto place = b.begin() + at;
      switch (rng() % 6) {
        case 0:
          *place ^= std::byte(1 << rng() % 8);
          break;
        case 1:
          *place = std::byte(rng());
          break;
        case 2:
          b.erase(place, place + std::min<std::int64_t>(pick(rng, 1, 20), b.end() - place));
          break;
        case 3:
          b.insert(place, std::size_t(pick(rng, 1, 20)), std::byte(rng()));
          break;
        case 4:
          b.resize(std::size_t(at));
          break;
        default:  // one of the numbers of the header
          if (b.size() > 48)
            b = patched(b, std::vector<std::size_t>{16, 20, 24, 32}[rng() % 4],
                        one_in(rng, 2) ? rng() >> rng() % 64 : rng() % 400, one_in(rng, 2) ? 4 : 8);
      }
      if (b.empty()) b.resize(1);
    }
    if (one_in(rng, 2) && b.size() > 48) b = patched(b, 0, 0x54524150474e5552u, 8);
    try {
      auto p = read<Op, T>(b);
      accepted++;
      (void)read<Op, T>(p.serialise("k"));
      const auto range = p.range();
      if (range.begin == 0 && range.end > 0) (void)p.value();
      partial<Op, T> right(Op{}, range.end);
      if (range.end + 10 > host::position_limit) continue;
      right.append(more);
      p.append(more);
      ASSERT_EQ(p.range().end, range.end + 5);
      if (range.end - range.begin > 0) (void)(read<Op, T>(b) + right);
    } catch (const error& e) {
      ASSERT_EQ(e.code(), error_code::bad_argument) << e.what();
    }
  }
  EXPECT_GT(accepted, 0);  // mutations of states get through, and must be harmless
}
TEST(PartialFuzz, Sums) { fuzz<plus, float>(1); }
TEST(PartialFuzz, Means) { fuzz<mean, std::int32_t>(2); }
TEST(PartialFuzz, MomentsWithoutNaN) { fuzz<skip_nan<moments>, float>(3); }
TEST(PartialFuzz, Places) { fuzz<arg_min, std::int8_t>(4); }
TEST(PartialFuzz, Several) { fuzz<fuse<any, log_sum_exp, count_nonzero>, double>(5); }

}  // namespace
}  // namespace rung::test
