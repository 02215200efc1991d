// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums of values side by side, at the speed of a few additions each. Data flow: a block of
// 2048 values in L1 is cut into levels of 52 bits by adding and subtracting one large number per
// level, whose last place is the level's unit; the bits of the sums are integers, which are added
// up as such. A block passes if nothing lay above the first level and nothing is left below the
// last; otherwise it goes through again with another window, or value by value. Cost per value and
// level: four operations, in vectors. Source: Rump, Ogita and Oishi, "Accurate floating-point
// summation" (2008), for the extraction; the integers instead of running sums are ours.
#pragma once
#include <bit>
#include <cmath>
#include <cstddef>

#include "../exact/moments.hpp"

namespace rung::host {

/// What is exact as a double: a value of a sum, a product of two narrower ones.
template <class V>
inline double exact_double(const V& x) {
  return convert<double>(x);
}
template <class T>
inline double exact_double(const exact_product<T>& p) {
  return convert<double>(p.a) * convert<double>(p.b);
}

/// 2^exponent, from the smallest subnormal on.
inline double power_of_two(int exponent) {
  return exponent >= -1022 ? std::bit_cast<double>(std::uint64_t(exponent + 1023) << 52)
                           : std::bit_cast<double>(std::uint64_t(1) << (exponent + 1074));
}

/// Collects values that are doubles, or exact as doubles, in limbs in units of 2^Unit.
template <int Digits, int Unit>
class exact_collector {
 public:
  /// Values get(0), ..., get(n - 1), made of what stands at x. one_by_one(first, count): those that
  /// do not fit the window.
  template <class X, class Get, class OneByOne>
  void add(const X* x, std::size_t n, const Get& get, const OneByOne& one_by_one) {
    for (std::size_t done = 0; done < n; done += block) {
      const std::size_t m = n - done < block ? n - done : block;
      ahead_ = reinterpret_cast<const char*>(x + (n - done < 2 * block ? done : done + block));
      ahead_step_ = part * sizeof(X);
      if (!add_block([&](std::size_t i) { return get(done + i); }, m)) one_by_one(done, m);
    }
  }
  /// One value; false: it is not finite, and not added.
  bool add_one(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int field = int(bits >> 52 & 2047), extra = field > 0 ? 1 : 0;
    if (field == 2047) return false;
    const std::uint64_t magnitude = (bits & (~std::uint64_t(0) >> 12)) | std::uint64_t(extra) << 52;
    const int position = field - extra - 1074 - Unit;  // below 0 only what has zeros there
    if (position >= 0) rung::detail::deposit(limb_, magnitude, position, bits >> 63 != 0);
    else
      rung::detail::deposit(limb_, position > -64 ? magnitude >> -position : 0, 0, bits >> 63 != 0);
    return true;
  }
  template <class State>
  void move_to(State& s) {
    s.add_limbs(limb_);
    for (auto& l : limb_) l = 0;
  }

 private:
  static constexpr std::size_t block = 2048;  // 2^11 integers of 51 bits and their signs
  static constexpr std::size_t part = 512;    // between requests for the next block
  static constexpr int most_levels = 6, level_bits = 52;

  template <class Get>
  bool add_block(const Get& x, std::size_t m) {
    if (blocks_++ == 0) top_ = highest(x, m < 256 ? m : 256) + 3;
    if (skip_ > 0) return --skip_, false;
    if (blocks_ % 256 == 0 && levels_ > 1) --levels_;
    for (;;) {
      const outcome o = levels_ == 1   ? pass<1>(x, m)
                        : levels_ == 2 ? pass<2>(x, m)
                        : levels_ == 3 ? pass<3>(x, m)
                        : levels_ == 4 ? pass<4>(x, m)
                        : levels_ == 5 ? pass<5>(x, m)
                                       : pass<6>(x, m);
      if (o == outcome::done) return true;
      const int needed = highest(x, m) + 1;
      if (needed > 1022) return false;  // too large for the window, or not finite
      // Where the lowest unit stops it from falling, top_ is right: then nothing is left below.
      if (o == outcome::above || top_ > needed + 12) top_ = needed + 2;
      else ++levels_;
      if (levels_ > most_levels) {
        levels_ = most_levels, skip_ = penalty_;
        penalty_ = penalty_ < 64 ? 2 * penalty_ : 64;
        return false;
      }
    }
  }

