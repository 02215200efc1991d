// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The chunk of a long scan that is in device memory, for an operator and a packed type known by
// code. Chunks are aligned blocks of one power of two of values, so entries inside a chunk go on
// from the fold of all chunks before it; only a chunk's last entry ends with a larger block. Data
// flow: values --reduce--> the chunk's tree --carry_chunk--> what stands left of the chunk, and its
// last entry; values and what stands left --scan--> the other entries. Nothing waits for the host.
// Cost: two reads of the values, one write of the entries.
#pragma once
#include <rung/device/scan.cuh>

#include "fold.cuh"

namespace rung::runtime {

/// The sum of what was counted: +0 if nothing was, which is not the no-op -0.
struct sum_number : mean_number {
  template <class A>
  RUNG_HD constexpr A finish(mean_state<A> s) const {
    return s.count != 0 ? s.sum : A(0);
  }
};
/// The operator whose results are the entries.
template <class Op>
using entries_of = std::conditional_t<std::is_same_v<Op, mean_number>, sum_number, Op>;

/// What chunks hand on, as states in device memory: the aligned blocks of the chunks so far, as in
/// a binary counter, the fold up to the end of each, and what stands left of and behind a chunk.
struct chunk_carry {
  static constexpr int blocks = 0, ends = 64, left = 128, behind = 129, tree = 130, count = 131;
};

/// Puts what stands left of a chunk and of the one behind it into the carry, whose tree is that of
/// the chunk if it is whole; and the entries that they are: before[0], and before[length].
template <class Op, class P, class S>
RUNG_KERNEL(32)
void carry_chunk(Op op, global<S> carry, std::int64_t chunk, start_if_any<S> init, bool whole,
                 std::int64_t length, global<P> before_chunk) {
  if (thread_rank() != 0) return;
  const bool some = chunk > 0 || init.some;
  S left = init.state;
  if (chunk > 0) left = S(carry[chunk_carry::behind]);
  carry[chunk_carry::left] = left;
  before_chunk[0] = result_of<Op, P>(op, some ? left : empty_state<S>(op));
  if (!whole) return;
  const S tree = carry[chunk_carry::tree];
  const S behind =
      rung::detail::next_entry<S>(carry + chunk_carry::blocks, carry + chunk_carry::ends,
                                  std::uint64_t(chunk), tree, op, init(op));
  carry[chunk_carry::behind] = behind;
  before_chunk[length] = result_of<Op, P>(op, behind);
}

/// One chunk. before[0] becomes the entry of everything before the chunk, before[1 + i] that of
/// everything up to its value i.
struct scan_chunk {
  const void* values;
  std::int64_t number, count, length;  ///< count == length: whole
  const void* init;                    ///< a state in host memory, or null
  void* carry;                         ///< chunk_carry::count states, from chunk to chunk
  void* before;
};
struct gpu_scan {
  std::size_t state_size = 0;
  gpu_fold fold;
  void (*scan)(const device& where, const gpu_fold& fold, const scan_chunk& chunk) = nullptr;
};

template <class Named, class P>
void scan_values(const device& where, const gpu_fold& fold, const scan_chunk& chunk) {
  using namespace rung::detail;
  using Op = entries_of<Named>;
  using S = state_t<Op, P>;
  const bool whole = chunk.count == chunk.length;
  S* const carry = static_cast<S*>(chunk.carry);
  P* const before = static_cast<P*>(chunk.before);
  if (whole) fold.fold(where, chunk.values, chunk.count, 0, nullptr, carry + chunk_carry::tree);
  start_if_any<S> init{};
  if (chunk.init != nullptr) std::memcpy(&init.state, chunk.init, sizeof(S)), init.some = true;
  launch(carry_chunk<Op, P, S>, 1, 32, 0, where.stream(), Op{}, carry, chunk.number, init, whole,
         chunk.length, before);

  const std::int64_t n = chunk.count - whole;
  if (n == 0) return;
  const auto what = device_source(view<const P>(static_cast<const P*>(chunk.values), {n}));
  using Source = std::remove_cvref_t<decltype(what.source)>;
  using Out = scan_output<Op, P, P, Source::pack_size>;
  const start_if_any_on_device<S> start{carry + chunk_carry::left, chunk.number > 0 || init.some};
  const scan_work<Source, Op, count_given, start_if_any_on_device<S>, Out, no_total> work{
      what.source, Op{}, {n}, start, Out(before + 1), {}};
  int warps = 1;
  while (warps < 8 && std::int64_t(warps) * warp_size * Source::pack_size < n) warps *= 2;
  launch_scan_tiles<scan_kind<false, false>, 1, 2, 1>(where, what, work, warps, false);
}

/// The scan of a pair if the operator is one of Ops.
template <class... Ops>
gpu_scan find_scan_among(kernel_op op, packed type) {
  return visit(op, [&](auto o) -> gpu_scan {
    using Op = decltype(o);
    if constexpr ((std::is_same_v<Op, Ops> || ...))
      return visit(type, [](auto t) -> gpu_scan {
        using P = typename decltype(t)::type;
        if constexpr (is_used<Op, P>()) return {sizeof(state_t<Op, P>), {}, scan_values<Op, P>};
        else return {};
      });
    else return {};
  });
}

// One translation unit each, so that none takes long to compile.
gpu_scan find_sum_scan(kernel_op op, packed type);
gpu_scan find_product_scan(kernel_op op, packed type);
gpu_scan find_extreme_scan(kernel_op op, packed type);
gpu_scan find_other_scan(kernel_op op, packed type);

}  // namespace rung::runtime
