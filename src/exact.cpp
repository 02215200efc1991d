// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See exact.hpp. The operators here are those of rung/exact/, over the SIMD loops where there are
// some; a NaN that is skipped is no value.
#include "exact.hpp"

#include <cstring>
#include <rung/cpu/generic.hpp>
#include <rung/cpu/generic_scan.hpp>
#include <vector>

#include "exact_lines.hpp"

namespace rung::runtime {
namespace {

struct fast_plus : exact_plus {};
struct fast_norm : exact_norm {};
struct fast_moments : exact_moments {};
struct fast_mean : exact_mean {};
/// Pairs of values, held as the two parts of a complex number.
struct fast_dot : exact_plus {
  template <class T>
  constexpr exact_state<exact_product<T>> lift(const complex<T>& z) const {
    return exact_product<T>{z.re, z.im};
  }
};
struct mean_of_numbers : exact_mean {
  template <real_float T>
  constexpr exact_mean_state<T> lift(T x) const {
    return is_nan(x) ? exact_mean_state<T>{} : exact_mean::lift(x);
  }
};
struct moments_of_numbers : exact_moments {
  template <real_float T>
  constexpr exact_moments_state<T> lift(T x) const {
    return is_nan(x) ? exact_moments_state<T>{} : exact_moments::lift(x);
  }
};

template <class T>
void absorb_line(const fast_plus&, exact_state<T>& s, const T* x, std::size_t n) {
  sum_line(s, x, n);
}
template <class T>
void absorb_line(const fast_norm&, exact_state<exact_product<T>>& s, const T* x, std::size_t n) {
  square_line(s, x, n);
}
template <class T>
void absorb_line(const fast_dot&, exact_state<exact_product<T>>& s, const complex<T>* x,
                 std::size_t n) {
  static_assert(sizeof(complex<T>) == sizeof(exact_product<T>));
  product_line(s, reinterpret_cast<const exact_product<T>*>(x), n);
}
template <class T>
void absorb_line(const fast_mean&, exact_mean_state<T>& s, const T* x, std::size_t n) {
  sum_line(s.sum, x, n);
  s.count += std::int64_t(n);
}
template <class T>
void absorb_line(const fast_moments&, exact_moments_state<T>& s, const T* x, std::size_t n) {
  sum_line(s.sum, x, n);
  square_line(s.squares, x, n);
  s.count += std::int64_t(n);
}
/// The numbers among the values, some at a time, to f(values, count).
template <class T, class F>
void for_numbers(const T* x, std::size_t n, const F& f) {
  T numbers[2048];
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i++) {
    numbers[count] = x[i];
    count += x[i] == x[i];
    if (count == std::size(numbers)) f(numbers, count), count = 0;
  }
  f(numbers, count);
}
template <class T>
void absorb_line(const mean_of_numbers&, exact_mean_state<T>& s, const T* x, std::size_t n) {
  for_numbers(x, n, [&](const T* y, std::size_t m) { absorb_line(fast_mean{}, s, y, m); });
}
template <class T>
void absorb_line(const moments_of_numbers&, exact_moments_state<T>& s, const T* x, std::size_t n) {
  for_numbers(x, n, [&](const T* y, std::size_t m) { absorb_line(fast_moments{}, s, y, m); });
}

template <class Op, class P>
constexpr bool is_used() {
  if constexpr (std::is_same_v<Op, fast_dot>) return is_complex<P>;
  else if constexpr (std::is_same_v<Op, fast_plus> || std::is_same_v<Op, mean_of_numbers> ||
                     std::is_same_v<Op, moments_of_numbers>)
    return real_float<P>;
  else return !is_complex<P>;
}
/// f(operator, tag of the packed type), where the pair is used.
template <class F>
void visit_exact(kernel_op op, packed type, F&& f) {
  const auto over_types = [&](auto o) {
    using Op = decltype(o);
    visit(type, [&](auto t) {
      if constexpr (is_used<Op, typename decltype(t)::type>()) f(Op{}, t);
    });
  };
  switch (op) {
    case kernel_op::exact_plus:
      return over_types(fast_plus{});
    case kernel_op::exact_norm:
      return over_types(fast_norm{});
    case kernel_op::exact_moments:
      return over_types(fast_moments{});
    case kernel_op::exact_mean:
      return over_types(fast_mean{});
    case kernel_op::exact_mean_number:
      return over_types(mean_of_numbers{});
    case kernel_op::exact_moments_number:
      return over_types(moments_of_numbers{});
    case kernel_op::exact_dot:
      return over_types(fast_dot{});
    default:
      return;
  }
}

template <class Op, class P>
constexpr host::fold_kernels fold_table = host::generic::make_fold<Op, P>();
template <class Op, class P>
constexpr host::scan_kernels scan_table = host::generic::make_scan<Op, P>();

/// The number that a state stands for, as an R.
template <outcome What, class R, class S>
R exact_result(const S& s, double ddof) {
  if constexpr (What == outcome::variance) return s.template variance<R>(ddof);
  else if constexpr (What == outcome::deviation) return s.template standard_deviation<R>(ddof);
  else if constexpr (What == outcome::mean) return s.sum.template round_mean<R>(s.count);
  else if constexpr (What == outcome::sum) return s.count ? s.sum.template round<R>() : R(0.0f);
  else if constexpr (What == outcome::norm) return s.template round_root<R>();
  else return s.template round<R>();
}
template <outcome What, class S, class R>
void store(const void* context, const void* states, std::ptrdiff_t stride, std::size_t rows,
           std::size_t columns, const host::place* to, std::int64_t) {
  const double ddof = *static_cast<const double*>(context);
  for (std::size_t r = 0; r < rows; r++)
    for (std::size_t c = 0; c < columns; c++) {
      const S& s = static_cast<const S*>(states)[std::ptrdiff_t(r) * stride + std::ptrdiff_t(c)];
      const R result = exact_result<What, R>(s, ddof);
      std::memcpy(static_cast<std::byte*>(to[0].data) + std::ptrdiff_t(r) * to[0].row +
                      std::ptrdiff_t(c) * to[0].column,
                  &result, sizeof(R));
    }
}
template <outcome What, class S>
host::store_kernel::store_function find_store(rung_type to) {
  switch (to) {
    case RUNG_F16:
      return store<What, S, f16>;
    case RUNG_BF16:
      return store<What, S, bf16>;
    case RUNG_F32:
      return store<What, S, float>;
    case RUNG_F64:
      return store<What, S, double>;
    default:
      return nullptr;
  }
}
template <class S>
host::store_kernel::store_function find_store(outcome what, rung_type to) {
  if constexpr (requires(S s) { s.squares; }) {
    if (what == outcome::variance) return find_store<outcome::variance, S>(to);
    return find_store<outcome::deviation, S>(to);
  } else if constexpr (requires(S s) { s.count; }) {
    if (what == outcome::sum) return find_store<outcome::sum, S>(to);
    return find_store<outcome::mean, S>(to);
  } else {
    if (what == outcome::norm) return find_store<outcome::norm, S>(to);
    return find_store<outcome::state, S>(to);
  }
}

/// What a load of pairs is told.
struct pair_context {
  source_type sources[2];
  packed part;
};
void load_pairs(const void* context, const host::place* from, std::size_t rows, std::size_t columns,
                void* values, std::ptrdiff_t stride) {
  const pair_context& c = *static_cast<const pair_context*>(context);
  const std::size_t size = rung_type_size(code_of(c.part));
  thread_local std::vector<std::byte> parts;
  parts.resize(rows * columns * size);
  for (std::size_t a = 0; a < 2; a++) {
    loader l;
    make_load(l, {&c.sources[a], 1}, c.part, meaning::value);
    l.kernel.load(l.facts, from + a, rows, columns, parts.data(), std::ptrdiff_t(columns));
    for (std::size_t r = 0; r < rows; r++) {
      std::byte* to = static_cast<std::byte*>(values) +
                      (std::size_t(std::ptrdiff_t(r) * stride) * 2 + a) * size;
      const std::byte* part = parts.data() + r * columns * size;
      for (std::size_t i = 0; i < columns; i++)
        std::memcpy(to + 2 * i * size, part + i * size, size);
    }
  }
}

}  // namespace

