# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Reductions against the oracle, bit for bit, and against NumPy where its answer is exact."""
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import rung
from arrays import arrays, lines, with_axes
from oracle import fold, held, same


def rounded(total, x):
    """A state as a result: halves are rounded once, the others stay."""
    return total.astype(x.dtype.newbyteorder("=")) if x.dtype.kind == "f" else total


@given(with_axes(least=1))
def test_sum_is_the_fold_in_the_one_order(case):
    x, axis = case
    same(rung.sum(x, axis=axis), rounded(fold(np.add, held(lines(x, axis))), x))


@given(with_axes(least=1, types=(np.float32, np.float64, np.int8, np.uint64, np.bool_, np.float16)))
def test_prod_is_the_fold_in_the_one_order(case):
    x, axis = case
    same(rung.prod(x, axis=axis), rounded(fold(np.multiply, held(lines(x, axis))), x))


@given(with_axes(least=1, types=(np.float32, np.float64)))
def test_mean_divides_the_sum(case):
    x, axis = case
    values = lines(x, axis)
    same(rung.mean(x, axis=axis), fold(np.add, values) / values.dtype.type(len(values)))


@given(with_axes(least=1, types=(np.float16, np.float32, np.float64, np.int8, np.uint64, np.bool_)))
def test_extremes_are_numpys(case):
    x, axis = case
    values = lines(x, axis)
    low, high = values.min(0), values.max(0)
    same(rung.min(x, axis=axis) + 0, low + 0)
    same(rung.max(x, axis=axis) + 0, high + 0)
    both = rung.minmax(x, axis=axis)
    same(both.min + 0, low + 0), same(both.max + 0, high + 0)
    same(rung.argmin(x, axis=axis), np.argmin(values, 0))
    same(rung.argmax(x, axis=axis), np.argmax(values, 0))


@given(with_axes())
def test_logic_and_counts_are_numpys(case):
    x, axis = case
    values = lines(x, axis) != 0
    same(rung.any(x, axis=axis), values.any(0))
    same(rung.all(x, axis=axis), values.all(0))
    same(rung.count_nonzero(x, axis=axis), values.sum(0, dtype=np.int64))


@given(with_axes(least=1, types=(np.float32, np.float64, np.int8, np.uint8), specials=False))
def test_moments_and_norms_are_near_the_exact_ones(case):
    x, axis = case
    values = lines(x, axis).astype(np.float64)
    epsilon = 1e-6 if x.dtype == np.float32 else 1e-13
    scale = np.abs(values).max() + 1e-300
    np.testing.assert_allclose(rung.var(x, axis=axis), values.var(0), rtol=1e-5,
                               atol=epsilon * scale**2)
    np.testing.assert_allclose(rung.std(x, axis=axis), values.std(0), rtol=1e-5,
                               atol=math.sqrt(epsilon) * scale)
    np.testing.assert_allclose(rung.norm(x, axis=axis), np.sqrt((values**2).sum(0)), rtol=1e-5)
    most = values.max(0)
    want = most + np.log(np.exp(values - most).sum(0))
    np.testing.assert_allclose(rung.logsumexp(x, axis=axis), want, rtol=1e-5, atol=1e-5)


@given(arrays(least=1, types=(np.float32, np.float64, np.int8, np.uint8)), st.data())
def test_products_are_rounded_before_they_are_added(x, data):
    y = np.asarray(np.roll(x.reshape(-1), 1).reshape(x.shape))
    products = held(lines(x, None)) * held(lines(y, None))
    same(rung.dot(x, y), fold(np.add, products))


@given(with_axes(), st.booleans())
def test_keepdims_and_out_have_numpys_shapes(case, keep):
    x, axis = case
    want = np.sum(np.zeros(x.shape), axis=axis, keepdims=keep)
    got = rung.sum(x, axis=axis, keepdims=keep)
    assert np.shape(got) == np.shape(want)
    out = np.zeros((*np.shape(want), 2), got.dtype)
    before, out = out[..., 0], np.moveaxis(out, -1, 0)[1, ...]
    assert rung.sum(x, axis=axis, keepdims=keep, out=out) is out
    same(out, got)
    assert not np.any(before)


