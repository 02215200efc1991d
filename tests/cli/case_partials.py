# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""rung partial and rung merge: the value of all pieces is that of the whole, bit for bit."""
import os
import random

import numpy as np

from runner import Case

OPS = ("sum", "prod", "min", "max", "argmin", "argmax", "minmax", "mean", "var", "std", "norm",
       "any", "all", "count", "logsumexp")


class Partials(Case):
    def cut(self, op, name, cuts, *words):
        """The partials between the cuts, in files whose names say nothing about their order."""
        made = []
        for k, (begin, end) in enumerate(zip(cuts, cuts[1:])):
            made.append(f"{(k * 7919) % 1009}_{k}.rp")
            self.ok("partial", op, name, "--slice", f"{begin}:{end}", "--out", made[-1], *words)
        return made

    def agree(self, op, name, parts, *words):
        whole, want = self.answer(op, name, *words)
        merged, got = self.answer("merge", *parts)
        self.assertEqual((merged["op"], merged["of"]), ("merge", op))
        self.assertEqual((merged["dtype"], merged["shape"]), (whole["dtype"], whole["shape"]), op)
        self.assertEqual(got.tobytes(), want.tobytes(), op)

    def test_every_reduction_and_type(self):
        rng = np.random.default_rng(8)
        for kind in (np.float32, np.float64, np.float16, np.int8, np.uint64, np.bool_):
            x = (rng.normal(0, 2, 5001) * 3).astype(kind)
            if kind is np.float32:
                x[4000] = np.nan
            name = self.file(x)
            for op in OPS:
                parts = self.cut(op, name, (0, 1000, 1001, 4096, 5001))
                self.agree(op, name, parts)

    def test_random_cuts_in_any_order(self):
        random.seed(12)
        x = self.file(np.random.default_rng(6).normal(0, 1, 30011).astype(np.float32))
        for _ in range(6):
            cuts = sorted(random.randrange(30012) for _ in range(random.randrange(6)))
            parts = self.cut("sum", x, (0, *cuts, 30011))
            random.shuffle(parts)
            self.agree("sum", x, parts)

    def test_partial_merges_of_merges(self):
        x = self.file(np.random.default_rng(7).normal(0, 1, 9000))
        a, b, c, d = self.cut("var", x, (0, 2000, 2000, 7777, 9000), "--ddof", 1)
        self.ok("merge", a, b, "--out", "ab.rp")
        self.ok("merge", d, c, "--out", "cd.rp")
        self.agree("var", x, ["cd.rp", "ab.rp"], "--ddof", 1)
        self.ok("merge", b, c, "--out", "bc.rp")
        self.agree("var", x, [a, "bc.rp", d], "--ddof", 1)

    def test_layout_of_the_file_does_not_matter(self):
        x = np.random.default_rng(1).normal(0, 1, (30, 40, 5)).astype(np.float32)
        want = self.file(x)
        for array in (np.asfortranarray(x), x.astype(">f4")):
            for op in ("sum", "argmin", "norm"):
                self.agree(op, want, self.cut(op, self.file(array), (0, 1234, 6000)))

    def test_slices_count_from_the_end_too(self):
        x = np.arange(100)
        name = self.file(x)
        for text, want in ((":", x), ("90:", x[90:]), (":-90", x[:10]), ("-5:-2", x[-5:-2]),
                           ("7:7", x[7:7]), ("100:", x[100:])):
            self.ok("partial", "sum", name, "--slice", text, "--out", "p.rp")
            begin = int(want[0]) if len(want) else int(text.split(":")[0])
            self.ok("partial", "sum", name, "--slice", f":{begin}", "--out", "before.rp")
            self.same(self.answer("merge", "p.rp", "before.rp")[1], x[:begin].sum() + want.sum())
            os.remove(self.path("p.rp"))
            os.remove(self.path("before.rp"))
        self.ok("partial", "sum", name, "--slice", "5:", "--out", "late.rp")
        self.refuses(("merge", "late.rp"))
        for text in ("101:", ":101", "-101:", "5:4", "5", "a:b", "1:2:3", ""):
            self.refuses(("partial", "sum", name, "--slice", text, "--out", "p.rp"), "--slice")

    def test_index_of_the_extreme_is_that_in_the_whole(self):
        x = np.zeros(1000, np.int16)
        x[777] = -3
        parts = self.cut("argmin", self.file(x), (0, 500, 1000))
        self.same(self.answer("merge", *parts)[1], 777)
        x = np.full(1000, np.nan, np.float32)
        parts = self.cut("argmax", self.file(x), (0, 3, 1000))
        self.same(self.answer("merge", *parts)[1], 0)

    def test_standard_input(self):
        x = np.random.default_rng(2).normal(0, 1, 5000).astype(np.float32)
        self.ok("partial", "sum", "-", "--dtype", "f32", "--out", "p.rp", input=x.tobytes())
        self.agree("sum", self.file(x), ["p.rp"])

    def test_options_travel_with_the_partial(self):
        x = np.arange(1000, dtype=np.float32)
        x[::7] = np.nan
        name = self.file(x)
        self.agree("mean", name, self.cut("mean", name, (0, 10, 1000), "--skip-nan"), "--skip-nan")
        words = ("--accumulate", "f64")
        self.agree("sum", name, self.cut("sum", name, (0, 10, 1000), *words), *words)

    def test_what_does_not_fit_together(self):
        name = self.file(np.arange(100.0))
        a, b = self.cut("sum", name, (0, 50, 100))
        (late,) = self.cut("sum", name, (60, 100))
        (other,) = self.cut("max", name, (50, 100))
        self.refuses(("merge", a, late))
        self.refuses(("merge", a, a))
        self.refuses(("merge", a, b, late))
        self.ok("partial", "max", name, "--slice", "50:", "--out", "other.rp")
        self.refuses(("merge", a, "other.rp"))
        self.ok("partial", "sum", self.file(np.arange(100)), "--slice", "50:", "--out", "i.rp")
        self.refuses(("merge", a, "i.rp"))
        self.assertTrue(other)

    def test_damaged_partials(self):
        name = self.file(np.random.default_rng(3).normal(0, 1, 1000))
        (whole,) = self.cut("sum", name, (0, 999))
        with open(self.path(whole), "rb") as file:
            data = file.read()
        for end in (0, 1, 8, len(data) // 2, len(data) - 1):
            self.refuses(("merge", self.file(data[:end], "cut.rp")), "cut.rp")
        self.refuses(("merge", self.file(data + b"x", "long.rp")), "long.rp")
        self.refuses(("merge", self.file(b"\xff" * len(data), "bad.rp")), "bad.rp")
        self.refuses(("merge", name), name)
        self.refuses(("merge", "none.rp"), "none.rp")
        for at in range(0, min(len(data), 64), 3):  # damage is refused, or is in a value
            broken = data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1:]
            done = self.rung("merge", self.file(broken, "bad.rp"))
            self.assertIn(done.returncode, (0, 2))
            self.assertLessEqual(done.stderr.count(b"\n"), 1)

    def test_outputs(self):
        name = self.file(np.arange(10))
        self.refuses(("partial", "sum", name), "--out")
        self.refuses(("partial", "sum", name, "--out", name), "same file")
        (part,) = self.cut("sum", name, (0, 10))
        self.refuses(("merge", part, "--out", part), "same file")
        self.assertEqual(self.ok("merge", part, "--out", "whole.rp"), "")
        self.assertEqual(self.ok("merge", "whole.rp"), "45\n")
        for op in ("cumsum", "dot", "total"):
            self.refuses(("partial", op, name, "--out", "p.rp"), op)
