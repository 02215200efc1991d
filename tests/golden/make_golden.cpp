// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints golden.txt from the oracle: `fold` gives every reduction; prefixes come from its own
// binary counter and are compared with `fold` at every 997th position. One line: operation, type,
// n, result bytes in hex (first byte first), fingerprint of the results of all prefixes ("-" for
// operations that are no scans).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <rung/order.hpp>

#include "inputs.hpp"

using namespace rung;

namespace {

/// The folds of all prefixes, by the carries of a binary counter.
template <class Op, class T, class F>
void each_prefix(const Op& op, std::span<const T> x, F&& f) {
  std::vector<state_t<Op, T>> blocks;
  for (std::size_t i = 0; i < x.size(); i++) {
    auto s = lift(op, x[i], std::int64_t(i));
    for (std::size_t k = i; k & 1; k >>= 1) {
      s = op(blocks.back(), s);
      blocks.pop_back();
    }
    blocks.push_back(s);
    auto acc = blocks[0];
    for (std::size_t b = 1; b < blocks.size(); b++) acc = op(acc, blocks[b]);
    f(i, acc);
  }
}

template <class R>
void print_bytes(const R& r) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&r);
  for (std::size_t i = 0; i < sizeof(R); i++) std::printf("%02x", bytes[i]);
}

template <class T, class Op, class Finish>
void line(const char* name, const char* type, const Op& op, Finish&& finish, bool around_one,
          bool scan) {
  for (std::int64_t n : golden::sizes) {
    const auto x = golden::values<T>(n, around_one);
    const std::span<const T> all(x);
    const auto state = fold(op, all);
    std::printf("%s %s %lld ", name, type, static_cast<long long>(n));
    if (state) print_bytes(finish(*state));
    else print_bytes(finish(empty_state<state_t<Op, T>>(op)));
    golden::fingerprint prefixes;
    if (scan)
      each_prefix(op, all, [&](std::size_t i, const auto& s) {
        const auto r = finish(s);
        prefixes.add(&r, sizeof r);
        if (i % 997 == 0 || i + 1 == x.size()) {
          const auto want = finish(*fold(op, all.first(i + 1)));
          if (std::memcmp(&r, &want, sizeof r) != 0) std::abort();
        }
      });
    if (scan) std::printf(" %016llx\n", static_cast<unsigned long long>(prefixes.hash));
    else std::printf(" -\n");
  }
}

template <class T>
void lines(const char* type) {
  auto as_result = [](const auto& op) {
    return [&op](const auto& s) { return result_of<std::remove_cvref_t<decltype(op)>, T>(op, s); };
  };
  static constexpr plus sum;
  static constexpr multiplies product;
  static constexpr mean average;
  static constexpr log_sum_exp lse;
  line<T>("sum", type, sum, as_result(sum), false, true);
  line<T>("prod", type, product, as_result(product), true, true);
  line<T>(
      "mean", type, average, [](const auto& s) { return convert<T>(canonical(average.finish(s))); },
      false, false);
  using R =
      std::conditional_t<is_complex<T>,
                         std::conditional_t<std::is_same_v<T, complex<float>>, float, double>, T>;
  line<T>(
      "var", type, moments{}, [](const auto& s) { return convert<R>(canonical(s.variance())); },
      false, false);
  line<T>(
      "norm", type, norm{}, [](const auto& s) { return convert<R>(norm{}.finish(s)); }, false,
      false);
  if constexpr (!is_complex<T>) line<T>("logsumexp", type, lse, as_result(lse), false, true);
}

template <class T>
void affine_lines(const char* type) {
  for (std::int64_t n : golden::sizes) {
    if (n == 0) continue;
    const auto a = golden::values<T>(n, true), b = golden::values<T>(n, false);
    std::vector<affine_map<T>> x;
    for (std::size_t i = 0; i < a.size(); i++) x.push_back({a[i], b[i]});
    golden::fingerprint prefixes;
    each_prefix(affine{}, std::span<const affine_map<T>>(x),
                [&](std::size_t, const affine_map<T>& s) { prefixes.add(&s, sizeof s); });
    std::printf("affine %s %lld ", type, static_cast<long long>(n));
    print_bytes(*fold(affine{}, std::span<const affine_map<T>>(x)));
    std::printf(" %016llx\n", static_cast<unsigned long long>(prefixes.hash));
  }
}

}  // namespace

int main() {
  std::printf(
      "# order 1: results that never change. Made by make_golden.cpp; read by golden_test.cpp.\n");
  lines<f16>("f16");
  lines<bf16>("bf16");
  lines<float>("f32");
  lines<double>("f64");
  lines<complex<float>>("c64");
  lines<complex<double>>("c128");
  affine_lines<float>("f32");
  affine_lines<double>("f64");
}
