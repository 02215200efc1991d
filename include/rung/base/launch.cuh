// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Host side of a kernel: launch(kernel, grid, block, scratch_bytes, stream, arguments...), the same
// call for the GPU (nvcc) and the virtual GPU (any other compiler), and gpu_array<T>, memory of
// that GPU for tests and examples. launch() throws rung::error with the reason; on the virtual GPU
// that is the place in the kernel, too.
#pragma once
#include <vector>

#include "gpu_types.hpp"
#if defined(__CUDACC__)
#include "cuda/launch.cuh"
#else
#include "../virtual/launch.hpp"
#endif

namespace rung {
#if defined(__CUDACC__)
inline namespace on_cuda {
#else
inline namespace on_virtual_gpu {
#endif

/// An array in the GPU's memory. Converts to T*, which is what launch() takes for a global<T>.
template <class T>
class gpu_array {
 public:
  explicit gpu_array(std::size_t size)
      : size_(size), data_(static_cast<T*>(gpu_allocate(size * sizeof(T)))) {}
  explicit gpu_array(const std::vector<T>& values) : gpu_array(values.size()) { assign(values); }
  gpu_array(gpu_array&& other) noexcept : size_(other.size_), data_(other.data_) {
    other.size_ = 0;
    other.data_ = nullptr;
  }
  gpu_array(const gpu_array&) = delete;
  gpu_array& operator=(const gpu_array&) = delete;
  ~gpu_array() { gpu_free(data_); }

  T* data() const { return data_; }
  operator T*() const { return data_; }
  std::size_t size() const { return size_; }

  void assign(const std::vector<T>& values) {
    if (values.size() != size_)
      fail(error_code::bad_argument, "gpu_array::assign: " + std::to_string(values.size()) +
                                         " values for an array of " + std::to_string(size_));
    host_copy copy(size_);
    for (std::size_t i = 0; i < size_; ++i) copy.values[i] = values[i];
    copy_to_gpu(data_, copy.values, size_ * sizeof(T));
  }
  void fill(const T& value) { assign(std::vector<T>(size_, value)); }
  /// Waits for the default stream.
  std::vector<T> to_host() const {
    host_copy copy(size_);
    copy_from_gpu(copy.values, data_, size_ * sizeof(T));
    return std::vector<T>(copy.values, copy.values + size_);
  }

 private:
  struct host_copy {  // a std::vector<bool> would be bits
    explicit host_copy(std::size_t size) : values(new T[size]) {}
    host_copy(const host_copy&) = delete;
    ~host_copy() { delete[] values; }
    T* values;
  };
  std::size_t size_;
  T* data_;
};

}  // namespace on_cuda or on_virtual_gpu
}  // namespace rung
