// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores against rung::convert: every pair of types, every way of lying in memory (rows,
// columns, gaps, reversed, swapped bytes, odd addresses), and what is done on the way.
#include <algorithm>

#include "support.hpp"

namespace rung::simd::test {
namespace {

/// f() once per instruction set of this machine.
template <class F>
void with_every_target(F&& f) {
  for (const std::int64_t target : targets()) {
    use_target(target);
    SCOPED_TRACE(target_name());
    f();
  }
  use_target(0);
}

// A type as the test handles it: reads and writes one element at any address.
struct boolean {
  std::uint8_t byte;
};
using types =
    std::tuple<boolean, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
               std::uint16_t, std::uint32_t, std::uint64_t, f16, bf16, float, double,
               complex<float>, complex<double>>;  // in the order of element
static_assert(std::tuple_size_v<types> == element_count);

template <class F, int e = 0>
void for_each_element(F&& f) {
  if constexpr (e < element_count) {
    f.template operator()<element(e), std::tuple_element_t<size_t(e), types>>();
    for_each_element<F, e + 1>(std::forward<F>(f));
  }
}
template <class F>
void for_each_packed(F&& f) {
  f(std::int64_t(), packed::i64);
  f(std::uint64_t(), packed::u64);
  f(float(), packed::f32);
  f(double(), packed::f64);
  f(complex<float>(), packed::c64);
  f(complex<double>(), packed::c128);
}

template <class E>
E any_element(rng& g) {
  if constexpr (std::is_same_v<E, boolean>) return boolean{std::uint8_t(g() % 3)};
  else if constexpr (is_half<E>) return E::from_bits(std::uint16_t(g()));
  else return any_value<E>(g, kind::hard);
}
template <class E>
E reversed(E e) {
  unsigned char bytes[sizeof(E)];
  std::memcpy(bytes, &e, sizeof e);
  const size_t unit = is_complex<E> ? sizeof(E) / 2 : sizeof(E);
  for (size_t i = 0; i < sizeof(E); i += unit) std::reverse(bytes + i, bytes + i + unit);
  std::memcpy(&e, bytes, sizeof e);
  return e;
}
template <class P, class E>
P converted(E e) {
  if constexpr (std::is_same_v<E, boolean>) return convert<P>(std::int64_t(e.byte != 0));
  else return convert<P>(e);
}
template <class E>
bool nonzero(E e) {
  if constexpr (std::is_same_v<E, boolean>) return e.byte != 0;
  else return is_nonzero(e);
}
template <class E>
bool nan(E e) {
  if constexpr (std::is_same_v<E, boolean>) return false;
  else return is_nan(e);
}
template <class P, class E>
constexpr bool has_meaning() {
  if (integer<P>) return integer<E> || std::is_same_v<E, boolean>;
  return is_complex<P> || !is_complex<E>;
}

/// A 2-d array in a block of bytes.
struct arrangement {
  size_t rows, columns;
  std::ptrdiff_t row, column, first;
  size_t bytes;
};
arrangement any_arrangement(rng& g, size_t rows, size_t columns, size_t size) {
  arrangement a{rows, columns, 0, 0, 0, 0};
  const size_t gap = g() % 3 * size;
  const auto s = std::ptrdiff_t(size);
  if (g() % 2)
    a.column = s + (g() % 3 ? 0 : s),
    a.row = std::ptrdiff_t(columns) * a.column + std::ptrdiff_t(gap);
  else a.row = s + (g() % 3 ? 0 : s), a.column = std::ptrdiff_t(rows) * a.row + std::ptrdiff_t(gap);
  a.bytes = size_t(a.row) * rows + size_t(a.column) * columns + size;
  if (g() % 5 == 0) a.first += std::ptrdiff_t(rows - 1) * a.row, a.row = -a.row;
  if (g() % 5 == 0) a.first += std::ptrdiff_t(columns - 1) * a.column, a.column = -a.column;
  if (g() % 4 == 0) a.first += std::ptrdiff_t(g() % 16), a.bytes += 16;  // any address
  return a;
}
template <class E>
E read_at(const unsigned char* p, const arrangement& a, size_t r, size_t c) {
  E e;
  std::memcpy(&e, p + a.first + std::ptrdiff_t(r) * a.row + std::ptrdiff_t(c) * a.column, sizeof e);
  return e;
}
template <class E>
void write_at(unsigned char* p, const arrangement& a, size_t r, size_t c, E e) {
  std::memcpy(p + a.first + std::ptrdiff_t(r) * a.row + std::ptrdiff_t(c) * a.column, &e, sizeof e);
}
template <class E>
std::vector<unsigned char> filled(rng& g, const arrangement& a) {
  std::vector<unsigned char> m(a.bytes);
  for (size_t r = 0; r < a.rows; r++)
    for (size_t c = 0; c < a.columns; c++) write_at(m.data(), a, r, c, any_element<E>(g));
  return m;
}
host::place place_of(std::vector<unsigned char>& m, const arrangement& a) {
  return {m.data() + a.first, a.row, a.column};
}

constexpr size_t shapes[][2] = {{1, 1},   {1, 100},  {100, 1},  {3, 5},   {16, 16},
                                {17, 33}, {1, 5000}, {5000, 1}, {70, 130}};

template <element e, class E, class P>
void check_load(rng& g, P, packed to, load_how how) {
  for (const auto& [rows, columns] : shapes)
    for (const bool swapped : {false, true}) {
      load_plan plan = find_load({e, swapped}, to, how, {e, swapped});
      const bool counts = how == load_how::nonzero || how == load_how::nonzero_number;
      const bool meaning = counts ? to == packed::i64 : has_meaning<P, E>();
      ASSERT_EQ(plan.kernel.load != nullptr, meaning);
      if (!meaning) return;
      const P instead = any_value<P>(g, kind::tame);
      std::memcpy(plan.instead, &instead, sizeof instead);
      const arrangement a = any_arrangement(g, rows, columns, sizeof(E));
      const arrangement b = any_arrangement(g, rows, columns, sizeof(E));
      auto first = filled<E>(g, a), second = filled<E>(g, b);
      const host::place from[2] = {place_of(first, a), place_of(second, b)};
      const size_t stride = columns + g() % 2 * 3;
      placed<P> out(rows * stride, 0);
      plan.kernel.load(&plan, from, rows, columns, out.data(), std::ptrdiff_t(stride));
      for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
          E x = read_at<E>(first.data(), a, r, c), y = read_at<E>(second.data(), b, r, c);
          if (swapped) x = reversed(x), y = reversed(y);
          P want{};
          if constexpr (has_meaning<P, E>()) {
            want = converted<P>(x);
            if (how == load_how::nan_as && is_nan(want)) want = instead;
            if constexpr (is_complex<P>)
              if (how == load_how::product_conjugated) want = P(want.re, -want.im);
            if (how == load_how::product || how == load_how::product_conjugated)
              want = mul(want, converted<P>(y));
          }
          if constexpr (std::is_same_v<P, std::int64_t>)
            if (counts) want = nonzero(x) && !(how == load_how::nonzero_number && nan(x));
          ASSERT_TRUE(same(out[r * stride + c], want))
              << "element type " << int(e) << " to packed " << int(to) << ", how " << int(how)
              << ", (" << r << ", " << c << ") of " << rows << " x " << columns
              << (swapped ? " swapped" : "");
        }
      ASSERT_TRUE(out.margin_is_intact());
    }
}

TEST(simd_load, every_pair_of_types) {
  with_every_target([] {
    rng g(3);
    for_each_element([&]<element e, class E>() {
      for_each_packed([&](auto p, packed to) {
        for (int how = 0; how <= int(load_how::product_conjugated); how++)
          ASSERT_NO_FATAL_FAILURE((check_load<e, E>(g, p, to, load_how(how))));
      });
    });
  });
}

template <class P, class E>
E narrowed(P x) {
  if constexpr (std::is_same_v<E, boolean>) return boolean{std::uint8_t(x != 0)};
  else return convert<E>(canonical(x));
}
template <class P, class E>
constexpr bool can_narrow() {
  if (integer<P>) return integer<E> || std::is_same_v<E, boolean>;
  if (is_complex<P>) return is_complex<E>;
  return real_float<E> || is_half<E>;
}

template <element e, class E, class P>
void check_store(rng& g, P, packed from) {
  for (const auto& [rows, columns] : shapes)
    for (const bool swapped : {false, true}) {
      const store_plan plan = find_store(from, {e, swapped});
      ASSERT_EQ(plan.kernel.store != nullptr, (can_narrow<P, E>()));
      if constexpr (can_narrow<P, E>()) {
        const arrangement a = any_arrangement(g, rows, columns, sizeof(E));
        std::vector<unsigned char> target(a.bytes, 0xa5), want(a.bytes, 0xa5);
        const size_t stride = columns + g() % 2 * 3;
        const auto states = any_values<P>(g, rows * stride, kind::hard);
        const host::place to[1] = {place_of(target, a)};
        plan.kernel.store(&plan, states.data(), std::ptrdiff_t(stride), rows, columns, to, 1);
        for (size_t r = 0; r < rows; r++)
          for (size_t c = 0; c < columns; c++) {
            const E x = narrowed<P, E>(states[r * stride + c]);
            write_at(want.data(), a, r, c, swapped ? reversed(x) : x);
          }
        ASSERT_EQ(target, want) << "packed " << int(from) << " to element type " << int(e) << ", "
                                << rows << " x " << columns << (swapped ? " swapped" : "");
      }
    }
}

TEST(simd_store, every_pair_of_types) {
  with_every_target([] {
    rng g(4);
    for_each_element([&]<element e, class E>() {
      for_each_packed(
          [&](auto p, packed from) { ASSERT_NO_FATAL_FAILURE((check_store<e, E>(g, p, from))); });
    });
  });
}

TEST(simd_store, every_f64_rounds_once_to_f16) {
  with_every_target([] {
    rng g(5);
    const store_plan plan = find_store(packed::f64, {element::f16, false});
    std::vector<double> x;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {  // halfway to the next, and just beside
      const double a = double(float(f16::from_bits(std::uint16_t(bits))));
      const double b =
          bits + 1 < 0x7c00 ? double(float(f16::from_bits(std::uint16_t(bits + 1)))) : 65536.0;
      const double half = (a + b) / 2;
      for (const double y : {half, std::nextafter(half, 0), std::nextafter(half, 1e9)})
        x.push_back(g() % 2 ? y : -y);
    }
    std::vector<f16> out(x.size());
    const host::place to[1] = {{out.data(), 0, 2}};
    plan.kernel.store(&plan, x.data(), std::ptrdiff_t(x.size()), 1, x.size(), to, 1);
    for (size_t i = 0; i < x.size(); i++) ASSERT_EQ(out[i].bits, convert<f16>(x[i]).bits) << x[i];
  });
}

}  // namespace
}  // namespace rung::simd::test
