// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// A rank whose part lies in the memory of a GPU: ranks{comm, gpu}, and what the ranks agree about
// before a call. Messages stay there (gpu_messages.cuh): a
// communicator that sends between GPUs (nccl.hpp) does so in stream order and nobody waits; others
// (local, mpi) are handed copies in host memory, for which the stream is waited for.
#pragma once
#include "../device/device.cuh"
#include "gpu_messages.cuh"

namespace rung {

/// Where a rank's part is folded: on a GPU, which has to live as long. Without even() or split()
/// every call begins with an exchange of counts, for which the host waits, and which compares what
/// the ranks call. With them the ranks know all counts; then they are compared where `checked` says
/// so, by default in debug builds, and otherwise nothing waits for the host.
class gpu_part {
 public:
  gpu_part(const device& gpu) : gpu_(&gpu) {}
  gpu_part(const device&&) = delete;

  /// n values in all, rank r has positions n r / size .. n (r + 1) / size - 1.
  gpu_part even(std::int64_t n) const {
    gpu_part p = *this;
    p.total_ = n, p.begins_ = {}, p.is_known_ = true;
    return p;
  }
  /// Rank r has positions begins[r] .. begins[r + 1] - 1; begins[0] is 0. They must stay where they
  /// are.
  gpu_part split(std::span<const std::int64_t> begins) const {
    gpu_part p = *this;
    p.begins_ = begins, p.is_known_ = true;
    return p;
  }
  gpu_part checked(bool yes = true) const {
    gpu_part p = *this;
    p.checked_ = yes;
    return p;
  }

  const device& gpu() const { return *gpu_; }
  bool is_known() const { return is_known_; }
  bool is_checked() const { return checked_; }
  /// Where the parts of so many ranks begin, and where the last one ends, if that is known.
  std::vector<std::int64_t> begins(int size) const {
    std::vector<std::int64_t> all(begins_.begin(), begins_.end());
    if (!begins_.empty() || !is_known_) {
      bool is_split = all.size() == std::size_t(size) + 1 && all[0] == 0;
      for (std::size_t r = 1; is_split && r < all.size(); r++) is_split = all[r - 1] <= all[r];
      if (!is_split)
        fail(error_code::bad_argument, "rung: a split among " + std::to_string(size) +
                                           " ranks is " + std::to_string(size + 1) +
                                           " positions that never fall, of which the first is 0");
      return all;
    }
    if (total_ < 0 || total_ > host::position_limit)
      fail(error_code::bad_argument,
           "rung: an even split of " + std::to_string(total_) + " values");
    for (int r = 0; r <= size; r++) all.push_back(total_ / size * r + total_ % size * r / size);
    return all;
  }

 private:
  const device* gpu_;
  std::span<const std::int64_t> begins_;
  std::int64_t total_ = 0;
  bool is_known_ = false;
#if defined(NDEBUG)
  bool checked_ = false;
#else
  bool checked_ = true;
#endif
};
template <class C>
ranks(C&, const device&) -> ranks<C, gpu_part>;
template <class C>
ranks(C&, gpu_part) -> ranks<C, gpu_part>;

namespace detail {

/// Finds the positions of all parts, or is told them.
template <class C>
void agree(host::rank_call<C>& call, C& comm, const gpu_part& where, std::int64_t count) {
  std::vector<std::int64_t> begins;
  if (where.is_known()) call.attempt([&] { begins = where.begins(comm.size()); });
  const bool captured = is_capturing(where.gpu().stream());
  if (!where.is_known() && captured)
    fail(error_code::bad_argument,
         "rung: a call of ranks that is captured into a graph cannot ask for their counts: give it "
         "even(n) or split(begins)");
  if (!where.is_known() || (where.is_checked() && !captured)) call.agree(count);
  if (where.is_known()) {
    if (where.is_checked() && !captured)
      for (int r = 0; r < comm.size(); r++)
        if (call.range(r).end != begins[std::size_t(r) + 1])
          fail(error_code::rank, "rung: rank " + std::to_string(r) + " of " +
                                     std::to_string(comm.size()) + " has positions " +
                                     host::range_text(call.range(r)) +
                                     ", which is not the split that was given");
    call.know(std::move(begins), count);
  }
}

}  // namespace detail
}  // namespace rung
