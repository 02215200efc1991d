// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce on the ranks rung, of parts in the memory of GPUs: each rank's blocks (gpu_blocks.cuh),
// one all-gather of them, one small kernel that joins them on every GPU (gpu_join.cuh). Exact sums
// are one all-reduce of integers. Launches: fold (one, or two if the part is no block of its own),
// all-gather, join. Parts of 2^k values at multiples of 2^k send least and fold fastest.
#pragma once
#include <optional>

#include "../base/arrays.hpp"
#include "gpu_join.cuh"
#include "gpu_part.cuh"

namespace rung {

namespace detail {

struct gpu_reduce_call {};

/// What a rank gave: one axis, a number of values that the host knows.
template <class What>
auto part_source(const What& what) {
  const auto source = device_source(what);
  static_assert(
      !requires { source.count; },
      "rung: the number of values of a rank's part has to be known on the host");
  source.source.check();
  return source;
}
/// The messages of a call, and other memory, in one workspace.
template <class Plan>
struct rank_messages {
  using S = typename Plan::S;
  using message = part_message<S>;
  int ranks, most = 1;  // states of the longest message
  std::size_t each, size;
  unsigned char* first = nullptr;
  unsigned char* rest = nullptr;
  /// rest: `more` bytes.
  template <class C>
  rank_messages(const device& gpu, const host::rank_call<C>& call, int ranks, std::size_t more)
      : ranks(ranks) {
    for (int r = 0; r < ranks; r++) most = std::max(most, Plan::blocks_of(call.range(r)));
    each = message::bytes(most), size = (each * std::size_t(ranks) + 255) / 256 * 256;
    first = static_cast<unsigned char*>(gpu.workspace(ranks_kind, size + more));
    rest = first + size;
  }
  unsigned char* of(int rank) const { return first + std::size_t(rank) * each; }
  gathered_parts<S> all() const { return {first, std::int64_t(each), ranks, most}; }
};

template <class C, class What, class Op, class Init, class OutOf>
void reduce_gpu_parts(const ranks<C, gpu_part>& where, const What& what, const Op& op,
                      const Init& init, const OutOf& out_of, std::optional<int> only = {}) {
  using Sized = decltype(device_source(what));
  using Source = typename Sized::type;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  using plan_type = part_plan<Op, Source>;
  check_operator<Op, T>();
  const device& gpu = where.local.gpu();
  host::rank_call call(where.comm, host::call_text<gpu_reduce_call, Op, T>());
  std::optional<Sized> source;
  call.attempt([&] { source.emplace(part_source(what)); });
  call.attempt([&] {
    if (only && (*only < 0 || *only >= where.comm.size()))
      fail(error_code::bad_argument, "rung: there is no rank " + std::to_string(*only) + " of " +
                                         std::to_string(where.comm.size()));
  });
  const auto out = out_of(call);  // what it throws is told to the others
  agree(call, where.comm, where.local, source ? source->size : 0);
  const auto start = start_of_device<Op, Source>(init);
  using Start = std::remove_const_t<decltype(start)>;
  if constexpr (!Start::given && (host::is_extreme<Op> || !has_empty<Op, S>))
    if (call.total() == 0)
      fail(error_code::empty, "rung: the ranks have no values: their fold has no value");

  const stream_type stream = gpu.stream();
  const bool wanted = !only || *only == where.comm.rank();
  if constexpr (rank_words<S>::exist) {
    constexpr int count = rank_words<S>::count;
    auto* const words = static_cast<std::int64_t*>(gpu.workspace(ranks_kind, count * 8));
    if (source->size == 0) stream_zero(words, count * 8, stream);
    else launch_fold(gpu, *source, op, no_start<S>{}, words_into<S>{words});
    add_up_on(where.comm, stream, words, count);
    if (!wanted) return;
    launch(read_words<Op, S, Start, std::remove_const_t<decltype(out)>>, 1, 32, 0, stream, op,
           words, call.total(), start, out);
  } else {
    const plan_type plan(call.mine());
    const rank_messages<plan_type> messages(gpu, call, where.comm.size(), plan.memory());
    plan.fold(gpu, *source, op, messages.of(where.comm.rank()), messages.rest);
    const bool early = gather_on(where.comm, stream, messages.first, messages.each);
    if (!wanted) return;
    using sink = reduce_sink<Op, Start, std::remove_const_t<decltype(out)>>;
    launch_with({.early = early}, join_parts<plan_type::free_order, Op, S, Start, sink>, 1,
                join_width, sizeof(join_scratch<S>), stream, op, messages.all(), start,
                sink{op, start, out});
  }
}

/// The result in the host's hands, on all ranks or one.
template <class C, class What, class Op, class Init>
auto reduced_value(const ranks<C, gpu_part>& where, const What& what, const Op& op,
                   const Init& init, std::optional<int> only) {
  using T = typename decltype(device_source(what))::type::value_type;
  using S = state_t<Op, T>;
  static_assert(sizeof(S) <= 4 * device::slot_words);
  const device& gpu = where.local.gpu();
  const auto slot = gpu.result_slot();
  reduce_gpu_parts(
      where, what, op, init,
      [&](auto&) {
        return state_to_host<S>{slot.words, slot.stamp};
      },
      only);
  std::optional<result_t<Op, T>> result;
  if (only && *only != where.comm.rank()) return result;
  union holder {  // a state need not be default constructible
    S state;
    holder() {}
  } got;
  take_result_of(where.comm, gpu, &got.state, sizeof(S));
  result.emplace(result_of<Op, T>(op, got.state));
  return result;
}

}  // namespace detail

/// The fold of all values of all ranks, in the order of the ranks, into the one value of out.out on
/// every rank, in the memory of its GPU: to the bit what one GPU, or the CPU, gives for the whole
/// array. what: as for reduce on a device, in that GPU's memory. Returns before the GPU has done
/// the work if the communicator sends between GPUs and the split is known (gpu_part), and can be
/// captured into a graph then. Throws rung::error on every rank if one of them throws or calls
/// something else, where calls are compared; otherwise on the rank that is wrong, and the others
/// wait in vain, until the communicator's timeout.
template <communicator C, class What, class Op, class Init, class R>
void reduce(const ranks<C, gpu_part>& where, const What& what, const Op& op, const Init& init,
            const into<R>& out) {
  using T = typename decltype(detail::device_source(what))::type::value_type;
  detail::reduce_gpu_parts(where, what, op, init, [&](auto& call) {
    call.attempt([&] {
      if (out.out.size() != 1)
        fail(error_code::bad_argument,
             "rung: reduce of everything has one result, not " + std::to_string(out.out.size()));
      check_device_pointer(out.out.data(), "the result's place");
    });
    return detail::result_into<Op, T, R>{out.out.data()};
  });
}
template <communicator C, class What, class Op, class R>
void reduce(const ranks<C, gpu_part>& where, const What& what, const Op& op, const into<R>& out) {
  reduce(where, what, op, std::nullopt, out);
}

/// The same, returned by every rank as soon as it is there.
template <communicator C, class What, class Op, class Init>
  requires(!std::is_same_v<Init, on_rank>)
auto reduce(const ranks<C, gpu_part>& where, const What& what, const Op& op, const Init& init) {
  return *detail::reduced_value(where, what, op, init, {});
}
template <communicator C, class What, class Op>
auto reduce(const ranks<C, gpu_part>& where, const What& what, const Op& op) {
  return reduce(where, what, op, std::nullopt);
}
/// The same on one rank; the others get nothing, and join nothing.
template <communicator C, class What, class Op, class Init = std::nullopt_t>
auto reduce(const ranks<C, gpu_part>& where, const What& what, const Op& op, on_rank only,
            const Init& init = std::nullopt) {
  return detail::reduced_value(where, what, op, init, only.number);
}

}  // namespace rung
