# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries, and what only looks like an array."""
import array
import ctypes

import numpy as np
import pytest

import rung
from oracle import same


class Interface:
    """An array that only says where its memory is."""

    def __init__(self, x):
        self.kept, self.__array_interface__ = x, x.__array_interface__


class DLPack:
    """An array that can only be exported."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **how):
        return self.x.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def odd_strides():
    """Legal: the stride of an axis of length 1 means nothing."""
    line = np.arange(12.0)
    for strides in ((0, 32, 0, 8, 0), (792, 32, 792, 8, 792)):
        yield np.lib.stride_tricks.as_strided(line, (1, 3, 1, 4, 1), strides)
    yield line.reshape(1, 3, 1, 4, 1)


@pytest.mark.parametrize("wrap", [np.asarray, Interface, DLPack])
def test_unusual_strides(wrap):
    class Elsewhere(DLPack):
        def __dlpack_device__(self):
            return 10, 0  # ROCm

    with pytest.raises(TypeError, match="GPU that is not CUDA's"):
        rung.sum(Elsewhere(np.zeros(3)))
    for x in odd_strides():
        same(np.asarray(rung.sum(wrap(x))), np.asarray(66.0))
        same(rung.sum(wrap(x), axis=1).reshape(-1), np.array([12.0, 15, 18, 21]))
        same(rung.sum(wrap(x), axis=3).reshape(-1), np.array([6.0, 22, 38]))
    none = np.zeros((1, 8, 0, 128), np.float32)
    same(rung.sum(wrap(none), axis=2), np.zeros((1, 8, 128), np.float32))


def test_gpu_memory_needs_a_gpu():
    if "gpu 0:" in rung.machine():
        pytest.skip("there is a GPU")

    class Interface:
        __cuda_array_interface__ = {"shape": (3,), "typestr": "<f4", "data": (4096, False),
                                    "version": 3}

    with pytest.raises((TypeError, RuntimeError)):  # no CuPy, or no GPU for it
        rung.sum(Interface())
    core = rung._core
    x = core.GpuArray(4096, core.type_from_name("f32"), (2, 3), None, -1, 0)
    out = core.GpuArray(8192, core.type_from_name("f32"), (3,), (4,), -1, 0)
    assert x.__dlpack_device__() == (2, -1)
    assert core.result_of(0, x, None, 0, False, None, None, False, False)[1] == (3,)
    for call in (
        lambda: core.reduce(0, x, None, 0, False, None, None, out, None, False, 0, 0, False),
        lambda: core.scan(core.op_from_name("cumsum"), x, 0, None, None, x, None, False, False,
                          False, 0, False),
        lambda: core.recurrence(x, x, 0, None, x, None, False, 0),
        lambda: core.own_stream(0),
    ):
        with pytest.raises(RuntimeError, match="an array in GPU memory: "):
            call()
    with pytest.raises(TypeError, match="need an output"):
        core.reduce(0, x, None, 0, False, None, None, None, None, False, 0, 0, False)
    with pytest.raises(TypeError, match="no array"):
        core.result_of(0, x, np.zeros((2, 3)), None, False, None, None, False, False)


def test_lists_scalars_and_buffers():
    same(rung.sum([1, 2, 3]), np.int64(6))
    same(rung.sum(2.5), np.float64(2.5))
    same(rung.sum(np.float16(3)), np.float16(3))
    same(rung.sum(array.array("f", [1, 2])), np.float32(3))
    same(rung.sum(memoryview(b"\1\2")), np.uint64(3))
    same(rung.sum((ctypes.c_int16 * 3)(1, 2, 3)), np.int64(6))
    same(rung.sum([True, False, True]), np.int64(2))


def test_subclasses_are_read_as_arrays():
    class Mine(np.ndarray):
        pass

    x = np.arange(6.0).view(Mine)
    same(rung.sum(x), np.float64(15))
    out = np.zeros(()).view(Mine)
    assert rung.sum(x, out=out) is out and out[()] == 15


def test_bf16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.full(300, 1, ml_dtypes.bfloat16)
    assert rung.sum(x).dtype == ml_dtypes.bfloat16 and rung.sum(x) == 300
    same(rung.sum(x, dtype=np.float32), np.float32(300))
    assert rung.cumulative_sum(x)[-1] == 300
    assert rung.segment_sum(x, [0, 100, 300]).tolist() == [100, 200]


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(6.0).reshape(2, 3).T
    total = rung.sum(x, axis=0)
    assert isinstance(total, torch.Tensor) and total.tolist() == [3.0, 12.0]
    assert rung.cumulative_sum(x, axis=0).shape == (3, 2)
    out = torch.zeros(2)
    assert rung.sum(x, axis=0, out=out) is out and out.tolist() == [3.0, 12.0]
    halves = torch.ones(300, dtype=torch.bfloat16)
    assert rung.sum(halves).dtype == torch.bfloat16 and rung.sum(halves).item() == 300
    assert rung.sum(halves, dtype=torch.float32).dtype == torch.float32
    assert rung.group_sum(torch.tensor([1, 0, 1]), torch.ones(3)).values.tolist() == [1.0, 2.0]
    assert rung.linear_recurrence(torch.ones(3), torch.ones(3)).tolist() == [1.0, 2.0, 3.0]


def test_jax():
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        x = jax.numpy.arange(6, dtype="float32").reshape(2, 3)
        total = rung.sum(x, axis=0)
        assert isinstance(total, jax.Array) and total.tolist() == [3, 5, 7]
        assert rung.cumulative_sum(x, axis=1).tolist() == [[0, 1, 3], [3, 7, 12]]
        assert rung.sum(x.astype("bfloat16")).dtype == "bfloat16"
        assert rung.segment_sum(x[0], [0, 1, 3]).tolist() == [0, 3]