  /// Values below 2^highest.
  template <class Get>
  static int highest(const Get& x, std::size_t m) {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < m; ++i) {
      const auto bits = std::int64_t(std::bit_cast<std::uint64_t>(x(i)) & (~std::uint64_t(0) >> 1));
      most = bits > most ? bits : most;
    }
    return int(most >> 52) - 1022;
  }
  /// The last level's unit is a double.
  static constexpr int lowest_top(int levels) { return -1074 + 51 + level_bits * (levels - 1); }

  enum class outcome { done, above, below };
  template <int Levels, class Get>
  outcome pass(const Get& x, std::size_t m) {
    if (top_ < lowest_top(Levels)) top_ = lowest_top(Levels);
    if (top_ > 1022) top_ = 1022;
    double magic[Levels];
    for (int k = 0; k < Levels; ++k) magic[k] = 3 * power_of_two(top_ - level_bits * k);
    std::uint64_t sum[Levels] = {}, moved = 0, rest = 0;
    const auto first = std::bit_cast<std::uint64_t>(magic[0]);
    for (std::size_t begin = 0; begin < m; begin += part) {
      for (std::size_t line = 0; line < ahead_step_; line += 64)  // of the next block
        __builtin_prefetch(ahead_ + begin / part * ahead_step_ + line, 0, 2);
      const std::size_t end = begin + part < m ? begin + part : m;
      for (std::size_t i = begin; i < end; ++i) {
        double r = x(i);
        for (int k = 0; k < Levels; ++k) {
          const double t = magic[k] + r;
          const auto bits = std::bit_cast<std::uint64_t>(t);
          sum[k] += bits;
          if (k == 0) moved |= bits ^ first;
          r -= t - magic[k];
        }
        rest |= std::bit_cast<std::uint64_t>(r);
      }
    }
    if (moved >> 52 != 0) return outcome::above;
    if (rest << 1 != 0) return outcome::below;
    for (int k = 0; k < Levels; ++k) {
      const auto value =
          std::int64_t(sum[k] - std::uint64_t(m) * std::bit_cast<std::uint64_t>(magic[k]));
      const int position = top_ - 51 - level_bits * k - Unit;
      if (position >= 0) rung::detail::deposit(limb_, value, position);
      else if (value != 0) rung::detail::deposit(limb_, value >> -position, 0);
    }
    return outcome::done;
  }

  std::int64_t limb_[Digits] = {};
  int top_ = 0, levels_ = 1, skip_ = 0, penalty_ = 1;
  std::size_t blocks_ = 0, ahead_step_ = 0;
  const char* ahead_ = nullptr;
};

/// Whether a value is there that is not -0.
template <class V>
bool sees_value(const V* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (rung::detail::parts_of(x[i]).seen != 0) return true;
  return false;
}

template <class State>
using collector_of = exact_collector<State::digits, State::unit>;

/// s + the values x, each of them exact as get(x[i]), a double.
template <class V, class X, class Get>
void add_line_by(exact_state<V>& s, const X* x, std::size_t n, const Get& get) {
  collector_of<exact_state<V>> collect;
  const auto one_by_one = [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
      if (!collect.add_one(get(x[i]))) s.add(V(x[i]));
  };
  if (n < 8) {
    for (std::size_t i = 0; i < n; ++i) s.add(V(x[i]));
    return;
  }
  if (n < 24) one_by_one(0, n);
  else
    collect.add(
        x, n, [&](std::size_t i) { return get(x[i]); }, one_by_one);
  collect.move_to(s);
}