@given(with_axes(least=1, types=(np.float32, np.float64)))
def test_missing_values_are_skipped(case):
    x, axis = case
    values = lines(x, axis)
    no_op = np.where(np.isnan(values), values.dtype.type(-0.0), values)
    count = (~np.isnan(values)).sum(0)
    want = np.where(count == 0, values.dtype.type(0), fold(np.add, no_op))[()]
    same(rung.sum(x, axis=axis, skipna=True), want)
    mask = ~np.isnan(x)
    same(rung.sum(x, axis=axis, where=mask), want)
    same(rung.mean(x, axis=axis, where=mask), rung.mean(x, axis=axis, skipna=True))
    same(rung.var(x, axis=axis, where=mask), rung.var(x, axis=axis, skipna=True))


@given(with_axes(types=(np.int8, np.uint8, np.float32, np.bool_)), st.integers(0, 2**32 - 1))
def test_where_leaves_values_out(case, seed):
    x, axis = case
    mask = np.random.default_rng(seed).integers(0, 2, x.shape).astype(bool)
    native = x.astype(x.dtype.newbyteorder("="))
    for name in ("any", "all"):
        same(getattr(rung, name)(x, axis=axis, where=mask),
             getattr(np, name)(native != 0, axis=axis, where=mask))
    same(rung.max(x, axis=axis, where=mask, initial=0) + 0,
         np.max(native, axis=axis, where=mask, initial=0) + 0)
    same(rung.count_nonzero(x, axis=axis, where=mask),
         np.sum((native != 0) & mask, axis=axis, dtype=np.int64))
    if x.dtype.kind in "iu":
        same(rung.sum(x, axis=axis, where=mask), np.sum(native, axis=axis, where=mask))
        same(rung.prod(x, axis=axis, where=mask), np.prod(native, axis=axis, where=mask))
        total, count = (np.sum(v, axis=axis, where=mask) for v in (native, np.ones(x.shape)))
        np.testing.assert_allclose(rung.mean(x, axis=axis, where=mask), total / count)


def test_a_nan_that_where_keeps_stays():
    x = np.array([[1.0, np.nan], [np.nan, 2.0]])
    same(rung.sum(x, axis=1, where=[True, False]), np.array([1.0, np.nan]))
    same(rung.min(x, where=~np.isnan(x)), np.float64(1.0))
    out = np.zeros(2)
    rung.sum(x, axis=1, where=[True, False], out=out)
    same(out, np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match="where leaves none"):
        rung.max(x, where=False)
    with pytest.raises(TypeError, match="mask of bools"):
        rung.sum(x, where=[1, 0])


@given(arrays(least=1, types=(np.float32, np.int8, np.uint8, np.float64)), st.integers(1, 5))
def test_initial_stands_before_the_first_value_once(x, start):
    values = held(lines(x, None))
    same(rung.sum(x, initial=start), fold(np.add, values, values.dtype.type(start)))
    same(rung.prod(x, initial=start), fold(np.multiply, values, values.dtype.type(start)))


