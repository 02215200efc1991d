// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// States to results: finish, make NaN canonical, round once to the type asked for, write at any
// stride.
#include <cstring>

#include "exact.hpp"
#include "generic_ops.hpp"
#include "outcome.hpp"

namespace rung::runtime {
using host::place;
namespace {

/// What a store is told.
struct store_context {
  double ddof = 0;
  rung_op op = RUNG_SUM;
};

template <class R>
void put(const place& to, std::size_t r, std::size_t c, R value) {
  std::memcpy(
      static_cast<std::byte*>(to.data) + std::ptrdiff_t(r) * to.row + std::ptrdiff_t(c) * to.column,
      &value, sizeof(R));
}

template <class R, class V>
void put_number(const place& to, std::size_t r, std::size_t c, V value) {
  put(to, r, c, convert<R>(canonical(value)));
}

/// Throws where the extreme of values that were all left out is asked for.
template <class S>
void expect_place(const S& s, const store_context& c, std::int64_t count) {
  if (s.index < 0 && count > 0)
    fail(error_code::empty, std::string("rung: ") + rung_op_name(c.op) +
                                " of values that are all NaN, and NaN is skipped");
}

template <outcome What, class S, class R>
void store(const void* context, const void* states, std::ptrdiff_t stride, std::size_t rows,
           std::size_t columns, const place* to, std::int64_t count) {
  const store_context& c = *static_cast<const store_context*>(context);
  for (std::size_t r = 0; r < rows; r++) {
    const S* row = static_cast<const S*>(states) + std::ptrdiff_t(r) * stride;
    for (std::size_t i = 0; i < columns; i++) {
      if constexpr (What == outcome::min_max) {
        put_number<R>(to[0], r, i, row[i].min);
        put_number<R>(to[1], r, i, row[i].max);
      } else {
        if constexpr (What == outcome::index) expect_place(row[i], c, count);
        put_number<R>(to[0], r, i, outcome_of<What>(row[i], c.ddof, count));
      }
    }
  }
}

template <outcome What, class S>
host::store_kernel::store_function find(rung_type to) {
  return visit(to, [](auto r) -> host::store_kernel::store_function {
    using R = typename decltype(r)::type;
    if constexpr (is_wanted<What, S, R>()) return store<What, S, R>;
    else return nullptr;
  });
}

template <class S>
host::store_kernel::store_function find(outcome what, rung_type to) {
  switch (what) {
    case outcome::state:
      return find<outcome::state, S>(to);
    case outcome::sum:
      return find<outcome::sum, S>(to);
    case outcome::mean:
      return find<outcome::mean, S>(to);
    case outcome::variance:
      return find<outcome::variance, S>(to);
    case outcome::deviation:
      return find<outcome::deviation, S>(to);
    case outcome::norm:
      return find<outcome::norm, S>(to);
    case outcome::log_sum_exp:
      return find<outcome::log_sum_exp, S>(to);
    case outcome::index:
      return find<outcome::index, S>(to);
    case outcome::min_max:
      return find<outcome::min_max, S>(to);
  }
  return nullptr;
}

}  // namespace

void make_store(storer& s, rung_op named, kernel_op op, packed type, outcome what, rung_type to,
                double ddof) {
  if (is_exact(op)) return make_exact_store(s, op, type, what, to, ddof);
  if (what == outcome::state && simd_store(s, type, to)) return;
  s.put(store_context{.ddof = ddof, .op = named});
  const std::size_t size = rung_type_size(to);
  s.kernel = {.arrays = what == outcome::min_max ? 2 : 1,
              .element_size = {size, size},
              .direct = false,
              .store = nullptr,
              .counts = what == outcome::mean || what == outcome::index};
  visit(op, [&](auto o) {
    using Op = decltype(o);  // outside the inner lambda: a captured o is const there
    visit(type, [&](auto t) {
      using P = typename decltype(t)::type;
      if constexpr (is_used<Op, P>()) {
        using S = state_t<Op, P>;
        s.kernel.store = find<S>(what, to);
        s.kernel.direct = what == outcome::state && number<S> && to == code_of(type);
      }
    });
  });
  if (!s.kernel.store)
    fail(error_code::bad_type,
         std::string("rung: this result cannot be written as ") + rung_type_name(to));
}

}  // namespace rung::runtime
