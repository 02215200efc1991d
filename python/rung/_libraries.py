# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Array libraries: how arrays of each become NumPy views of the same memory, and results theirs.

A library is a class with take(x) -> (x as an array of the library, what rung._core reads),
empty(shape, type), view(array) -> what rung._core writes, type_of(array), convert, give and
from_numpy. None is imported before the caller has; NumPy arrays and lists need no other. Arrays in
GPU memory have libraries of their own (_gpu_libraries).
"""

from __future__ import annotations

import sys

import numpy as np

from . import _core

_BF16 = _core.type_from_name("bf16")
_HOST_DEVICES = (1, 3, 11)  # DLPack's codes of host memory: plain, pinned for CUDA or for ROCm


class Numpy:
    """NumPy arrays, and whatever NumPy makes one of: lists, scalars, __array_interface__."""

    on_gpu = False

    @staticmethod
    def take(x):
        if isinstance(x, np.ma.MaskedArray):
            raise TypeError("rung: a masked array: give its data, and where=~mask")
        try:
            x = np.asarray(x)
        except (TypeError, ValueError) as error:
            raise TypeError(f"rung: no array: {error}") from None
        return x, Numpy.view(x)

    @staticmethod
    def view(x):
        if type(x) is not np.ndarray:
            x = x.view(np.ndarray)
        if x.dtype.name == "bfloat16":  # ml_dtypes
            return (x.view(np.uint16), "bf16")
        if x.dtype.kind not in "biufc" or _core.type_from_name(x.dtype.name) < 0:
            raise TypeError(f"rung: there are no operations on {x.dtype.name} values")
        return x

    @staticmethod
    def type_of(x) -> int:
        if not isinstance(x, np.ndarray):
            raise TypeError(f"rung: the output is a {type(x).__name__}, not a NumPy array")
        return _core.type_from_name(x.dtype.name)

    @staticmethod
    def empty(shape, code):
        if code == _BF16:
            import ml_dtypes

            return np.empty(shape, ml_dtypes.bfloat16)
        return np.empty(shape, NAMES[code])

    @staticmethod
    def convert(result, code, out):
        if out is not None:
            np.copyto(out, result, casting="same_kind")
            return out
        with np.errstate(over="ignore"):
            return result.astype(Numpy.empty((), code).dtype)

    @staticmethod
    def give(result, out):
        return result if out is not None or result.ndim else result[()]

    @staticmethod
    def from_numpy(array):
        return array


class Torch:
    """PyTorch tensors in host memory."""

    on_gpu = False

    @staticmethod
    def take(x):
        import torch

        if not isinstance(x, torch.Tensor):
            x = torch.from_numpy(np.asarray(x))
        return x, Torch.view(x)

    @staticmethod
    def view(x):
        import torch

        x = x.detach().resolve_conj().resolve_neg()
        if x.dtype == torch.bfloat16:
            return (x.view(torch.int16).numpy(), "bf16")
        return Numpy.view(x.numpy())

    @staticmethod
    def type_of(x) -> int:
        return _core.type_from_name(str(x.dtype).partition(".")[2])

    @staticmethod
    def empty(shape, code):
        import torch

        return torch.empty(shape, dtype=torch_type(code))

    @staticmethod
    def convert(result, code, out):
        if out is not None:
            return out.copy_(result)
        return result.to(torch_type(code))

    @staticmethod
    def give(result, out):
        return result

    @staticmethod
    def from_numpy(array):
        import torch

        return torch.from_numpy(array)


class Converted(Numpy):
    """Other libraries: read through DLPack or as NumPy reads them, results given back to them."""

    def __init__(self, give_back):
        self.give_back = give_back

    @staticmethod
    def take(x):
        if hasattr(x, "__array_interface__") or not hasattr(x, "__dlpack__"):
            return Numpy.take(x)
        if not _is_on_host(x):
            raise TypeError("rung: all arrays of a call lie in host memory, or all on one GPU")
        try:
            x = np.from_dlpack(x)
        except (BufferError, RuntimeError, TypeError, ValueError):  # e.g. bf16
            x = np.asarray(x)
        return x, Numpy.view(x)

    def give(self, result, out):
        return self.give_back(Numpy.give(result, out)) if out is None else out

    def from_numpy(self, array):
        return self.give_back(array)


# Names of types by code, without rung's i8 and u8, which NumPy users would take for others.
NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "bfloat16", "float32", "float64", "complex64", "complex128",
)


def torch_type(code: int):
    import torch

    return getattr(torch, NAMES[code])


def _is_on_host(x) -> bool:
    return x.__dlpack_device__()[0] in _HOST_DEVICES


def of(*arrays):
    """The library that the first array which belongs to one belongs to."""
    for x in arrays:
        root = type(x).__module__.partition(".")[0]
        if root == "numpy":
            return Numpy
        if root == "torch" and hasattr(x, "is_cuda"):
            return Torch if x.device.type == "cpu" else _gpu().Torch(x)
        if hasattr(x, "__cuda_array_interface__") or (
            hasattr(x, "__dlpack__") and not _is_on_host(x)
        ):
            return _gpu().of(x, root)
        if root in ("jax", "jaxlib") and hasattr(x, "__dlpack__"):
            return Converted(sys.modules["jax"].numpy.asarray)
        if hasattr(x, "__dlpack__"):
            return Converted(lambda result: result)
    return Numpy


def _gpu():
    from . import _gpu_libraries

    return _gpu_libraries
