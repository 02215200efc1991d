// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep of the warp rung for one state and operator: whole warp, sub-warps, the first m lanes,
// lane masks in divergent code, several values per lane. The test programs choose the types.
#pragma once
#include "warp/verbs.hpp"

namespace rung::tests {

template <class S, class Op, class Group>
RUNG_KERNEL(32)
void whole_kernel(global<const S> x, S init, Op op, global<S> out, global<int> here) {
  const S v = x[lane()];
  call_verbs(Group{}, v, init, op, out, here);
}
template <class S, class Op>
RUNG_KERNEL(32)
void first_kernel(global<const S> x, S init, Op op, global<S> out, global<int> here, int m) {
  const S v = x[lane()];
  call_verbs(this_warp.first(m), v, init, op, out, here);
}
/// Lanes of the mask and the others, in two branches.
template <class S, class Op>
RUNG_KERNEL(32)
void mask_kernel(global<const S> x, S init, Op op, global<S> out, global<int> here,
                 lane_mask mask) {
  const S v = x[lane()];
  if ((mask >> lane() & 1) != 0) call_verbs(lanes(mask), v, init, op, out, here);
  else call_verbs(lanes(~mask), v, init, op, out, here);
}
template <class S, class Op, int K>
RUNG_KERNEL(32)
void each_kernel(global<const S> x, Op op, global<S> out) {
  S v[K];
  for (int j = 0; j < K; ++j) v[j] = x[j * 32 + lane()];
  out[lane()] = reduce_each(this_warp, v, op);
  if constexpr (detail::is_power_of_two(K)) out[32 + lane()] = reduce(this_warp, v, op);
}

template <class Pair>
class warp_sweep : public testing::Test {
 protected:
  using S = typename Pair::state;
  using Op = typename Pair::op;
  Op op{};
  source from{7};
  list<S> x = from.many<S>(32);
  S init = from.next<S>();
  device_values<S> out{list<S>(answers * 32, init)};
  gpu_array<int> here{32};

  template <class Kernel, class... More>
  void run(Kernel kernel, const std::vector<lane_mask>& groups, const std::string& what,
           bool all_call, More... more) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      reseed(seed);
      const device_values<S> in(x);
      const std::vector<int> nobody(32, 0);
      here.assign(nobody);
      launch(kernel, 1, 32, 0, nullptr, in, init, op, out, here.data(), more...);
      check_verbs(groups, x, init, op, out.to_host(), here.to_host(), what, all_call);
      if (HasFatalFailure()) return;
      x = from.many<S>(32);
    }
  }
  template <class Group>
  void run_whole(int width, const std::string& what) {
    run(whole_kernel<S, Op, Group>, aligned(width), what, false);
  }
  template <int K>
  void run_each() {
    const auto many = from.many<S>(K * 32);
    const device_values<S> in(many);
    launch(each_kernel<S, Op, K>, 1, 32, 0, nullptr, in, op, out);
    const auto got = out.to_host();
    list<S> in_lane_order;
    for (int l = 0; l < 32; ++l)
      for (int j = 0; j < K; ++j) in_lane_order.push_back(many[j * 32 + l]);
    for (int j = 0; j < K; ++j)
      ASSERT_TRUE(same(got[j], *oracle<S>(op, std::span<const S>(many).subspan(j * 32, 32))))
          << "reduce_each of " << K << ", result " << j;
    if constexpr (detail::is_power_of_two(K)) {
      for (int l = 0; l < 32; ++l)
        ASSERT_TRUE(same(got[32 + l], *oracle<S>(op, std::span<const S>(in_lane_order))))
            << "reduce of " << K << " per lane, lane " << l;
    }
  }
};

TYPED_TEST_SUITE_P(warp_sweep);

TYPED_TEST_P(warp_sweep, whole_warp_and_sub_warps) {
  this->template run_whole<warp_lanes<>>(32, "this_warp");
  this->template run_whole<warp_lanes<32, 3>>(32, "this_warp in 3 rounds");
  this->template run_whole<warp_lanes<8>>(8, "sub<8>");
#if defined(RUNG_TEST_ALL_GROUPS)
  this->template run_whole<warp_lanes<32, 4>>(32, "this_warp in 4 rounds");
  this->template run_whole<warp_lanes<16>>(16, "sub<16>");
  this->template run_whole<warp_lanes<16, 2>>(16, "sub<16> in 2 rounds");
  this->template run_whole<warp_lanes<4>>(4, "sub<4>");
  this->template run_whole<warp_lanes<2>>(2, "sub<2>");
  this->template run_whole<warp_lanes<8, 3, true>>(8, "split<8>");
#endif
}
TYPED_TEST_P(warp_sweep, first_lanes) {
  using S = typename TypeParam::state;
  for (const int m : {0, 1, 2, 3, 5, 7, 8, 11, 16, 21, 31, 32}) {
    if (m == 0 && !has_empty<typename TypeParam::op, S>) continue;
    this->run(first_kernel<S, typename TypeParam::op>, {m == 32 ? ~0u : (1u << m) - 1},
              "first(" + std::to_string(m) + ")", true, m);
    if (this->HasFatalFailure()) return;
  }
}
TYPED_TEST_P(warp_sweep, lane_masks_in_divergent_code) {
  using S = typename TypeParam::state;
  for (const lane_mask mask : {0x00000001u, 0x80000000u, 0x0000ffffu, 0x55555555u, 0x7fffffffu,
                               0x12345678u, 0xf0f0ff0fu, 0x00400200u, 0x8000fffeu}) {
    this->run(mask_kernel<S, typename TypeParam::op>, {mask, ~mask}, "lanes", false, mask);
    if (this->HasFatalFailure()) return;
  }
}
TYPED_TEST_P(warp_sweep, several_values_per_lane) {
  this->template run_each<2>();
  this->template run_each<3>();
  this->template run_each<8>();
#if defined(RUNG_TEST_ALL_GROUPS)
  this->template run_each<1>();
  this->template run_each<5>();
  this->template run_each<16>();
  this->template run_each<31>();
  this->template run_each<32>();
#endif
}
REGISTER_TYPED_TEST_SUITE_P(warp_sweep, whole_warp_and_sub_warps, first_lanes,
                            lane_masks_in_divergent_code, several_values_per_lane);

}  // namespace rung::tests
