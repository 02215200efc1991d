# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Faults that other libraries had, with the right values worked out by hand or exactly."""
import fractions
import math

import numpy as np
import pytest

import rung
from oracle import same

inf, nan = np.inf, np.nan
f16, f32, f64 = np.float16, np.float32, np.float64


def exact_prefixes(x):
    total = fractions.Fraction(0)
    for v in x.tolist():
        total += fractions.Fraction(v)
        yield total


def test_a_running_sum_never_stops_growing():
    ones = np.ones(2**25 + 5, f32)
    got = rung.cumulative_sum(ones, out=ones)
    assert got[16_777_215] == 16_777_216 and got[-1] == 33_554_436
    assert (np.diff(got) >= 0).all()
    x = np.full(1_000_000, 0.1, f32)
    got = rung.cumulative_sum(x)
    assert got[-1] == rung.sum(x) and abs(got[-1] - 100_000) < 0.01
    for i, want in enumerate(exact_prefixes(x[:2000])):
        assert abs(got[i] - want) <= want * fractions.Fraction(1, 100_000)


def test_halves_are_held_in_floats():
    same(rung.mean(np.full(3, 40000, f16)), f16(40000))
    same(rung.sum(np.full(3, 40000, f16)), f16(inf))
    same(rung.sum(np.ones(4096, f16)), f16(4096)), same(rung.mean(np.ones(4096, f16)), f16(1))
    same(rung.sum(np.ones(65519, f16)), f16(65504)), same(rung.sum(np.ones(65520, f16)), f16(inf))
    x = np.repeat(np.array([32000, -32000], f16), 4)
    same(rung.sum(x), f16(0)), same(rung.sum(np.stack([x, x]), axis=1), np.zeros(2, f16))


def test_small_integers_do_not_wrap():
    ones = np.ones(300, np.uint8)
    same(rung.sum(ones), np.uint64(300)), same(rung.cumsum(ones)[-1], np.uint64(300))
    same(rung.sum(ones.reshape(300, 1), axis=0), np.array([300], np.uint64))
    x = np.full(3, 100, np.int8)
    same(rung.cumsum(x), np.array([100, 200, 300])), same(rung.prod(x), np.int64(10**6))
    same(rung.cumprod(np.full(3, 10**4, np.int32)), np.array([10**4, 10**8, 10**12]))
    b = np.array([False, False, True, True])
    same(rung.sum(b), np.int64(2)), same(rung.prod(b), np.int64(0))
    same(rung.cumsum(b), np.array([0, 0, 1, 2])), same(rung.mean(b), f64(0.5))
    every = np.arange(86_945) % 157 == 0
    same(rung.sum(every), np.int64(554)), same(rung.count_nonzero(every), np.int64(554))


def test_products():
    same(rung.dot(np.array([250, 7, 180], np.uint8), np.array([True, False, True])), np.uint64(430))
    x = np.array([150000, 160000], np.int32)
    same(rung.dot(x, x), np.int64(48_100_000_000))
    same(rung.dot(np.full(2, 100, np.int8), np.full(2, 2, np.int8)), np.int64(400))
    a, b = np.array([1 + 1j, 2 - 3j]), np.array([4 - 2j, 1j])
    same(rung.dot(a, b), np.complex128(9 + 4j)), same(rung.vdot(a, b), np.complex128(-1 - 4j))


@pytest.mark.parametrize("dtype", [f16, f32, f64])
def test_a_nan_shows_wherever_it_stands(dtype):
    for values in ([3, 1, 7, nan], [nan, 3, 1, 7], [3, nan, 1, 7], [inf, nan], [-inf, nan],
                   [nan, nan]):
        for x in (np.array(values, dtype), np.array([values], dtype)):
            for f in (rung.min, rung.max):
                assert np.isnan(f(x, axis=-1)).all()
    x = np.arange(100_001, dtype=f64)
    x[77_777] = nan
    assert np.isnan(rung.min(x)) and np.isnan(rung.max(x)) and rung.argmin(x) == 77_777


def test_infinity_stays_infinity():
    same(rung.group_sum([0, 0, 1, 1], [inf, 2.5, 3, 4]).values, np.array([inf, 7]))
    same(rung.sum([inf, inf]), f64(inf)), same(rung.sum([-inf, -inf]), f64(-inf))
    assert np.isnan(rung.sum([inf, -inf]))
    same(rung.cumsum([1, inf, 2, 3]), np.array([1, inf, inf, inf]))
    same(rung.mean([inf, 1]), f64(inf))


