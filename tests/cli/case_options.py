# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""What is printed: JSON, text, help, the verbose line, the progress bar; --accumulate, --device."""
import json
import os
import pathlib
import pty
import subprocess
import time

import numpy as np

from runner import Case

A = np.array
MANUAL = pathlib.Path(__file__).parents[2] / "docs" / "cli.md"


class Json(Case):
    def test_values_are_those_of_tolist(self):
        rng = np.random.default_rng(9)
        for kind in (np.float16, np.float32, np.float64):
            x = rng.standard_normal(500).astype(kind)
            got, _ = self.answer("cummax", x)
            self.assertEqual(got["value"], np.maximum.accumulate(x).tolist())
        z = (rng.standard_normal(50) + 1j * rng.standard_normal(50)).astype(np.complex64)
        got, array = self.answer("sum", z, "--axis", "")
        self.assertEqual(got["value"], [str(v) for v in z.tolist()])
        self.assertEqual(array.tobytes(), z.tobytes())
        got, _ = self.answer("cumsum", A([[True, False], [True, True]]), "--axis", 0)
        self.assertEqual(got["value"], [[1, 0], [2, 1]])
        got, _ = self.answer("any", A([[True, False], [False, False]]), "--axis", 1)
        self.assertEqual(got["value"], [True, False])
        got, _ = self.answer("cummin", A([np.inf, -np.inf, np.nan]))
        self.assertEqual(got["value"], ["inf", "-inf", "NaN"])
        got, _ = self.answer("max", A([[2**63 - 1], [-2**63]]), "--axis", 1)
        self.assertEqual(got["value"], [2**63 - 1, -2**63])
        self.assertEqual(self.answer("sum", np.zeros((3, 0)), "--axis", "")[0]["value"], [[]] * 3)

    def test_the_object(self):
        text = self.ok("sum", np.ones((3, 5), np.float32), "--axis", 0, "--json")
        self.assertEqual(text.count("\n"), 1)
        got = json.loads(text)
        self.assertEqual(list(got), ["op", "dtype", "shape", "value", "seconds", "bytes"])
        self.assertEqual((got["op"], got["dtype"], got["shape"]), ("sum", "f32", [5]))
        self.assertEqual(got["bytes"], 60 + 20)
        self.assertGreaterEqual(got["seconds"], 0)

    def test_together_with_out(self):
        got, array = self.answer("cumsum", A([1, 2, 3]), "--out", 'a "b".npy')
        self.assertEqual(got["out"], 'a "b".npy')
        self.same(array, np.load(self.path('a "b".npy')))


class Text(Case):
    def test_scalars(self):
        for x, op, want in ((A([1, 2]), "sum", "3"), (A([0.1], np.float32), "sum", "0.1"),
                            (A([0.1]), "max", "0.1"), (A([1e16]), "sum", "1e+16"),
                            (A([2.0]), "prod", "2.0"), (A([True]), "any", "true"),
                            (A([np.nan]), "sum", "nan"), (A([1j]), "sum", "1j")):
            self.assertEqual(self.ok(op, x), want + "\n")

    def test_arrays(self):
        self.assertEqual(self.ok("cumsum", A([1, 20, 300])), "[  1  21 321]\n")
        text = self.ok("sum", A([[1, 2], [30, 4]]), "--axis", "")
        self.assertEqual(text, "[[ 1  2]\n [30  4]]\n")
        self.assertEqual(self.ok("minmax", A([4.0, -1.5])), "[-1.5  4.0]\n")
        self.assertEqual(self.ok("sum", np.ones((2, 2, 1), int), "--axis", ""),
                         "[[[1]\n  [1]]\n\n [[1]\n  [1]]]\n")
        self.assertEqual(self.ok("sum", np.zeros((0, 2)), "--axis", 1), "[]\n")

    def test_large_arrays_are_shortened(self):
        text = self.ok("cumsum", np.ones(5000, int))
        self.assertEqual(text, "[   1    2    3 ... 4998 4999 5000]\n")
        lines = self.ok("sum", np.ones((50, 50), int), "--axis", "").splitlines()
        self.assertEqual(lines[0], "[[1 1 1 ... 1 1 1]")
        self.assertEqual(lines[3:5], [" ...", " [1 1 1 ... 1 1 1]"])
        lines = self.ok("cumsum", np.ones(999)).splitlines()
        self.assertLessEqual(max(map(len, lines)), 79)

    def test_verbose_goes_to_standard_error(self):
        done = self.rung("sum", np.ones(1000), "--verbose", "--json")
        json.loads(done.stdout)
        self.assertRegex(done.stderr.decode(),
                         r"\Asum: 1000 values, 8008 bytes in [\d.]+ s, [\d.]+ GB/s, .+\n\Z")
        self.assertEqual(self.rung("sum", np.ones(10)).stderr, b"")

    def test_help_is_the_manual(self):
        self.assertEqual(self.ok("--help"), MANUAL.read_text(encoding="utf-8"))
        self.assertRegex(self.ok("--version"), r"\Arung \d+\.\d+\.\d+\n\Z")
        for op in ("sum", "cumsum", "dot", "partial", "merge"):
            self.assertIn(f"Usage: rung {op}", self.ok(op, "--help"))


