# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Bad input: one line, exit code 2, nothing printed, nothing half-written; and signals."""
import os
import resource
import signal
import subprocess
import time
import unittest

import numpy as np

from runner import Case, npy

A = np.array
DATA = np.arange(6, dtype="<f4").tobytes()


class Inputs(Case):
    def test_files_that_cannot_be_read(self):
        self.refuses(("sum", "none.npy"), "none.npy", "No such file")
        self.refuses(("sum", "."), "directory")
        self.refuses(("sum", ""), "No such file")
        self.refuses(("sum", "two\nlines.npy"), "No such file")
        if os.geteuid() != 0:
            name = self.file(np.ones(3))
            os.chmod(self.path(name), 0)
            self.refuses(("sum", name), "Permission denied")

    def test_truncated_files(self):
        whole = npy("<f4", (2, 3), DATA)
        for end in (0, 1, 5, 6, 8, 9, 10, 30, len(whole) - 25, len(whole) - 24, len(whole) - 1):
            self.refuses(("sum", whole[:end]), "in_")
        self.refuses(("cumsum", whole[:-1], "--out", "o.npy"), "24", "23")

    def test_headers_that_lie(self):
        for shape in ("(7,)", "(2, 4)", f"({2**40},)", f"({2**62},)", f"({2**63},)", "(-6,)",
                      f"({2**32}, {2**32})", f"(0, {2**40}, {2**40})", "(6.0,)", "6", "(6)",
                      "('6',)", "None", "(" * 5000, "(2, 3"):
            self.refuses(("sum", npy("<f4", shape, DATA)))
        self.refuses(("sum", npy("<f4", (1,) * 17, DATA)), "16")
        self.refuses(("sum", npy("<f4", (6,), DATA, version=7)), "version")
        self.refuses(("sum", npy("<f4", (6,), DATA, length=50)[:40] + DATA))
        for fortran in ("'False'", "0", "None"):
            self.refuses(("sum", npy("<f4", (6,), DATA, fortran=fortran)), "fortran_order")

    def test_types_without_a_fold(self):
        record = A([(b"a", 1.5, 2)], dtype=[("name", "S4"), ("weight", "f4"), ("items", "i8")])
        self.refuses(("sum", record), "records")
        self.refuses(("sum", A([((1, 2),)], dtype=[("pair", "2i4")])), "records")
        self.refuses(("sum", A(["x"])), "text")
        self.refuses(("sum", A([b"x"])), "text")
        self.refuses(("sum", A([{}], dtype=object)), "objects")
        self.refuses(("sum", A(["2026-01-01"], "M8[D]")), "dates")
        self.refuses(("sum", A([1], "m8[s]")), "durations")
        self.refuses(("sum", A([1.5], np.longdouble)), "f16|c32")
        self.refuses(("sum", A([b"ab"], "V7")), "untyped|records")

    def test_wrong_axes(self):
        x = self.file(np.ones((2, 3)))
        for axis in (2, 5, -3, "0,2", "0,-3"):
            self.refuses(("sum", x, "--axis", axis), "ax[ie]s")
        for axis in ("0,0", "1,-1"):
            self.refuses(("sum", x, "--axis", axis), "ax[ie]s")
        self.refuses(("cumsum", x, "--axis", 2), "axis")
        self.refuses(("sum", A(1.0), "--axis", 0), "axis")

    def test_options_that_do_not_exist_here(self):
        x = self.file(np.ones(3))
        for words in (("--ddof", 1), ("--exclusive",), ("--slice", "0:1")):
            self.refuses(("sum", x, *words), f"'{words[0]}'")
        self.refuses(("min", x, "--exact"), "min", "exact")
        self.refuses(("sum", x, "--exact", "--device", "cuda"), "an exact sum", "cpu only")
        self.refuses(("sum", x, "--device", "gpu"), "'gpu'", "cpu, cuda and auto")
        self.refuses(("info", x), "info")
        self.refuses(("sum", x, "--threads", "many"), "many")
        self.refuses(("mode", x), "mode")
        self.refuses((), "operation")

    def test_types_that_an_operation_lacks(self):
        self.refuses(("logsumexp", A(["x"])))
        for op in ("logsumexp", "cumlogsumexp"):
            done = self.rung(op, A([1 + 1j]))
            self.assertIn(done.returncode, (0, 2))


