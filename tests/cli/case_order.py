# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The one order, bit for bit: against a small model of it in numpy, for every thread count, on
every run, and between a scan's entries and the reductions of its prefixes."""
import numpy as np

from runner import Case, fold

LENGTHS = (1, 2, 3, 5, 8, 13, 127, 128, 1000, 4097, 70001)
THREADS = (1, 2, 3, 8)


def values(n, kind):
    return (np.random.default_rng(n).normal(0, 1, n) * 10.0**(np.arange(n) % 7 - 3)).astype(kind)


class Order(Case):
    def test_sum_and_prod_follow_the_order(self):
        for kind in (np.float32, np.float64):
            for n in LENGTHS:
                x = values(n, kind)
                want = fold(np.add, x)
                name = self.file(x)
                for threads in THREADS:
                    got = self.stored("sum", name, "--threads", threads)
                    self.assertEqual(got.tobytes(), want.tobytes(), (n, kind, threads))
                y = (1 + values(n, kind) / 1000).astype(kind)
                self.assertEqual(self.stored("prod", y).tobytes(), fold(np.multiply, y).tobytes())

    def test_half_precision_is_rounded_once(self):
        for n in LENGTHS:
            x = values(n, np.float16)
            want = np.float16(fold(np.add, x.astype(np.float32)))
            self.assertEqual(self.stored("sum", x).tobytes(), want.tobytes(), n)

    def test_every_entry_of_a_scan_is_the_fold_of_its_prefix(self):
        for kind in (np.float32, np.float64):
            x = values(300, kind)
            want = np.array([fold(np.add, x[:k + 1]) for k in range(len(x))])
            for threads in THREADS:
                got = self.stored("cumsum", x, "--threads", threads)
                self.assertEqual(got.tobytes(), want.tobytes())
            first = np.concatenate([np.zeros(1, kind), want[:-1]])
            self.same(self.stored("cumsum", x, "--exclusive"), first)
        x = values(70001, np.float32)
        got = self.stored("cumsum", x)
        for k in (0, 1, 4095, 4096, 4097, 32767, 65535, 65536, 69999, 70000):
            self.assertEqual(got[k].tobytes(), fold(np.add, x[:k + 1]).tobytes(), k)

    def test_rows_and_columns_follow_the_same_order(self):
        x = values(77 * 130, np.float32).reshape(77, 130)
        rows = np.array([fold(np.add, r) for r in x])
        columns = np.array([fold(np.add, c) for c in x.T])
        for array in (x, np.asfortranarray(x), x.astype(">f4")):
            name = self.file(array)
            self.assertEqual(self.stored("sum", name, "--axis", 1).tobytes(), rows.tobytes())
            self.assertEqual(self.stored("sum", name, "--axis", 0).tobytes(), columns.tobytes())
            self.assertEqual(self.stored("sum", name).tobytes(),
                             fold(np.add, x.ravel()).tobytes())
            running = self.stored("cumsum", name, "--axis", 0)
            self.assertEqual(running[-1].tobytes(), columns.tobytes())

    def test_a_start_value_is_continued_from(self):
        x = values(13, np.float64)
        acc = np.float64(1e3)  # the blocks of 13 are 8, 4 and 1
        for begin, end in ((0, 8), (8, 12), (12, 13)):
            acc = acc + fold(np.add, x[begin:end])
        got = self.stored("sum", x, "--init", "1000")
        self.assertEqual(got.tobytes(), acc.tobytes())

    def test_same_bits_on_every_run(self):
        x = self.file((np.arange(300000) * np.e % 1).astype(np.float32))
        sums, scans = set(), set()
        for run in range(20):
            threads = (0, *THREADS)[run % 5]
            sums.add(self.stored("sum", x, "--threads", threads).tobytes())
            scans.add(self.stored("cumsum", x, "--threads", threads).tobytes())
        self.assertEqual((len(sums), len(scans)), (1, 1))

    def test_raw_stream_and_file_agree(self):
        for n in (0, 1, 1000, 70001):
            x = values(n, np.float32)
            name = self.file(x)
            for op in ("sum", "mean", "var", "norm", "logsumexp", "count", "argmax", "minmax"):
                if n == 0 and op in ("argmax", "minmax"):
                    continue
                got = self.answer(op, "-", "--dtype", "f32", input=x.tobytes())[1]
                want = self.answer(op, name)[1]
                self.assertEqual(got.tobytes(), want.tobytes(), (op, n))
