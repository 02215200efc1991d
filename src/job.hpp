// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// What every run-time call puts together before a driver runs: the arrays as the drivers take them,
// and the kernels and contexts of one recipe, kept alive for the call.
#pragma once
#include <rung/cpu/run_scan.hpp>

#include "calls.hpp"
#include "exact.hpp"

namespace rung::runtime {

using host::place;

/// One or two inputs of one shape.
struct array_refs {
  std::array<host::array_ref, 2> refs;
  std::array<source_type, 2> types;
  std::size_t count = 1;

  array_refs(const rung_array& a, const rung_array* b) : count(b ? 2 : 1) {
    refs[0] = to_ref(a, "the input"), types[0] = {a.type, a.swapped != 0};
    if (!b) return;
    refs[1] = to_ref(*b, "the second input"), types[1] = {b->type, b->swapped != 0};
    host::check_same_shape(all());
  }
  std::span<const host::array_ref> all() const { return {refs.data(), count}; }
  const layout& shape() const { return refs[0].shape; }
};

/// Kernels and what they point at.
struct job_parts {
  loader load;
  storer store;
  alignas(16) std::array<std::byte, most_state> start;
  const void* init;
  const recipe& how;

  job_parts(const recipe& r, const rung_options& o, const array_refs& in)
      : init(initial_state(r, o, start)), how(r) {
    make_load(load, {in.types.data(), in.count}, r.held, r.read, r.nan);
    make_store(store, r.op, r.kernel, r.held, r.what, r.result, o.ddof);
    note_kernel(r, o);
  }
  job_parts(const job_parts&) = delete;

  /// The fields that a reduction and a scan share.
  template <class Job>
  void fill(Job& job) const {
    job.op = operator_object(how.kernel), job.fold = find_fold(how.kernel, how.held);
    job.load = load.kernel, job.load_context = load.facts;
    job.store = store.kernel, job.store_context = store.facts;
    job.init = init;
  }
  /// Lets a job take the elements as they are stored, where there are kernels for that. The entries
  /// of a scan may then be results already.
  template <class Job>
  void take_stored(Job& job, const array_refs& in) {
    if (in.count > 1 || how.read != meaning::value) return;
    loader as_stored;
    const auto k = simd_stored(as_stored, how.kernel, in.types[0], how.held);
    if (!k.fold) return;
    if constexpr (requires { job.scan; }) {
      if (!k.scan || rung_type(k.entry) != how.result) return;
      job.scan = k.scan;
      if (const std::size_t size = rung_type_size(how.result); size != job.entry_size) {
        job.entry_size = size;
        job.store = visit(how.result, [](auto r) {
          return host::entry_store<typename decltype(r)::type>::kernel();
        });
      }
    }
    load = as_stored;
    job.fold = k.fold, job.load = load.kernel, job.load_context = load.facts;
  }
};

/// Throws unless out has the type, shape and byte order of the result.
void expect_output(const result_form& want, const rung_array& out);
/// The part of an output that one plane of results goes to (minmax has two).
host::array_ref plane_of(const host::array_ref& out, int plane, int planes);
/// Throws if an output shares memory with an input; the very same array may be fine.
void check_memory(const array_refs& in, const host::array_ref& out, bool same_is_fine);

}  // namespace rung::runtime