class Outputs(Case):
    def test_places_that_cannot_be_written(self):
        x = self.file(np.ones(100))
        os.mkdir(self.path("folder"))
        for out, text in (("none/o.npy", "No such file"), ("folder", "regular"), ("", "empty"),
                          ("/dev/null", "regular"), ("/dev/full", "regular"), (x + "/o", "out")):
            self.refuses(("cumsum", x, "--out", out), text)
        if os.geteuid() != 0:
            os.chmod(self.path("folder"), 0o500)
            self.refuses(("cumsum", x, "--out", "folder/o.npy"), "Permission denied")
            os.chmod(self.path("folder"), 0o700)
            old = self.file(b"old", "old.npy")
            os.chmod(self.path(old), 0o400)
            self.refuses(("cumsum", x, "--out", old), "Permission denied")

    def test_an_input_is_never_an_output(self):
        x = self.file(np.ones(100))
        os.link(self.path(x), self.path("hard.npy"))
        os.symlink(x, self.path("soft.npy"))
        for out in (x, "./" + x, "hard.npy", "soft.npy"):
            self.refuses(("cumsum", x, "--out", out), "same file")
        self.refuses(("dot", self.file(np.ones(100)), x, "--out", x), "same file")

    def test_out_of_room(self):
        x = self.file(np.ones(100000, np.int8))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))
        self.refuses(("cumsum", x, "--out", "o.npy"), "o.npy", "800128 bytes", preexec_fn=limit)

    def test_a_result_larger_than_any_disk(self):
        name = self.path("huge.npy")
        with open(name, "wb") as file:
            file.write(npy("|u1", (2**43,), b""))
            try:
                file.truncate(file.tell() + 2**43)
            except OSError:
                self.skipTest("this file system has no sparse files of 8 TiB")
        self.refuses(("cumsum", "huge.npy", "--out", "o.npy"), "o.npy")

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([self.program, "sum", self.file(np.ones(3))], stdout=full,
                                  stderr=subprocess.PIPE, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"\Arung: standard output[^\n]+\n\Z")

    def test_old_results_are_replaced_whole_or_kept(self):
        x = self.file(np.arange(5))
        self.file(b"old", "o.npy")
        self.refuses(("cumsum", x, "--axis", 3, "--out", "o.npy"))
        os.chmod(self.path("o.npy"), 0o640)
        self.ok("cumsum", x, "--out", "o.npy")
        self.assertEqual(np.load(self.path("o.npy")).tolist(), [0, 1, 3, 6, 10])
        self.assertEqual(os.stat(self.path("o.npy")).st_mode & 0o777, 0o640)
        os.symlink("o.npy", self.path("link.npy"))
        self.ok("sum", x, "--out", "link.npy")
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(np.load(self.path("o.npy")).tolist(), 10)

    def test_an_empty_min_writes_nothing(self):
        self.refuses(("min", np.zeros((0, 3)), "--axis", 0, "--out", "o.npy"), "axis 0")
        self.refuses(("argmax", np.zeros(0), "--out", "o.npy"))


class Signals(Case):
    def wait_for_output(self, run):
        while run.poll() is None and not any(n[:5] == ".rung" for n in os.listdir(self.folder)):
            time.sleep(0.001)

    def test_an_unfinished_output_is_removed(self):
        with open(self.path("x.npy"), "wb") as file:
            file.write(npy("|u1", (2**26,), b""))
            file.truncate(file.tell() + 2**26)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for _ in range(20):
                if self.interrupt(number):
                    break
            else:
                raise unittest.SkipTest("the program was always done before the signal")

    def interrupt(self, number):
        with subprocess.Popen([self.program, "cumsum", "x.npy", "--out", "o.npy", "--threads", "1"],
                              cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as run:
            self.wait_for_output(run)
            run.send_signal(number)
            code = run.wait()
        left = set(self.entries()) - {"x.npy"}
        if code == 0:
            self.assertEqual(left, {"o.npy"})
            os.remove(self.path("o.npy"))
            return False
        self.assertEqual((code, left), (-number, set()))
        return True

    def test_an_input_that_shrinks_is_an_error(self):
        with open(self.path("x.npy"), "wb") as file:
            file.write(npy("|u1", (2**28,), b""))
            file.truncate(file.tell() + 2**28)
        with subprocess.Popen([self.program, "cumsum", "x.npy", "--out", "o.npy", "--threads", "1"],
                              cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            self.wait_for_output(run)
            os.truncate(self.path("x.npy"), 4096)
            out, err = run.communicate()
        if run.returncode == 0:
            self.skipTest("the program was done before the file shrank")
        self.assertEqual((run.returncode, out), (2, b""))
        self.assertRegex(err.decode(), r"\Arung: [^\n]+\n\Z")
        self.assertEqual(set(os.listdir(self.folder)), {"x.npy"})
