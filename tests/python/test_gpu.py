# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in GPU memory of PyTorch, CuPy and JAX: every result has the bits of the CPU's."""
import numpy as np
import pytest

import rung
from gpu_arrays import libraries, need_gpu, same_bytes

need_gpu()
LIBRARIES = libraries()
pytestmark = pytest.mark.skipif(not LIBRARIES, reason="no array library that sees the GPU")
each_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
SPECIAL = {"f": [0.0, -0.0, np.inf, np.nan], "c": [np.nan, -0.0], "i": [-128, 127], "u": [0, 255],
           "b": [True]}


def values(dtype, shape, seed=1, special=True):
    dtype, random = np.dtype(dtype), np.random.default_rng(seed)
    if dtype.kind in "iub":
        x = random.integers(0, 2 if dtype.kind == "b" else 100, shape).astype(dtype)
    else:
        x = random.normal(size=shape)
        if dtype.kind == "c":
            x = x + 1j * random.normal(size=shape)
        x = x.astype(dtype)
    if special and x.size > 100:
        for v in SPECIAL[dtype.kind]:
            x[tuple(random.integers(0, n) for n in x.shape)] = v
    return x


def layouts(x):
    yield x
    yield x.T
    yield x[::2, 1:, ::3]
    yield x[:, ::-1, ::-2]
    yield np.moveaxis(x, 1, 0)
    yield np.broadcast_to(x[:, :1], x.shape)


REDUCTIONS = "sum prod mean var std norm any all count_nonzero".split()
ORDERED = "min max argmin argmax logsumexp".split()
SCANS = "cumulative_sum cumulative_prod".split()
ORDERED_SCANS = "cummin cummax cumlogsumexp".split()
ALL_TYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
             "complex64 complex128").split()


def names_for(dtype, plain, ordered):
    return plain if np.dtype(dtype).kind == "c" else plain + ordered


@each_library
@pytest.mark.parametrize("dtype", ALL_TYPES)
def test_reductions(library, dtype):
    if dtype not in library.types:
        pytest.skip(f"{library.name} has no {dtype}")
    for k, x in enumerate(layouts(values(dtype, (6, 70, 33)))):
        y = library.put(x)
        for name in names_for(dtype, REDUCTIONS, ORDERED):
            f = getattr(rung, name)
            for axis in (None, 0, 1, -1, (0, 2), ()):
                same_bytes(library, f(y, axis=axis), f(x, axis=axis), name, axis, k)


@each_library
@pytest.mark.parametrize("dtype", ALL_TYPES)
def test_scans(library, dtype):
    if dtype not in library.types:
        pytest.skip(f"{library.name} has no {dtype}")
    for k, x in enumerate(layouts(values(dtype, (5, 70, 34)))):
        y = library.put(x)
        for name in names_for(dtype, SCANS, ORDERED_SCANS):
            f = getattr(rung, name)
            for axis in (None, 0, 1, -1):
                same_bytes(library, f(y, axis=axis), f(x, axis=axis), name, axis, k)
            for how in ({"exclusive": True}, {"reverse": True},
                        {"exclusive": True, "reverse": True}, {"initial": 2, "axis": 1},
                        {"skipna": True, "axis": 1}):
                same_bytes(library, f(y, **how), f(x, **how), name, how, k)


@each_library
@pytest.mark.parametrize("n", [0, 1, 2, 31, 1000, 4097, 100_003, 3_000_001])
def test_whole_arrays_of_any_length(library, n):
    for dtype in ("float32", "float16", "int32"):
        x = values(dtype, (n,), special=False)
        y = library.put(x)
        names = "sum mean var norm logsumexp cumulative_sum".split()
        for name in names + (["min", "argmax"] if n else []):
            f = getattr(rung, name)
            same_bytes(library, f(y), f(x), name, dtype)


