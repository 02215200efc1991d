// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Axes of an array that is split among the ranks along one axis. Folds over other axes stay on
// their rank. A fold over the split axis is reduce (reduce.hpp) for all results at once: the
// aligned blocks of the rank's positions along that axis, each a row of states, are gathered and
// joined row by row. Cost: local values are read once; per rank one row for each block, so parts of
// 2^k positions send least.
#pragma once
#include "../cpu/reduce.hpp"
#include "reduce.hpp"

namespace rung {

/// The axis along which an array is split: rank 0 has its first positions, and so on. All other
/// axes are whole, and equally long, on every rank. Negative: counted from the last.
struct split_along {
  std::int64_t axis;
};

namespace host {

/// Rows of `width` states as the states of one partial: joined column by column.
struct row_operator {
  const fold_kernels* fold;
  const void* op;
  std::size_t width;

  fold_kernels kernels() const {
    fold_kernels k{};
    k.value_size = fold->value_size, k.state_size = width * fold->state_size;
    k.has_empty = fold->has_empty;
    k.join = [](const void* rows, void* left, const void* right, std::size_t) {
      const auto& r = *static_cast<const row_operator*>(rows);
      r.fold->join(r.op, left, right, r.width);
    };
    k.empty = [](const void* rows, void* state) {
      const auto& r = *static_cast<const row_operator*>(rows);
      for (std::size_t i = 0; i < r.width; i++)
        r.fold->empty(r.op, static_cast<std::byte*>(state) + i * r.fold->state_size);
    };
    return k;
  }
};

/// f(address) for every element of an array, in C order.
template <class F>
void for_each_element(const array_ref& a, const F& f) {
  std::array<std::int64_t, max_rank> at{};
  const std::int64_t n = a.shape.size();
  std::byte* p = a.data;
  for (std::int64_t i = 0; i < n; i++) {
    f(p);
    for (int d = a.shape.rank - 1; d >= 0; d--) {
      p += a.shape.strides[d];
      if (++at[std::size_t(d)] < a.shape.shape[d]) break;
      p -= a.shape.strides[d] * a.shape.shape[d];
      at[std::size_t(d)] = 0;
    }
  }
}

}  // namespace host

namespace detail {

struct reduce_axis_call {};

/// All ranks' parts are equal but along the split axis.
template <class C>
void compare_split_axis(host::rank_call<C>& call, const layout& shape, int split) {
  layout others = shape;
  others.shape[split] = 0;
  call.compare("shape " + shape_text(others.lengths()) + " with axis " + std::to_string(split) +
               " split");
}
/// Throws if another axis is folded, and for an output of another shape.
inline void check_split_axis(const layout& shape, const host::array_ref& target,
                             const std::array<bool, max_rank>& folded, int split) {
  for (int d = 0; d < shape.rank; d++)
    if (folded[std::size_t(d)] && d != split)
      fail(error_code::bad_argument,
           "rung: axis " + std::to_string(split) + " is split among the ranks, so it is folded " +
               "alone; axis " + std::to_string(d) + " can be folded in a second call");
  host::spread_output(target, shape, folded);
}

template <class C, class Source, class Op, class R, class Init>
void reduce_split_axis(const ranks<C>& where, const Source& source, const Op& op, int split,
                       const std::array<bool, max_rank>& folded, const Init& init,
                       const into<R>& out) {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  const auto sources = host::source_refs(source);
  const layout& shape = sources[0].shape;
  const auto k = host::kernels_for<Op, Source>(source.f);
  const host::array_ref target{reinterpret_cast<std::byte*>(out.out.data()), out.out.bytes(),
                               sizeof(R)};
  host::rank_call call(where.comm, host::call_text<reduce_axis_call, Op, T>());
  compare_split_axis(call, shape, split);
  call.attempt([&] {
    check_split_axis(shape, target, folded, split);
    host::check_distinct(target);
    for (const auto& s : sources) host::check_overlap(s, target, false);
  });
  call.agree(shape.shape[split]);
  const std::int64_t width = host::reduced_shape(shape, folded, false).size();
  if (width == 0) return;
  constexpr bool has_init = !std::is_same_v<Init, std::nullopt_t>;
  if (!has_init && call.total() == 0 && (host::is_extreme<Op> || !k.fold->has_empty))
    host::fail_empty(shape, folded, "the fold");

  const host::row_operator rows{k.fold, &op, std::size_t(width)};
  const host::fold_kernels wide = rows.kernels();
  struct alignas(64) line {
    std::byte bytes[64];
  };
  std::vector<line> memory;
  host::partial_blocks part(wide, &rows, call.mine().begin), whole(wide, &rows);
  call.attempt([&] {
    memory.resize((wide.state_size + sizeof(line) - 1) / sizeof(line));
    const layout flat(host::reduced_shape(shape, folded, false).lengths(), sizeof(S));
    const host::array_ref states{memory.data()->bytes, flat, sizeof(S)};
    const host::array_ref row = host::spread_output(states, shape, folded);
    for (position_range left = call.mine(); left.begin < left.end;) {
      const std::int64_t length = host::aligned_block(left.begin, left.end - left.begin),
                         done = left.begin - call.mine().begin;
      auto block = sources;
      for (auto& s : block) {
        s.data += done * s.shape.strides[split];
        s.shape.shape[split] = length;
      }
      host::reduction r;
      r.op = &op, r.fold = k.fold, r.load = k.load, r.load_context = k.load_context();
      r.store = host::entry_store<S>::kernel(), r.store_context = nullptr;
      r.first = left.begin;
      r.p = host::make_plan(block[0].shape, folded, block, {&row, 1},
                            r.fold->any_order && !r.fold->positional);
      host::run_reduce(where.local, r);
      part.append_state(memory.data(), length);
      left.begin += length;
    }
  });
  call.gather(part, wide.state_size, where.comm.size(), whole);
  std::vector<line> start;
  if constexpr (has_init) {
    const S one = host::as_state<Op, T>(init);
    start.resize(memory.size());
    for (std::int64_t i = 0; i < width; i++)
      std::memcpy(start.data()->bytes + std::size_t(i) * sizeof(S), &one, sizeof(S));
  }
  whole.value(memory.data(), has_init ? start.data() : nullptr);
  const auto store = host::typed_store<Op, T, R>::kernel();
  const std::byte* state = memory.data()->bytes;
  const host::default_float_mode mode;
  host::for_each_element(target, [&](std::byte* to) {
    const host::place at{to, 0, 0};
    store.store(&op, state, 1, 1, 1, &at, call.total());
    state += sizeof(S);
  });
}

}  // namespace detail

/// Folds `what`, this rank's part of an array that is split along one axis, over axes. If the split
/// axis is among them, it is the only one, and every rank gets all results, to the bit those of one
/// CPU. Otherwise each rank gets the results of its own part, and nothing is sent. out: the shape
/// of what without the folded axes, or with length 1 there. Errors as for reduce of one axis; the
/// lengths of the other axes are compared too.
template <communicator C, class What, class Op, class R, class Init = std::nullopt_t>
void reduce(const ranks<C>& where, const What& what, const Op& op, split_along split,
            const axes& over, const into<R>& out, const Init& init = std::nullopt) {
  check_operator<Op, detail::value_t<What>>();
  const auto& source = detail::as_source(what);
  const auto sources = host::source_refs(source);
  host::check_same_shape(sources);
  const int along = normalise_axis(split.axis, sources[0].shape.lengths());
  const auto folded = over.marked(sources[0].shape.lengths());
  if (folded[std::size_t(along)])
    return detail::reduce_split_axis(where, source, op, along, folded, init, out);
  reduce(where.local, what, op, over, init, out);
}

}  // namespace rung
