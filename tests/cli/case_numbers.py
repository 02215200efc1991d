# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Right values: accuracy, narrow types, NaN, infinities, extremes and their indices, variance,
logsumexp, norm. Each test is a kind of fault that other libraries have had."""
import math

import numpy as np

from runner import Case

A = np.array
nan, inf = math.nan, math.inf
f16, f32, f64 = np.float16, np.float32, np.float64


class Accuracy(Case):
    def test_running_sum_of_ones_passes_the_precision_of_f32(self):
        n = 2**24 + 1001
        got = self.stored("cumsum", np.ones(n, f32))
        self.same(got[:2**24], np.arange(1, 2**24 + 1))
        self.assertTrue((np.diff(got) >= 0).all())
        self.same(got[-1], f32(n), 1e-7)

    def test_running_sum_of_fractions(self):
        for value, n in ((0.1, 300000), (0.7, 123457), (1 / 3, 65537)):
            x = np.full(n, value, f32)
            name = self.file(x)
            got = self.stored("cumsum", name)
            self.same(got, np.arange(1, n + 1) * f64(f32(value)), 2e-6)
            self.gives(("sum", name), f32(got[-1]), "f32")  # the last entry is the sum

    def test_random_sums_against_exact_ones(self):
        rng = np.random.default_rng(11)
        for dtype, rel in ((f32, 1e-6), (f64, 2e-15)):
            for n in (1, 17, 1000, 54321):
                x = rng.random(n).astype(dtype)
                exact = math.fsum(x.tolist())
                self.gives(("sum", x), exact, dtype(0).dtype.name.replace("float", "f"), rel)
                self.gives(("mean", x), exact / n, dtype(0).dtype.name.replace("float", "f"), rel)

    def test_half_precision_is_accumulated_in_f32(self):
        self.gives(("mean", A([48000, 48000, 48000, 48000], f16)), 48000, "f16")
        self.gives(("sum", A([48000, 48000], f16)), inf, "f16")
        self.gives(("sum", A([48000, 48000], f16), "--accumulate", "f32"), 96000, "f32")
        self.gives(("sum", np.ones(6000, f16)), 6000, "f16")
        self.gives(("mean", np.ones(6000, f16)), 1, "f16")
        self.gives(("sum", np.ones(65519, f16)), 65504, "f16")
        self.gives(("sum", np.ones(65520, f16)), inf, "f16")
        x = A([30000, 30000, 30000, -30000, -30000, -30000], f16)
        self.gives(("sum", x), 0, "f16")
        self.gives(("sum", x.reshape(1, 6), "--axis", 1), [0], "f16")
        self.gives(("sum", x.reshape(6, 1), "--axis", 0), [0], "f16")
        self.gives(("cumsum", np.ones(5000, f16)), f16(np.arange(1, 5001)), "f16")


class NarrowIntegers(Case):
    def test_sums_products_and_scans_are_64_bit(self):
        cases = ((np.uint8, "u64"), (np.int8, "i64"), (np.int16, "i64"), (np.uint16, "u64"),
                 (np.int32, "i64"), (np.uint32, "u64"), (np.int64, "i64"), (np.uint64, "u64"))
        for kind, wide in cases:
            x = np.full((260, 3), 100, kind)
            self.gives(("sum", x), 78000, wide)
            self.gives(("sum", x, "--axis", 0), [26000] * 3, wide)
            self.gives(("sum", x, "--axis", 1), [300] * 260, wide)
            self.gives(("cumsum", x, "--axis", 0), x.astype(object).cumsum(0), wide)
            self.gives(("prod", x[:1]), 10**6, wide)
            self.gives(("cumprod", x[:2, 0]), [100, 10**4], wide)
            self.gives(("mean", x), 100.0, "f64")
        self.gives(("cumprod", A([30000, -30000, 3], np.int32)), [30000, -9 * 10**8, -27 * 10**8],
                   "i64")

    def test_bools_are_counted(self):
        x = A([True, False, True, True])
        self.gives(("sum", x), 3, "i64")
        self.gives(("prod", x), 0, "i64")
        self.gives(("cumsum", x), [1, 1, 2, 3], "i64")
        self.gives(("mean", x), 0.75, "f64")
        self.gives(("count", x), 3, "i64")
        self.gives(("any", x), True, "bool")
        self.gives(("all", x), False, "bool")
        many = np.arange(70001) % 97 == 3
        self.gives(("sum", many), int(many.sum()), "i64")
        self.gives(("count", many.reshape(-1, 1), "--axis", 0), [int(many.sum())], "i64")
        self.gives(("max", x), True, "bool")
        self.gives(("cummin", x), [True, False, False, False], "bool")

    def test_64_bit_sums_wrap_around(self):
        self.gives(("sum", A([2**63 - 1, 2], np.int64)), -2**63 + 1, "i64")
        self.gives(("sum", A([2**64 - 1, 3], np.uint64)), 2, "u64")
        self.gives(("cumsum", A([2**53 + 1, 1, 2**62], np.int64)),
                   [2**53 + 1, 2**53 + 2, 2**53 + 2 + 2**62], "i64")

    def test_count_any_all_of_numbers(self):
        x = A([0.0, -0.0, nan, 5.0, -inf])
        self.gives(("count", x), 3, "i64")
        self.gives(("any", x), True, "bool")
        self.gives(("all", x), False, "bool")
        self.gives(("all", A([1, 2, 3], np.int16)), True, "bool")
        self.gives(("any", np.zeros((2, 3), f32), "--axis", 0), [False] * 3, "bool")


class Dots(Case):
    def test_products_of_narrow_integers_do_not_wrap(self):
        self.gives(("dot", A([200, 9, 250], np.uint8), A([200, 1, 250], np.uint8)), 102509, "u64")
        self.gives(("dot", A([120, -120], np.int8), A([3, 3], np.int8)), 0, "i64")
        x = A([200000, -300000], np.int32)
        self.gives(("dot", x, x), 13 * 10**10, "i64")
        self.gives(("dot", A([1.5, 2.0]), A([4.0, 0.25])), 6.5, "f64")

    def test_along_an_axis(self):
        a = np.arange(12).reshape(3, 4)
        b = a[::-1].copy()
        self.gives(("dot", a, b, "--axis", 1), (a * b).sum(1), "i64")
        self.gives(("dot", a, np.asfortranarray(b), "--axis", 0), (a * b).sum(0), "i64")

    def test_complex_with_and_without_conjugation(self):
        p, q = A([2 + 1j, 1 - 5j]), A([3 - 1j, 2j])
        self.gives(("dot", p, q), (p * q).sum(), "c128")
        self.gives(("vdot", p, q), np.vdot(p, q), "c128")
        self.gives(("vdot", p, p), 31 + 0j, "c128")
        self.gives(("vdot", p.astype(np.complex64), q.astype(np.complex64)), np.vdot(p, q), "c64")

    def test_shapes_must_agree(self):
        self.refuses(("dot", np.ones(3), np.ones(4)))
        self.refuses(("dot", np.ones((2, 3)), np.ones((3, 2))))


class Specials(Case):
    def test_nan_wins_min_and_max_wherever_it_stands(self):
        for kind, name in ((f16, "f16"), (f32, "f32"), (f64, "f64")):
            for n in (1, 2, 5, 300):
                for at in {0, n // 2, n - 1}:
                    x = np.arange(n).astype(kind)
                    x[at] = nan
                    for op in ("min", "max", "sum", "prod", "mean"):
                        self.gives((op, x), nan, name)
                    self.gives(("max", x.reshape(1, -1), "--axis", 1), [nan], name)
                    self.gives(("argmin", x), at, "i64")
                    self.gives(("argmax", x), at, "i64")
        for values in ([inf, nan], [nan, -inf], [nan, nan], [-inf, nan]):
            self.gives(("min", A(values)), nan, "f64")
            self.gives(("minmax", A(values)), [nan, nan], "f64")
        x = np.arange(90001.0)
        x[54321] = nan
        self.gives(("max", x), nan, "f64")
        self.gives(("cummax", A([1, nan, 5.0])), [1, nan, nan], "f64")

    def test_nan_can_be_skipped(self):
        x = A([4, nan, 2, 8], f32)
        for op, want in (("min", 2), ("max", 8), ("sum", 14), ("prod", 64), ("argmin", 2)):
            got, value = self.answer(op, x, "--skip-nan")
            self.same(value, want)
        self.gives(("mean", x, "--skip-nan"), 14 / 3, "f32", 1e-6)
        self.gives(("sum", A([nan, nan]), "--skip-nan"), 0, "f64")

    def test_infinities_stay_infinite(self):
        for values, want in (([inf, inf, 1], inf), ([-inf, 2, -inf], -inf), ([inf, -inf, 1], nan)):
            self.gives(("sum", A(values)), want, "f64")
            self.gives(("mean", A(values, f32)), want, "f32")
        self.gives(("cumsum", A([2, -inf, 1, 3])), [2, -inf, -inf, -inf], "f64")
        self.gives(("cumsum", A([1, inf, -inf, 1])), [1, inf, nan, nan], "f64")

    def test_data_equal_to_a_start_value(self):
        for kind in (f16, f32, f64):
            self.gives(("argmin", np.full(9, inf, kind)), 0, "i64")
            self.gives(("argmax", np.full(9, -inf, kind)), 0, "i64")
            self.gives(("argmin", np.full(9, np.finfo(kind).max, kind)), 0, "i64")
        self.same(self.answer("min", np.full(300, inf, f32))[1], inf)
        self.same(self.answer("max", np.full(300, -inf, f32))[1], -inf)
        self.gives(("argmax", A([-inf, -inf, -7, -inf])), 2, "i64")
        for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64):
            self.gives(("argmax", np.full(5, np.iinfo(kind).min, kind)), 0, "i64")
            self.gives(("argmin", np.full(5, np.iinfo(kind).max, kind)), 0, "i64")

    def test_signed_zeros(self):
        for values, want in (([-0.0, -0.0], True), ([-0.0, 0.0], False), ([-0.0], True)):
            got = self.answer("sum", A(values))[1]
            self.assertEqual(bool(np.signbit(got)), want)
        self.assertIn('"value": -0.0', self.ok("sum", A([-0.0, -0.0]), "--json"))

    def test_every_nan_is_the_canonical_one(self):
        x = A([0x7FF8000000000123, 0xFFF8000000000000], np.uint64).view(f64)
        for op in ("sum", "max", "cumsum", "cummax"):
            got = self.stored(op, x)
            self.assertEqual(set(got.view(np.uint64).ravel().tolist()), {0x7FF8000000000000}, op)


class Extremes(Case):
    def test_the_first_of_equals_wins(self):
        t = (np.arange(3000) % 7).astype(f32)
        self.gives(("argmax", t), 6, "i64")
        self.gives(("argmin", t), 0, "i64")
        for threads in (1, 2, 3, 8):
            for op in ("argmin", "argmax"):
                self.gives((op, np.full(7001, 3, np.int16), "--threads", threads), 0, "i64")
        rows = A([[2, 2, 2], [2, 9, 9], [-1, 2, -1]])
        self.gives(("argmax", rows, "--axis", -1), [0, 1, 1], "i64")
        self.gives(("argmin", rows, "--axis", -1), [0, 0, 0], "i64")

    def test_axis_of_length_one(self):
        self.gives(("argmax", np.zeros((30, 700, 1), f32), "--axis", 2),
                   np.zeros((30, 700), np.int64), "i64")
        self.gives(("argmin", A([[4, 3, 9]]), "--axis", 0), [0, 0, 0], "i64")

    def test_random_against_numpy(self):
        rng = np.random.default_rng(3)
        for shape in ((1000,), (37, 41), (5, 6, 7)):
            x = rng.integers(-50, 50, shape).astype(np.int32)
            for axis in range(len(shape)):
                self.gives(("argmin", x, "--axis", axis), x.argmin(axis), "i64")
                self.gives(("max", x, "--axis", axis), x.max(axis), "i32")
                self.gives(("cummin", x, "--axis", axis), np.minimum.accumulate(x, axis), "i32")
                self.gives(("minmax", x, "--axis", axis), [x.min(axis), x.max(axis)], "i32")
            self.gives(("argmax", x), x.argmax(), "i64")


class Moments(Case):
    def test_variance_with_a_large_mean(self):
        self.gives(("var", A([2e7, 2e7 + 2, 2e7 + 4], f32)), 8 / 3, "f32", 1e-5)
        self.gives(("var", A([2e7, 2e7 + 2, 2e7 + 4], f32), "--ddof", 1), 4, "f32", 1e-5)
        x = (20002 + np.arange(4000) % 5).astype(f32)
        self.gives(("var", x), 2, "f32", 1e-5)
        self.gives(("std", x), math.sqrt(2), "f32", 1e-5)
        for op in ("var", "std"):
            self.gives((op, np.full(999, 3e7, f32)), 0, "f32")
            for ddof in (1, 2, 5.5):
                self.gives((op, A([7.0]), "--ddof", ddof), nan, "f64")

    def test_variance_against_numpy(self):
        x = np.random.default_rng(5).normal(100, 3, (40, 50))
        for axis in (0, 1):
            self.gives(("var", x, "--axis", axis, "--ddof", 1), x.var(axis, ddof=1), "f64", 1e-12)
            self.gives(("std", x, "--axis", axis), x.std(axis), "f64", 1e-12)
            self.gives(("mean", x, "--axis", axis), x.mean(axis), "f64", 1e-14)
        y = np.arange(10, dtype=np.int8)
        self.gives(("var", y), 8.25, "f64", 1e-15)

    def test_logsumexp_of_infinities_and_of_large_values(self):
        for values, want in (([-inf] * 3, -inf), ([-inf], -inf), ([-inf, inf], inf),
                             ([inf, inf], inf), ([nan, 1], nan), ([], -inf),
                             ([-2000, -2000], -2000 + math.log(2)),
                             ([1500] * 5, 1500 + math.log(5)), ([0, -800], 0.0)):
            self.gives(("logsumexp", A(values, f64)), want, "f64", 1e-14)
        self.gives(("cumlogsumexp", A([-inf, 0, 0, 700, inf])),
                   [-inf, 0, math.log(2), 700, inf], "f64", 1e-14)

    def test_norm_neither_overflows_nor_vanishes(self):
        for values, kind, name, want, rel in (
                ([900, 1200], f16, "f16", 1500, 1e-3),
                ([5e-160, 12e-160], f64, "f64", 13e-160, 1e-14),
                ([6e180, 8e180], f64, "f64", 1e181, 1e-14), ([3e25, 4e25], f32, "f32", 5e25, 1e-6),
                ([1e-30], f32, "f32", 1e-30, 1e-6), ([5e-324], f64, "f64", 5e-324, 0),
                ([-inf, 2], f64, "f64", inf, 0), ([inf, nan], f64, "f64", nan, 0),
                ([0, -0.0], f64, "f64", 0, 0), ([], f64, "f64", 0, 0)):
            self.gives(("norm", A(values, kind)), kind(want), name, rel)
        self.gives(("norm", np.ones((3, 2500), f16), "--axis", 1), [50] * 3, "f16")
