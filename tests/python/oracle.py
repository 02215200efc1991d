# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The one order in a few lines of NumPy, which adds two numbers the IEEE way and nothing else."""
import numpy as np

TYPES = {np.float16: np.float32, np.float32: np.float32, np.float64: np.float64,
         np.complex64: np.complex64, np.int8: np.int64, np.int32: np.int64, np.int64: np.int64,
         np.bool_: np.int64, np.uint8: np.uint64, np.uint64: np.uint64}


def tree(op, x):
    """The perfect tree over the first axis, neighbours first."""
    while len(x) > 1:
        x = op(x[0::2], x[1::2])
    return x[0]


def fold(op, x, start=None):
    """x folded along its first axis in the one order, after start."""
    total, position = start, 0
    for k in reversed(range(len(x).bit_length())):
        if len(x) >> k & 1:
            block = tree(op, x[position : position + 2**k])
            total = block if total is None else op(total, block)
            position += 2**k
    return total


def running(op, x, start=None):
    """Entry i is the fold of x[0 .. i]."""
    return np.array([fold(op, x[: i + 1], start) for i in range(len(x))])


def held(x):
    """x in the type that its sums are held in."""
    return x.astype(TYPES[x.dtype.type])


def same(got, want):
    """Type, shape and bits; any NaN equals any other."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype, (got.dtype, want.dtype)
    assert got.shape == want.shape, (got.shape, want.shape)
    np.testing.assert_array_equal(got, want)
    if got.dtype.kind in "fc":
        zero = (got == 0) & (got == got)
        assert np.array_equal(np.signbit(got.real[zero]), np.signbit(want.real[zero]))
    return True
