// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Partials behind the C functions: the operation and the element type are kept in the stored form
// as its kind, e.g. "sum f16 accumulate f32" or "var f64 skip_nan ddof 1", so that a partial can be
// read back without being told.
#include <charconv>
#include <rung/cpu/partial_blocks.hpp>

#include "exact.hpp"
#include "generic_ops.hpp"
#include "guarded.hpp"
#include "in_gpu_memory.hpp"
#include "on_gpu.hpp"

namespace rung::runtime {
namespace {

host::state_care find_care(kernel_op op, packed type) {
  if (is_exact(op)) return exact_care(op, type);
  return visit(op, [&](auto o) {
    using Op = decltype(o);
    return visit(type, [](auto t) -> host::state_care {
      using P = typename decltype(t)::type;
      if constexpr (is_used<Op, P>()) return host::care_of<state_t<Op, P>>;
      else return {};
    });
  });
}

std::string number_text(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

}  // namespace
}  // namespace rung::runtime

using namespace rung;
using namespace rung::runtime;

struct rung_partial {
  rung_op op;
  rung_type type;
  rung_options options;
  recipe how;
  host::partial_blocks blocks;

  rung_partial(rung_op o, rung_type t, const rung_options& asked, std::int64_t begin)
      : op(o),
        type(t),
        options(asked),
        how(checked_recipe(o, t, asked)),
        blocks(*find_fold(how.kernel, how.held), operator_object(how.kernel), begin) {
    options.axes = nullptr, options.axis_count = -1;  // the caller's memory; a partial has one axis
  }

  static recipe checked_recipe(rung_op o, rung_type t, const rung_options& asked) {
    if (rung_op_is_scan(o) || o == RUNG_DOT || o == RUNG_VDOT)
      fail(error_code::bad_argument, std::string("rung: ") + rung_op_name(o) +
                                         " has no partial: only reductions of one array have");
    expect_cpu(asked, "a partial");
    if (asked.init)
      fail(error_code::bad_argument,
           "rung: a partial takes no initial value: it would count once per part");
    return find_recipe(o, t, nullptr, asked);
  }

  std::string kind() const {
    std::string k = std::string(rung_op_name(op)) + " " + rung_type_name(type);
    if (options.accumulate >= 0)
      k += std::string(" accumulate ") + rung_type_name(rung_type(options.accumulate));
    if (options.exact) k += " exact";
    if (options.skip_nan) k += " skip_nan";
    if (options.ddof != 0) k += " ddof " + number_text(options.ddof);
    return k;
  }

  /// The partial without values that a kind describes.
  static std::unique_ptr<rung_partial> from_kind(std::string_view kind) {
    auto word = [&] {
      const std::size_t n = std::min(kind.find(' '), kind.size());
      const std::string w(kind.substr(0, n));
      kind.remove_prefix(std::min(n + 1, kind.size()));
      return w;
    };
    auto unknown = [whole = std::string(kind)]() -> std::unique_ptr<rung_partial> {
      fail(error_code::bad_argument, "rung: this partial is of an unknown kind, \"" + whole + "\"");
    };
    rung_op op;
    rung_type type, wide;
    rung_options o;
    rung_options_default(&o);
    if (rung_op_from_name(word().c_str(), &op) || rung_type_from_name(word().c_str(), &type))
      return unknown();
    while (!kind.empty()) {
      const std::string w = word();
      if (w == "exact") o.exact = 1;
      else if (w == "skip_nan") o.skip_nan = 1;
      else if (w == "accumulate") {
        if (rung_type_from_name(word().c_str(), &wide)) return unknown();
        o.accumulate = wide;
      } else if (w == "ddof") {
        const std::string x = word();
        if (std::from_chars(x.data(), x.data() + x.size(), o.ddof).ec != std::errc())
          return unknown();
      } else return unknown();
    }
    return std::make_unique<rung_partial>(op, type, o, 0);
  }

