// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A source that its own kernel may write to, in place: read with plain loads, not those for memory
// that nobody writes, and nothing is read in place of values that are not there.
#pragma once
#include "source.cuh"

namespace rung::detail {

template <class Source>
struct coherent {
  const Source& x;
  using value_type = typename Source::value_type;
  static constexpr int pack_size = Source::pack_size;
  static constexpr bool aligned = Source::aligned;
  RUNG_DEVICE explicit coherent(const Source& from) : x(from) {}
  template <int N>
  RUNG_DEVICE auto some_at(std::int64_t i, std::int64_t count) const {
    return x.template some_at<N>(i, count);
  }
};
template <class F, class... Ts>
struct coherent<array_source<F, Ts...>> {
  using source = array_source<F, Ts...>;
  using value_type = typename source::value_type;
  static constexpr int pack_size = source::pack_size;
  const source& x;
  bool aligned;
  RUNG_DEVICE explicit coherent(const source& from) : x(from), aligned(from.aligned) {}

  template <reading>
  RUNG_DEVICE auto pack_at(std::int64_t i) const {
    return x.template pack_at<reading::coherent>(i);
  }
  RUNG_DEVICE auto whole_at(std::int64_t i) const {
    return x.template whole_at<reading::coherent>(i);
  }
  template <int N>
  RUNG_DEVICE auto some_at(std::int64_t i, std::int64_t count) const {
    return x.template some_at<N, reading::coherent>(i, count);
  }
};

}  // namespace rung::detail
