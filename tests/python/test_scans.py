# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Scans against the oracle, bit for bit: entry i is the fold of the values up to i."""
import numpy as np
import pytest
from hypothesis import given, strategies as st

import rung
from arrays import arrays
from oracle import fold, held, running, same

SCANS = {rung.cumulative_sum: np.add, rung.cumulative_prod: np.multiply, rung.cummin: np.minimum,
         rung.cummax: np.maximum}
short = arrays(least=1, types=(np.float32, np.float64, np.int8, np.uint64, np.float16))


def values_of(scan, x):
    native = np.ascontiguousarray(x.astype(x.dtype.newbyteorder("=")))
    return held(native) if scan in (rung.cumulative_sum, rung.cumulative_prod) else native


def result_type(scan, x):
    return x.dtype.newbyteorder("=") if x.dtype.kind == "f" else values_of(scan, x).dtype


@given(short, st.sampled_from(list(SCANS)), st.booleans())
def test_entries_are_folds_of_prefixes(x, scan, backwards):
    x = x.reshape(-1)[:200]
    values = values_of(scan, x)
    want = running(SCANS[scan], values[::-1] if backwards else values)
    if backwards:
        want = want[::-1]
    got = scan(x, reverse=backwards)
    same(got + 0, want.astype(result_type(scan, x)) + 0)


@given(short, st.sampled_from(list(SCANS)), st.data())
def test_every_line_is_a_scan_of_its_own(x, scan, data):
    if x.ndim == 0:
        return
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    got = scan(x, axis=axis)
    want = np.apply_along_axis(lambda line: scan(np.ascontiguousarray(line)), axis, x)
    same(got, want)
    out = np.zeros((2, *x.shape), got.dtype)[1].T.copy().T
    assert scan(x, axis=axis, out=out) is out
    same(out, got)


@given(arrays(least=1, types=(np.float64, np.int64), most_rank=2), st.booleans(), st.booleans())
def test_in_place(x, exclusive, backwards):
    x = np.array(x.astype(x.dtype.newbyteorder("=")))
    if x.ndim == 0:
        return
    want = rung.cumulative_sum(x, axis=0, exclusive=exclusive, reverse=backwards)
    assert rung.cumulative_sum(x, axis=0, exclusive=exclusive, reverse=backwards, out=x) is x
    same(x, want)


@given(arrays(types=(np.float32, np.int64)), st.sampled_from(list(SCANS)), st.data())
def test_include_initial(x, scan, data):
    if x.ndim == 0:
        return
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    start = data.draw(st.sampled_from((None, 3)))
    backwards = data.draw(st.booleans())
    got = np.moveaxis(scan(x, axis=axis, include_initial=True, initial=start, reverse=backwards),
                      axis, 0)
    inclusive = np.moveaxis(scan(x, axis=axis, initial=start, reverse=backwards), axis, 0)
    exclusive = np.moveaxis(
        scan(x, axis=axis, initial=start, reverse=backwards, exclusive=True), axis, 0)
    entries = got[:-1] if backwards else got[1:]
    same(entries, inclusive)
    if x.shape[axis]:
        same((got[1:] if backwards else got[:-1]), exclusive)


def test_numpys_names_and_flat_scans():
    assert rung.cumsum is rung.cumulative_sum and rung.cumprod is rung.cumulative_prod
    x = np.asfortranarray(np.arange(1, 7, dtype=np.int32).reshape(2, 3))
    same(rung.cumsum(x), np.array([1, 3, 6, 10, 15, 21]))
    same(rung.cumulative_sum(x, include_initial=True), np.array([0, 1, 3, 6, 10, 15, 21]))
    with pytest.raises(ValueError, match="one axis"):
        rung.cumsum(x, axis=(0, 1))
    with pytest.raises(ValueError, match="exclusive"):
        rung.cumsum(x, include_initial=True, exclusive=True)
    with pytest.raises(ValueError, match="shares memory"):
        line = np.arange(10)
        rung.cumsum(line[:-1], out=line[1:])


def test_a_running_sum_ends_with_the_sum():
    x = np.random.default_rng(3).normal(size=100_003).astype(np.float32)
    running_sums = rung.cumulative_sum(x)
    for n in (1, 2, 3, 1023, 1024, 1025, 65_537, 100_003):
        same(running_sums[n - 1], fold(np.add, x[:n]))
        same(rung.sum(x[:n]), fold(np.add, x[:n]))


maps = st.integers(1, 300)


@given(maps, st.integers(0, 2**32 - 1), st.sampled_from((np.float32, np.float64, np.int64)),
       st.booleans(), st.booleans())
def test_linear_recurrence_is_the_scan_of_its_maps(n, seed, dtype, starts, backwards):
    random = np.random.default_rng(seed)
    a, b = random.integers(-3, 4, (2, n)).astype(dtype)
    if dtype != np.int64:
        a, b = a + random.normal(size=n).astype(dtype), b / dtype(7)

    def join(left, right):
        return np.stack([right[..., 0] * left[..., 0],
                         right[..., 0] * left[..., 1] + right[..., 1]], -1)

    pairs = np.stack([a, b], -1)[:: -1 if backwards else 1]
    start = np.array([0, 5], dtype) if starts else None
    want = running(join, pairs, start)[:, 1][:: -1 if backwards else 1]
    same(rung.linear_recurrence(a, b, initial=5 if starts else None, reverse=backwards), want)
    out = np.array(b)
    rung.linear_recurrence(a, out, initial=5 if starts else None, reverse=backwards, out=out)
    same(out, want)


def test_linear_recurrence_of_other_types_and_shapes():
    a, b = np.full((3, 1), 0.5, np.float16), np.ones((3, 2), np.float16)
    same(rung.linear_recurrence(a, b, axis=0), np.array([[1, 1], [1.5, 1.5], [1.75, 1.75]], "f2"))
    z = rung.linear_recurrence(np.full(3, 1j), np.ones(3))
    same(z, np.array([1, 1 + 1j, 1j]))
    same(rung.linear_recurrence([2, 3], [1, 1], dtype=float), np.array([1.0, 4.0]))
    long = rung.linear_recurrence(np.ones(70_000), np.ones(70_000))
    same(long, np.arange(1.0, 70_001))
    with pytest.raises(ValueError, match="need axis="):
        rung.linear_recurrence(a, b)
    with pytest.raises(ValueError, match="broadcast"):
        rung.linear_recurrence(np.ones(3), np.ones(4))
    with pytest.raises(IndexError):
        rung.linear_recurrence(a, b, axis=2)
