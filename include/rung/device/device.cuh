// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// device: one GPU as the first argument of a verb. It holds a stream, where its workspace comes
// from, and the workspace itself, which calls after each other use again. Keep one per stream;
// `device{stream}` for one call is fine, and pays for a new workspace. Calls return before the GPU
// has done the work, unless they return a value.
#pragma once
#include <list>
#include <utility>

#include "../base/launch.cuh"
#if defined(__CUDACC__)
#include "../base/cuda/stream.cuh"
#else
#include "../virtual/stream.hpp"
#endif

namespace rung {
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

  /// Kernels may start before the one before them on the stream has ended (programmatic dependent
  /// launch); they wait for it before they read anything. Pays in chains of small calls.
  device& overlap(bool allowed = true) {
    overlap_ = allowed;
    return *this;
  }
  bool overlaps() const { return overlap_; }

  /// Workspace number `kind`, 0 to 7: at least `bytes` bytes, zeros at first, then as the last call
  /// left it. A call that is captured into a graph gets its own, since graphs run at any time.
  void* workspace(int kind, std::size_t bytes) const {
    piece*& last = last_[kind];
    if (is_capturing(stream_)) return add({allocate_beside_capture(bytes), bytes, true}).memory;
    if (last == nullptr || last->bytes < bytes) {
      if (last != nullptr) memory_->deallocate(last->memory, last->bytes, stream_), forget(last);
      last = nullptr;
      last = &add({memory_->allocate(bytes, stream_), bytes, false});
      stream_zero(last->memory, bytes, stream_);
    }
    return last->memory;
  }

  /// Room for a result that the host reads after wait(): {on the host, on the GPU}.
  std::pair<void*, void*> result_slot() const {
    if (is_capturing(stream_))
      fail(error_code::bad_argument,
           "rung: a call that is captured into a graph cannot return a value: give it into(out)");
    if (slot_ == nullptr) slot_ = allocate_shared_with_host(slot_bytes, &slot_on_gpu_);
    return {slot_, slot_on_gpu_};
  }
  static constexpr std::size_t slot_bytes = 512;

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

  stream_type stream_;
  device_memory* memory_;
  bool overlap_ = false;
  mutable std::list<piece> pieces_;
  mutable piece* last_[8] = {};
  mutable void* slot_ = nullptr;
  mutable void* slot_on_gpu_ = nullptr;
};

}  // namespace on_cuda or on_virtual_gpu
}  // namespace rung
