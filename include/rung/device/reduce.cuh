// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// reduce of a whole array on one GPU, in the one order: checks, plan (../tune/reduce.hpp),
// workspace, one launch (reduce_kernels.cuh). What may be folded: source.cuh. The call returns at
// once and can be captured into a graph; the forms that return a value wait for it.
#pragma once
#include "../tune/reduce.hpp"
#include "device.cuh"
#include "exact.cuh"
#include "reduce_kernels.cuh"

namespace rung {

namespace detail {

/// The words of one of the device's workspaces, all that it has: also those that this call does not
/// need are of its rounds.
template <class Words, class S>
Words words_in(const device& where, int kind, std::size_t bytes) {
  const auto [memory, all] = where.whole_workspace(kind, bytes);
  return {static_cast<std::uint64_t*>(memory),
          reinterpret_cast<stamped_word<S>*>(static_cast<unsigned char*>(memory) + Words::head),
          std::int64_t((all - Words::head) / sizeof(stamped_word<S>))};
}
/// The words of the device's workspace, for so many tiles.
template <class S>
reduce_words<S> words_of(const device& where, std::int64_t tiles) {
  const std::int64_t capacity = (reduce_words<S>::tiles + tiles + 1023) / 1024 * 1024;
  constexpr int kind = reduce_kind + (sizeof(stamped_word<S>) == 8 ? 0 : 1);
  return words_in<reduce_words<S>, S>(where, kind, reduce_words<S>::bytes(capacity));
}

/// The launch of one call.
template <class What, class Op, class Start, class Out>
void launch_reduce(const device& where, const What& what, const Op& op, const Start& start,
                   const Out& out, const tune::reduce_plan& plan) {
  using Source = typename What::type;
  using S = state_t<Op, typename Source::value_type>;
  using which = tune::reduce_plan::kernel;
  constexpr bool is_counted = std::is_same_v<What, counted_source<Source>>;
  const launch_options options{.early = where.overlaps()};
  const int threads = plan.warps * warp_size;
  constexpr int pack = Source::pack_size;
  constexpr int adjacent =
      tune::adjacent_packs(sizeof(S), slow_joins<Op, typename Source::value_type>, pack);
  if constexpr (!is_counted) {
    if (plan.which == which::one_block) {
      const auto go = [&](auto kernel) {
        launch_with(options, kernel, 1, threads, sizeof(tile_scratch<S>), where.stream(),
                    what.source, op, int(what.size), start, out);
      };
      constexpr int few = tune::packs_of_small_block, more = tune::packs_of_block;
      const auto fits = [&](int packs) {
        return what.size <= std::int64_t(plan.warps) * packs * warp_size * pack;
      };
      if (fits(1)) go(reduce_in_block<1, 1, Source, Op, Start, Out>);
      else if (fits(few)) go(reduce_in_block<few / adjacent, adjacent, Source, Op, Start, Out>);
      else go(reduce_in_block<more / adjacent, adjacent, Source, Op, Start, Out>);
      return;
    }
  }
  const auto go = [&](auto kernel, int packs) {
    const int log_size = floor_log2(unsigned(plan.warps * packs * warp_size * Source::pack_size));
    const reduce_cut most(what.size, log_size, plan.log_groups);
    const auto words = words_of<S>(where, most.tiles);
    const auto start_blocks = [&](std::int64_t blocks, const auto& cut) {
      launch_with(options, kernel, blocks < 1 ? 1 : blocks, threads, sizeof(reduce_scratch<S>),
                  where.stream(), what.source, op, cut, words, start, out);
    };
    if constexpr (is_counted)  // fewer values than the most may leave more small pieces
      start_blocks(most.tiles + (1 << plan.log_groups) + 1,
                   reduce_cut_on_device{what.count, log_size, plan.log_groups});
    else start_blocks(most.blocks(), most);
  };
  using Cut = std::conditional_t<is_counted, reduce_cut_on_device, reduce_cut>;
  if (plan.which == which::few_tiles) {
    constexpr int packs = tune::packs_of_few_tiles;
    go(reduce_few_tiles<packs / adjacent, adjacent, Source, Op, Cut, Start, Out, S>, packs);
  } else {
    constexpr int packs = tune::packs_of_tiles;
    go(reduce_tiles<packs / adjacent, adjacent, Source, Op, Cut, Start, Out, S>, packs);
  }
}
template <class Op, class What>
tune::reduce_plan plan_of(const What& what) {
  using Source = typename What::type;
  using S = state_t<Op, typename Source::value_type>;
  constexpr int row = warp_size * Source::pack_size;
  const std::int64_t rows = (what.size + row - 1) / row;
  const int at_once = rows <= 32 ? tune::packs_of_small_block : tune::packs_of_block;
  const tune::reduce_kind kind{.slow_joins = slow_joins<Op, typename Source::value_type>,
                               .wide = sizeof(S) > 8,
                               .whole = what.size % (at_once * row) == 0 ||
                                        (rows > 32 && tile<1, 1, false, Source, Op>::skips),
                               .pack = Source::pack_size};
  const auto plan = tune::plan_reduce(rows, kind);
  if constexpr (std::is_same_v<What, counted_source<Source>>)
    if (plan.which == tune::reduce_plan::kernel::one_block)
      return {tune::reduce_plan::kernel::few_tiles, 4, 0};  // one block knows its count
  return plan;
}

/// The launch that is best for this operator.
template <class What, class Op, class Start, class Out>
void launch_fold(const device& where, const What& what, const Op& op, const Start& start,
                 const Out& out) {
  if constexpr (is_exact_on_device<Op, typename What::type::value_type>)
    launch_exact(where, what, op, start, out);
  else launch_reduce(where, what, op, start, out, plan_of<Op>(what));
}

/// Throws if the GPU cannot read the values, or if there are none and no answer.
template <class What, class Start, class Op>
void check_values(const What& what, const Start&, const Op&) {
  using S = state_t<Op, typename What::type::value_type>;
  what.source.check();
  if constexpr (requires { what.count; }) check_device_pointer(what.count, "the number of values");
  if constexpr (!Start::given && !has_empty<Op, S>)
    if (what.size == 0)
      fail(error_code::empty,
           "rung: the fold of no values: this operator has no empty result, "
           "and no init was given");
}

template <class Op, class Source, class Init>
auto start_of_device(const Init& init) {
  using S = state_t<Op, typename Source::value_type>;
  if constexpr (std::is_same_v<Init, std::nullopt_t>) {
    return no_start<S>{};
  } else {
    static_assert(std::is_convertible_v<Init, S> || (number<Init> && number<S>),
                  "rung: init must be a state of the operator: its accumulator (64-bit for "
                  "integers, f32 for f16 and bf16)");
    if constexpr (number<Init> && number<S>) return start_value<S>{convert<S>(init)};
    else return start_value<S>{S(init)};
  }
}

/// What a call reads, once its arguments have been found right.
template <class What, class Op, class Init>
auto checked_source(const What& what, const Op& op, const Init& init) {
  const auto source = device_source(what);
  using Source = std::remove_cvref_t<decltype(source.source)>;
  check_operator<Op, typename Source::value_type>();
  check_values(source, start_of_device<Op, Source>(init), op);
  return source;
}
template <class What, class Op, class Init, class R>
auto checked_source(const What& what, const Op& op, const Init& init, const into<R>& out) {
  if (out.out.size() != 1)
    fail(error_code::bad_argument,
         "rung: reduce of everything has one result, not " + std::to_string(out.out.size()));
  const auto source = checked_source(what, op, init);
  check_device_pointer(out.out.data(), "the result's place");
  return source;
}

}  // namespace detail

/// Folds all of `what` (device memory: an array, transform(f, arrays...), counting{n},
/// counted{what, n}) into the one value of out.out, in device memory, after what is already on the
/// stream. Returns at once. init stands before the first value. Throws rung::error before anything
/// is started: host pointers, arrays with gaps, arrays of different sizes, no values and an
/// operator without an empty result.
template <class What, class Op, class Init, class R>
void reduce(const device& where, const What& what, const Op& op, const Init& init,
            const into<R>& out) {
  const auto source = detail::checked_source(what, op, init, out);
  using Source = std::remove_cvref_t<decltype(source.source)>;
  using T = typename Source::value_type;
  detail::launch_fold(where, source, op, detail::start_of_device<Op, Source>(init),
                      detail::result_into<Op, T, R>{out.out.data()});
}
template <class What, class Op, class R>
void reduce(const device& where, const What& what, const Op& op, const into<R>& out) {
  reduce(where, what, op, std::nullopt, out);
}

/// The same, and returns the result as soon as it is there. What came before it on the stream has
/// been done then; the kernel itself may still be ending, which only device::wait() is after. An
/// error of this call or of earlier work on the stream is thrown, with CUDA's text.
template <class What, class Op, class Init>
auto reduce(const device& where, const What& what, const Op& op, const Init& init) {
  const auto source = detail::checked_source(what, op, init);
  using Source = std::remove_cvref_t<decltype(source.source)>;
  using T = typename Source::value_type;
  using S = state_t<Op, T>;
  static_assert(sizeof(S) <= 4 * device::slot_words);
  const auto slot = where.result_slot();
  detail::launch_fold(where, source, op, detail::start_of_device<Op, Source>(init),
                      detail::state_to_host<S>{slot.words, slot.stamp});
  union holder {  // a state need not be default constructible
    S state;
    holder() {}
  } result;
  where.take_result(&result.state, sizeof(S));
  return result_of<Op, T>(op, result.state);
}
template <class What, class Op>
auto reduce(const device& where, const What& what, const Op& op) {
  return reduce(where, what, op, std::nullopt);
}

}  // namespace rung
