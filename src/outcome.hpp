// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The number that a state stands for, and as which types it can be written: one meaning for the
// stores of the CPU (stores.cpp) and of the GPU (gpu/finish.cuh).
#pragma once
#include <cmath>

#include "tables.hpp"

namespace rung::runtime {

/// The number that a state of `count` values stands for; an index is -1 where none of them counts.
template <outcome What, class S>
RUNG_HD auto outcome_of(const S& s, double ddof, std::int64_t count) {
  if constexpr (What == outcome::sum) return s.count ? s.sum : decltype(s.sum)(0);
  else if constexpr (What == outcome::mean) {
    if constexpr (requires { s.sum; }) return mean{}.finish(s);  // counted: NaN was left out
    else return mean{}.finish(mean_state<S>{s, count});
  } else if constexpr (What == outcome::variance) return s.variance(ddof);
  else if constexpr (What == outcome::deviation) return std::sqrt(s.variance(ddof));
  else if constexpr (What == outcome::norm) return norm{}.finish(s);
  else if constexpr (What == outcome::log_sum_exp) return log_sum_exp{}.finish(s);
  else if constexpr (What == outcome::index) return s.index;
  else return s;
}

/// Whether a state can be turned into that outcome, and its number into an R.
template <outcome What, class S, class R>
RUNG_HD constexpr bool is_wanted() {
  if constexpr (What == outcome::state) {
    if constexpr (!number<S>) return false;
    else return is_complex<S> == is_complex<R> && (integer<R> ? integer<S> : true);
  } else if constexpr (What == outcome::sum || What == outcome::mean) {
    if constexpr (requires {
                    S::sum;
                    S::count;
                  })
      return is_complex<decltype(S::sum)> == is_complex<R> && !integer<R>;
    else if constexpr (What == outcome::sum || !number<S> || integer<S>) return false;
    else return is_complex<S> == is_complex<R> && !integer<R>;
  } else if constexpr (What == outcome::variance || What == outcome::deviation) return requires {
      S::m2;
    }
  &&!integer<R> && !is_complex<R>;
  else if constexpr (What == outcome::norm) return std::is_same_v<S, norm_state> && !integer<R> &&
      !is_complex<R>;
  else if constexpr (What == outcome::log_sum_exp) return requires {
    S::maximum;
  }
  &&!integer<R> && !is_complex<R>;
  else if constexpr (What == outcome::index) return requires {
    S::index;
  }
  &&std::is_same_v<R, std::int64_t>;
  else return requires {
    S::min;
  }
  &&!is_complex<R>;
}

}  // namespace rung::runtime
