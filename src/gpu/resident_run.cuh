// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Folds and scans of arrays that lie in device memory, any types and strides, for kernels known by
// code. Data flow:
//   array --load--> values, line by line --fold--> states --finish--> results
//                                        --scan--> entries --store--> results
// Loads are left out where elements stand as values already, stores where entries are results.
// Nothing waits for the GPU. Cost beside the kernels: memory from the device's allocator, for every
// value that is loaded, a state and an offset per line.
#pragma once
#include "finish.cuh"
#include "lines_run.cuh"
#include "resident.hpp"

namespace rung::runtime {

/// Device memory for one call: small pieces from a slab that the stream's calls use one after the
/// other, large ones, and those of a call that is captured into a graph, from the allocator.
class scratch_memory {
 public:
  explicit scratch_memory(const device& where) : where_(where) {
    if (!is_capturing(where.stream()))
      slab_ = static_cast<std::byte*>(where.workspace(rung::detail::slab_kind, slab_bytes));
  }
  scratch_memory(const scratch_memory&) = delete;
  ~scratch_memory() {
    for (int i = 0; i < count_; ++i)
      where_.memory().deallocate(pieces_[i].memory, pieces_[i].bytes, where_.stream());
  }
  void* take(std::size_t bytes) {
    bytes = (bytes + 255) / 256 * 256 + 256;
    if (slab_ != nullptr && bytes <= slab_bytes - used_) {
      used_ += bytes;
      return slab_ + used_ - bytes;
    }
    void* const memory = where_.memory().allocate(bytes, where_.stream());
    pieces_[count_++] = {memory, bytes};
    return memory;
  }
  template <class T>
  T* take(std::int64_t count) {
    return static_cast<T*>(take(std::size_t(count) * sizeof(T)));
  }

