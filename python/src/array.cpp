// SPDX-FileCopyrightText: 2026 The rung authors
// SPDX-License-Identifier: Apache-2.0
//
// See array.hpp.
#include "array.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

namespace rung::python {
namespace {

/// The type that a format of the buffer protocol names, and whether its bytes are swapped.
bool read_format(std::string_view format, Py_ssize_t size, rung_type* type, std::int32_t* swapped) {
  const bool little = std::endian::native == std::endian::little;
  if (!format.empty() && std::string_view("@=<>!^").find(format[0]) != format.npos) {
    const bool written_big = format[0] == '>' || format[0] == '!';
    *swapped = format[0] == '<' ? !little : written_big && little;
    format.remove_prefix(1);
  }
  const auto sized = [&](rung_type one, rung_type two, rung_type four, rung_type eight) {
    *type = size == 1 ? one : size == 2 ? two : size == 4 ? four : eight;
    return size == 1 || size == 2 || size == 4 || size == 8;
  };
  if (format == "?") return *type = RUNG_BOOL, true;
  if (format == "Zf") return *type = RUNG_C64, size == 8;
  if (format == "Zd") return *type = RUNG_C128, size == 16;
  if (format.size() != 1) return false;
  if (std::string_view("bhilqn").find(format[0]) != format.npos)
    return sized(RUNG_I8, RUNG_I16, RUNG_I32, RUNG_I64);
  if (std::string_view("BHILQN").find(format[0]) != format.npos)
    return sized(RUNG_U8, RUNG_U16, RUNG_U32, RUNG_U64);
  if (std::string_view("efd").find(format[0]) != format.npos)
    return size > 1 && sized(RUNG_F16, RUNG_F16, RUNG_F32, RUNG_F64);
  return false;
}

/// The exact values of f16 and bf16 as wider floats: NumPy makes its scalars from those.
double widen(rung_type type, const void* bytes) {
  std::uint16_t h;
  std::memcpy(&h, bytes, sizeof h);
  if (type == RUNG_BF16) return std::bit_cast<float>(std::uint32_t(h) << 16);
  const int exponent = (h >> 10) & 31, fraction = h & 1023;
  const double size = exponent == 31  ? (fraction ? __builtin_nan("") : __builtin_inf())
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return h & 0x8000 ? -size : size;
}

template <class T>
T read(const void* bytes) {
  T x;
  std::memcpy(&x, bytes, sizeof x);
  return x;
}

nb::object number(rung_type type, const void* bytes) {
  const auto steal = [](PyObject* o) { return nb::steal(o); };
  switch (type) {
    case RUNG_BOOL:
      return nb::bool_(read<std::uint8_t>(bytes) != 0);
    case RUNG_I8:
      return steal(PyLong_FromLong(read<std::int8_t>(bytes)));
    case RUNG_I16:
      return steal(PyLong_FromLong(read<std::int16_t>(bytes)));
    case RUNG_I32:
      return steal(PyLong_FromLong(read<std::int32_t>(bytes)));
    case RUNG_I64:
      return steal(PyLong_FromLongLong(read<std::int64_t>(bytes)));
    case RUNG_U8:
      return steal(PyLong_FromLong(read<std::uint8_t>(bytes)));
    case RUNG_U16:
      return steal(PyLong_FromLong(read<std::uint16_t>(bytes)));
    case RUNG_U32:
      return steal(PyLong_FromUnsignedLong(read<std::uint32_t>(bytes)));
    case RUNG_U64:
      return steal(PyLong_FromUnsignedLongLong(read<std::uint64_t>(bytes)));
    case RUNG_F32:
      return steal(PyFloat_FromDouble(read<float>(bytes)));
    case RUNG_F64:
      return steal(PyFloat_FromDouble(read<double>(bytes)));
    case RUNG_C64: {
      const auto z = read<std::array<float, 2>>(bytes);
      return steal(PyComplex_FromDoubles(z[0], z[1]));
    }
    case RUNG_C128: {
      const auto z = read<std::array<double, 2>>(bytes);
      return steal(PyComplex_FromDoubles(z[0], z[1]));
    }
    default:
      return steal(PyFloat_FromDouble(widen(type, bytes)));
  }
}

}  // namespace

bool borrowed::take(nb::handle x, bool writable) {
  bool is_bf16 = false;
  if (PyTuple_CheckExact(x.ptr()) && PyTuple_Size(x.ptr()) == 2) {
    is_bf16 = true;
    x = PyTuple_GetItem(x.ptr(), 0);
  }
  if (!x.type().is(names::get().array_type)) return false;
  const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(x.ptr(), &view_, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  if (!read_format(view_.format, view_.itemsize, &array_.type, &array_.swapped)) return false;
  if (is_bf16) array_.type = RUNG_BF16;
  array_.data = view_.buf, array_.rank = view_.ndim;
  for (int d = 0; d < view_.ndim; d++)
    shape_[std::size_t(d)] = view_.shape[d], strides_[std::size_t(d)] = view_.strides[d];
  array_.shape = shape_.data(), array_.strides = strides_.data();
  return true;
}

/// Strides in units of so many bytes; null: C order.
bool borrowed::put_gpu(int rank, const std::int64_t* shape, const std::int64_t* strides,
                       std::int64_t unit) {
  if (rank > int(shape_.size())) return false;
  std::int64_t step = std::int64_t(rung_type_size(array_.type));
  for (int d = rank; d-- > 0; step *= shape[d])
    shape_[std::size_t(d)] = shape[d],
    strides_[std::size_t(d)] = strides ? strides[d] * unit : step;
  array_.rank = rank, array_.shape = shape_.data(), array_.strides = strides_.data();
  return is_on_gpu_ = true;
}

bool borrowed::put_tensor(const dl_tensor& t) {
  gpu_ = t.device.id, has_library_ = true;
  array_.data = t.data ? static_cast<std::byte*>(t.data) + t.byte_offset : nullptr;
  return put_gpu(t.ndim, t.shape, t.strides, std::int64_t(rung_type_size(array_.type)));
}

bool borrowed::take_gpu(nb::handle x) {
  if (const exchange* how = exchange_of(x.type())) {
    dl_tensor t;
    if (how->tensor_of(x.ptr(), &t) != 0) return PyErr_Clear(), false;
    // A conjugated or negated view is resolved by the library, which the general way asks for that.
    if (t.device.type != dl_cuda || !read_type(t.dtype, &array_.type) || array_.type >= RUNG_C64)
      return false;
    if (how->has_negative_views) {
      static PyObject* const name = PyUnicode_InternFromString("is_neg");
      PyObject* const self = x.ptr();
      const nb::object is_neg = nb::steal(PyObject_VectorcallMethod(name, &self, 1, nullptr));
      if (!is_neg.is_valid()) throw nb::python_error();
      if (is_neg.is(nb::handle(Py_True))) return false;
    }
    if (how->stream_of(t.device.type, t.device.id, &stream_) != 0) throw nb::python_error();
    return put_tensor(t);
  }
  const gpu_array* a = as_gpu_array(x);
  if (!a) return false;
  array_.data = a->data, array_.type = a->type, gpu_ = a->gpu, stream_ = a->stream;
  return put_gpu(int(a->shape.size()), a->shape.data(), a->strides.data(), 1);
}

bool borrowed::take_new(nb::handle x, const borrowed& like) {
  const exchange* how = exchange_of(x.type());
  dl_tensor t;
  if (!how || how->tensor_of(x.ptr(), &t) != 0 || !read_type(t.dtype, &array_.type)) return false;
  stream_ = like.stream_;
  return put_tensor(t);
}

void borrowed::expect_beside(const borrowed& other) const {
  if (gpu_ != other.gpu_)
    raise(PyExc_ValueError, "rung: the arrays of a call lie on one GPU, not on " +
                                std::to_string(other.gpu_) + " and " + std::to_string(gpu_));
}

std::int64_t borrowed::size() const {
  std::int64_t n = 1;
  for (int d = 0; d < array_.rank; d++) n *= array_.shape[d];
  return n;
}

const names& names::get() {
  // Never freed: the module lives as long as the interpreter.
  static const names* const all = [] {
    auto* n = new names;
    const nb::module_ numpy = nb::module_::import_("numpy");
    n->array_type = numpy.attr("ndarray"), n->empty = numpy.attr("empty");
    n->axis_error = nb::hasattr(numpy, "exceptions") ? numpy.attr("exceptions").attr("AxisError")
                                                     : numpy.attr("AxisError");
    constexpr const char* dtypes[] = {"bool",    "int8",    "int16",     "int32",     "int64",
                                      "uint8",   "uint16",  "uint32",    "uint64",    "float16",
                                      "float32", "float64", "complex64", "complex128"};
    for (int t = 0, i = 0; t < 15; t++) {
      if (t == RUNG_BF16) continue;
      n->dtypes[std::size_t(t)] = numpy.attr("dtype")(dtypes[i++]);
      n->scalar_types[std::size_t(t)] = n->dtypes[std::size_t(t)].attr("type");
    }
    n->general = nb::module_::import_("rung._general");
    return n;
  }();
  return *all;
}

nb::object new_array(rung_type type, int rank, const std::int64_t* shape) {
  if (type == RUNG_BF16) raise(PyExc_TypeError, "rung: NumPy itself has no bf16 arrays");
  const nb::object lengths = nb::steal(PyTuple_New(rank));
  for (int d = 0; d < rank; d++) PyTuple_SetItem(lengths.ptr(), d, PyLong_FromLongLong(shape[d]));
  return names::get().empty(lengths, names::get().dtypes[std::size_t(type)]);
}

nb::object new_array_like(nb::handle x, const borrowed& like, rung_type type, int rank,
                          const std::int64_t* shape) {
  const nb::object lengths = nb::steal(PyTuple_New(rank));
  for (int d = 0; d < rank; d++) PyTuple_SetItem(lengths.ptr(), d, PyLong_FromLongLong(shape[d]));
  static PyObject* const name = PyUnicode_InternFromString("new_empty");
  static PyObject* const keyword = Py_BuildValue("(s)", "dtype");
  PyObject* arguments[3] = {x.ptr(), lengths.ptr(), nullptr};
  PyObject* keywords = nullptr;
  if (type != like.type()) {
    static auto* const types = new std::array<nb::object, 15>;  // PyTorch's, by rung_type
    nb::object& dtype = (*types)[std::size_t(type)];
    if (!dtype.is_valid()) dtype = names::get().general.attr("torch_type")(int(type));
    arguments[2] = dtype.ptr(), keywords = keyword;
  }
  PyObject* const made = PyObject_VectorcallMethod(name, arguments, 2, keywords);
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

nb::object scalar(rung_type type, const void* bytes) {
  const nb::object value = number(type, bytes);
  return type == RUNG_BF16 ? value : names::get().scalar_types[std::size_t(type)](value);
}

void raise(PyObject* type, const std::string& text) {
  PyErr_SetString(type, text.c_str());
  throw nb::python_error();
}

void raise(int code, const rung_options* options, int rank) {
  const std::string text = rung_last_error();
  for (int i = 0; options && i < options->axis_count && rank >= 0; i++)
    if (options->axes[i] < -rank || options->axes[i] >= rank)
      raise(names::get().axis_error.ptr(), text);
  raise(code == RUNG_BAD_TYPE                                ? PyExc_TypeError
        : code == RUNG_NO_MEMORY                             ? PyExc_MemoryError
        : code == RUNG_INTERNAL || code == RUNG_DEVICE_ERROR ? PyExc_RuntimeError
                                                             : PyExc_ValueError,
        text);
}

}  // namespace rung::python
