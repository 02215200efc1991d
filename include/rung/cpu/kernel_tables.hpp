// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Which kernels serve an operator over a C++ type: the compiled SIMD ones (link rung::rung),
// otherwise the generic ones, made here for that operator and type. Both follow the one order, so
// the choice cannot change a bit.
#pragma once
#include <optional>

#include "arrays.hpp"
#include "compiled.hpp"
#include "generic.hpp"
#include "generic_scan.hpp"
#include "threads.hpp"

namespace rung::host {

struct kernel_choice {
  const fold_kernels* fold = nullptr;
  const scan_kernels* scan = nullptr;
  load_kernel load{};
  const void* function =
      nullptr;  ///< what the elements go through; null: the compiled load has its own facts
  load_facts facts;
  std::size_t entry_size = 0;  ///< of what scan writes: a state, or a result that needs no store

  const void* load_context() const { return function ? function : &facts; }
};

template <class Op, class V>
inline constexpr fold_kernels generic_fold = generic::make_fold<Op, V>();
template <class Op, class V>
inline constexpr scan_kernels generic_scan = generic::make_scan<Op, V>();

/// An initial value as a state.
template <class Op, class T, class Init>
auto as_state(const Init& init) {
  const default_float_mode mode;
  using S = state_t<Op, T>;
  if constexpr (number<Init> && number<S>) return convert<S>(init);
  else return static_cast<S>(init);
}

#if defined(RUNG_COMPILED)
inline constexpr bool is_compiled = true;
#else
inline constexpr bool is_compiled = false;
#endif

template <class Op, class Source>
struct choose;
template <class Op, class F, class... Ts>
struct choose<Op, transformed<F, Ts...>> {
  using V = typename transformed<F, Ts...>::value_type;
  using compiled = compiled_kernel<Op, V>;
  static constexpr bool is_compiled_as_it_is =
      is_compiled && compiled::exists && std::is_same_v<F, as_it_is>;

  /// Kernels that take the elements as they are stored, if there are such, in place of k's. Entry:
  /// what a scan is to write, or void.
  template <class Entry>
  static void as_stored(kernel_choice& k) {
    if constexpr (is_compiled_as_it_is && detail::may_be_stored<Op, V>) {
      load_facts facts;
      const stored_kernels s =
          compiled_stored(compiled::op, detail::code_of_element<V>(), compiled::type, facts);
      if (!s.fold) return;
      if constexpr (!std::is_void_v<Entry>) {
        if (!s.scan || s.entry != detail::code_of_element<Entry>()) return;
        k.scan = s.scan, k.entry_size = sizeof(Entry);
      }
      k.fold = s.fold, k.load = s.load, k.facts = facts;
    }
  }
  static kernel_choice with(const F& f) {
    kernel_choice k;
    k.function = &f;
    k.entry_size = sizeof(state_t<Op, V>);
    if constexpr (is_compiled && compiled::exists) {
      k.fold = compiled_fold(compiled::op, compiled::type);
      k.scan = compiled_scan(compiled::op, compiled::type);
      k.load = typed_load<typename compiled::held, F, Ts...>::kernel();
      if constexpr (is_compiled_as_it_is) {
        k.load = compiled_load(host::detail::code_of_element<V>(), compiled::type, k.facts);
        k.function = nullptr;
      }
      if (!k.scan)
        k.scan = &generic_scan<Op, typename compiled::held>;  // few operators have a compiled one
      return k;
    } else {
      k.fold = &generic_fold<Op, V>, k.scan = &generic_scan<Op, V>;
      k.load = typed_load<V, F, Ts...>::kernel();
      return k;
    }
  }
};

template <class Op, class Source>
kernel_choice kernels_for(const decltype(Source::f)& f) {
  if constexpr (operator_over<Op, typename Source::value_type>) return choose<Op, Source>::with(f);
  else return {};  // check_operator has said why; the kernels would only say it again
}
/// The same for drivers that can do with elements as they are stored: a reduction (Entry is void),
/// or a scan that writes to an array of Entry.
template <class Op, class Source, class Entry>
kernel_choice stored_kernels_for(const decltype(Source::f)& f) {
  kernel_choice k = kernels_for<Op, Source>(f);
  if constexpr (operator_over<Op, typename Source::value_type>)
    choose<Op, Source>::template as_stored<Entry>(k);
  return k;
}

}  // namespace rung::host