void make_exact(recipe& r, rung_type t, bool skip_nan) {
  const bool skips = skip_nan && !is_integer(t);
  if (is_complex_type(t))
    fail(error_code::bad_type, std::string("rung: ") + rung_op_name(r.op) + " of " +
                                   rung_type_name(t) + " values: exact sums are of real numbers");
  const packed held = accumulator_of(t);
  switch (r.op) {
    case RUNG_SUM:
    case RUNG_CUMSUM:
      if (is_integer(t)) return;  // as it is
      r.kernel = skips ? kernel_op::exact_mean_number : kernel_op::exact_plus;
      r.what = skips ? outcome::sum : outcome::state;
      break;
    case RUNG_MEAN:
      r.kernel = skips ? kernel_op::exact_mean_number : kernel_op::exact_mean;
      break;
    case RUNG_VAR:
    case RUNG_STD:
      r.kernel = skips ? kernel_op::exact_moments_number : kernel_op::exact_moments;
      break;
    case RUNG_NORM:
      r.kernel = kernel_op::exact_norm;
      break;
    case RUNG_DOT:
    case RUNG_VDOT:
      if (is_integer(t)) return;
      r.kernel = kernel_op::exact_dot, r.read = meaning::pair, r.what = outcome::state;
      r.held = held == packed::f64 ? packed::c128 : packed::c64;
      return;
    default:
      fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(r.op) +
                                         " has no exact form; sum, mean, var, std, norm, dot, vdot "
                                         "and cumsum have one");
  }
  r.held = held;
}