def test_data_equal_to_a_start_value():
    up, down = np.full(10, inf, f32), np.full(10, -inf, f32)
    same(rung.min(up), f32(inf)), same(rung.max(down), f32(-inf))
    assert rung.argmin(up) == 0 == rung.argmax(down) and rung.argmin([inf, inf, 5, inf]) == 2
    assert rung.argmax(np.zeros(3, np.uint32)) == 0 == rung.argmin(np.full(3, np.finfo(f64).max))
    assert rung.argmax(np.full(3, -128, np.int8)) == 0


def test_the_first_of_equal_extremes():
    x = np.arange(2000.0) % 3
    assert rung.argmax(x) == 2 and rung.argmin(x) == 0
    same(rung.argmax([[1, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]], axis=-1), np.array([0, 1, 0]))
    same(rung.argmax(np.zeros((40, 900, 1), f32), axis=2), np.zeros((40, 900), int))
    same(rung.argmax([[1, 2]], axis=0), np.array([0, 0]))


def test_axes_of_length_zero():
    x = np.zeros((0, 3))
    for name, want in dict(sum=0.0, prod=1.0, mean=nan, var=nan, any=False, all=True,
                           count_nonzero=0, logsumexp=-inf, norm=0.0).items():
        same(getattr(rung, name)(x, axis=0), np.full(3, want))
    for f in (rung.min, rung.max, rung.argmin, rung.argmax):
        with pytest.raises(ValueError, match="axis 0"):
            f(x, axis=0)
        assert f(x, axis=1).shape == (0,)
    same(rung.sum(x), f64(0))
    for axis in (0, 1):
        same(rung.cumsum(x, axis=axis), x)


@pytest.mark.parametrize("target", [
    lambda: np.zeros((5, 3))[:, 1], lambda: np.zeros((5, 3))[::-1, 1],
    lambda: np.asfortranarray(np.zeros((5, 3)))[:, 1]])
def test_results_go_where_the_caller_says(target):
    out, b = target(), np.arange(15.0).reshape(3, 5)
    rung.sum(b, axis=0, out=out)
    same(out, np.array([15.0, 18, 21, 24, 27]))
    assert (out.base[:, [0, 2]] == 0).all()
    for name in ("prod", "min", "mean", "var", "norm", "logsumexp"):
        getattr(rung, name)(b, axis=0, out=out)
        same(np.array(out), getattr(rung, name)(b, axis=0))
    rung.cumsum(b[0], out=out)
    same(np.array(out), np.cumsum(b[0]))


def test_views_are_arrays():
    x = np.array([0.4, 0.9, 0.1, 0.7, 0.3])
    same(rung.cummin(x[::-1]), np.array([0.3, 0.3, 0.1, 0.1, 0.1]))
    y = (7919 * np.arange(10_000) % 10_007)[::-1]
    got = rung.cummin(y)
    same(got, rung.cummin(y.copy())), same(got, np.minimum.accumulate(y))
    assert got[0] == 6697 and got[-1] == 0
    w = np.arange(600_000.0).reshape(300, 1000, 2)[::-1, :, 0]
    assert rung.sum(w) == 89_999_700_000 and rung.argmax(w) == 999
    d = np.zeros((3, 3), order="F")
    d[2] = 1, 2, 3
    assert rung.argmax(d[2]) == 2


def test_any_axis_of_many():
    x = np.arange(120).reshape(2, 3, 4, 5)
    assert [rung.cumsum(x, axis=a)[1, 2, 3, 4] for a in range(4)] == [178, 297, 446, 585]
    ones = np.ones((2, 3, 4, 5, 6))
    for axis in range(5):
        assert (rung.sum(ones, axis=axis) == axis + 2).all()
    x = np.arange(6).reshape(2, 3)
    same(rung.sum(x, axis=()), x), same(rung.sum(x), np.int64(15))
    same(rung.sum(x, keepdims=True), np.array([[15]]))
    same(rung.sum(x, axis=-1), np.array([3, 12]))
    same(rung.sum(x, axis=-1, keepdims=True), np.array([[3], [12]]))
    same(rung.sum(x, axis=(0, 1)), np.int64(15))


def test_many_rows_and_odd_lengths():
    same(rung.sum(np.ones((1, 524_281), f32), axis=0), np.ones(524_281, f32))
    for n in (65_537, 100_800):
        x = np.arange(n, dtype=f64).reshape(n, 1)
        same(rung.cumprod(x, axis=1), x)
    x = np.arange(2 * 640 * 640).reshape(2, 640, 640)
    same(rung.cumsum(x, axis=0), np.cumsum(x, axis=0))
    assert rung.sum(np.arange(210_000).reshape(70_000, 3), axis=1)[-1] == 629_994
    for shape in ((1025, 2), (2047, 5), (5121, 5)):
        want = np.broadcast_to(np.arange(1, shape[0] + 1, dtype=f32)[:, None], shape)
        same(rung.cumsum(np.ones(shape, f32), axis=0), want)
    for n in range(1, 4101, 7):
        assert rung.sum(np.ones(n)) == n and rung.max(np.arange(n)) == n - 1
        assert rung.cumsum(np.arange(n))[-1] == n * (n - 1) // 2
    same(rung.norm(np.ones((2, 2880), f16), axis=1), np.full(2, 53.65625, f16))


