// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See recipe.hpp.
#include "recipe.hpp"

#include <algorithm>
#include <cstring>

#include "exact.hpp"

namespace rung::runtime {
namespace {

[[noreturn]] void refuse(rung_op op, rung_type type, const char* why) {
  fail(error_code::bad_type, std::string("rung: ") + rung_op_name(op) + " of " +
                                 rung_type_name(type) + " values: " + why);
}

/// x as a packed value, in both parts of a complex one.
packed_value as_packed(packed type, double x) {
  return visit(type, [&](auto t) {
    using P = typename decltype(t)::type;
    if constexpr (is_complex<P>) return packed_value(P(decltype(P().re)(x), decltype(P().re)(x)));
    else return packed_value(P(x));
  });
}

/// The real type of a result: that of a complex number's parts, the type itself for floats, f64 for
/// integers.
rung_type real_result(rung_type t) {
  if (t == RUNG_C64) return RUNG_F32;
  if (t == RUNG_C128) return RUNG_F64;
  return is_integer(t) ? RUNG_F64 : t;
}

bool is_held_in_float(packed p) { return p >= packed::f32; }

/// Sums and products, whole or running.
void arithmetic(recipe& r, rung_type t, kernel_op op, bool accumulate, bool skip_nan) {
  r.kernel = op;
  r.held = accumulator_of(t);
  r.result = is_integer(t) && !accumulate ? code_of(r.held) : t;
  if (!skip_nan || !is_held_in_float(r.held)) return;
  if (op == kernel_op::plus) {  // counted, because the sum of no values is +0, not the no-op -0
    r.kernel = kernel_op::mean_number, r.what = outcome::sum;
  } else {
    r.read = meaning::nan_as;
    r.nan = visit(r.held, [](auto one) { return packed_value(typename decltype(one)::type(1)); });
  }
}

void extreme(recipe& r, rung_type t, kernel_op op, kernel_op number_op, bool skip_nan) {
  if (is_complex_type(t)) refuse(r.op, t, "complex numbers have no order");
  r.kernel = skip_nan && is_float(t) ? number_op : op;
  r.held = accumulator_of(t);
  r.result = t;
  r.needs_values = !rung_op_is_scan(r.op);
}

void averaged(recipe& r, rung_type t, bool skip_nan) {  // mean, var, std
  r.held = is_integer(t) ? packed::f64 : accumulator_of(t);
  r.takes_init = false;
  const bool skips = skip_nan && !is_integer(t);
  if (r.op == RUNG_MEAN) {
    r.kernel = skips ? kernel_op::mean_number : kernel_op::plus;
    r.what = outcome::mean;
    r.result = is_integer(t) ? RUNG_F64 : t;
  } else {
    r.held = is_complex_type(t) ? packed::c128 : packed::f64;
    r.kernel = skips ? kernel_op::moments_number : kernel_op::moments;
    r.what = r.op == RUNG_VAR ? outcome::variance : outcome::deviation;
    r.result = real_result(t);
  }
}

void logical(recipe& r, kernel_op op, rung_type result, std::int64_t nan) {
  r.held = packed::i64;
  r.kernel = op;
  r.read = meaning::nonzero;
  r.nan = packed_value(nan);
  r.result = result;
}

}  // namespace

rung_type promote(rung_type a, rung_type b) {
  if (a == b) return a;
  if (is_integer(a) && is_integer(b)) {
    const bool natural = (is_unsigned(a) || a == RUNG_BOOL) && (is_unsigned(b) || b == RUNG_BOOL);
    return natural ? RUNG_U64 : RUNG_I64;
  }
  if (is_complex_type(a) || is_complex_type(b)) {
    auto needs_double = [](rung_type t) {
      return t == RUNG_C128 || t == RUNG_F64 || (is_integer(t) && rung_type_size(t) >= 4);
    };
    return needs_double(a) || needs_double(b) ? RUNG_C128 : RUNG_C64;
  }
  if (is_integer(a)) std::swap(a, b);  // a is a float
  if (is_integer(b)) {
    const std::size_t bytes = rung_type_size(b);
    if (bytes >= 4) return RUNG_F64;
    return bytes == 2 && a != RUNG_F64 ? RUNG_F32 : a;
  }
  return a == RUNG_F64 || b == RUNG_F64 ? RUNG_F64 : RUNG_F32;
}

recipe find_recipe(rung_op op, rung_type a, const rung_type* b, const rung_options& options) {
  recipe r{};
  r.op = op;
  if (rung_type_size(a) == 0 || (b && rung_type_size(*b) == 0))
    fail(error_code::bad_type, "rung: there is no such element type");
  const bool product = op == RUNG_DOT || op == RUNG_VDOT;
  if (product != (b != nullptr))
    fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(op) +
                                       (product ? " needs two arrays" : " takes one array"));
  rung_type t = b ? promote(a, *b) : a;
  const bool accumulate = options.accumulate >= 0, skip = options.skip_nan;
  if (accumulate) {
    const rung_type wide = rung_type(options.accumulate);
    if (rung_type_size(wide) == 0 || wide == RUNG_BOOL)
      fail(error_code::bad_argument, "rung: cannot accumulate in that type");
    if (is_complex_type(t) && !is_complex_type(wide))
      refuse(op, t, "cannot be accumulated in a real type");
    if (!is_integer(t) && is_integer(wide))
      refuse(op, t, "cannot be accumulated in an integer type");
    t = wide;
  }
  switch (op) {
    case RUNG_SUM:
    case RUNG_CUMSUM:
      arithmetic(r, t, kernel_op::plus, accumulate, skip);
      break;
    case RUNG_PROD:
    case RUNG_CUMPROD:
      arithmetic(r, t, kernel_op::multiplies, accumulate, skip);
      break;
    case RUNG_MIN:
    case RUNG_CUMMIN:
      extreme(r, t, kernel_op::minimum, kernel_op::minimum_number, skip);
      break;
    case RUNG_MAX:
    case RUNG_CUMMAX:
      extreme(r, t, kernel_op::maximum, kernel_op::maximum_number, skip);
      break;
    case RUNG_MINMAX:
      extreme(r, t, kernel_op::min_max, kernel_op::min_max_number, skip);
      r.what = outcome::min_max, r.planes = 2;
      break;
    case RUNG_ARGMIN:
    case RUNG_ARGMAX:
      if (op == RUNG_ARGMIN) extreme(r, t, kernel_op::arg_min, kernel_op::arg_min_number, skip);
      else extreme(r, t, kernel_op::arg_max, kernel_op::arg_max_number, skip);
      r.what = outcome::index, r.result = RUNG_I64, r.takes_init = false;
      break;
    case RUNG_MEAN:
    case RUNG_VAR:
    case RUNG_STD:
      averaged(r, t, skip);
      break;
    case RUNG_NORM:
      r.held = is_complex_type(t) ? packed::c128 : packed::f64;
      r.kernel = kernel_op::norm, r.what = outcome::norm, r.result = real_result(t);
      if (skip && !is_integer(t)) r.read = meaning::nan_as;  // read as 0, which adds nothing
      break;
    case RUNG_DOT:
    case RUNG_VDOT:
      arithmetic(r, t, kernel_op::plus, accumulate, false);
      if (skip && !is_integer(t)) refuse(op, t, "NaN cannot be skipped in a product of two arrays");
      r.read =
          op == RUNG_VDOT && is_complex_type(t) ? meaning::product_conjugated : meaning::product;
      break;
    case RUNG_ANY:
      logical(r, kernel_op::bit_or, RUNG_BOOL, skip ? 0 : 1);
      break;
    case RUNG_ALL:
      logical(r, kernel_op::bit_and, RUNG_BOOL, 1);
      break;
    case RUNG_COUNT:
      logical(r, kernel_op::plus, RUNG_I64, skip ? 0 : 1);
      break;
    case RUNG_LOGSUMEXP:
    case RUNG_CUMLOGSUMEXP:
      if (is_complex_type(t)) refuse(op, t, "complex numbers have no maximum");
      r.held = is_integer(t) ? packed::f64 : accumulator_of(t);
      r.kernel = kernel_op::log_sum_exp, r.what = outcome::log_sum_exp, r.result = real_result(t);
      if (skip && !is_integer(t))
        r.read = meaning::nan_as, r.nan = as_packed(r.held, -infinity<double>);
      break;
    default:
      fail(error_code::bad_argument,
           "rung: there is no operation with code " + std::to_string(int(op)));
  }
  if (options.exact) make_exact(r, t, skip);
  return r;
}