/// s + x[0] + ... + x[n - 1].
template <class V>
void add_line(exact_state<V>& s, const V* x, std::size_t n) {
  if ((s.seen & rung::detail::seen_value) == 0 && sees_value(x, n))
    s.seen |= rung::detail::seen_value;
  add_line_by(s, x, n, [](const V& v) { return exact_double(v); });
}
template <class V>
  requires integer<V>
void add_line(exact_state<V>& s, const V* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) s.add(x[i]);
}
/// The same of products of doubles: a product is the sum of two doubles, unless it is very small or
/// large. product(i) gives the i-th.
template <class Product>
void add_products(exact_state<exact_product<double>>& s, std::size_t n, const Product& product) {
  constexpr std::size_t piece = 1024;
  double high[piece], low[piece];
  collector_of<exact_state<exact_product<double>>> of_high, of_low;
  for (std::size_t done = 0; done < n; done += piece) {
    const std::size_t m = n - done < piece ? n - done : piece;
    std::uint64_t outside = 0;
    for (std::size_t i = 0; i < m; ++i) {
      const auto [a, b] = product(done + i);
      const double p = mul(a, b), magnitude = std::fabs(p);
      high[i] = p, low[i] = __builtin_fma(a, b, -p);
      outside |= std::uint64_t(!(magnitude >= 0x1p-960 && magnitude <= 0x1p1000));
    }
    if (outside != 0 || m < 24) {
      for (std::size_t i = 0; i < m; ++i) s.add(product(done + i));
      continue;
    }
    s.seen |= rung::detail::seen_value;
    const auto add_part = [&](auto& collect, const double* part) {
      collect.add(
          part, m, [=](std::size_t i) { return part[i]; },
          [&](std::size_t first, std::size_t count) {
            for (std::size_t i = first; i < first + count; ++i) collect.add_one(part[i]);
          });
    };
    add_part(of_high, high), add_part(of_low, low);
  }
  of_high.move_to(s), of_low.move_to(s);
}
inline void add_line(exact_state<exact_product<double>>& s, const exact_product<double>* x,
                     std::size_t n) {
  add_products(s, n, [=](std::size_t i) { return x[i]; });
}
/// s + the squares of x.
template <class V>
void add_squares(exact_state<exact_product<V>>& s, const V* x, std::size_t n) {
  if constexpr (std::is_same_v<V, double>) {
    add_products(s, n, [=](std::size_t i) { return exact_product<double>{x[i], x[i]}; });
  } else if constexpr (integer<V>) {
    for (std::size_t i = 0; i < n; ++i) s.add({x[i], x[i]});
  } else {
    if (n > 0) s.seen |= rung::detail::seen_value;  // a square is never -0
    struct square {
      V x;
      operator exact_product<V>() const { return {x, x}; }
    };
    add_line_by(s, reinterpret_cast<const square*>(x), n,
                [](const square& v) { return convert<double>(v.x) * convert<double>(v.x); });
  }
}

// What generic.hpp asks of an operator: more values side by side, faster than one by one.
template <class R, class V>
void absorb_line(const exact_sum<R>&, exact_state<V>& s, const V* x, std::size_t n) {
  add_line(s, x, n);
}
template <class R, class V>
void absorb_line(const exact_root_of_squares<R>&, exact_state<exact_product<V>>& s, const V* x,
                 std::size_t n) {
  add_squares(s, x, n);
}
template <class R, class V>
void absorb_line(const exact_average<R>&, exact_mean_state<V>& s, const V* x, std::size_t n) {
  add_line(s.sum, x, n);
  s.count += std::int64_t(n);
}
template <class V>
void absorb_line(const exact_moments&, exact_moments_state<V>& s, const V* x, std::size_t n) {
  add_line(s.sum, x, n);
  add_squares(s.squares, x, n);
  s.count += std::int64_t(n);
}

}  // namespace rung::host
