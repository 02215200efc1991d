// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are GPUs, through NCCL: threads of one process, a GPU each, or processes. Include it
// where <nccl.h> is to be had, and link NCCL. Messages of parts that lie on GPUs (gpu_part.cuh) go
// from GPU to GPU in stream order; the host waits for nothing. Collectives on host memory, for
// calls that are compared and for parts in host memory, take a copy each way.
#pragma once
#include <cuda_runtime.h>
#include <nccl.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "call.hpp"

namespace rung {

/// The ranks of an NCCL communicator, all of which construct one together, each with its GPU as the
/// current one; the communicator stays the caller's. A call that fails, or for which the host has
/// waited longer than the timeout, aborts it: every further call throws, and it is not to be
/// destroyed any more. NCCL itself may wait for ever for a rank that does not come to the
/// construction, unless the communicator was made with blocking = 0.
class nccl {
 public:
  explicit nccl(ncclComm_t comm, std::chrono::milliseconds timeout = std::chrono::minutes(5))
      : comm_(comm), timeout_(timeout) {
    check(ncclCommUserRank(comm, &rank_), "ncclCommUserRank");
    check(ncclCommCount(comm, &size_), "ncclCommCount");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream");
    std::int64_t word = 1;  // NCCL connects the ranks in the first call of each kind
    std::vector<std::byte> all(std::size_t(size_) * 8);
    all_gather(std::as_bytes(std::span(&word, 1)), all);
    all_reduce(std::span(&word, 1));
  }
  nccl(const nccl&) = delete;
  ~nccl() {
    cudaStreamDestroy(stream_);
    cudaFree(on_gpu_);
    cudaFreeHost(on_host_);
  }
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// The communicator has been aborted.
  bool is_lost() const { return lost_; }

  // ---- host memory

  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    through_gpu(mine, all, [&](char* in, char* out) {
      return ncclAllGather(in, out, mine.size(), ncclInt8, comm_, stream_);
    });
  }
  void all_reduce(std::span<std::int64_t> words) {
    const auto bytes = std::as_writable_bytes(words);
    through_gpu(bytes, bytes, [&](char* in, char* out) {
      return ncclAllReduce(in, out, words.size(), ncclUint64, ncclSum, comm_, stream_);
    });
  }
  void broadcast(std::span<std::byte> bytes, int root) {
    through_gpu(bytes, bytes, [&](char* in, char* out) {
      return ncclBroadcast(in, out, bytes.size(), ncclInt8, root, comm_, stream_);
    });
  }

  // ---- the GPU's memory, in stream order

  /// all = the messages of all ranks, `bytes` each; mine may be its place there.
  void all_gather_on(cudaStream_t stream, const void* mine, void* all, std::size_t bytes) {
    start([&] { return ncclAllGather(mine, all, bytes, ncclInt8, comm_, stream); });
  }
  /// words = their sums over all ranks, modulo 2^64.
  void all_reduce_on(cudaStream_t stream, std::int64_t* words, std::size_t count) {
    start([&] { return ncclAllReduce(words, words, count, ncclUint64, ncclSum, comm_, stream); });
  }
  /// What is asked now and then while the host waits for a stream: has it ended? Throws what went
  /// wrong, and when the timeout is over.
  auto watch(cudaStream_t stream) {
    return [this, stream, begin = std::chrono::steady_clock::now()] {
      const cudaError_t status = cudaStreamQuery(stream);
      if (status == cudaSuccess) return true;
      if (status != cudaErrorNotReady) check(status, "the GPU");
      expect_healthy();
      if (std::chrono::steady_clock::now() - begin > timeout_) give_up();
      return false;
    };
  }
  /// Waits for a stream, no longer than the timeout.
  void wait(cudaStream_t stream) {
    const auto is_over = watch(stream);
    for (int looks = 0; !is_over(); looks++)
      if (looks > 1000) std::this_thread::yield();
  }

 private:
  void check(cudaError_t status, const char* what) const {
    if (status != cudaSuccess)
      fail(error_code::device, std::string("rung: ") + what + ": " + cudaGetErrorString(status));
  }
  void check(ncclResult_t status, const char* what) {
    if (status == ncclSuccess) return;
    std::string text = std::string("rung: ") + what + ": " + ncclGetErrorString(status);
    if (const char* more = ncclGetLastError(comm_); more != nullptr && *more != 0)
      text += std::string(" (") + more + ")";
    abort();
    fail(error_code::rank, text);
  }
  void abort() {
    if (!lost_) ncclCommAbort(comm_);
    lost_ = true;
  }
  [[noreturn]] void give_up() {
    abort();
    fail(error_code::rank,
         "rung: not all " + std::to_string(size_) + " ranks came to a call of NCCL within " +
             std::to_string(timeout_.count()) + " ms: one has stopped, or makes other calls");
  }
  /// Throws what has gone wrong since; true if NCCL has taken the last call.
  bool expect_healthy() {
    if (lost_) fail(error_code::rank, "rung: this communicator was aborted in an earlier call");
    ncclResult_t status = ncclSuccess;
    check(ncclCommGetAsyncError(comm_, &status), "ncclCommGetAsyncError");
    if (status == ncclInProgress) return false;
    return check(status, "NCCL"), true;
  }
  template <class Call>
  void start(const Call& call) {
    if (lost_) fail(error_code::rank, "rung: this communicator was aborted in an earlier call");
    const ncclResult_t status = call();
    if (status != ncclInProgress) return check(status, "NCCL");
    const auto begin = std::chrono::steady_clock::now();
    while (!expect_healthy())
      if (std::chrono::steady_clock::now() - begin > timeout_) give_up();
  }

  /// A collective on copies: what it reads, what it writes.
  template <class Call>
  void through_gpu(std::span<const std::byte> in, std::span<std::byte> out, const Call& call) {
    const std::size_t room = (in.size() + 255) / 256 * 256;
    reserve(room + out.size());
    if (!in.empty()) std::memcpy(on_host_, in.data(), in.size());
    check(cudaMemcpyAsync(on_gpu_, on_host_, in.size(), cudaMemcpyHostToDevice, stream_), "a copy");
    start([&] { return call(on_gpu_, on_gpu_ + room); });
    check(cudaMemcpyAsync(on_host_ + room, on_gpu_ + room, out.size(), cudaMemcpyDeviceToHost,
                          stream_),
          "a copy");
    wait(stream_);
    if (!out.empty()) std::memcpy(out.data(), on_host_ + room, out.size());
  }
  void reserve(std::size_t bytes) {
    if (bytes <= room_) return;
    cudaFree(on_gpu_), cudaFreeHost(on_host_);
    on_gpu_ = nullptr, on_host_ = nullptr, room_ = 0;
    check(cudaMalloc(&on_gpu_, bytes), "memory for messages");
    check(cudaHostAlloc(&on_host_, bytes, cudaHostAllocPortable), "memory for messages");
    room_ = bytes;
  }

  ncclComm_t comm_;
  std::chrono::milliseconds timeout_;
  int rank_ = 0, size_ = 1;
  bool lost_ = false;
  cudaStream_t stream_ = nullptr;
  char* on_gpu_ = nullptr;
  char* on_host_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace rung
