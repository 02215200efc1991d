// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See in_gpu_memory.hpp.
#include "in_gpu_memory.hpp"

#include "gpu/resident.hpp"

namespace rung::runtime {
namespace {

/// A call, and the states that it points to.
struct resident_parts {
  alignas(64) std::array<std::byte, most_state> start;
  alignas(64) std::array<std::byte, 64> nothing{};
  resident_call call;

  resident_parts(const recipe& how, const rung_options& o, const array_refs& in)
      : call{.how = how} {
    if (!is_exact(how.kernel)) {
      const host::fold_kernels& fold = *find_fold(how.kernel, how.held);
      if (fold.has_empty) fold.empty(operator_object(how.kernel), nothing.data());
    }
    call.ddof = o.ddof, call.nothing = nothing.data();
    call.init = initial_state(how, o, start);
    call.exclusive = o.exclusive != 0;
    call.is_plain = !call.init && !o.skip_nan && !o.exact && o.accumulate < 0;
    call.gpu = o.gpu, call.stream = o.stream;
    call.arrays = int(in.count), call.in = in.refs, call.types = in.types;
  }
  resident_parts(const resident_parts&) = delete;
};

void put_results(resident_call& call, std::span<const host::array_ref> results) {
  for (std::size_t p = 0; p < results.size(); p++) call.out[p] = results[p];
}

integer_line integers(const rung_array& a, const char* name) {
  const integer_line line{to_ref(a, name), a.type};
  if (line.array.shape.rank != 1)
    fail(error_code::bad_argument,
         std::string("rung: with segments, ") + name + " must be one-dimensional");
  if (!is_integer(a.type) || a.type == RUNG_BOOL || a.type == RUNG_U64)
    fail(error_code::bad_type, std::string("rung: ") + name +
                                   " must be signed integers, or unsigned ones up to u32, not " +
                                   rung_type_name(a.type));
  if (a.swapped)
    fail(error_code::bad_argument,
         std::string("rung: in GPU memory, ") + name + " must be in this machine's byte order");
  return line;
}

}  // namespace

void expect_host_memory(const rung_options& o, const std::string& what) {
  if (is_in_gpu_memory(o))
    fail(error_code::bad_argument,
         "rung: " + what + " takes arrays in host memory: copy them there first");
}

void reduce_in_gpu_memory(const recipe& how, const rung_options& o, const array_refs& in,
                          const std::array<bool, max_rank>& folded,
                          std::span<const host::array_ref> results) {
  resident_parts resident(how, o, in);
  resident.call.folded = folded;
  put_results(resident.call, results);
  reduce_resident(resident.call);
  note_resident(how);
}

void scan_in_gpu_memory(const recipe& how, const rung_options& o, const array_refs& in,
                        const std::array<bool, max_rank>& folded, const host::array_ref& out) {
  resident_parts resident(how, o, in);
  resident.call.folded = folded, resident.call.out[0] = out;
  scan_resident(resident.call);
  note_resident(how);
}

void segments_in_gpu_memory(const recipe& how, const rung_options& o, const array_refs& in,
                            const rung_array& offsets, const rung_array* order,
                            std::span<const host::array_ref> results) {
  resident_parts resident(how, o, in);
  const integer_line cuts = integers(offsets, "the offsets");
  integer_line positions;
  resident.call.offsets = &cuts;
  if (order) positions = integers(*order, "the order"), resident.call.order = &positions;
  put_results(resident.call, results);
  if (rung_op_is_scan(how.op)) scan_resident(resident.call);
  else reduce_resident(resident.call);
  note_resident(how);
}

}  // namespace rung::runtime
