// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Axes of an array that is split among ranks along one axis, of parts in the memory of GPUs. Folds
// over other axes stay on their GPU. A fold over the split axis is that of gpu_reduce.cuh for all
// results at once: a launch of the device rung's fold for each aligned block of the rank's
// positions gives a row of states; rows are gathered, and joined by a thread for each result. Cost:
// values are read once; parts of 2^k positions, at a multiple of that, have one block.
#pragma once
#include "../device/axis.cuh"
#include "axis.hpp"
#include "gpu_reduce.cuh"

namespace rung {

namespace detail {

struct gpu_axis_call {};

/// The fold of number i of each row, in a thread.
template <class Op, class S, class Start, class Out>
RUNG_KERNEL(join_width)
void join_rows(Op op, gathered_parts<S> parts, std::int64_t width, Start start, Out out) {
  wait_for_previous_launch();
  allow_next_launch();
  const std::int64_t i = std::int64_t(block_index().x) * join_width + thread_index().x;
  if (i >= width) return;
  S block[64];
  std::int64_t at = 0;
  int top = 0;
  for (int r = 0; r < parts.ranks; ++r) {
    const std::int64_t end = at + parts.count(r);
    for (std::int64_t row = 0; at < end; ++row) {
      std::int64_t length = block_at(at, end - at);
      S v = parts.state(r, row * width + i);
      for (; (at & length) != 0; at -= length, length *= 2) v = op(block[--top], v);
      block[top++] = v, at += length;
    }
  }
  before<S> all = start(op);
  for (int k = 0; k < top; ++k) all = {after(op, all, block[k]), true};
  if (at > 0 || Start::given) out(op, all.state, i);
  else if constexpr (has_empty<Op, S>) out(op, empty_state<S>(op), i);
}
template <class Op, class T, class R>
struct row_into {
  global<R> out;
  RUNG_DEVICE void operator()(const Op& op, const state_t<Op, T>& s, std::int64_t i) const {
    out[i] = result_as<R, Op, T>(op, s);
  }
};
template <class S>
RUNG_KERNEL(32)
void tell_count(part_message<S> to, std::int64_t count) {
  wait_for_previous_launch();
  allow_next_launch();
  if (rank_in_block() == 0) to.count[0] = count;
}

/// states[i] = the fold of the positions of one block along the split axis, for each of the others.
template <class Source, class Op, class S>
void fold_block_of_axis(const device& gpu, const Source& source, const Op& op, int split,
                        position_range block, std::int64_t begin, S* states) {
  using T = typename Source::value_type;
  auto sources = host::source_refs(source);
  for (auto& s : sources) {
    s.data += (block.begin - begin) * s.shape.strides[split];
    s.shape.shape[split] = block.end - block.begin;
  }
  std::array<bool, max_rank> folded{};
  folded[std::size_t(split)] = true;
  const layout& shape = sources[0].shape;
  // Results as numbers: what their loops step through is places of states.
  const layout numbers(host::reduced_shape(shape, folded, false).lengths(), 1);
  const host::array_ref target{nullptr, numbers, 1},
      spread = host::spread_output(target, shape, folded);
  const host::plan p = host::make_plan(shape, folded, sources, {&spread, 1},
                                       any_order<Op, S> && !is_positional<Op, T>);
  const auto x = strided(source, p);
  const auto use = placed<T>(op, block.begin);
  using Use = std::remove_const_t<decltype(use)>;
  if (is_one_array(x, p)) {
    const auto values = flat(x, p);
    return launch_reduce(gpu, values, use, no_start<S>{}, state_into<S>{states},
                         plan_of<Use>(values));
  }
  using Out = axis_output<Use, T, S>;
  Out out(nullptr);
  out.what = Out::state_there, out.states = states;
  axis_folding<std::remove_const_t<decltype(x)>, Use, Out>{gpu, x, use, p, sizes_of(x), out, {}}
      .run(axis_start_of<Use, S>(use, std::nullopt, true));
}

template <class C, class Source, class Op, class Init, class R>
void reduce_gpu_axis(const ranks<C, gpu_part>& where, const Source& source, const Op& op, int split,
                     const std::array<bool, max_rank>& folded, const Init& init,
                     const into<R>& out) {
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static_assert(sizeof(S) <= 64, "rung: a fold on the device takes states of 64 bytes at most");
  const device& gpu = where.local.gpu();
  const auto sources = host::source_refs(source);
  const layout& shape = sources[0].shape;
  const host::array_ref target{reinterpret_cast<std::byte*>(out.out.data()), out.out.bytes(),
                               sizeof(R)};
  host::rank_call call(where.comm, host::call_text<gpu_axis_call, Op, T>());
  compare_split_axis(call, shape, split);
  call.attempt([&] {
    check_split_axis(shape, target, folded, split);
    for (const auto& s : sources) {
      host::check_overlap(s, target, false);
      if (shape.size() > 0) check_device_pointer(s.data, "an array");
    }
    check_device_pointer(out.out.data(), "the output");
    if (line_of(view<const R>(out.out)).backwards)
      fail(error_code::bad_argument, "rung: results of ranks do not run backwards on a GPU");
  });
  agree(call, where.comm, where.local, shape.shape[split]);
  const std::int64_t width = host::reduced_shape(shape, folded, false).size();
  if (width == 0) return;
  constexpr bool has_init = !std::is_same_v<Init, std::nullopt_t>;
  if (!has_init && call.total() == 0 && (host::is_extreme<Op> || !has_empty<Op, S>))
    host::fail_empty(shape, folded, "the fold");
  std::int64_t most = 1;
  for (int r = 0; r < where.comm.size(); r++)
    most = std::max<std::int64_t>(most, host::block_count(call.range(r)));
  const std::size_t each =
      (part_message<S>::head + std::size_t(most * width) * sizeof(S) + 15) / 16 * 16;
  auto* const first =
      static_cast<unsigned char*>(gpu.workspace(ranks_kind, each * std::size_t(where.comm.size())));
  const position_range mine = call.mine();
  const auto message = part_message<S>::at(first + std::size_t(where.comm.rank()) * each);
  S* states = address_of_place(message.states);
  for (std::int64_t at = mine.begin; at < mine.end; states += width) {
    const std::int64_t length = host::aligned_block(at, mine.end - at);
    fold_block_of_axis(gpu, source, op, split, {at, at + length}, mine.begin, states);
    at += length;
  }
  launch(tell_count<S>, 1, 32, 0, gpu.stream(), message, mine.end - mine.begin);
  gather_on(where.comm, gpu.stream(), first, each);
  const auto go = [&](const auto& start) {
    using Start = std::remove_cvref_t<decltype(start)>;
    const gathered_parts<S> parts{first, std::int64_t(each), where.comm.size(), int(most)};
    const row_into<Op, T, R> to{out.out.data()};
    launch(join_rows<Op, S, Start, row_into<Op, T, R>>, (width + join_width - 1) / join_width,
           join_width, 0, gpu.stream(), op, parts, width, start, to);
  };
  if constexpr (has_init) go(start_value<S>{host::as_state<Op, T>(init)});
  else go(no_start<S>{});
}

}  // namespace detail

/// Folds `what`, this rank's part of an array in the memory of its GPU that is split along one
/// axis, over axes. If the split axis is among them, it is the only one, and every rank gets all
/// results, to the bit those of one GPU; otherwise each rank gets the results of its own part, and
/// nothing is sent. out: device memory, the shape of what without the folded axes, or with length 1
/// there; where results are sent, in C order without gaps. A split that is given (gpu_part) is of
/// positions along the axis. Errors as for reduce of parts; the lengths of the other axes are
/// compared too.
template <communicator C, class What, class Op, class R, class Init = std::nullopt_t>
void reduce(const ranks<C, gpu_part>& where, const What& what, const Op& op, split_along split,
            const axes& over, const into<R>& out, const Init& init = std::nullopt) {
  check_operator<Op, detail::value_t<What>>();
  const auto& source = detail::as_source(what);
  const auto sources = host::source_refs(source);
  host::check_same_shape(sources);
  const int along = normalise_axis(split.axis, sources[0].shape.lengths());
  const auto folded = over.marked(sources[0].shape.lengths());
  if (folded[std::size_t(along)])
    return detail::reduce_gpu_axis(where, source, op, along, folded, init, out);
  detail::reduce_axes(where.local.gpu(), what, op, over, init, out);
}

}  // namespace rung
