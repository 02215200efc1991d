# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Array libraries on a GPU as the tests see them: arrays from NumPy, and their bytes back."""
import os

import numpy as np
import pytest

import rung


def need_gpu():
    if "gpu 0:" not in rung.machine():
        pytest.skip("no GPU that this build of rung can use", allow_module_level=True)


class Torch:
    name = "torch"

    def __init__(self):
        import torch

        self.torch = torch
        if not torch.cuda.is_available():
            raise ImportError

    def put(self, x, bf16=False):
        """x with its strides, if they are not negative."""
        if any(s < 0 for s in x.strides):
            x = np.ascontiguousarray(x)
        base = np.ascontiguousarray(x.transpose(np.argsort([-s for s in x.strides], kind="stable")))
        t = self.torch.from_numpy(base).cuda()
        if bf16:
            t = t.view(self.torch.bfloat16)
        back = np.argsort(np.argsort([-s for s in x.strides], kind="stable"))
        return t.permute(*back.tolist()) if x.ndim else t

    def get(self, x):
        assert x.is_cuda
        x = x.cpu()
        return x.view(self.torch.int16).numpy() if x.dtype == self.torch.bfloat16 else x.numpy()

    def zeros(self, shape, dtype):
        return self.torch.zeros(shape, dtype=getattr(self.torch, dtype), device="cuda")

    wide = True
    types = ("bool int8 int16 int32 int64 uint8 float16 float32 float64 complex64 "
             "complex128").split()


class Cupy:
    name = "cupy"

    def __init__(self):
        import cupy

        self.cupy = cupy

    def put(self, x, bf16=False):
        """x with its strides, whatever they are."""
        low = sum((n - 1) * s for n, s in zip(x.shape, x.strides) if s < 0) if x.size else 0
        high = sum((n - 1) * s for n, s in zip(x.shape, x.strides) if s > 0) if x.size else 0
        size = x.itemsize
        line = np.zeros((high - low) // size + 1, x.dtype)
        view = np.lib.stride_tricks.as_strided(line[-low // size:], x.shape, x.strides)
        view[...] = x
        held = self.cupy.asarray(line)
        return self.cupy.ndarray(x.shape, x.dtype, held.data + -low, strides=x.strides)

    def get(self, x):
        assert isinstance(x, self.cupy.ndarray)
        return x.get()

    def zeros(self, shape, dtype):
        return self.cupy.zeros(shape, dtype)

    wide = True
    types = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
             "complex64 complex128").split()


class Jax:
    name = "jax"

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax

        self.jax = jax
        if jax.default_backend() != "gpu":
            raise ImportError

    def put(self, x, bf16=False):
        return self.jax.numpy.asarray(np.ascontiguousarray(x))

    def get(self, x):
        assert isinstance(x, self.jax.Array) and next(iter(x.devices())).platform == "gpu"
        return np.asarray(x)

    wide = False  # no 64-bit types unless asked for
    types = "bool int8 int16 int32 uint8 uint16 uint32 float16 float32 complex64".split()


def libraries():
    found = []
    for library in (Torch, Cupy, Jax):
        try:
            found.append(library())
        except ImportError:
            pass
    return found


_NARROW = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}


def same_bytes(library, got, want, *what):
    """Type, shape and every bit; NaNs are the one canonical NaN on both sides."""
    got, want = library.get(got), np.asarray(want)
    if not library.wide:
        want = want.astype(_NARROW.get(want.dtype.name, want.dtype))
    assert got.shape == want.shape, (got.shape, want.shape, *what)
    assert got.dtype == want.dtype, (got.dtype, want.dtype, *what)
    got, want = (np.ascontiguousarray(x).reshape(-1) for x in (got, want))
    if got.tobytes() != want.tobytes():
        bits = [x.view(np.uint8).reshape(x.size, x.itemsize) for x in (got, want)]
        wrong = np.flatnonzero((bits[0] != bits[1]).any(1))
        raise AssertionError(f"{what}: {wrong.size} of {got.size} differ, first at {wrong[0]}: "
                             f"{got[wrong[0]]!r}, not {want[wrong[0]]!r}")
