// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays in GPU memory. A library whose type has a C exchange table of DLPack 1.3 (PyTorch) is
// asked through it, without a look-up by name and without synchronisation; arrays of all others
// come as rung._core.GpuArray, which says where they lie, or has memory of its own that a library
// takes over through DLPack.
#pragma once
#include <nanobind/nanobind.h>
#include <rung/rung.h>

#include <cstdint>
#include <vector>

namespace rung::python {

namespace nb = nanobind;

/// Where an array lies; strides in bytes.
struct gpu_array {
  void* data = nullptr;
  rung_type type{};
  std::vector<std::int64_t> shape, strides;
  std::int32_t gpu = 0;
  void* stream = nullptr;
  nb::object owner;      ///< of another library: kept until the stream has done its work
  bool is_mine = false;  ///< the memory is freed with this object

  gpu_array() = default;
  gpu_array(const gpu_array&) = delete;
  ~gpu_array();
};
/// The array, if x is a GpuArray.
const gpu_array* as_gpu_array(nb::handle x);

// The tables of DLPack, as its specification lays them out.
struct dl_device {
  std::int32_t type, id;
};
struct dl_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct dl_tensor {
  void* data;
  dl_device device;
  std::int32_t ndim;
  dl_type dtype;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
inline constexpr std::int32_t dl_cuda = 2;
/// False if rung has no such type.
bool read_type(dl_type type, rung_type* to);

/// How a library's arrays are looked at from C, or null functions.
struct exchange {
  int (*tensor_of)(void* object, dl_tensor* out) = nullptr;
  int (*stream_of)(std::int32_t device_type, std::int32_t device, void** out) = nullptr;
  bool has_negative_views = false;  ///< of which is_neg() tells: PyTorch
};
/// Of a type; null if it has none, or inherits it.
const exchange* exchange_of(nb::handle type);

/// Adds rung._core.GpuArray.
void add_gpu_array(nb::module_& m);

}  // namespace rung::python
