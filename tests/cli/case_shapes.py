# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes and axes: empty ones, any rank, long and thin, one more than a power of two; scans."""
import math

import numpy as np

from runner import SHORT, Case

A = np.array
nan, inf = math.nan, math.inf
f16, f32 = np.float16, np.float32


class Empty(Case):
    EMPTY = (("sum", 0, "f64"), ("prod", 1, "f64"), ("mean", nan, "f64"), ("var", nan, "f64"),
             ("std", nan, "f64"), ("any", False, "bool"), ("all", True, "bool"),
             ("count", 0, "i64"), ("logsumexp", -inf, "f64"), ("norm", 0, "f64"))
    NEEDY = (("min", "f64"), ("max", "f64"), ("argmin", "i64"), ("argmax", "i64"))

    def test_along_the_empty_axis(self):
        x = self.file(np.zeros((4, 0)))
        for op, want, dtype in self.EMPTY:
            self.gives((op, x, "--axis", 1), [want] * 4, dtype)
            self.gives((op, x), want, dtype)
        for op, _ in (*self.NEEDY, ("minmax", "f64")):
            self.refuses((op, x, "--axis", 1), r"ax[ie]s\D{0,12}1")
            self.refuses((op, x))

    def test_along_the_other_axis(self):
        x = self.file(np.zeros((4, 0)))
        for op, dtype in (*self.NEEDY, *((op, dtype) for op, _, dtype in self.EMPTY)):
            got, array = self.answer(op, x, "--axis", 0)
            self.assertEqual((got["dtype"], array.shape), (dtype, (0,)), op)
        self.assertEqual(self.answer("minmax", x, "--axis", 0)[1].shape, (2, 0))

    def test_scans(self):
        for shape in ((0, 3), (3, 0), (2, 0, 5)):
            x = np.zeros(shape, f32)
            for axis in range(len(shape)):
                self.gives(("cumsum", x, "--axis", axis), x, "f32")
                self.gives(("cummax", x, "--axis", axis), x, "f32")
            self.gives(("cumsum", x), np.zeros(0), "f32")

    def test_keepdims_and_several_axes(self):
        x = self.file(np.zeros((2, 0, 3), np.int32))
        self.gives(("sum", x, "--axis", "0,1"), [0, 0, 0], "i64")
        self.gives(("sum", x, "--axis", 1, "--keepdims"), np.zeros((2, 1, 3)), "i64")
        self.gives(("sum", x, "--axis", "0,2"), np.zeros(0), "i64")
        self.refuses(("max", x, "--axis", "0,1"), "ax[ie]s")


class Axes(Case):
    def test_every_axis_of_five(self):
        x = np.random.default_rng(1).integers(-9, 9, (3, 2, 5, 4, 6)).astype(np.int16)
        name = self.file(x)
        for axis in range(5):
            self.gives(("sum", name, "--axis", axis), x.sum(axis), "i64")
            self.gives(("max", name, "--axis", axis - 5), x.max(axis), "i16")
            self.gives(("cumsum", name, "--axis", axis), x.cumsum(axis), "i64")
            self.gives(("cumprod", name, "--axis", axis), x.astype(np.int64).cumprod(axis), "i64")

    def test_several_axes_in_any_order(self):
        x = np.arange(120).reshape(2, 3, 4, 5)
        name = self.file(np.asfortranarray(x))
        for axes in ((0, 2), (2, 0), (1, 3), (-1, 0), (0, 1, 2), (3, 1, 0, 2)):
            text = ",".join(map(str, axes))
            self.gives(("sum", name, "--axis", text), x.sum(axes), "i64")
            self.gives(("sum", name, "--axis", text, "--keepdims"), x.sum(axes, keepdims=True),
                       "i64")
        self.gives(("argmax", name, "--axis", "1,2"),
                   x.transpose(0, 3, 1, 2).reshape(2, 5, 12).argmax(-1), "i64")

    def test_no_axes_reduce_nothing(self):
        x = A([[1, -2, 3], [4, 5, -6]], np.int8)
        for op, want, dtype in (("sum", x, "i64"), ("min", x, "i8"), ("argmax", x * 0, "i64"),
                                ("count", x != 0, "i64"), ("mean", x, "f64"), ("var", x * 0, "f64"),
                                ("norm", abs(x), "f64")):
            self.gives((op, x, "--axis", ""), want.astype(np.int64), dtype)

    def test_all_axes_and_keepdims(self):
        x = np.arange(24).reshape(4, 6)
        self.gives(("sum", x), 276, "i64")
        self.gives(("sum", x, "--keepdims"), [[276]], "i64")
        self.gives(("minmax", x, "--keepdims"), [[[0]], [[23]]], "i64")
        self.gives(("sum", A(7.5)), 7.5, "f64")
        self.gives(("cumsum", A(7.5)), [7.5], "f64")
        self.gives(("max", A(3, np.uint8), "--keepdims"), 3, "u8")

    def test_sixteen_axes(self):
        x = np.arange(2**16, dtype=f32).reshape((2,) * 16) % 251
        self.gives(("sum", x, "--axis", "0,3,15"), x.sum((0, 3, 15)), "f32")
        self.gives(("cummax", x, "--axis", 7), np.maximum.accumulate(x, 7), "f32")