class Accumulate(Case):
    def test_the_state_and_the_result_are_wider(self):
        x = np.random.default_rng(4).random(3000).astype(np.float32)
        want = np.add.accumulate(x, dtype=np.float64)
        self.gives(("sum", x, "--accumulate", "f64"), want[-1], "f64", 1e-14)
        self.gives(("cumsum", x, "--accumulate", "float64"), want, "f64", 1e-14)
        self.gives(("mean", x, "--accumulate", "f64"), want[-1] / 3000, "f64", 1e-14)
        self.gives(("sum", A([40000] * 4, np.float16), "--accumulate", "f32"), 160000, "f32")
        self.gives(("dot", x, x, "--accumulate", "f64"), (x.astype(float)**2).sum(), "f64", 1e-14)
        self.gives(("sum", A([1, 2], np.complex64), "--accumulate", "c128"), 3, "c128")

    def test_it_can_hold_the_values(self):
        self.refuses(("sum", A([1.5]), "--accumulate", "i32"))
        self.refuses(("sum", A([1.5 + 1j]), "--accumulate", "f64"))
        self.refuses(("sum", A([1.5]), "--accumulate", "f33"), "f33")


class Devices(Case):
    def test_info(self):
        lines = self.ok("info").splitlines()
        for line, start in zip(lines, ("rung ", "cpu: ", "cuda: ")):
            self.assertTrue(line.startswith(start), lines)
        self.assertRegex(lines[1], r", \d+ threads$")
        self.assertIn("Usage: rung info", self.ok("info", "--help"))

    def test_auto_gives_the_same(self):
        x = self.file(np.random.default_rng(5).standard_normal((70, 30)))
        for words in (("sum", x), ("var", x, "--axis", 1), ("cumsum", x), ("dot", x, x)):
            self.assertEqual(self.stored(*words, "--device", "auto").tobytes(),
                             self.stored(*words, "--device", "cpu").tobytes())
        raw = np.arange(9.0).tobytes()
        self.assertEqual(self.ok("sum", "-", "--dtype", "f8", "--device", "auto", input=raw),
                         "36.0\n")

    def test_devices_are_numbers_or_all(self):
        x = np.arange(3.0)
        self.refuses(("sum", x, "--devices", "0,x"), "--devices 'x': is not an integer")
        self.refuses(("sum", x, "--devices", ""), "names no GPU")
        self.refuses(("sum", x, "--devices", "-1"), "count from 0")
        self.refuses(("sum", x, "--devices", "0", "--device", "cpu"), "contradicts --devices")

    def test_cuda_gives_the_same_or_says_why_not(self):
        x = np.random.default_rng(6).standard_normal(5000)
        if "\n  gpu 0: " not in self.ok("info"):
            for op in ("sum", "cumsum"):
                self.refuses((op, x, "--device", "cuda"), "cuda was asked for: .*GPU")
            self.refuses(("sum", x, "--devices", "all"), "cuda was asked for: .*GPU")
            self.refuses(("sum", "-", "--dtype", "f8", "--device", "cuda"), "GPU", input=b"8" * 8)
            return
        words = [(op, self.file(x)) for op in ("sum", "argmin", "minmax", "std", "logsumexp",
                                               "cumsum", "cummax", "cumlogsumexp")]
        words += self.axes_and_segments()
        for case in words:
            self.assertEqual(self.stored(*case, "--device", "cuda").tobytes(),
                             self.stored(*case).tobytes(), case)
        for devices in ("all", "0"):
            self.assertEqual(self.stored("sum", self.file(x), "--devices", devices).tobytes(),
                             self.stored("sum", self.file(x)).tobytes())
        self.refuses(("sum", x, "--devices", "99"), "there is no GPU 99")
        self.refuses(("cumsum", x, "--devices", "all"), "a scan runs on one GPU")
        done = self.rung("sum", self.file(x), "--device", "cuda", "--verbose")
        self.assertIn(b"cuda, f64 states", done.stderr)
        self.assertEqual(self.ok("sum", "-", "--dtype", "f8", "--device", "cuda",
                                 input=np.arange(9.0).tobytes()), "36.0\n")

    def axes_and_segments(self):
        rng = np.random.default_rng(7)
        values, ids = rng.standard_normal((7, 40, 9)), rng.integers(0, 5, 3000)
        cube, turned = self.file(values), self.file(np.asfortranarray(values.astype("f4")))
        line, keys = self.file(rng.integers(-99, 99, 3000).astype("i2")), self.file(ids)
        offsets = self.file(np.cumsum([4, 0, 1, 1500, 0, 3, 700]))
        for array in (cube, turned):
            for axes in ("0", "1", "2", "0,2", "1,2", ""):
                yield from ((op, array, "--axis", axes) for op in ("sum", "argmax", "var"))
            for axis in ("0", "1", "-1"):
                yield ("cumsum", array, "--axis", axis, "--reverse")
                yield ("cummax", array, "--axis", axis, "--exclusive")
        yield ("dot", cube, turned, "--axis", "1")
        for cut in (("--segments", offsets), ("--by", keys), ("--group", keys)):
            for op in ("sum", "mean", "minmax", "argmin", "count", "cumsum", "cummin"):
                yield (op, line, *cut)
            yield ("cumsum", line, *cut, "--exclusive", "--init", 5)

    def test_axes_and_segments_want_a_gpu_too(self):
        if "\n  gpu 0: " in self.ok("info"):
            return
        for case in list(self.axes_and_segments())[::15]:
            self.refuses((*case, "--device", "cuda"), "cuda was asked for: .*GPU")
            self.assertEqual(self.stored(*case, "--device", "auto").tobytes(),
                             self.stored(*case).tobytes(), case)

    def test_partials_are_made_on_the_cpu(self):
        line = np.ones(6)
        self.refuses(("partial", "sum", line, "--out", "p", "--device", "cuda"), "on the cpu only")


class Progress(Case):
    def test_a_bar_shows_on_a_terminal_after_a_second(self):
        piece = np.ones(2**26, np.uint8).tobytes()
        seen = self.feed_slowly(piece, 3)
        self.assertRegex(seen, r"sum \[=+ *\] +\d+ %")
        self.assertTrue(seen.endswith("\r\x1b[K"), repr(seen[-20:]))

    def feed_slowly(self, piece, times):
        mine, theirs = pty.openpty()
        words = [self.program, "sum", "-", "--dtype", "u8", "--shape", str(len(piece) * times)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=theirs) as run:
            os.close(theirs)
            for k in range(times):
                time.sleep(1.2 if k == 1 else 0)
                run.stdin.write(piece)
            run.stdin.close()
            run.stdin = None
            output, _ = run.communicate()
            self.assertEqual(output, b"%d\n" % (len(piece) * times))
        seen = b""
        try:
            while chunk := os.read(mine, 4096):
                seen += chunk
        except OSError:  # the terminal is gone with its last writer
            pass
        os.close(mine)
        return seen.decode()
