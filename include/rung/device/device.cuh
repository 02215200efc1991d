// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// device: one GPU as the first argument of a verb. It holds a stream, where its workspace comes
// from, and the workspace itself, which calls after each other use again. Keep one per stream;
// `device{stream}` for one call is fine, and pays for a new workspace. Calls return before the GPU
// has done the work, unless they return a value.
#pragma once
#include <chrono>
#include <cstring>
#include <list>

#include "../base/launch.cuh"
#include "../grid/stamped.cuh"
#if defined(__CUDACC__)
#include "../base/cuda/stream.cuh"
#else
#include "../virtual/stream.hpp"
#endif

namespace rung {
namespace detail {
/// Whose workspace is which. Two in a row: words of 8 bytes, and longer ones.
enum workspace_kind : int {
  reduce_kind = 0,
  scan_kind_of_words = 2,
  classic_scan_kind = 4,
  classic_trees_kind = 6,
  classic_reduce_kind,
  segment_kind,
  offsets_kind,
  runs_kind,
  order_kind,
  axis_stages_kind,
  axis_parts_kind,
  axis_scan_kind = 14,
  exact_kind = 16,
  exact_sum_kind,
  exact_scan_kind,
  exact_copy_kind,
  exact_lines_kind,
  ranks_kind,
  slab_kind,  ///< of the compiled runtime
  workspace_kinds
};
}  // namespace detail
#if defined(__CUDACC__)
inline namespace on_cuda {
#else
inline namespace on_virtual_gpu {
#endif

/// Where workspaces come from. The default: the stream-ordered allocator of CUDA.
struct device_memory {
  virtual ~device_memory() = default;
  /// Device memory for what comes later on the stream, aligned to 256 bytes; throws rung::error.
  virtual void* allocate(std::size_t bytes, stream_type stream) {
    return stream_allocate(bytes, stream);
  }
  virtual void deallocate(void* memory, std::size_t /*bytes*/, stream_type stream) noexcept {
    stream_free(memory, stream);
  }
};

class device {
 public:
  /// On the current GPU. A memory given must live as long as the device.
  explicit device(stream_type stream = nullptr, device_memory* memory = nullptr)
      : stream_(stream), memory_(memory != nullptr ? memory : &default_memory()) {}
  device(const device&) = delete;
  device& operator=(const device&) = delete;
  /// Frees the workspaces in stream order; graphs captured with this device end before it does.
  ~device() {
    for (const piece& p : pieces_) {
      if (p.beside_capture) gpu_free(p.memory);
      else memory_->deallocate(p.memory, p.bytes, stream_);
    }
    if (slot_ != nullptr) free_shared_with_host(slot_);
  }

  stream_type stream() const { return stream_; }
  void wait() const { synchronize(stream_); }
  /// Where its workspaces come from.
  device_memory& memory() const { return *memory_; }

  /// Kernels may start before the one before them on the stream has ended (programmatic dependent
  /// launch); they wait for it before they read anything. Pays in chains of small calls.
  device& overlap(bool allowed = true) {
    overlap_ = allowed;
    return *this;
  }
  bool overlaps() const { return overlap_; }

  /// A workspace: at least `bytes` bytes, zeros at first, then as the last
  /// call left it. A call that is captured into a graph gets its own, since graphs run at any time.
  void* workspace(int kind, std::size_t bytes) const { return whole_workspace(kind, bytes).first; }
  /// The same, and how many bytes there are.
  std::pair<void*, std::size_t> whole_workspace(int kind, std::size_t bytes) const {
    piece*& last = last_[kind];
    if (is_capturing(stream_)) {
      const piece& own = add({allocate_beside_capture(bytes), bytes, true});
      return {own.memory, bytes};
    }
    if (last == nullptr || last->bytes < bytes) {
      if (last != nullptr) memory_->deallocate(last->memory, last->bytes, stream_), forget(last);
      last = nullptr;
      last = &add({memory_->allocate(bytes, stream_), bytes, false});
      stream_zero(last->memory, bytes, stream_);
    }
    return {last->memory, last->bytes};
  }

  /// Where a kernel puts a result for the host: words of the slot, on the GPU, each with the stamp.
  struct host_slot {
    stamped_word<std::uint32_t>* words;
    std::uint32_t stamp;
  };
  static constexpr std::size_t slot_words = 256;
  /// The slot, for one result at a time.
  host_slot result_slot() const {
    using word = stamped_word<std::uint32_t>;
    if (is_capturing(stream_))
      fail(error_code::bad_argument,
           "rung: a call that is captured into a graph cannot return a value: give it into(out)");
    if (slot_ == nullptr)
      slot_ = allocate_shared_with_host(slot_words * sizeof(word), &slot_on_gpu_);
    if (++stamp_ == 0 || stamp_ == 1) std::memset(slot_, 0, slot_words * sizeof(word)), stamp_ = 1;
    return {static_cast<word*>(slot_on_gpu_), stamp_};
  }
  /// Waits for the result of the last result_slot(), of so many bytes. Looks for it in memory for
  /// 0.2 ms, which a wait for the stream would take microseconds longer to see; then waits for the
  /// stream, whose errors it throws.
  void take_result(void* result, std::size_t bytes) const {
    take_result(result, bytes, [&] { return wait(), true; });
  }
  /// The same; is_over() is asked after each 0.2 ms whether the stream has ended, and throws to
  /// give up.
  template <class IsOver>
  void take_result(void* result, std::size_t bytes, const IsOver& is_over) const {
    while (!look_for_result(result, bytes, std::chrono::microseconds(200)))
      if (is_over() && !look_for_result(result, bytes, {}))
        fail(error_code::device,
             "rung: the GPU has ended and there is no result: no values, and an operator that "
             "has no empty result");
  }

 private:
  struct piece {
    void* memory;
    std::size_t bytes;
    bool beside_capture;
  };
  static device_memory& default_memory() {
    static device_memory memory;
    return memory;
  }
  piece& add(const piece& p) const {
    pieces_.push_back(p);
    return pieces_.back();
  }
  void forget(piece* gone) const {
    pieces_.remove_if([&](const piece& p) { return &p == gone; });
  }

  bool look_for_result(void* result, std::size_t bytes, std::chrono::microseconds time) const {
    const auto begin = std::chrono::steady_clock::now();
    const auto* words = static_cast<const std::uint64_t*>(slot_);
    auto* to = static_cast<unsigned char*>(result);
    for (std::size_t i = 0; 4 * i < bytes; ++i) {
      stamped_word<std::uint32_t> word;
      for (unsigned tries = 1;; ++tries) {
        const std::uint64_t now = __atomic_load_n(words + i, __ATOMIC_ACQUIRE);
        std::memcpy(&word, &now, sizeof word);
        if (word.stamp == stamp_) break;
        if (tries % 64 == 0 && std::chrono::steady_clock::now() - begin >= time) return false;
      }
      std::memcpy(to + 4 * i, word.data, bytes - 4 * i < 4 ? bytes - 4 * i : 4);
    }
    return true;
  }

  stream_type stream_;
  device_memory* memory_;
  bool overlap_ = false;
  mutable std::list<piece> pieces_;
  mutable piece* last_[detail::workspace_kinds] = {};
  mutable void* slot_ = nullptr;
  mutable void* slot_on_gpu_ = nullptr;
  mutable std::uint32_t stamp_ = 0;
};

}  // namespace on_cuda or on_virtual_gpu
}  // namespace rung
