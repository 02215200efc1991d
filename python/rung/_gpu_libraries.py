# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Libraries of arrays in GPU memory: PyTorch, CuPy (for whatever has __cuda_array_interface__ or
__dlpack__), JAX. The same calls as the libraries of _libraries, on the array's own GPU.

Nothing is copied and nothing waits for the GPU. PyTorch and CuPy: on the caller's current stream.
JAX hands arrays over and takes results through DLPack: rung works on a stream of its own, which
waits for JAX's, and JAX's for it.
"""

from __future__ import annotations

import contextlib
import sys
import warnings

import numpy as np

from . import _core, _libraries

NAMES = _libraries.NAMES
_APART = "rung: all arrays of a call lie in host memory, or all on one GPU"


class Torch(_libraries.Torch):
    """PyTorch tensors on a GPU, on its current stream."""

    on_gpu = True

    def __init__(self, x):
        if x.device.type != "cuda":
            raise TypeError(f"rung: tensors on {x.device} are not taken: x.cpu()")
        self.device = x.device

    def take(self, x):
        import torch

        if not isinstance(x, torch.Tensor) or x.device.type != "cuda":
            raise TypeError(_APART)
        x = x.detach().resolve_conj().resolve_neg()
        return x, self.view(x)

    def view(self, x):
        import torch

        size = x.element_size()
        stream = torch.cuda.current_stream(x.device).cuda_stream
        return _core.GpuArray(x.data_ptr(), self.type_of(x), tuple(x.shape),
                              tuple(size * step for step in x.stride()), x.device.index, stream)

    @staticmethod
    def type_of(x) -> int:
        import torch

        if not isinstance(x, torch.Tensor) or x.device.type != "cuda":
            raise TypeError(f"rung: the output is no tensor on a GPU but a {type(x).__name__}")
        code = _core.type_from_name(str(x.dtype).partition(".")[2])
        if code < 0:
            raise TypeError(f"rung: there are no operations on {x.dtype} values")
        return code

    def empty(self, shape, code):
        import torch

        return torch.empty(shape, dtype=_libraries.torch_type(code), device=self.device)

    def take_integers(self, x):
        import torch

        x = torch.as_tensor(x, device=self.device)
        if x.numel() == 0:
            x = x.to(torch.int64)
        return x, self.view(x)

    def from_numpy(self, array):
        import torch

        return torch.from_numpy(array).to(self.device)

    def to_host(self, x):
        return _libraries.Torch.view(x.cpu())

    @staticmethod
    def broadcast(a, b):
        import torch

        return _broadcast(torch.broadcast_tensors, a, b)


class Cupy:
    """CuPy arrays, on CuPy's current stream."""

    on_gpu = True

    def __init__(self, x):
        self.gpu = x.device.id

    def take(self, x):
        import cupy

        if not isinstance(x, cupy.ndarray):
            if hasattr(x, "__cuda_array_interface__"):
                x = cupy.asarray(x)
            elif hasattr(x, "__dlpack__") and not _libraries._is_on_host(x):
                x = cupy.from_dlpack(x)
            else:
                raise TypeError(_APART)
        return x, self.view(x)

    def view(self, x):
        import cupy

        return _core.GpuArray(x.data.ptr, self.type_of(x), x.shape, x.strides, x.device.id,
                              cupy.cuda.get_current_stream().ptr)

    def type_of(self, x) -> int:
        import cupy

        if not isinstance(x, cupy.ndarray):
            raise TypeError(f"rung: the output is a {type(x).__name__}, not a CuPy array")
        code = _core.type_from_name(x.dtype.name)
        if code < 0 or x.dtype.kind not in "biufcV":
            raise TypeError(f"rung: there are no operations on {x.dtype.name} values")
        return code

    def empty(self, shape, code):
        import cupy

        with cupy.cuda.Device(self.gpu):
            return cupy.empty(shape, _numpy_type(code))

    @staticmethod
    def convert(result, code, out):
        if out is not None:
            out[...] = result
            return out
        return result.astype(_numpy_type(code))

    @staticmethod
    def give(result, out):
        return result

    def take_integers(self, x):
        import cupy

        with cupy.cuda.Device(self.gpu):
            x = cupy.asarray(x)
            if x.size == 0:
                x = x.astype(np.int64)
        return x, self.view(x)

    def from_numpy(self, array):
        return self.take_integers(array)[0]

    @staticmethod
    def to_host(x):
        return _libraries.Numpy.view(x.get())

    @staticmethod
    def broadcast(a, b):
        import cupy

        return _broadcast(cupy.broadcast_arrays, a, b)