@each_library
def test_shapes_that_kernels_are_chosen_by(library):
    for shape in ((3, 100_001), (100_001, 3), (1000, 1000), (70_000, 20), (2, 3, 5, 7, 11), (1, 9)):
        x = values("float32", shape)
        y = library.put(x)
        for axis in range(len(shape)):
            for name in ("sum", "argmax", "var", "cumulative_sum"):
                f = getattr(rung, name)
                same_bytes(library, f(y, axis=axis), f(x, axis=axis), name, axis, shape)


@each_library
def test_options(library):
    x = values("float32", (40, 50), special=False)  # whose NaN a conversion gives is its library's
    y = library.put(x)
    for how in ({"axis": 0, "keepdims": True}, {"axis": (0, 1), "keepdims": True},
                {"initial": 2.5, "axis": 0}, {"accumulate": "float64"}, {"dtype": "float64"},
                {"dtype": "float16", "axis": 0}):
        same_bytes(library, rung.sum(y, **how), rung.sum(x, **how), how)
    x = values("float32", (40, 50))
    y = library.put(x)
    same_bytes(library, rung.sum(y, skipna=True, axis=1), rung.sum(x, skipna=True, axis=1))
    same_bytes(library, rung.var(y, ddof=1, axis=0), rung.var(x, ddof=1, axis=0))
    both, want = rung.minmax(y, axis=0, skipna=True), rung.minmax(x, axis=0, skipna=True)
    same_bytes(library, both.min, want.min), same_bytes(library, both.max, want.max)
    for name, value in rung.several(y, "sum max mean", axis=1).items():
        same_bytes(library, value, getattr(rung, name)(x, axis=1))
    none = library.put(np.full((3, 4), np.nan, np.float32))
    assert library.get(rung.argmax(none, axis=1, skipna=True)).tolist() == [-1, -1, -1]


@each_library
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_exact_sums(library, dtype):
    if dtype not in library.types:
        pytest.skip(f"{library.name} has no {dtype}")
    wide = np.exp2(np.random.default_rng(4).integers(-9, 9, (6, 70, 33))).astype(dtype)
    for k, x in enumerate(layouts(values(dtype, (6, 70, 33), special=False) * wide)):
        y = library.put(x)
        for axis in (None, 0, 1, -1, (0, 2), ()):
            for f in (rung.sum, rung.mean):
                same_bytes(library, f(y, axis=axis, exact=True), f(x, axis=axis, exact=True), k)
    x = values(dtype, (1_000_003,), special=False)
    same_bytes(library, rung.sum(library.put(x), exact=True), rung.sum(x, exact=True))
    none = np.zeros((3, 0), dtype)
    same_bytes(library, rung.sum(library.put(none), axis=1, exact=True),
               rung.sum(none, axis=1, exact=True))
    ints = np.arange(10, dtype=np.int32)
    same_bytes(library, rung.sum(library.put(ints), exact=True), rung.sum(ints, exact=True))


@each_library
def test_two_arrays(library):
    a, b = values("float32", (30, 41)), values("int16", (30, 41), 2)
    c, d = library.put(a), library.put(b)
    for axis in (None, 0, 1):
        same_bytes(library, rung.dot(c, d, axis=axis), rung.dot(a, b, axis=axis))
    z = values("complex64", (30, 41), 3)
    same_bytes(library, rung.vdot(library.put(z), c), rung.vdot(z, a))
    for types in (("float32", "float32"), ("int16", "int32"), ("complex64", "float32"),
                  ("float16", "float16")):
        a, b = (values(t, (9, 300), special=False) for t in types)
        c, d = library.put(a), library.put(b)
        for how in ({"axis": 0}, {"axis": 1, "reverse": True}, {"axis": 1, "initial": 2}):
            same_bytes(library, rung.linear_recurrence(c, d, **how),
                       rung.linear_recurrence(a, b, **how))
        same_bytes(library, rung.linear_recurrence(c[:1], d, axis=1),
                   rung.linear_recurrence(a[:1], b, axis=1))