  void append(const rung_array& values) {
    const host::array_ref ref = to_ref(values, "the values");
    if (values.type != type)
      fail(error_code::bad_argument, std::string("rung: the partial is of ") +
                                         rung_type_name(type) + " values, these are " +
                                         rung_type_name(values.type));
    if (ref.shape.rank != 1)
      fail(error_code::bad_argument, "rung: the values of a partial have one axis");
    loader l;
    const source_type source{values.type, values.swapped != 0};
    make_load(l, {&source, 1}, how.held, how.read, how.nan);
    host::load_kernel load = l.kernel;
    const auto address = reinterpret_cast<std::uintptr_t>(ref.data);
    load.direct = load.direct && address % std::min<std::size_t>(8, ref.element_size) == 0;
    const host::place from{ref.data, 0, ref.shape.strides[0]};
    blocks.append(where(options), load, l.facts, {&from, 1}, ref.shape.shape[0]);
  }

  void value(void* to) const {
    const auto range = blocks.range();
    if (how.needs_values && range.begin == 0 && range.end == 0)
      fail(error_code::empty, std::string("rung: ") + rung_op_name(op) + " of no values");
    alignas(16) std::byte state[most_state];
    blocks.value(state);
    storer s;
    make_store(s, op, how.kernel, how.held, how.what, how.result, options.ddof);
    const std::ptrdiff_t size = std::ptrdiff_t(rung_type_size(how.result));
    const host::place places[2] = {{to, 0, size}, {static_cast<std::byte*>(to) + size, 0, size}};
    s.kernel.store(s.facts, state, 1, 1, 1, places, range.end);
  }
};

namespace {

template <class Partial>
Partial& required(Partial* p) {
  if (!p) fail(error_code::bad_argument, "rung: the partial is missing (NULL)");
  return *p;
}

}  // namespace

extern "C" {

int rung_partial_create(rung_op op, rung_type type, const rung_options* options, int64_t begin,
                        rung_partial** partial) {
  return guarded([&] {
    const rung_options asked = checked_options(options);
    expect_host_memory(asked, "a partial");
    *partial = new rung_partial(op, type, asked, begin);
  });
}

int rung_partial_append(rung_partial* partial, const rung_array* values) {
  return guarded([&] { required(partial).append(required(values, "the values")); });
}

int rung_partial_merge(rung_partial* left, const rung_partial* right) {
  return guarded([&] {
    if (required(left).kind() != required(right).kind())
      fail(error_code::bad_argument,
           "rung: partials of \"" + left->kind() + "\" and \"" + right->kind() + "\" do not merge");
    left->blocks.merge(right->blocks);
  });
}

int rung_partial_value(const rung_partial* partial, void* value, rung_type* type, int32_t* count) {
  return guarded([&] {
    const rung_partial& p = required(partial);
    if (value) p.value(value);
    if (type) *type = p.how.result;
    if (count) *count = p.how.planes;
  });
}

int rung_partial_range(const rung_partial* partial, int64_t* begin, int64_t* end) {
  return guarded([&] {
    const auto range = required(partial).blocks.range();
    if (begin) *begin = range.begin;
    if (end) *end = range.end;
  });
}

int rung_partial_save(const rung_partial* partial, void* buffer, size_t* size) {
  return guarded([&] {
    const rung_partial& p = required(partial);
    const auto bytes = p.blocks.save(p.kind(), find_care(p.how.kernel, p.how.held));
    const std::size_t room = *size;
    *size = bytes.size();
    if (!buffer) return;
    if (room < bytes.size())
      fail(error_code::bad_argument, "rung: the buffer for a partial is too small");
    std::memcpy(buffer, bytes.data(), bytes.size());
  });
}

int rung_partial_load(const void* bytes, size_t size, rung_partial** partial) {
  return guarded([&] {
    const std::span<const std::byte> all(static_cast<const std::byte*>(bytes), size);
    const std::string kind(host::read_partial_header(all).kind);
    auto p = rung_partial::from_kind(kind);
    p->blocks = host::partial_blocks::load(all, *find_fold(p->how.kernel, p->how.held),
                                           operator_object(p->how.kernel), kind,
                                           find_care(p->how.kernel, p->how.held));
    *partial = p.release();
  });
}

rung_op rung_partial_op(const rung_partial* partial) {
  return partial ? partial->op : RUNG_OP_IS_32_BITS;
}

void rung_partial_free(rung_partial* partial) { delete partial; }

}  // extern "C"