const host::fold_kernels* exact_fold(kernel_op op, packed type) {
  const host::fold_kernels* found = nullptr;
  visit_exact(op, type, [&](auto o, auto t) {
    found = &fold_table<decltype(o), typename decltype(t)::type>;
  });
  return found;
}
const host::scan_kernels* exact_scan(kernel_op op, packed type) {
  if (type == packed::f32 && op == kernel_op::exact_plus) return &scan_table<fast_plus, float>;
  if (type == packed::f64 && op == kernel_op::exact_plus) return &scan_table<fast_plus, double>;
  if (type == packed::f32) return &scan_table<mean_of_numbers, float>;
  return &scan_table<mean_of_numbers, double>;
}
void exact_lift(kernel_op op, packed type, const packed_value& value, void* state) {
  visit_exact(op, type, [&](auto o, auto t) {
    const auto s = lift(o, value.as<typename decltype(t)::type>(), std::int64_t(0));
    std::memcpy(state, &s, sizeof s);
  });
}
host::state_care exact_care(kernel_op op, packed type) {
  host::state_care care;
  visit_exact(op, type, [&](auto o, auto t) {
    care = host::care_of<state_t<decltype(o), typename decltype(t)::type>>;
  });
  return care;
}

void make_exact_store(storer& s, kernel_op op, packed type, outcome what, rung_type to,
                      double ddof) {
  s.put(ddof);
  s.kernel = {.arrays = 1, .element_size = {rung_type_size(to)}, .direct = false, .store = nullptr};
  visit_exact(op, type, [&](auto o, auto t) {
    s.kernel.store = find_store<state_t<decltype(o), typename decltype(t)::type>>(what, to);
  });
  if (!s.kernel.store)
    fail(error_code::bad_type,
         std::string("rung: this result cannot be written as ") + rung_type_name(to));
}

void make_pair_load(loader& l, std::span<const source_type> sources, packed to) {
  const packed part = to == packed::c128 ? packed::f64 : packed::f32;
  l.put(pair_context{{sources.front(), sources.back()}, part});
  l.kernel = {
      .arrays = 2,
      .element_size = {rung_type_size(sources.front().type), rung_type_size(sources.back().type)},
      .direct = false,
      .load = load_pairs};
}

}  // namespace rung::runtime