class Jax:
    """JAX arrays: results are rung's memory, which JAX takes over."""

    on_gpu = True

    def __init__(self, x):
        self.gpu = int(x.__dlpack_device__()[1])
        self.stream = _core.own_stream(self.gpu)

    def take(self, x):
        if type(x).__module__.partition(".")[0] not in ("jax", "jaxlib") or (
            _libraries._is_on_host(x)
        ):
            raise TypeError(_APART)
        return x, self.view(x)

    def view(self, x):
        if isinstance(x, _core.GpuArray):
            return x
        return _core.GpuArray.from_dlpack(x.__dlpack__(stream=self.stream), self.stream)

    def type_of(self, x) -> int:
        if type(x).__module__.partition(".")[0] not in ("jax", "jaxlib"):
            raise TypeError(f"rung: the output is a {type(x).__name__}, not a JAX array")
        code = _core.type_from_name(x.dtype.name)
        if code < 0:
            raise TypeError(f"rung: there are no operations on {x.dtype.name} values")
        return code

    def empty(self, shape, code):
        return _core.GpuArray.allocate(code, shape, self.gpu, self.stream)

    def convert(self, result, code, out):
        return self.give(result, out).astype(_numpy_type(code))

    def give(self, result, out):
        if out is not None:
            raise TypeError("rung: JAX arrays cannot be written to: no out=")
        if not isinstance(result, _core.GpuArray):
            return result
        jax = sys.modules["jax"]
        with _wide_types(jax, NAMES[result.type]):
            array = jax.dlpack.from_dlpack(result)
        if jax.config.jax_enable_x64:
            return array
        with warnings.catch_warnings():  # as JAX itself does without x64
            warnings.simplefilter("ignore")
            return array.astype(_narrow(NAMES[result.type]))

    def take_integers(self, x):
        jax = sys.modules["jax"]
        if type(x).__module__.partition(".")[0] not in ("jax", "jaxlib"):
            x = np.asarray(x)
            if x.size == 0:
                x = x.astype(np.int32)
            x = jax.device_put(x, jax.devices()[self.gpu])
        return x, self.view(x)

    def from_numpy(self, array):
        jax = sys.modules["jax"]
        return jax.device_put(array, jax.devices()[self.gpu])

    @staticmethod
    def to_host(x):
        return _libraries.Numpy.view(np.asarray(x))

    @staticmethod
    def broadcast(a, b):
        return _broadcast(sys.modules["jax"].numpy.broadcast_arrays, a, b)


def _broadcast(broadcast, a, b):
    try:
        return broadcast(a, b)
    except (RuntimeError, ValueError, TypeError) as error:
        raise ValueError(f"rung: {error}") from None


def _wide_types(jax, name: str):
    """Lets JAX take a 64-bit array over where it makes none itself."""
    if jax.config.jax_enable_x64 or name not in _NARROW:
        return contextlib.nullcontext()
    return jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64()


_NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


def _narrow(name: str) -> str:
    return _NARROW.get(name, name)


def _numpy_type(code: int):
    if NAMES[code] == "bfloat16":
        import ml_dtypes

        return ml_dtypes.bfloat16
    return NAMES[code]


def of(x, root: str):
    """The library of an array on a GPU that is no tensor of PyTorch."""
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] != 2:
        raise TypeError(f"rung: arrays in the memory of a GPU that is not CUDA's (DLPack device "
                        f"{int(x.__dlpack_device__()[0])}) are not taken")
    if root in ("jax", "jaxlib"):
        return Jax(x)
    try:
        import cupy
    except ImportError:
        raise TypeError("rung: arrays in the memory of a GPU are taken from PyTorch, CuPy and JAX; "
                        "others need CuPy, which is not installed") from None
    if not isinstance(x, cupy.ndarray):
        x = cupy.asarray(x) if hasattr(x, "__cuda_array_interface__") else cupy.from_dlpack(x)
    return Cupy(x)
