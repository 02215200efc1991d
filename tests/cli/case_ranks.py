# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""mpirun -n N rung OP FILE: one answer, that of one process, bit for bit; errors are said once.

RUNG_MPIRUN is the command that starts N processes, without N.
"""
import os
import subprocess

import numpy as np

from runner import Case, fold


class Ranks(Case):
    def start(self, count, *words):
        command = [*os.environ["RUNG_MPIRUN"].split(), str(count), self.program, *words]
        return subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_every_rank_has_a_share_and_one_answers(self):
        x = np.random.default_rng(3).normal(0, 1, 10007).astype(np.float32)
        name = self.file(x)
        done = self.start(3, "sum", name, "--out", "sum.npy")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        got = np.load(self.path("sum.npy"))
        self.assertEqual(got.tobytes(), np.float32(fold(np.add, x)).tobytes())
        done = self.start(4, "argmax", name)
        self.assertEqual(done.stdout, f"{np.argmax(x)}\n", done.stderr)

    def test_more_ranks_than_values(self):
        name = self.file(np.array([[2.0, 7.0]]))
        done = self.start(4, "minmax", name, "--keepdims", "--json")
        self.assertIn('"value":[[[2.0]],[[7.0]]]', done.stdout.replace(" ", ""), done.stderr)

    def test_ranks_with_files_of_their_own(self):
        for k in range(2):
            np.save(self.path(f"part_{k}.npy"), np.zeros(3))
        rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
        program, self.program = self.program, "sh"
        done = self.start(2, "-c", f"exec '{program}' sum part_{rank}.npy")
        self.program = program
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, "rung: rank 1 of 2 and rank 0 make different calls: .*"
                                      "part_1.npy of 3 values.*part_0.npy of 3 values")

    def test_one_line_of_error(self):
        name = self.file(np.zeros(0))
        for words, text in ((("cumsum", name), "scans are for one process"),
                            (("max", name), "no values")):
            done = self.start(2, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            said = [line for line in done.stderr.splitlines() if line.startswith("rung: ")]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertIn(text, said[0])
