// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Python arrays as the C interface takes them. A NumPy array is borrowed through the buffer
// protocol, whatever its strides and byte order; a pair (array of 16-bit integers, "bf16") stands
// for a bf16 array, which that protocol cannot name. Nothing is copied.
#pragma once
#include <nanobind/nanobind.h>
#include <rung/rung.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gpu_array.hpp"

namespace rung::python {

namespace nb = nanobind;

/// An array that Python owns, for the time of a call.
class borrowed {
 public:
  borrowed() = default;
  borrowed(const borrowed&) = delete;
  borrowed& operator=(const borrowed&) = delete;
  ~borrowed() {
    if (view_.obj) PyBuffer_Release(&view_);
  }

  /// False, with no Python error set, if rung has no such element type or x is no NumPy array.
  bool take(nb::handle x, bool writable = false);
  /// The same of an array in GPU memory: a GpuArray, or one of a library with a C exchange table.
  bool take_gpu(nb::handle x);
  /// A new array of the library of `like`, beside it.
  bool take_new(nb::handle x, const borrowed& like);
  /// Like the other one: in GPU memory or not.
  bool take_like(const borrowed& other, nb::handle x) {
    return other.is_on_gpu() ? take_gpu(x) : take(x);
  }

  const rung_array* get() const { return &array_; }
  rung_type type() const { return array_.type; }
  int rank() const { return array_.rank; }
  std::int64_t size() const;
  bool is_on_gpu() const { return is_on_gpu_; }
  /// Whether a new array can be asked of its library.
  bool has_library() const { return has_library_; }
  /// Tells a call where the array lies.
  void put_place(rung_options& o) const {
    if (is_on_gpu_) o.memory = RUNG_GPU_MEMORY, o.gpu = gpu_, o.stream = stream_;
  }
  /// Throws ValueError if they lie on two GPUs.
  void expect_beside(const borrowed& other) const;

 private:
  Py_buffer view_{};
  bool put_tensor(const dl_tensor& tensor);
  bool put_gpu(int rank, const std::int64_t* shape, const std::int64_t* strides, std::int64_t unit);

  rung_array array_{};
  bool is_on_gpu_ = false, has_library_ = false;
  std::int32_t gpu_ = 0;
  void* stream_ = nullptr;
  std::array<std::int64_t, 64> shape_, strides_;
};

/// What the module needs of NumPy and of its own Python part, looked up once, when the package is
/// imported: later, a thread in here could wait for another that waits for the interpreter's lock.
struct names {
  nb::object array_type, empty, axis_error;
  std::array<nb::object, 15> dtypes, scalar_types;  ///< by rung_type; bf16 has none
  nb::object general;                               ///< rung._general, the way for all else

  static const names& get();
};

/// A new C-contiguous array of x's library beside x, in GPU memory.
nb::object new_array_like(nb::handle x, const borrowed& like, rung_type type, int rank,
                          const std::int64_t* shape);
/// A new C-contiguous NumPy array.
nb::object new_array(rung_type type, int rank, const std::int64_t* shape);
/// The value of a type that lies at `bytes`, as a NumPy scalar.
nb::object scalar(rung_type type, const void* bytes);

/// Raises rung_last_error() as the exception that a code stands for. axes: those of the call, for
/// an input of `rank`, to tell a wrong axis, which NumPy users expect as an AxisError.
[[noreturn]] void raise(int code, const rung_options* options = nullptr, int rank = -1);
inline void check(int code, const rung_options* options = nullptr, int rank = -1) {
  if (code != RUNG_OK) raise(code, options, rank);
}
[[noreturn]] void raise(PyObject* type, const std::string& text);

}  // namespace rung::python