 private:
  static constexpr std::size_t slab_bytes = std::size_t(1) << 20;
  struct piece {
    void* memory;
    std::size_t bytes;
  };
  const device& where_;
  std::byte* slab_ = nullptr;
  std::size_t used_ = 0;
  piece pieces_[8];
  int count_ = 0;
};

/// What kernels work on: values in lines, and the loops that lead from arrays to lines.
struct resident_lines {
  host::plan plan;
  std::int64_t count = 0;  ///< values
  values_in_lines lines{};
  reordering order{};
};

/// The plan of one line of n positions.
inline host::plan line_plan(std::int64_t n, std::span<const host::array_ref> sources,
                            std::span<const host::array_ref> targets) {
  std::array<bool, max_rank> folded{true};
  return host::make_plan(layout(extents(&n, 1), 1), folded, sources, targets, false);
}
inline std::int64_t blocks_of(std::int64_t count) {
  return std::min<std::int64_t>((count + 1023) / 1024, 4096);
}
inline const unsigned char* bytes_at(const void* p) { return static_cast<const unsigned char*>(p); }

/// Array a of the plan to values of type P, `spread` of them for each of its own, from `to` on.
template <class P>
void load_array(const device& where, const resident_lines& l, int a, load_step step, const P& nan,
                P* to, std::int64_t spread) {
  if (l.count == 0) return;
  launch(load_strided_values<P>, blocks_of(l.count), 256, 0, where.stream(),
         bytes_at(l.plan.source[std::size_t(a)]), step, nan, l.count, to,
         places_of(l.plan, {false, a, spread}), l.order);
}

/// A line of integers as 64-bit ones, side by side.
inline const std::int64_t* load_integers(const device& where, scratch_memory& scratch,
                                         const integer_line& from) {
  const std::int64_t n = from.array.shape.shape[0];
  check_device_pointer(from.array.data, "the offsets or positions");
  if (from.type == RUNG_I64 && (n <= 1 || from.array.shape.strides[0] == 8))
    return reinterpret_cast<const std::int64_t*>(from.array.data);
  auto* const to = scratch.take<std::int64_t>(n);
  resident_lines l;
  l.plan = line_plan(n, {&from.array, 1}, {});
  l.count = n;
  load_array<std::int64_t>(where, l, 0, {from.type, false, load_step::as_value}, 0, to, 1);
  return to;
}

/// Lines of a call, not loaded yet. Segments are the lines of one line.
inline resident_lines lines_of(const device& where, scratch_memory& scratch,
                               const resident_call& call,
                               std::span<const host::array_ref> targets) {
  resident_lines r;
  const layout& shape = call.in[0].shape;
  for (int a = 0; a < call.arrays; ++a)
    check_device_pointer(call.in[std::size_t(a)].data, "an array");
  for (const host::array_ref& t : targets) check_device_pointer(t.data, "the output");
  r.lines.init = call.init, r.lines.nothing = call.nothing;
  const std::span<const host::array_ref> sources(call.in.data(), std::size_t(call.arrays));
  if (call.offsets == nullptr) {
    r.plan = host::make_plan(shape, call.folded, sources, targets, false);
    r.count = r.plan.results * r.plan.length;
    r.lines.lines = r.plan.results;
    return r;
  }
  r.count = call.order != nullptr ? call.order->array.shape.shape[0] : shape.shape[0];
  r.plan = line_plan(r.count, sources, targets);
  r.lines.lines = std::max<std::int64_t>(call.offsets->array.shape.shape[0] - 1, 0);
  if (r.lines.lines > 0) r.lines.offsets = load_integers(where, scratch, *call.offsets);
  if (call.order != nullptr && r.count > 0) {
    r.order.order = load_integers(where, scratch, *call.order);
    r.order.count = shape.shape[0], r.order.stride = shape.strides[0], r.order.some = true;
  }
  return r;
}

/// Whether an array of elements of this size stands in memory as its lines do.
inline bool stands_in_lines(const host::plan& p, const strided_array& which, std::size_t size) {
  const strided_places places = places_of(p, which);
  if (places.count == 0) return true;
  return places.count == 1 && places.loops[0].step.value == 1 &&
         places.loops[0].step.bytes == std::int64_t(size);
}

/// The values, where they are or loaded. fresh: they are nobody else's.
inline void load_lines(const device& where, scratch_memory& scratch, const resident_call& call,
                       resident_lines& r, bool& fresh) {
  const recipe& how = call.how;
  const source_type first = call.types[0];
  const std::size_t size = size_of(code_of(how.held));
  fresh = false;
  r.lines.count = r.count;
  const bool direct = call.arrays == 1 && how.read == meaning::value && !first.swapped &&
                      first.type == code_of(how.held) && !r.order.some &&
                      reinterpret_cast<std::uintptr_t>(r.plan.source[0]) % size == 0;
  if (direct && stands_in_lines(r.plan, {false, 0}, size)) {
    r.lines.values = r.plan.source[0];
    return;
  }
  fresh = true;
  r.lines.values = scratch.take(std::size_t(r.count) * size);
  for (int a = 0; a < call.arrays; ++a) {
    const source_type type = call.types[std::size_t(a)];
    load_step step{type.type, type.swapped, load_step::as_value};
    if (a > 0) step.what = load_step::times;
    else if (how.read == meaning::nan_as) step.what = load_step::nan_as;
    else if (how.read == meaning::nonzero) step.what = load_step::nonzero;
    else if (how.read == meaning::product_conjugated) step.what = load_step::conjugated;
    visit(how.held, [&](auto t) {
      using P = typename decltype(t)::type;
      load_array<P>(where, r, a, step, how.nan.as<P>(), static_cast<P*>(r.lines.values), 1);
    });
  }
}
/// Offsets of lines of one length.
inline const std::int64_t* even_lines(const device& where, scratch_memory& scratch,
                                      std::int64_t lines, std::int64_t length) {
  auto* const offsets = scratch.take<std::int64_t>(lines + 1);
  launch(even_offsets<std::int64_t>, blocks_for(lines + 1), 256, 0, where.stream(), length,
         lines + 1, offsets);
  return offsets;
}

/// What a pair of operator and type needs for a fold; of one line alone, `whole`.
struct resident_fold {
  gpu_fold whole;
  gpu_lines lines;
  finish_function finish;
};
inline void run_resident_fold(const device& where, const resident_call& call,
                              const resident_fold& kernels) {
  scratch_memory scratch(where);
  const bool segments = call.offsets != nullptr;
  const std::span<const host::array_ref> targets(call.out.data(), std::size_t(call.how.planes));
  resident_lines r =
      lines_of(where, scratch, call, segments ? std::span<const host::array_ref>() : targets);
  const std::int64_t lines = r.lines.lines;
  if (lines == 0) return;
  const void* states = nullptr;
  finish_step step{call.how.what, call.how.result, 0, call.ddof, r.plan.length, nullptr};
  if (segments) step.length = -1, step.offsets = r.lines.offsets;
  if (r.count > 0 || segments) {
    bool fresh;
    load_lines(where, scratch, call, r, fresh);
    void* const out = scratch.take(std::size_t(lines) * kernels.lines.state_size);
    if (lines == 1 && !segments) {
      kernels.whole.fold(where, r.lines.values, r.count, 0, call.init, out);
    } else {
      if (!segments) r.lines.offsets = even_lines(where, scratch, lines, r.plan.length);
      kernels.lines.fold(where, r.lines, out);
    }
    states = out;
  }
  const void* const same = call.init != nullptr ? call.init : call.nothing;
  for (int plane = 0; plane < call.how.planes; ++plane) {
    const host::array_ref& target = targets[std::size_t(plane)];
    host::plan p = segments ? line_plan(lines, {}, {&target, 1}) : r.plan;
    if (!segments) p.folded.count = 0;
    check_device_pointer(target.data, "the output");
    step.plane = plane;
    const strided_array which{true, segments ? 0 : plane};
    kernels.finish(where, states, same, lines, step, p.target[std::size_t(which.number)],
                   places_of(p, which));
  }
}

/// Entries of every line, to the output.
inline void run_resident_scan(const device& where, const resident_call& call,
                              const gpu_lines& kernels) {
  scratch_memory scratch(where);
  const recipe& how = call.how;
  const bool segments = call.offsets != nullptr;
  resident_lines r = lines_of(where, scratch, call, {call.out.data(), 1});
  if (r.count == 0) return;
  bool fresh;
  load_lines(where, scratch, call, r, fresh);
  if (!segments) r.lines.offsets = even_lines(where, scratch, r.lines.lines, r.plan.length);
  visit(how.held, [&](auto t) {
    using P = typename decltype(t)::type;
    const strided_array which{true, 0};
    void* const target = r.plan.target[0];
    const bool direct = how.result == code_of(how.held) && !call.exclusive && !segments &&
                        reinterpret_cast<std::uintptr_t>(target) % sizeof(P) == 0 &&
                        stands_in_lines(r.plan, which, sizeof(P));
    P* entries = static_cast<P*>(direct ? target : fresh ? r.lines.values : nullptr);
    if (entries == nullptr || call.exclusive) entries = scratch.take<P>(r.count + 1);
    if (r.lines.lines > 0) kernels.scan(where, r.lines, entries + (call.exclusive ? 1 : 0));
    if (direct) return;
    if (call.exclusive && r.lines.lines > 0)
      launch(put_first_entries<P>, blocks_for(r.lines.lines), 256, 0, where.stream(),
             r.lines.offsets, r.lines.lines, kernels.first(call.init).template as<P>(), entries);
    entry_range<P> range;
    if (segments) {
      range.segments = r.lines.lines > 0 ? r.lines.lines : range.none;
      range.offsets = r.lines.offsets, range.outside = kernels.first(nullptr).template as<P>();
    }
    reordering to = r.order;
    to.stride = call.out[0].shape.strides[0];
    launch(store_strided_entries<P>, blocks_of(r.count), 256, 0, where.stream(), entries,
           int(how.result), r.count, static_cast<unsigned char*>(target), places_of(r.plan, which),
           to, range);
  });
}

/// x[t] = a[t] x[t - 1] + b[t] along every line: the scan of the maps, whose second parts are x.
/// init: a map.
template <class P>
void run_resident_recurrence(const device& where, const recurrence_call& call,
                             lines_function scan) {
  scratch_memory scratch(where);
  resident_lines r = lines_of(where, scratch, call.common, {call.common.out.data(), 1});
  if (r.count == 0) return;
  P* const parts = scratch.take<P>(2 * r.count);
  for (int a = 0; a < 2; ++a) {
    const source_type type = call.common.types[std::size_t(a)];
    load_array<P>(where, r, a, {type.type, type.swapped, load_step::as_value}, P{}, parts + a, 2);
  }
  r.lines.values = parts, r.lines.count = r.count;
  r.lines.offsets = even_lines(where, scratch, r.lines.lines, r.plan.length);
  scan(where, r.lines, parts);
  launch(store_strided_entries<P>, blocks_of(r.count), 256, 0, where.stream(), parts + 1,
         int(call.result), r.count, reinterpret_cast<unsigned char*>(r.plan.target[0]),
         places_of(r.plan, {true, 0, 2}), reordering{}, entry_range<P>{});
}

}  // namespace rung::runtime
