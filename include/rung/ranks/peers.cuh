// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Short messages between GPUs of one machine that reach each other's memory (NVLink, PCIe), around
// any communicator: peers near(comm). Every GPU has a box for each rank; a kernel of one block
// writes its message to its box on every other GPU, in words that say themselves that they are
// there, and takes what the others wrote. One launch and one way through NVLink, where NCCL takes
// twice that. Longer messages go the wrapped communicator's way. For nvcc.
#pragma once
#include <unistd.h>

#include <fstream>
#include <thread>

#include "gpu_messages.cuh"
#include "peer_boxes.cuh"

namespace rung {

/// The ranks of another communicator, all of which construct one together, each with its GPU as the
/// current one. Its calls come one after the other, on one stream at a time. Throws on every rank
/// if one cannot reach the memory of another, or two share a GPU. longest: bytes of a message, a
/// multiple of 4. A kernel waits on the GPU for the other ranks: nobody may have to wait for that
/// GPU before it can make its own call. After a timeout every further call throws.
template <communicator C>
class peers {
 public:
  explicit peers(C& comm, std::chrono::milliseconds timeout = std::chrono::minutes(5),
                 std::size_t longest = std::size_t(1) << 14)
      : comm_(comm), timeout_(timeout), longest_(longest) {
    boxes_.words = std::int64_t(longest / 4), boxes_.rank = comm.rank(), boxes_.size = comm.size();
    address mine{}, none{};
    host::rank_call call(comm, "peers");
    call.attempt([&] { mine = allocate(); });
    std::vector<address> all(static_cast<std::size_t>(comm.size()), none);
    call.agree(0);
    comm.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    call.attempt([&] {
      for (int r = 0; r < comm.size(); r++) boxes_.of[r] = reach(mine, all[std::size_t(r)], r);
    });
    call.agree(0);
  }
  peers(const peers&) = delete;
  ~peers() {
    for (void* memory : opened_) cudaIpcCloseMemHandle(memory);
    gpu_free(memory_);
    if (stop_ != nullptr) free_shared_with_host(stop_);
  }
  int rank() const { return boxes_.rank; }
  int size() const { return boxes_.size; }
  bool is_lost() const { return lost_; }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    comm_.all_gather(mine, all);
  }
  void all_reduce(std::span<std::int64_t> words) { comm_.all_reduce(words); }
  void broadcast(std::span<std::byte> bytes, int root) { comm_.broadcast(bytes, root); }

  /// all[r] = the message of rank r; mine is its place there. Bytes: a multiple of 4. Whether a
  /// kernel of this library has done it.
  bool all_gather_on(stream_type stream, const void* /*mine*/, void* all, std::size_t bytes) {
    if (lost_) fail(error_code::rank, "rung: these peers have lost a rank in an earlier call");
    if (bytes > longest_)
      return detail::gather_on(comm_, stream, static_cast<unsigned char*>(all), bytes);
    launch_with({.early = true}, detail::exchange_with_peers<std::uint32_t>, 1,
                detail::exchange_threads, 0, stream, static_cast<std::uint32_t*>(all),
                int(bytes / 4), boxes_, calls_, static_cast<const std::uint32_t*>(stop_on_gpu_));
    return true;
  }
  void all_reduce_on(stream_type stream, std::int64_t* words, std::size_t count) {
    detail::add_up_on(comm_, stream, words, count);
  }
  /// As that of nccl.
  auto watch(stream_type stream) {
    return [this, stream, begin = std::chrono::steady_clock::now()] {
      const cudaError_t status = cudaStreamQuery(stream);
      if (status == cudaSuccess) return true;
      if (status != cudaErrorNotReady) check(status, "rung: the GPU");
      if (std::chrono::steady_clock::now() - begin > timeout_) give_up();
      return false;
    };
  }
  void wait(stream_type stream) {
    const auto is_over = watch(stream);
    for (int looks = 0; !is_over(); looks++)
      if (looks > 1000) std::this_thread::yield();
  }

 private:
  /// What another rank has to know to reach the boxes of one.
  struct address {
    char machine[48];
    std::int64_t process;
    int gpu;
    void* boxes;
    cudaIpcMemHandle_t handle;
  };
  [[noreturn]] void give_up() {
    lost_ = true;
    *static_cast<volatile std::uint32_t*>(stop_) = 1;
    fail(error_code::rank,
         "rung: not all " + std::to_string(size()) + " ranks sent to each other's GPUs within " +
             std::to_string(timeout_.count()) + " ms: one has stopped, or makes other calls");
  }
  address allocate() {
    if (size() > detail::most_peers)
      fail(error_code::bad_argument, "rung: peers are at most 16 ranks");
    const std::size_t bytes = 2 * std::size_t(size() * boxes_.words) * sizeof(detail::box_word);
    memory_ = static_cast<unsigned char*>(gpu_allocate(head + bytes));
    check(cudaMemset(memory_, 0, head + bytes), "rung: boxes of peers");
    check(cudaDeviceSynchronize(), "rung: boxes of peers");
    calls_ = reinterpret_cast<std::uint32_t*>(memory_);
    stop_ = allocate_shared_with_host(256, &stop_on_gpu_);
    std::memset(stop_, 0, 256);
    address mine{};
    std::ifstream("/proc/sys/kernel/random/boot_id").read(mine.machine, sizeof mine.machine - 1);
    mine.process = getpid(), mine.boxes = memory_ + head;
    check(cudaGetDevice(&mine.gpu), "rung: the rank's GPU");
    check(cudaIpcGetMemHandle(&mine.handle, memory_), "rung: boxes of peers");
    return mine;
  }
  detail::box_word* reach(const address& mine, const address& other, int rank) {
    const std::string who = "rung: the memory of rank " + std::to_string(rank);
    if (std::memcmp(mine.machine, other.machine, sizeof mine.machine) != 0)
      fail(error_code::rank, who + " is that of another machine");
    if (mine.process != other.process) {
      void* memory = nullptr;
      check(cudaIpcOpenMemHandle(&memory, other.handle, cudaIpcMemLazyEnablePeerAccess),
            who.c_str());
      opened_.push_back(memory);
      return reinterpret_cast<detail::box_word*>(static_cast<unsigned char*>(memory) + head);
    }
    if (mine.gpu != other.gpu) {
      int can = 0;
      check(cudaDeviceCanAccessPeer(&can, mine.gpu, other.gpu), who.c_str());
      if (can == 0) fail(error_code::rank, who + " cannot be reached from this GPU");
      const cudaError_t status = cudaDeviceEnablePeerAccess(other.gpu, 0);
      if (status == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
      else check(status, who.c_str());
    } else if (mine.boxes != other.boxes) {
      fail(error_code::rank, who + " is that of the same GPU: peers need a GPU each");
    }
    return static_cast<detail::box_word*>(other.boxes);
  }

  static constexpr std::size_t head = 256;
  C& comm_;
  std::chrono::milliseconds timeout_;
  std::size_t longest_;
  detail::peer_boxes boxes_{};
  unsigned char* memory_ = nullptr;
  std::uint32_t* calls_ = nullptr;
  void* stop_ = nullptr;
  void* stop_on_gpu_ = nullptr;
  std::vector<void*> opened_;
  bool lost_ = false;
};

}  // namespace rung
