#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The project's own tools find what they are meant to find, and the data is what it says."""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import limits
import report
import scale
import snippets
import sources
import tune

SPDX = "".join(f"// {line}\n" for line in limits.SPDX)


class InFolder(unittest.TestCase):
    """Each test has a scratch folder that the tools take for the project's root."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root, sources.ROOT = pathlib.Path(scratch.name), pathlib.Path(scratch.name)
        self.addCleanup(setattr, sources, "ROOT", ROOT)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Steady:
    """A network without jitter."""

    def lognormvariate(self, _mean, _sigma):
        return 1.0


class Scale(unittest.TestCase):
    def test_blocks_are_the_maximal_aligned_ones(self):
        def count(begin, end):
            done = 0
            while begin < end:
                size = max(2**k for k in range(8) if begin % 2**k == 0 and begin + 2**k <= end)
                begin, done = begin + size, done + 1
            return done
        for begin in range(40):
            for end in range(begin, 90):
                self.assertEqual(scale.blocks(begin, end), count(begin, end), (begin, end))

    def test_collectives_take_the_steps_they_must(self):
        for ranks, steps in ((1, 0), (2, 1), (3, 2), (4, 2), (7, 3), (8, 3), (9, 4)):
            time = scale.all_gather(ranks, 12, 1e-6, Steady(), 1e6)
            self.assertAlmostEqual(time, steps * 1e-6 + (ranks - 1) * 12e-6, 12)
            if ranks == 2**steps:
                time = scale.tree(ranks, 12, 1e-6, Steady(), 1e6)
                self.assertAlmostEqual(time, 2 * steps * 13e-6, 12)

    def test_the_model_holds_for_the_gpus_measured(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, self.assertRaises(SystemExit) as end:
            scale.gpus(ROOT / "bench/results/h200x2/ranks.json")
        self.assertEqual(end.exception.code, 0)
        self.assertIn("sum of 2^31 on 8 GPUs, predicted", out.getvalue())


class Limits(InFolder):
    def broken(self, check, path, text):
        with contextlib.redirect_stdout(io.StringIO()):
            return list(check([self.write(path, text)]))

    def test_sizes(self):
        self.assertEqual(self.broken(limits.check_sizes, "a.hpp", "x\n" * 500), [])
        self.assertIn("501 lines", self.broken(limits.check_sizes, "a.hpp", "x\n" * 501)[0])
        self.assertEqual(self.broken(limits.check_sizes, "a.hpp", "x" * 100), [])
        self.assertIn("a.hpp:2: 101", self.broken(limits.check_sizes, "a.hpp", "\n" + "x" * 101)[0])

    def test_spdx(self):
        self.assertEqual(self.broken(limits.check_headers, "a.hpp", SPDX), [])
        self.assertEqual(len(self.broken(limits.check_headers, "a.hpp", "int x;\n")), 2)
        script = "#!/bin/sh\n" + SPDX.replace("//", "#")
        self.assertEqual(self.broken(limits.check_headers, "a", script), [])

    def test_macros(self):
        check, text = limits.check_macros, "#define RUNG_X 1\n"
        self.assertEqual(self.broken(check, limits.MACRO_HEADER, text), [])
        self.assertEqual(len(self.broken(check, "include/rung/op.hpp", text)), 1)
        self.assertEqual(self.broken(check, "include/rung/op.hpp", text + "#undef RUNG_X\n"), [])
        self.assertEqual(len(self.broken(check, limits.MACRO_HEADER, "#define X 1\n")), 1)
        many = "".join(f"#define RUNG_{i} 1\n" for i in range(11))
        self.assertEqual(len(self.broken(check, limits.MACRO_HEADER, many)), 1)

    def test_arch(self):
        check, text = limits.check_arch, "#if defined(__CUDA_ARCH__)\n"
        self.assertEqual(self.broken(check, "include/rung/warp/scan.cuh", text), [])
        self.assertEqual(len(self.broken(check, "include/rung/block/scan.cuh", text)), 1)


class Snippets(InFolder):
    PAGE = "a\n```cpp\n// snippet: one\n#include <cstdio>\nputs(\"x\");\n```\n\n```text\nx\n```\n"

    def test_blocks(self):
        page = self.write("a.md", self.PAGE + "```cpp\nint untagged;\n```\n")
        tagged, untagged = snippets.blocks("cpp", [page])
        self.assertEqual((tagged.name, tagged.output, untagged.tagged), ("one", "x\n", False))
        self.assertIn('int main() {\n// snippet: one\nputs("x");\n}', tagged.program())

    def test_output(self):
        self.assertTrue(snippets.matches("35.2\n0.1 s, 3 GB/s\n", "35.2\n... s, ... GB/s\n"))
        self.assertFalse(snippets.matches("35.3\n", "35.2\n"))
        block = next(snippets.blocks("cpp", [self.write("a.md", self.PAGE)]))
        block.check("x\n")
        with self.assertRaises(SystemExit), contextlib.redirect_stdout(io.StringIO()):
            block.check("y\n")


    def test_quotes(self):
        text = "a;\nb;\nc;\nd;\n"
        self.assertTrue(snippets.stands_in(["a;\nb;\n", "d;\n"], text))
        self.assertFalse(snippets.stands_in(["a;\nc;\n"], text))
        self.assertFalse(snippets.stands_in(["d;\n", "a;\n"], text))


class Report(InFolder):
    def test_summary(self):
        point = {"family": "f", "what": "sum", "type": "f32", "shape": [2], "bytes": 8000}
        point |= {"ours_us": 2.0, "limit_gbs": 8.0, "peers": {"p": 4.0}}
        points = [point, point | {"ours_us": 1.0, "peers": {"p": 8.0}, "type": "f64"}]
        result = {"machine": "m", "date": "d", "command": "c", "versions": {}, "points": points}
        path = self.write("r.json", json.dumps(result))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            report.print_summary(report.load(path)["points"])
        self.assertRegex(out.getvalue(), r"vs p +geometric mean +4\.00x  worst +2\.00x \(sum f32")
        self.assertRegex(out.getvalue(), r"worst 50% \(sum f32 2\), best 100% \(sum f64 2\)")
        del points[0]["bytes"]
        with self.assertRaises(SystemExit):
            report.load(self.write("r.json", json.dumps(result)))


class Data(InFolder):
    def test_day_length(self):
        x = np.load(ROOT / "data/day_length.npy")
        self.assertEqual((x.dtype, x.shape, x.argmax()), (np.float64, (23648,), 3754))
        self.assertAlmostEqual(x.sum(), 35.2104186, places=7)

    def test_generate(self):
        path = self.root / "x.npy"
        subprocess.run([sys.executable, ROOT / "tools/generate.py", "13", path], check=True)
        x = np.load(path)
        self.assertEqual((x.dtype, x.shape), (np.float32, (8192,)))
        self.assertTrue((abs(x) <= 0.5).all() and abs(x.mean()) < 0.02)
        self.assertEqual(len(np.unique(x)), 8192)


class Tune(unittest.TestCase):
    def test_finds_the_fastest_plan_and_what_the_choice_loses(self):
        plans = tune.read_plans(
            "read limit 4700 GB/s\n"
            "plan 4096 one_block warps 32 log_groups 0 us 1.500 chosen\n"
            "plan 4096 few_tiles warps 4 log_groups 0 us 2.400\n"
            "plan 1048576 few_tiles warps 16 log_groups 0 us 4.400 chosen\n"
            "plan 1048576 tiles warps 8 log_groups 1 us 4.000\n"
            "plan 16 tiles warps 8 log_groups 0 us 3.000\n")
        self.assertEqual(list(plans), [16, 4096, 1048576])
        self.assertEqual(plans[1048576][0], (4.0, "tiles, 8 warps, 2 groups", False))
        small, even, loses = tune.table(plans).splitlines()[1:]
        self.assertIn("(not measured)", small)
        self.assertTrue(even.endswith("  0 %"))
        self.assertTrue(loses.endswith(" 10 %"))


if __name__ == "__main__":
    unittest.main()