@each_library
def test_segments_and_groups(library):
    x = values("float32", (5000,), special=False)
    y = library.put(x)
    offsets = np.sort(np.random.default_rng(1).integers(0, 5001, 300)).astype(np.int32)
    on_gpu = library.put(offsets)
    for name in ("sum", "min", "argmax", "mean", "var", "logsumexp", "any", "cumulative_sum",
                 "cummax"):
        f = getattr(rung, "segment_" + name)
        same_bytes(library, f(y, on_gpu), f(x, offsets))
        same_bytes(library, f(y, offsets.tolist()), f(x, offsets))
    both, want = rung.segment_minmax(y, on_gpu), rung.segment_minmax(x, offsets)
    same_bytes(library, both.min, want.min), same_bytes(library, both.max, want.max)
    assert library.get(rung.segment_sum(y, [])).shape == (0,)
    keys = np.random.default_rng(2).integers(0, 40, 5000).astype(np.int32)
    for runs in (False, True):
        got, want = (rung.group_mean(k, v, runs=runs)
                     for k, v in ((library.put(keys), y), (keys, x)))
        same_bytes(library, got.keys, want.keys), same_bytes(library, got.values, want.values)


@each_library
def test_no_values(library):
    x = np.zeros((3, 0, 4), np.float32)
    y = library.put(x)
    for name in ("sum", "mean", "var", "logsumexp", "any", "cumulative_sum"):
        f = getattr(rung, name)
        same_bytes(library, f(y, axis=1), f(x, axis=1))
        same_bytes(library, f(y, axis=0), f(x, axis=0))
    with pytest.raises(ValueError, match="axis 1"):
        rung.min(y, axis=1)
    same_bytes(library, rung.min(y, axis=1, initial=3), rung.min(x, axis=1, initial=3))


@each_library
def test_what_is_refused(library):
    x = values("float32", (4, 5))
    y = library.put(x)
    for kind, text, call in (
        (IndexError, "axis 7", lambda: rung.sum(y, axis=7)),
        (TypeError, "one GPU", lambda: rung.dot(y, x)),
        (ValueError, "host memory", lambda: rung.var(y, exact=True)),
        (ValueError, "host memory", lambda: rung.sum(y, exact=True, skipna=True)),
        (ValueError, "host memory", lambda: rung.cumulative_sum(y, exact=True)),
        (TypeError, "where=", lambda: rung.sum(y, where=x > 0)),
        (TypeError, "include_initial", lambda: rung.cumulative_sum(y, include_initial=True)),
        (TypeError, "host memory", lambda: rung.Partial("sum", y[0])),
        (TypeError, "operators of your own", lambda: rung.reduce(y, rung.Operator("left + right"))),
        (TypeError, "output|JAX", lambda: rung.sum(y, axis=0, out=np.zeros(5, np.float32))),
        (ValueError, "shape", lambda: rung.dot(y, y[:2])),
        (TypeError, "no order", lambda: rung.max(library.put(values("complex64", (3,))))),
    ):
        with pytest.raises(kind, match=text):
            call()


@pytest.mark.parametrize("library", [lib for lib in LIBRARIES if lib.name != "jax"],
                         ids=lambda library: library.name)
def test_out(library):
    x = values("float32", (40, 50), special=False)
    y = library.put(x)
    out = library.zeros((50, 2), "float32")
    assert rung.sum(y, axis=0, out=out[:, 1]) is not None
    same_bytes(library, out[:, 1], rung.sum(x, axis=0))
    assert not library.get(out[:, 0]).any()
    wide = library.zeros((40,), "float64")
    assert rung.sum(y, axis=1, out=wide) is wide
    same_bytes(library, wide, rung.sum(x, axis=1, dtype="float64"))
    half = library.zeros((), "float16")
    rung.sum(y, out=half)
    same_bytes(library, half, rung.sum(x, dtype="float16"))
    same_bytes(library, rung.cumulative_sum(y, axis=0, out=y), rung.cumulative_sum(x, axis=0))
    same_bytes(library, y, rung.cumulative_sum(x, axis=0))
    with pytest.raises(ValueError, match="shares memory"):
        rung.sum(y, axis=0, out=y[0])
    with pytest.raises(ValueError, match="shape"):
        rung.sum(y, axis=0, out=library.zeros((3,), "float32"))
