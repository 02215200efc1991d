// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrong uses, one per macro, each of which must not compile and must say in words why. With
// RIGHT_USE the file compiles, so that none of them fails for another reason.
#include <string>
#include <vector>

#include "rung/cpu/reduce.hpp"
#include "rung/cpu/scan.hpp"

namespace {

struct text {
  std::string s;
};
struct concatenate {
  text lift(float) const { return {}; }
  text operator()(text l, const text& r) const { return {l.s + r.s}; }
};
struct large {
  double d[129];
};
struct join_large {
  large lift(float x) const { return {{x}}; }
  large operator()(large l, large) const { return l; }
};
struct without_call {};
struct without_const {
  float operator()(float l, float r) { return l + r; }
};

}  // namespace

int main() {
  using namespace rung;
  std::vector<float> x(3), out(3);
  std::vector<complex<float>> z(3);
  const auto left = make_operator([](float l, float) { return l; });
  (void)left;
#if defined(RIGHT_USE)
  reduce(cpu, x, left);
  exclusive_scan(cpu, x, out, left, 1.0f);
#elif defined(NOT_CALLABLE)
  reduce(cpu, x, without_call{});
#elif defined(NOT_CALLABLE_WHEN_CONST)
  inclusive_scan(cpu, x, out, without_const{});
#elif defined(NOT_COPYABLE)
  reduce(cpu, x, concatenate{});
#elif defined(TOO_LARGE)
  reduce(cpu, x, join_large{});
#elif defined(NO_IDENTITY)
  exclusive_scan(cpu, x, out, left);
#elif defined(NO_ORDER)
  reduce(cpu, z, minimum{});
#elif defined(WRONG_INIT)
  reduce(cpu, x, plus{}, std::string("1"));
#elif defined(FIVE_ARRAYS)
  reduce(cpu, transform([](auto... v) { return (v + ...); }, x, x, x, x, x), plus{});
#endif
}
