// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of a file, of any type and byte order, to packed values, in device memory, there in
// their order or line by line. The type of the elements is looked up when the kernel runs: one
// kernel per packed type. Products take a launch per array. Cost: one read of the elements, one
// write of the values (products: two, and a read).
#pragma once
#include <rung/base/divider.hpp>
#include <rung/device/device.cuh>

#include "chunks.cuh"

namespace rung::runtime {

/// What becomes of an element.
struct load_step {
  int type;  ///< a rung_type
  bool swapped;
  enum { as_value, nan_as, nonzero, conjugated, times } what;
};

/// Places of the elements of a chunk among the values (line_places).
struct places_on_gpu {
  std::int64_t first = 0;  ///< number of the chunk's first element
  int count = 0;
  struct loop {
    divider length;
    std::int64_t step = 0;
  };
  loop loops[max_rank];

  places_on_gpu() = default;
  places_on_gpu(const line_places& from, std::int64_t first_of_chunk)
      : first(first_of_chunk), count(from.count) {
    for (int d = 0; d < count; ++d) {
      loops[d].length = divider(from.loops[std::size_t(d)].length);
      loops[d].step = from.loops[std::size_t(d)].step;
    }
  }
  /// Of element i of the chunk.
  RUNG_DEVICE std::int64_t operator()(std::int64_t i) const {
    i += first;
    if (count == 0) return i;
    std::int64_t place = 0;
    for (int d = 0; d + 1 < count; ++d) {
      const std::int64_t outer = loops[d].length.quotient(i);
      place += (i - outer * loops[d].length.divisor) * loops[d].step;
      i = outer;
    }
    return place + i * loops[count - 1].step;
  }
};

template <class E>
RUNG_HD constexpr E swap_bytes(E e) {
  if constexpr (is_complex<E>) {
    return E(swap_bytes(e.re), swap_bytes(e.im));
  } else if constexpr (sizeof(E) == 1) {
    return e;
  } else {
    using word =
        std::conditional_t<sizeof(E) == 2, std::uint16_t,
                           std::conditional_t<sizeof(E) == 4, std::uint32_t, std::uint64_t>>;
    word from = rung::detail::bit_cast<word>(e), to = 0;
    for (std::size_t i = 0; i < sizeof(E); ++i, from = word(from >> 8))
      to = word(to << 8 | (from & 0xff));
    return rung::detail::bit_cast<E>(to);
  }
}

/// Whether elements can become values at all.
template <class E, class P>
inline constexpr bool is_loaded = is_complex<E> ? is_complex<P> : integer<E> || !integer<P>;

template <class P, class E>
RUNG_DEVICE P step_value(E e, const load_step& step, const P& nan, const P& left) {
  if (step.swapped) e = swap_bytes(e);
  if (step.what == load_step::nonzero) return is_nan(e) ? nan : P(is_nonzero(e) ? 1 : 0);
  if constexpr (is_loaded<E, P>) {
    if (step.what == load_step::nan_as && is_nan(e)) return nan;
    const P value = convert<P>(e);
    if constexpr (is_complex<E> && is_complex<P>)
      if (step.what == load_step::conjugated) return P(value.re, -value.im);
    if (step.what == load_step::times) return mul(left, value);
    return value;
  } else {
    return left;  // never asked for
  }
}

template <class E, class P>
RUNG_DEVICE void load_elements(global<const unsigned char> from, const load_step& step, P nan,
                               std::int64_t count, global<P> to, const places_on_gpu& places) {
  // Any byte but 0 is true.
  using stored = std::conditional_t<std::is_same_v<E, bool>, unsigned char, E>;
  const auto elements = as<const stored>(from);
  const std::int64_t threads = std::int64_t(grid_shape().x) * block_threads();
  for (std::int64_t i = std::int64_t(block_index().x) * block_threads() + thread_rank(); i < count;
       i += threads) {
    const std::int64_t at = places(i);
    P left{};
    if (step.what == load_step::times) left = to[at];
    const stored e = elements[i];
    if constexpr (std::is_same_v<E, bool>) to[at] = step_value<P>(e != 0, step, nan, left);
    else to[at] = step_value<P>(e, step, nan, left);
  }
}

/// f(tag<E>{}) for the type of a rung_type, in a kernel.
template <class F>
RUNG_DEVICE void with_element_type(int type, const F& f) {
  switch (type) {
    case RUNG_BOOL:
      return f(tag<bool>{});
    case RUNG_I8:
      return f(tag<std::int8_t>{});
    case RUNG_I16:
      return f(tag<std::int16_t>{});
    case RUNG_I32:
      return f(tag<std::int32_t>{});
    case RUNG_I64:
      return f(tag<std::int64_t>{});
    case RUNG_U8:
      return f(tag<std::uint8_t>{});
    case RUNG_U16:
      return f(tag<std::uint16_t>{});
    case RUNG_U32:
      return f(tag<std::uint32_t>{});
    case RUNG_U64:
      return f(tag<std::uint64_t>{});
    case RUNG_F16:
      return f(tag<f16>{});
    case RUNG_BF16:
      return f(tag<bf16>{});
    case RUNG_F32:
      return f(tag<float>{});
    case RUNG_F64:
      return f(tag<double>{});
    case RUNG_C64:
      return f(tag<complex<float>>{});
    case RUNG_C128:
      return f(tag<complex<double>>{});
  }
}

template <class P>
RUNG_KERNEL(256)
void load_values(global<const unsigned char> from, load_step step, P nan, std::int64_t count,
                 global<P> to, places_on_gpu places) {
  with_element_type(step.type, [&](auto t) {
    load_elements<typename decltype(t)::type, P>(from, step, nan, count, to, places);
  });
}

/// Whether elements are values as they are, so that there is nothing to load.
inline bool is_direct(const gpu_input& job) {
  return job.arrays == 1 && job.read == meaning::value && !job.types[0].swapped &&
         job.types[0].type == code_of(job.held);
}

/// What job makes of `count` elements of its arrays goes to its places in values; all in device
/// memory.
inline void load_chunk(const device& where, const gpu_input& job, const gpu_memory (&elements)[2],
                       std::int64_t count, void* values, const places_on_gpu& places = {}) {
  for (int a = 0; a < job.arrays; ++a) {
    load_step step{job.types[a].type, job.types[a].swapped, load_step::as_value};
    if (a > 0) step.what = load_step::times;
    else if (job.read == meaning::nan_as) step.what = load_step::nan_as;
    else if (job.read == meaning::nonzero) step.what = load_step::nonzero;
    else if (job.read == meaning::product_conjugated) step.what = load_step::conjugated;
    visit(job.held, [&](auto t) {
      using P = typename decltype(t)::type;
      const std::int64_t blocks = std::min<std::int64_t>((count + 1023) / 1024, 2048);
      launch(load_values<P>, blocks, 256, 0, where.stream(),
             static_cast<const unsigned char*>(elements[a].get()), step, job.nan.as<P>(), count,
             static_cast<P*>(values), places);
    });
  }
}

}  // namespace rung::runtime