def test_start_values():
    same(rung.cumsum([0.5, 1.25, 2.5], initial=0, exclusive=True), np.array([0, 0.5, 1.75]))
    same(rung.cumsum([2**63 - 2, 1, 0], initial=0, exclusive=True),
         np.array([0, 2**63 - 2, 2**63 - 1]))
    x = [5, 1, 2, 7, 3, 3]
    same(rung.cumsum(x, initial=50), np.array([55, 56, 58, 65, 68, 71]))
    same(rung.cumsum(x, initial=50, exclusive=True), np.array([50, 55, 56, 58, 65, 68]))
    same(rung.sum([1, 1], initial=10), np.int64(12))
    same(rung.sum(np.array([1], np.uint64), initial=2**64 - 2), np.uint64(2**64 - 1))


def test_left_to_right():
    a, b = np.array([2, 3, 1, 2]), np.array([1, 0, 5, -4])
    # From x = 1: 2x + 1, 3x, x + 5, 2x - 4, each after the other.
    same(rung.linear_recurrence(a, b, initial=1), np.array([3, 9, 14, 24]))


@pytest.mark.parametrize("n", [8, 1000, 100_003])
def test_exclusive_in_place(n):
    x = np.array([4, 2, 7, 1, 8, 2, 8, 1], np.int64) if n == 8 else np.ones(n, np.int64)
    want = np.concatenate([[0], np.cumsum(x)[:-1]])
    same(rung.cumsum(x, exclusive=True, out=x), want)
    m = np.ones((n, 3), np.int64)
    same(rung.cumsum(m, axis=0, exclusive=True, out=m)[:, 2], np.arange(n))


def test_variance_of_a_large_mean():
    x = np.array([10000000, 10000001, 10000002], f32)
    same(rung.var(x), f32(2 / 3)), same(rung.var(x, ddof=1), f32(1))
    same(rung.var(x, correction=1), f32(1))
    same(rung.var((10001 + np.arange(1000) % 4).astype(f32)), f32(1.25))
    same(rung.var(np.full(1000, 16777216, f32)), f32(0))
    same(rung.std(np.full(9, 2**24, f32)), f32(0))
    assert np.isnan(rung.var(np.array([5], f32), ddof=1)) and np.isnan(rung.var([5.0], ddof=2))


@pytest.mark.parametrize("x, want", [
    ([-inf, -inf], -inf), ([-inf], -inf), ([inf, -inf], inf), ([inf, inf], inf), ([nan, -inf], nan),
    ([], -inf), ([-1000, -1000], -999.3068528194401), ([1000.0] * 3, 1001.0986122886682)])
def test_logsumexp(x, want):
    got = rung.logsumexp(np.array(x, f64))
    assert (np.isnan(got) and np.isnan(want)) or math.isclose(got, want, rel_tol=1e-14)


@pytest.mark.parametrize("dtype, x, want", [
    (f16, [600, 800], 1000), (f64, [3e200, 4e200], 5e200), (f64, [3e-200, 4e-200], 5e-200),
    (f32, [1e20, 1, 1], 1e20), (f32, [1e-20], 1e-20), (f64, [inf, 1], inf), (f64, [inf, nan], nan),
    (f64, [0, 0], 0)])
def test_norm(dtype, x, want):
    got = rung.norm(np.array(x, dtype))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, rtol={f16: 1e-3, f32: 1e-6, f64: 1e-14}[dtype])


def test_the_same_bits_on_every_run():
    x = np.full(250_000, 0.1)
    want = rung.cumsum(x)
    assert math.isclose(want[-1], 25_000, rel_tol=1e-10)
    for _ in range(20):
        same(rung.cumsum(x), want)
    y = (np.arange(1_000_000) * math.pi % 1).astype(f32)
    want, total = rung.cumsum(y), rung.sum(y)
    for _ in range(10):
        same(rung.cumsum(y), want), same(rung.sum(y), total)


def test_fortran_order_and_scalars():
    x = np.asfortranarray([[1, 2, 3], [4, 5, 6]], np.int32)
    same(rung.sum(x, axis=0), np.array([5, 7, 9])), same(rung.sum(x, axis=1), np.array([6, 15]))
    same(rung.cumsum(x), np.array([1, 3, 6, 10, 15, 21])), same(rung.sum(np.array(5.0)), f64(5))
