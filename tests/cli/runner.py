# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""What every case of the command line needs: a folder, inputs as files, runs, and comparisons.

A wanted value is always computed from the case (by numpy, math or integer arithmetic), never by
the program. `gives` asks for it twice, through --json and through --out, and compares both.
"""
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

np.seterr(all="ignore")
warnings.simplefilter("ignore")

SHORT = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16",
         "float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128"}
LONG = {short: np.dtype(name) for name, short in SHORT.items()}


def npy(descr, shape, data, fortran=False, version=1, length=0):
    """The bytes of a .npy file; shape may be any text, length fixes the length of the header."""
    text = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    text = text.ljust(length - 1) + b"\n"
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + data


def bf16(values):
    """The bits of f32 values rounded to bf16, ties to even."""
    values = np.asarray(values, np.float32).reshape(-1)
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


def fold(op, values):
    """The one order: aligned power-of-two blocks, largest first, each a perfect binary tree."""
    done, result = 0, None
    for k in reversed(range(len(values).bit_length())):
        if len(values) >> k & 1:
            block = values[done:done + 2**k]
            while len(block) > 1:
                block = op(block[0::2], block[1::2])
            result = block[0] if result is None else op(result, block[0])
            done += 2**k
    return result


class Case(unittest.TestCase):
    """A test with its own folder; `program` is set by cases.py."""

    program = ""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="rung-case-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.made = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, content, name=None):
        """Saves an array, or bytes as they are; gives the name to use on the command line."""
        self.made += 1
        name = name or f"in_{self.made}.npy"
        if isinstance(content, bytes):
            with open(self.path(name), "wb") as out:
                out.write(content)
        else:
            with open(self.path(name), "wb") as out:
                np.save(out, content)
        return name

    def rung(self, *words, **options):
        words = [self.file(w) if isinstance(w, (np.ndarray, bytes)) else str(w) for w in words]
        options = {"stdin": subprocess.DEVNULL, "timeout": 300, **options}
        if "input" in options:
            del options["stdin"]
        return subprocess.run([self.program, *words], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, **options)

    def ok(self, *words, **options):
        """Standard output, as text, of a run that must succeed."""
        done = self.rung(*words, **options)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stderr.decode()}")
        return done.stdout.decode()

    def answer(self, *words, **options):
        """The result through --json: the object, and its value as an array of its type."""
        got = json.loads(self.ok(*words, "--json", **options), parse_constant=self.fail)
        self.assertLessEqual({"op", "dtype", "shape", "value", "seconds", "bytes"}, set(got))
        value = got["value"]
        if got["dtype"] == "bf16":
            array = np.asarray(value, np.float64).astype(np.float32)
            again = (bf16(array).astype(np.uint32) << 16).view(np.float32)
            self.assertEqual(again.tolist(), array.ravel().tolist())
        else:
            kind = LONG[got["dtype"]]
            flat = np.asarray(value, dtype=object).reshape(-1)
            if kind.kind == "c":
                flat = [complex(v) for v in flat]
            elif kind.kind == "f":
                flat = [float(v) for v in flat]
            array = np.array(list(flat), kind)
        return got, array.reshape(got["shape"])

    def stored(self, *words, **options):
        """The result through --out."""
        self.assertEqual(self.ok(*words, "--out", "result.npy", **options), "")
        result = np.load(self.path("result.npy"))
        os.remove(self.path("result.npy"))
        return result

    def same(self, got, want, rel=0.0, what=None):
        want = np.asarray(want)
        self.assertEqual(got.shape, want.shape, what)
        if got.dtype.kind in "biu":
            good = got.astype(object) == want.astype(object)
        else:
            wide = np.complex128 if got.dtype.kind == "c" else np.float64
            g, w = got.astype(wide), want.astype(wide)
            good = (g == w) | ((g != g) & (w != w))
            if rel:
                good |= np.isfinite(w) & (abs(g - w) <= rel * abs(w))
        at = np.argwhere(~np.atleast_1d(good))[:1].tolist()
        self.assertTrue(np.all(good), f"{what}: differs at {at}: got {got}, want {want}")

    def gives(self, words, want, dtype, rel=0.0):
        """The answer has that type, shape and value, printed and stored."""
        words = [self.file(w) if isinstance(w, (np.ndarray, bytes)) else str(w) for w in words]
        got, array = self.answer(*words)
        self.assertEqual(got["op"], words[0])
        self.assertEqual(got["dtype"], dtype, words)
        self.same(array, want, rel, words)
        stored = self.stored(*words)
        self.assertEqual(SHORT.get(stored.dtype.name, "bf16"), dtype, words)
        if dtype != "bf16":
            self.assertEqual(stored.tobytes(), array.astype(stored.dtype).tobytes(), words)
        return array

    def entries(self):
        return {e.name: (e.stat().st_size, e.stat().st_mtime_ns, e.stat().st_ino)
                for e in os.scandir(self.folder)}

    def refuses(self, words, *texts, **options):
        """A clear error: exit 2, one line with those texts, nothing printed, no file touched."""
        words = [self.file(w) if isinstance(w, (np.ndarray, bytes)) else str(w) for w in words]
        before = self.entries()
        done = self.rung(*words, **options)
        line = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, 2, f"{words}: {line}")
        self.assertEqual(done.stdout, b"", words)
        self.assertRegex(line, r"\Arung: [^\n]+\n\Z", words)
        for text in texts:
            self.assertRegex(line, text, words)
        self.assertEqual(self.entries(), before, words)
        return line
