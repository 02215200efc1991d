# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Segments by offsets, runs of equal keys, groups; empty, tiny, huge and skewed ones."""
import math

import numpy as np

from runner import Case, fold

A = np.array
nan, inf = math.nan, math.inf


class Offsets(Case):
    def test_empty_segments_give_the_identity(self):
        x = A([4, 1, 3, 2, 5])
        for kind in (np.int32, np.int64, np.uint16, ">i8"):
            o = A([0, 0, 2, 5, 5], kind)
            self.gives(("sum", x, "--segments", o), [0, 5, 10, 0], "i64")
            self.gives(("prod", x, "--segments", o), [1, 4, 30, 1], "i64")
        low, high = -2**63, 2**63 - 1
        self.gives(("max", x, "--segments", o), [low, 4, 5, low], "i64")
        self.gives(("min", x.astype("f4"), "--segments", o), [inf, 1, 2, inf], "f32")
        self.gives(("minmax", x, "--segments", o), [[high, 1, 2, high], [low, 4, 5, low]], "i64")
        self.gives(("argmin", x, "--segments", o), [-1, 1, 1, -1], "i64")
        self.gives(("mean", x, "--segments", o), [nan, 2.5, 10 / 3, nan], "f64")
        self.gives(("count", x, "--segments", o), [0, 2, 3, 0], "i64")
        self.gives(("sum", x, "--segments", o, "--init", 100), [100, 105, 110, 100], "i64")

    def test_no_values(self):
        none = np.zeros(0)
        for offsets in ([0], [0, 0], [0, 0, 0]):
            self.gives(("sum", none, "--segments", A(offsets)), np.zeros(len(offsets) - 1), "f64")
        self.gives(("min", none, "--segments", A([0, 0])), [inf], "f64")

    def test_a_segment_is_the_fold_of_its_own_values(self):
        rng = np.random.default_rng(4)
        lengths = [0, 1, 300007, 2, 0, 65536, *rng.integers(0, 90, 500)]
        o = np.cumsum([3, *lengths])
        x = rng.standard_normal(o[-1] + 4).astype(np.float32)
        want = [fold(np.add, x[b:e]) if e > b else 0 for b, e in zip(o, o[1:])]
        for threads in (1, 2, 3):
            self.gives(("sum", x, "--segments", o, "--threads", threads), A(want), "f32")
        got = self.stored("cumsum", self.file(x), "--segments", self.file(o))
        for b, e, total in zip(o, o[1:], want):
            if e > b:
                self.assertEqual((got[b], got[e - 1]), (x[b], total))
        self.assertEqual(got[:3].tolist() + got[o[-1]:].tolist(), [0] * 7)

    def test_wrong_offsets(self):
        x = np.arange(6.0)
        for offsets, text in (([0, 4, 3], "index 2"), ([0, 7], "index 1"), ([-1, 2], "index 0")):
            self.refuses(("sum", x, "--segments", A(offsets)), text)
        self.refuses(("sum", x, "--segments", A([0.0, 3.0])), "integers")
        self.refuses(("sum", x.reshape(2, 3), "--segments", A([0, 6])), "one-dimensional")
        self.refuses(("sum", x, "--segments", A([0, 6]), "--axis", 0), "--axis")
        self.refuses(("sum", x, "--segments", "missing.npy"), "missing.npy")


class Keys(Case):
    def test_runs(self):
        x, k = A([5, 6, 7, 8]), A([3, 0, 0, 3])
        self.gives(("sum", x, "--by", k), [5, 13, 8], "i64")
        self.gives(("cumsum", x, "--by", k), [5, 6, 13, 8], "i64")
        self.gives(("cumsum", x, "--by", k, "--exclusive"), [0, 0, 6, 0], "i64")
        self.gives(("sum", A([inf, 2.5, 3, 4]), "--by", A([0, 0, 1, 1])), [inf, 7], "f64")

    def test_groups_are_sorted_by_key_and_keep_their_order(self):
        rng = np.random.default_rng(8)
        k = rng.integers(-3, 4, 10000).astype(np.int8)
        x = rng.standard_normal(10000)
        want = [fold(np.add, x[k == key]) for key in range(-3, 4)]
        self.gives(("sum", x, "--group", k), A(want), "f64")
        self.ok("sum", self.file(x), "--group", self.file(k), "--keys", "k.npy", "--out", "s.npy")
        keys = np.load(self.path("k.npy"))
        self.assertEqual((keys.dtype, keys.tolist()), (np.int8, list(range(-3, 4))))
        running = self.stored("cummax", self.file(x), "--group", self.file(k))
        for key in range(-3, 4):
            self.same(running[k == key], np.maximum.accumulate(x[k == key]))

    def test_nan_keys_are_one_group_at_the_end(self):
        k = A([nan, 1.0, nan, -0.0, 0.0])
        self.gives(("sum", A([1, 2, 3, 4, 5]), "--group", k), [9, 2, 4], "i64")

    def test_refusals(self):
        self.refuses(("sum", A([1, 2]), "--by", A([1])), "1 keys for 2 values")
        self.refuses(("sum", A([1, 2]), "--by", A([1, 2]), "--segments", A([0, 2])), "only one")
        self.refuses(("sum", A([1, 2]), "--keys", "k.npy"), "--keys")
        x = self.file(A([1, 2]))
        self.refuses(("sum", x, "--by", x, "--out", x), "input")