def test_dtype_and_accumulate():
    x = np.full(3, 40000, np.float16)
    same(rung.sum(x), np.float16(np.inf))
    same(rung.sum(x, accumulate=np.float32), np.float32(120000))
    same(rung.sum(x, dtype="float64"), np.float64(120000))
    same(rung.sum(np.full(3, 100, np.int8), dtype=np.int8), np.int8(44))
    same(rung.sum(np.arange(5), dtype=float), np.float64(10))
    same(rung.sum(np.full(4, 0.1), dtype="f32"), np.float32(0.4))  # held in f64, rounded once
    same(rung.cumulative_sum(np.arange(5, dtype=np.int32), dtype=np.int32),
         np.array([0, 1, 3, 6, 10], np.int32))
    same(rung.var(np.arange(4), dtype=np.float32), np.float32(1.25))
    same(rung.norm(np.array([3j, 4], np.complex64), dtype=np.float64), np.float64(5))
    same(rung.sum(np.ones(3, "i4"), dtype="i8"), np.int64(3))  # NumPy's i8, of eight bytes
    out = np.zeros((), np.float32)
    rung.sum(np.full(4, 0.1), out=out)
    same(out, np.asarray(np.float32(0.4)))
    with pytest.raises(TypeError, match="does not fit"):
        rung.sum(np.ones(3), dtype=int)
    with pytest.raises(TypeError):
        rung.sum(np.ones(3, complex), dtype=float)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_and_layout_never_change_a_bit(threads):
    x = np.random.default_rng(7).normal(size=300_001).astype(np.float32)
    want = fold(np.add, x)
    same(rung.sum(x, threads=threads), want)
    same(rung.sum(np.repeat(x, 2)[::2], threads=threads), want)
    same(rung.cumulative_sum(x, threads=threads)[-1], want)
    ties = np.full(5000, 7, np.uint32)
    assert rung.argmax(ties, threads=threads) == 0 == rung.argmin(ties, threads=threads)


@given(with_axes(least=1), st.booleans())
def test_several_gives_what_each_alone_gives(case, keep):
    x, axis = case
    names = "sum prod mean norm any count_nonzero"
    if x.dtype.kind != "c":
        names += " min argmax minmax logsumexp"
    got = rung.several(x, names, axis=axis, keepdims=keep)
    assert list(got) == names.split()
    for name, value in got.items():
        same(value, getattr(rung, name)(x, axis=axis, keepdims=keep))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2)])
def test_several_of_an_array_larger_than_the_cache(axis):
    x = np.random.default_rng(1).normal(size=(90, 110, 130))
    names = ["sum", "min", "max", "mean", "var", "argmin", "minmax"]
    got = rung.several(x, names, axis=axis, ddof=1, keepdims=axis == 0)
    for name in names:
        more = {"ddof": 1} if name == "var" else {}
        same(got[name], getattr(rung, name)(x, axis=axis, keepdims=axis == 0, **more))
    with pytest.raises(ValueError, match="knows no 'median'"):
        rung.several(x, "sum median")


@given(with_axes(least=1, types=(np.float32, np.float64, np.float16)))
def test_exact_sums_are_those_of_fractions(case):
    x, axis = case
    values = lines(x, axis).astype(np.float64)
    got = np.atleast_1d(rung.sum(x, axis=axis, exact=True, dtype=np.float64)).reshape(-1)
    for value, column in zip(got, values.reshape(len(values), -1).T):
        if np.isfinite(column).all():
            same(value, np.float64(math.fsum(column)))
    flat = x.reshape(-1)
    same(rung.cumulative_sum(flat, exact=True)[-1], rung.sum(x, exact=True))


def test_exact_folds():
    x = np.array([1e16, 1.0, -1e16, 1.0])
    same(rung.sum(x), np.float64(0)), same(rung.sum(x, exact=True), np.float64(2))
    same(rung.mean(x, exact=True), np.float64(0.5))
    same(rung.dot(x, np.ones(4), exact=True), np.float64(2))
    same(rung.cumulative_sum(x, exact=True), np.array([1e16, 1e16, 1.0, 2.0]))
    same(rung.sum(x, exact=True, where=[False, True, True, True]), np.float64(-1e16 + 2))
    same(rung.segment_sum(x, [0, 4], exact=True), np.array([2.0]))
    same(rung.group_mean([1, 1, 1, 1], x, exact=True).values, np.array([0.5]))
    parts = [rung.Partial("sum", x[:2], exact=True), rung.Partial("sum", x[2:], 2, exact=True)]
    same(rung.merge(parts).value, np.float64(2))