class Sizes(Case):
    def test_long_and_thin(self):
        self.gives(("sum", np.ones((1, 70001), f32), "--axis", 0), np.ones(70001), "f32")
        x = (np.arange(66000) % 500 + 0.5).reshape(-1, 1)
        self.gives(("cumprod", x, "--axis", 1), x, "f64")
        y = np.arange(180000).reshape(60000, 3)
        self.gives(("sum", y, "--axis", 1), y.sum(1), "i64")
        self.gives(("sum", y, "--axis", 0), y.sum(0), "i64")
        z = np.arange(2 * 300 * 300).reshape(2, 300, 300)
        self.gives(("cumsum", z, "--axis", 0), z.cumsum(0), "i64")

    def test_one_more_than_a_power_of_two(self):
        for rows in (255, 256, 257, 1023, 1025, 2049, 4097):
            for columns in (1, 3, 16, 17):
                want = np.arange(1, rows + 1)[:, None] * np.ones(columns)
                got = self.stored("cumsum", np.ones((rows, columns), f32), "--axis", 0)
                self.same(got, want)

    def test_every_small_length(self):
        x = np.arange(4200.0)
        for n in (*range(1, 41), *(k + d for k in (64, 128, 256, 1024, 4096) for d in (-1, 0, 1))):
            name = self.file(x[:n], "x.npy")
            self.same(self.answer("sum", name)[1], n * (n - 1) / 2)
            self.same(self.answer("max", name)[1], n - 1)
            self.same(self.stored("cumsum", name)[-1], n * (n - 1) / 2)

    def test_every_type(self):
        for kind in SHORT:
            x = (np.arange(45) % 3).reshape(5, 9).astype(kind)
            for order in "<>":
                name = self.file(x.astype(np.dtype(kind).newbyteorder(order)))
                for axis in (0, 1):
                    got = self.stored("sum", name, "--axis", axis)
                    self.same(got, x.astype(got.dtype).sum(axis))
                got = self.stored("cumsum", name)
                self.same(got, x.astype(got.dtype).cumsum())


class Scans(Case):
    def test_without_axis_the_values_run_in_c_order(self):
        x = np.arange(24).reshape(2, 3, 4)
        for array in (x, np.asfortranarray(x)):
            self.gives(("cumsum", array), x.cumsum(), "i64")
            self.gives(("cummin", array), np.minimum.accumulate(x.ravel()), "i64")

    def test_start_values(self):
        self.gives(("cumsum", A([0.25, 1.5, 3.0]), "--exclusive", "--init", 0), [0, 0.25, 1.75],
                   "f64")
        big = A([2**63 - 5, 2, 1], np.int64)
        self.gives(("cumsum", big, "--exclusive", "--init", 0), [0, 2**63 - 5, 2**63 - 3], "i64")
        self.gives(("cumsum", A([0, 1], np.int64), "--init", 2**63 - 2), [2**63 - 2, 2**63 - 1],
                   "i64")
        self.gives(("cumsum", A([1], np.uint64), "--init", 2**64 - 2), [2**64 - 1], "u64")
        x = A([2, 8, 1, 6, 4, 4, 9])
        for threads in (1, 2, 3, 7):
            words = ("--init", -30, "--threads", threads)
            self.gives(("cumsum", x, *words), x.cumsum() - 30, "i64")
            self.gives(("cumsum", x, "--exclusive", *words), [-30, *(x.cumsum()[:-1] - 30)], "i64")
        self.gives(("sum", x, "--init", 6), 40, "i64")
        self.gives(("prod", x[:3], "--init", "-1"), -16, "i64")
        self.gives(("max", x, "--init", 100), 100, "i64")
        self.gives(("min", np.zeros(0, f32), "--init", "2.5"), 2.5, "f32")
        self.gives(("sum", A([1 + 1j]), "--init", "(2-3j)"), 3 - 2j, "c128")
        m = np.arange(12).reshape(3, 4)
        self.gives(("cumsum", m, "--axis", 0, "--exclusive", "--init", 5),
                   np.vstack([np.zeros((1, 4), int), m.cumsum(0)[:-1]]) + 5, "i64")
        self.gives(("sum", m, "--axis", 1, "--init", 5), m.sum(1) + 5, "i64")

    def test_reverse(self):
        x, m = A([4, 2, 7, 1]), A([[1, 2, 3], [4, 5, 6]])
        self.gives(("cumsum", x, "--reverse"), [14, 10, 8, 1], "i64")
        self.gives(("cumsum", x, "--reverse", "--exclusive"), [10, 8, 1, 0], "i64")
        self.gives(("cumsum", x, "--reverse", "--init", 100), [114, 110, 108, 101], "i64")
        self.gives(("cumsum", m, "--reverse"), [21, 20, 18, 15, 11, 6], "i64")
        self.gives(("cumsum", m, "--axis", 0, "--reverse"), [[5, 7, 9], [4, 5, 6]], "i64")
        self.gives(("cummax", m, "--axis", 1, "--reverse"), [[3, 3, 3], [6, 6, 6]], "i64")
        # The order is that of the values turned round.
        f = np.random.default_rng(9).standard_normal(1001).astype(np.float32)
        self.same(self.stored("cumsum", f, "--reverse"),
                  self.stored("cumsum", f[::-1].copy())[::-1])
        self.refuses(("cumsum", x, "--by", x, "--reverse"), "forwards")
        self.refuses(("sum", x, "--reverse"), "--reverse")

    def test_exclusive_without_a_start(self):
        x = A([4, 2, 7, 1], np.int32)
        self.gives(("cumsum", x, "--exclusive"), [0, 4, 6, 13], "i64")
        self.gives(("cumprod", x, "--exclusive"), [1, 4, 8, 56], "i64")
        for n in (1000, 100003):
            self.gives(("cumsum", np.ones(n, np.int32), "--exclusive"), np.arange(n), "i64")

    def test_start_values_of_a_wrong_kind(self):
        x = np.arange(4)
        for word in ("0.5", "x", "", str(2**63), "1e3", "nan"):
            self.refuses(("cumsum", x, "--init", word), "--init")
        self.refuses(("sum", A([1.5]), "--init", "1+2j"), "--init")
        self.refuses(("cummax", x.astype(np.int8), "--init", 1000), "--init")
