// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are processes, through MPI. Include it where <mpi.h> is to be had, between MPI_Init
// and MPI_Finalize. Collectives are the non-blocking ones, tested until they are done or the
// timeout is over, so that a rank which never comes is an error and not a hang. Values are folded
// where they lie in host memory; only states travel.
#pragma once
#include <mpi.h>

#include <chrono>
#include <climits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "call.hpp"

namespace rung {

/// The ranks of an MPI communicator, all of which construct one together. Calls travel in a
/// duplicate of it, so they meet no messages of the program. After a timeout every further call
/// throws, since a collective cannot be taken back: end the program, as with MPI_Abort.
class mpi {
 public:
  explicit mpi(MPI_Comm of = MPI_COMM_WORLD,
               std::chrono::milliseconds timeout = std::chrono::minutes(5))
      : timeout_(timeout) {
    check(MPI_Comm_dup(of, &comm_), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
  }
  mpi(const mpi&) = delete;
  ~mpi() {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (!is_over && !lost_) MPI_Comm_free(&comm_);
  }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// A call has run into the timeout.
  bool is_lost() const { return lost_ != nullptr; }

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    const int n = as_int(mine.size());
    std::vector<std::byte> in(mine.begin(), mine.end()), out(all.size());
    complete(in, out, "MPI_Iallgather", [&](MPI_Request* r) {
      return MPI_Iallgather(in.data(), n, MPI_BYTE, out.data(), n, MPI_BYTE, comm_, r);
    });
    std::copy(out.begin(), out.end(), all.begin());
  }
  void all_reduce(std::span<std::int64_t> words) {
    const int n = as_int(words.size());
    std::vector<std::uint64_t> in(words.begin(), words.end()), out(words.size());
    complete(in, out, "MPI_Iallreduce", [&](MPI_Request* r) {
      return MPI_Iallreduce(in.data(), out.data(), n, MPI_UINT64_T, MPI_SUM, comm_, r);
    });
    std::copy(out.begin(), out.end(), words.begin());
  }
  void broadcast(std::span<std::byte> bytes, int root) {
    const int n = as_int(bytes.size());
    std::vector<std::byte> both(bytes.begin(), bytes.end()), none;
    complete(both, none, "MPI_Ibcast",
             [&](MPI_Request* r) { return MPI_Ibcast(both.data(), n, MPI_BYTE, root, comm_, r); });
    std::copy(both.begin(), both.end(), bytes.begin());
  }

 private:
  static void check(int code, const char* what) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    fail(error_code::rank, std::string("rung: ") + what + ": " + text);
  }
  static int as_int(std::size_t n) {
    if (n > std::size_t(INT_MAX))
      fail(error_code::bad_argument, "rung: MPI takes at most 2^31 - 1 bytes from a rank");
    return int(n);
  }

  /// Starts a collective and waits for it. MPI keeps the buffers if it does not end: it may still
  /// write to them.
  template <class V, class Start>
  void complete(std::vector<V>& in, std::vector<V>& out, const char* what, const Start& start) {
    if (lost_) fail(error_code::rank, "rung: this communicator has lost a rank in an earlier call");
    MPI_Request request = MPI_REQUEST_NULL;
    check(start(&request), what);
    const auto begin = std::chrono::steady_clock::now();
    for (int tests = 0;; tests++) {
      int is_done = 0;
      check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), what);
      if (is_done) return;
      if (tests < 1000) continue;
      std::this_thread::yield();  // more ranks than cores: let them come
      if (std::chrono::steady_clock::now() - begin > timeout_) break;
    }
    lost_ =
        std::make_shared<std::pair<std::vector<V>, std::vector<V>>>(std::move(in), std::move(out));
    kept_buffers().push_back(lost_);
    fail(error_code::rank, "rung: not all " + std::to_string(size_) + " ranks came to " + what +
                               " within " + std::to_string(timeout_.count()) +
                               " ms: one has stopped, or makes other calls");
  }
  static std::vector<std::shared_ptr<void>>& kept_buffers() {
    static std::vector<std::shared_ptr<void>> all;
    return all;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::chrono::milliseconds timeout_;
  std::shared_ptr<void> lost_;
};

}  // namespace rung
