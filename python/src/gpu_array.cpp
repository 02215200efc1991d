// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See gpu_array.hpp.
#include "gpu_array.hpp"

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "array.hpp"
#include "gpu/resident.hpp"

namespace rung::python {
namespace {

struct dl_managed {
  dl_tensor tensor;
  void* context;
  void (*deleter)(dl_managed*);
};
/// The table of DLPack 1.3 that a type has as __dlpack_c_exchange_api__.
struct dl_exchange {
  std::uint32_t major, minor;
  dl_exchange* previous;
  void* allocate;
  void* from_object;
  void* to_object;
  int (*tensor_of)(void* object, dl_tensor* out);
  int (*stream_of)(std::int32_t device_type, std::int32_t device, void** out);
};

std::int64_t bytes_of(const gpu_array& a) {
  std::int64_t bytes = std::int64_t(rung_type_size(a.type));
  for (const std::int64_t n : a.shape) bytes *= n;
  return bytes;
}
void set_strides(gpu_array& a) {
  std::int64_t step = std::int64_t(rung_type_size(a.type));
  a.strides.resize(a.shape.size());
  for (std::size_t d = a.shape.size(); d-- > 0; step *= a.shape[d]) a.strides[d] = step;
}
std::vector<std::int64_t> read_list(nb::handle list) {
  std::vector<std::int64_t> v;
  for (nb::handle n : list) v.push_back(nb::cast<std::int64_t>(n));
  return v;
}

/// Arrays of others that a stream may still read.
struct kept_array {
  void* mark;
  nb::object owner;
};
std::deque<kept_array>& kept_arrays() {
  static auto* const all = new std::deque<kept_array>;
  return *all;
}
void drop_what_has_been_read() {
  auto& all = kept_arrays();
  while (!all.empty() && runtime::has_passed(all.front().mark)) all.pop_front();
}

/// Errors of the runtime, which come as exceptions here, as Python's.
template <class F>
auto translated(const F& f) {
  try {
    return f();
  } catch (const error& e) {
    raise(e.code() == error_code::no_memory ? PyExc_MemoryError : PyExc_RuntimeError, e.what());
  }
}

void create(gpu_array* self, std::uintptr_t data, int type, nb::handle shape, nb::handle strides,
            int gpu, std::uintptr_t stream) {
  new (self) gpu_array;
  self->data = reinterpret_cast<void*>(data), self->type = rung_type(type);
  self->shape = read_list(shape), self->gpu = gpu;
  self->stream = reinterpret_cast<void*>(stream);
  if (strides.is_none()) set_strides(*self);
  else self->strides = read_list(strides);
}

/// A capsule of __dlpack__(stream=...).
gpu_array* from_dlpack(nb::object capsule, std::uintptr_t stream) {
  auto* const managed = static_cast<dl_managed*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (managed == nullptr) throw nb::python_error();
  const dl_tensor& t = managed->tensor;
  auto a = std::make_unique<gpu_array>();
  if (t.device.type != dl_cuda || !read_type(t.dtype, &a->type))
    raise(PyExc_TypeError, "rung: no array in GPU memory of a type that rung has");
  a->data = static_cast<std::byte*>(t.data) + t.byte_offset;
  a->shape.assign(t.shape, t.shape + t.ndim);
  if (t.strides == nullptr) set_strides(*a);
  else
    for (int d = 0; d < t.ndim; d++)
      a->strides.push_back(t.strides[d] * std::int64_t(rung_type_size(a->type)));
  a->gpu = t.device.id, a->stream = reinterpret_cast<void*>(stream);
  a->owner = std::move(capsule);
  drop_what_has_been_read();
  return a.release();
}

gpu_array* allocate(int type, nb::handle shape, int gpu, std::uintptr_t stream) {
  auto a = std::make_unique<gpu_array>();
  a->type = rung_type(type), a->shape = read_list(shape), a->gpu = gpu;
  a->stream = reinterpret_cast<void*>(stream);
  set_strides(*a);
  a->data = translated(
      [&] { return runtime::allocate_resident(gpu, std::size_t(bytes_of(*a)), a->stream); });
  a->is_mine = true;
  return a.release();
}

dl_type type_of(rung_type type) {
  const auto bits = std::uint8_t(8 * rung_type_size(type));
  const std::uint8_t code = type == RUNG_BOOL   ? 6
                            : type <= RUNG_I64  ? 0
                            : type <= RUNG_U64  ? 1
                            : type == RUNG_BF16 ? 4
                            : type <= RUNG_F64  ? 2
                                                : 5;
  return {code, bits, 1};
}

struct exported {
  dl_managed managed;
  std::vector<std::int64_t> shape, strides;
  nb::object array;
};
void end_export(dl_managed* m) {
  const nb::gil_scoped_acquire locked;
  delete static_cast<exported*>(m->context);
}
/// DLPack's stream numbers 1 and 2 are CUDA's handles of its default streams; -1: no waiting.
nb::object to_dlpack(nb::handle self, nb::handle stream) {
  const gpu_array& a = nb::cast<const gpu_array&>(self);
  if (!stream.is_none())
    if (const auto then = nb::cast<std::intptr_t>(stream); then != -1)
      translated([&] {
        runtime::hold_back(a.gpu, a.stream, reinterpret_cast<void*>(then));
        return 0;
      });
  auto e = std::make_unique<exported>();
  e->shape = a.shape, e->array = nb::borrow(self);
  for (const std::int64_t s : a.strides)
    e->strides.push_back(s / std::int64_t(rung_type_size(a.type)));
  e->managed = {{a.data,
                 {dl_cuda, a.gpu},
                 std::int32_t(a.shape.size()),
                 type_of(a.type),
                 e->shape.data(),
                 e->strides.data(),
                 0},
                e.get(),
                end_export};
  PyObject* const capsule = PyCapsule_New(&e->managed, "dltensor", [](PyObject* c) {
    if (PyCapsule_IsValid(c, "dltensor") == 0) return;  // taken over
    auto* const m = static_cast<dl_managed*>(PyCapsule_GetPointer(c, "dltensor"));
    m->deleter(m);
  });
  if (capsule == nullptr) throw nb::python_error();
  e.release();
  return nb::steal(capsule);
}

}  // namespace

gpu_array::~gpu_array() {
  if (is_mine) runtime::free_resident(gpu, data, stream);
  if (!owner.is_valid()) return;
  try {
    kept_arrays().push_back({runtime::mark(gpu, stream), std::move(owner)});
  } catch (const error&) {  // the GPU has failed: nothing reads it any more
  }
}

const gpu_array* as_gpu_array(nb::handle x) {
  return nb::isinstance<gpu_array>(x) ? &nb::cast<const gpu_array&>(x) : nullptr;
}

bool read_type(dl_type type, rung_type* to) {
  if (type.lanes != 1) return false;
  const auto sized = [&](rung_type one, rung_type two, rung_type four, rung_type eight) {
    *to = type.bits == 8 ? one : type.bits == 16 ? two : type.bits == 32 ? four : eight;
    return type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
  };
  switch (type.code) {
    case 0:
      return sized(RUNG_I8, RUNG_I16, RUNG_I32, RUNG_I64);
    case 1:
      return sized(RUNG_U8, RUNG_U16, RUNG_U32, RUNG_U64);
    case 2:
      return type.bits > 8 && sized(RUNG_F16, RUNG_F16, RUNG_F32, RUNG_F64);
    case 4:
      return *to = RUNG_BF16, type.bits == 16;
    case 5:
      return *to = type.bits == 64 ? RUNG_C64 : RUNG_C128, type.bits == 64 || type.bits == 128;
    case 6:
      return *to = RUNG_BOOL, type.bits == 8;
    default:
      return false;
  }
}

const exchange* exchange_of(nb::handle type) {
  struct known_type {
    PyObject* type;  // kept, so that no other type gets its address
    exchange how;
  };
  static auto* const known = new std::deque<known_type>;
  for (const known_type& k : *known)
    if (k.type == type.ptr()) return k.how.tensor_of ? &k.how : nullptr;
  exchange found;
  const nb::object table = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  const nb::str module(nb::getattr(type, "__module__", nb::str(""))),
      name(nb::getattr(type, "__name__", nb::str("")));
  const std::string full = std::string(module.c_str()) + "." + name.c_str();
  const bool is_torch = full == "torch.Tensor" || full == "torch.nn.parameter.Parameter";
  if (is_torch && PyCapsule_IsValid(table.ptr(), "dlpack_exchange_api") != 0) {
    auto* api = static_cast<dl_exchange*>(PyCapsule_GetPointer(table.ptr(), "dlpack_exchange_api"));
    while (api != nullptr && api->major != 1) api = api->previous;
    if (api != nullptr && api->tensor_of != nullptr && api->stream_of != nullptr)
      found = {api->tensor_of, api->stream_of, true};
  }
  known->push_back({nb::borrow(type).release().ptr(), found});
  return known->back().how.tensor_of ? &known->back().how : nullptr;
}

void add_gpu_array(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<gpu_array>(m, "GpuArray")
      .def("__init__", create, "data"_a, "type"_a, "shape"_a, "strides"_a.none(), "gpu"_a,
           "stream"_a)
      .def_static("from_dlpack", from_dlpack, "capsule"_a, "stream"_a)
      .def_static("allocate", allocate, "type"_a, "shape"_a, "gpu"_a, "stream"_a)
      .def(
          "__dlpack__",
          [](nb::handle self, nb::handle stream, nb::kwargs) { return to_dlpack(self, stream); },
          "stream"_a.none() = nb::none(), "how"_a)
      .def("__dlpack_device__",
           [](const gpu_array& a) { return nb::make_tuple(int(dl_cuda), a.gpu); })
      .def_prop_ro("type", [](const gpu_array& a) { return int(a.type); });
  m.def(
      "own_stream",
      [](int gpu) { return translated([&] { return std::uintptr_t(runtime::own_stream(gpu)); }); },
      "gpu"_a);
}

}  // namespace rung::python