rung_options checked_options(const rung_options* options) {
  rung_options o;
  rung_options_default(&o);
  if (!options) return o;
  if (options->size < offsetof(rung_options, axes) + sizeof o.axes || options->size > 4096)
    fail(error_code::bad_argument, "rung: options must be filled by rung_options_default first");
  std::memcpy(&o, options, std::min(options->size, sizeof o));
  o.size = sizeof o;
  if (o.threads < 0 || o.threads > 4096)
    fail(error_code::bad_argument,
         "rung: " + std::to_string(o.threads) + " threads asked for; 0 (all) to 4096 are possible");
  if (o.device < RUNG_CPU || o.device > RUNG_AUTO)
    fail(error_code::bad_argument,
         "rung: there is no device with code " + std::to_string(o.device));
  if (o.memory < RUNG_HOST_MEMORY || o.memory > RUNG_GPU_MEMORY)
    fail(error_code::bad_argument,
         "rung: there is no memory with code " + std::to_string(o.memory));
  if (o.gpu_count < -1 || (o.gpu_count > 0 && o.gpus == nullptr))
    fail(error_code::bad_argument, "rung: a list of " + std::to_string(o.gpu_count) + " GPUs");
  if (o.gpu_count != 0 && (o.device != RUNG_CUDA || o.memory == RUNG_GPU_MEMORY))
    fail(error_code::bad_argument,
         "rung: GPUs share calls of cuda on arrays in host memory, and no others");
  return o;
}

}  // namespace rung::runtime
