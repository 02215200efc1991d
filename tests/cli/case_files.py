# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Files: every .npy version, order, byte order and spelling of a header; bf16; raw values."""
import os
import subprocess
import sys
import threading

import numpy as np

from runner import Case, bf16, npy

DATA = np.arange(6, dtype="<f4").tobytes()


class Npy(Case):
    def test_versions_and_header_lengths(self):
        for version in (1, 2, 3):
            for length in (0, 118, 119, 300, 1023, 60000):
                data = npy("<f4", (2, 3), DATA, version=version, length=length)
                self.gives(("sum", data, "--axis", 1), [3, 12], "f32")
        self.gives(("sum", npy("<f4", (3, 2), DATA, version=2, length=90000)), 15, "f32")

    def test_headers_that_numpy_reads(self):
        for text in ("{'descr':'<f4','fortran_order':False,'shape':(6,)}",
                     '{"shape": (6, ), "descr": "<f4", "fortran_order": False, }',
                     "{ 'fortran_order' : False ,\n 'shape' : ( 6 , ) ,\t'descr' : '<f4' } ",
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (6L,), }"):
            text = text.encode() + b"\n"
            data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + DATA
            self.gives(("sum", data), 15, "f32")

    def test_scalars(self):
        for value in (np.float64(5.25), np.int16(-3), np.bool_(True), np.complex64(1 + 2j)):
            got, array = self.answer("sum", np.array(value))
            self.assertEqual(got["shape"], [])
            self.same(array, value)

    def test_fortran_order(self):
        x = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
        name = self.file(np.asfortranarray(x))
        for axis in range(3):
            self.gives(("sum", name, "--axis", axis), x.sum(axis), "i64")
            self.gives(("cumsum", name, "--axis", axis), x.cumsum(axis), "i64")
        self.gives(("cumsum", name), x.cumsum(), "i64")
        self.gives(("argmax", np.asfortranarray([[0, 0], [7, 7]])), 2, "i64")
        self.gives(("argmax", np.asfortranarray([[0, 0, 0], [2, 5, 3]]), "--axis", 1), [0, 1],
                   "i64")

    def test_views_are_packed_by_numpy(self):
        w = np.arange(6000.0).reshape(30, 100, 2)[::-1, :, 1]
        for array in (np.ascontiguousarray(w), np.asfortranarray(w)):
            self.gives(("sum", array), w.sum(), "f64")
            self.gives(("argmax", array), 99, "i64")
        y = ((np.arange(5000) * 7919) % 5003)[::-1]
        self.gives(("cummin", y), np.minimum.accumulate(y.copy()), "i64")

    def test_big_endian(self):
        for kind in ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"):
            x = (np.arange(11) * 3 - 7).astype(kind[0] + kind[1:])
            if kind[0] == "u":
                x = np.arange(11).astype(kind)
            big = x.astype(">" + kind)
            for array in (big, np.asfortranarray(np.stack([big, big]))):
                got = self.stored("sum", array)
                self.same(got, array.astype(got.dtype).sum())
            if kind[0] != "c":
                self.gives(("max", big), x.max(), self.answer("max", x)[0]["dtype"])

    def test_more_bytes_than_the_header_needs(self):
        self.gives(("sum", npy("<f4", (5,), DATA)), 10, "f32")  # numpy reads such a file too

    def test_unusual_names(self):
        for name in ("a b.npy", "[1,2].npy", "ü.npy", "sum", "x=y.npy"):
            self.gives(("sum", self.file(np.arange(4), name)), 6, "i64")
        self.file(np.arange(4), "--json")
        self.assertEqual(self.ok("sum", "--", "--json"), "6\n")

    def test_pipes(self):
        for name, data, words in (("p", npy("<f4", (6,), DATA, length=101), ()),
                                  ("q", DATA, ("--dtype", "f4"))):
            os.mkfifo(self.path(name))
            feeder = threading.Thread(target=self.file, args=(data, name))
            feeder.start()
            self.assertEqual(self.ok("sum", name, *words), "15.0\n")
            feeder.join()


class Bf16(Case):
    def test_sums_are_taken_in_f32(self):
        values = np.random.default_rng(2).normal(0, 1, 1000).astype(np.float32)
        bits = bf16(values)
        exact = (bits.astype(np.uint32) << 16).view(np.float32)
        for descr in ("<V2", "|V2", "bfloat16"):
            data = npy(descr, (1000,), bits.tobytes())
            _, total = self.answer("sum", data, "--dtype", "bf16")
            self.same(total, exact.sum(dtype=np.float64), 2**-8)
            self.gives(("max", data, "--dtype", "bf16"), exact.max(), "bf16")
            self.gives(("argmax", data, "--dtype", "bf16"), exact.argmax(), "i64")
        self.gives(("sum", npy("bfloat16", (4,), bits[:4].tobytes()), "--accumulate", "f64"),
                   exact[:4].sum(dtype=np.float64), "f64")
        ones = npy("<V2", (3000,), bf16(np.ones(3000, np.float32)).tobytes())
        got, total = self.answer("mean", ones, "--dtype", "bf16")
        self.assertEqual((got["dtype"], float(total)), ("bf16", 1.0))
        self.refuses(("sum", ones), "--dtype bf16")
        self.refuses(("sum", ones, "--dtype", "f16"))

    def test_results_can_be_read_again(self):
        bits = bf16(np.arange(1, 9, dtype=np.float32))
        name = self.file(npy("<V2", (2, 4), bits.tobytes()))
        self.ok("cumsum", name, "--dtype", "bf16", "--axis", 1, "--out", "o.npy")
        self.gives(("max", "o.npy", "--dtype", "bf16", "--axis", 1), [10, 26], "bf16")


class Raw(Case):
    def test_type_and_shape_are_told(self):
        x = np.arange(24, dtype=np.int16)
        name = self.file(x.tobytes(), "x.bin")
        for dtype in ("i16", "int16", "<i2", "i2"):
            self.gives(("sum", name, "--dtype", dtype), 276, "i64")
        for shape in ("4,6", "(4, 6)", "4, 6"):
            self.gives(("sum", name, "--dtype", "i16", "--shape", shape, "--axis", 0),
                       x.reshape(4, 6).sum(0), "i64")
        self.gives(("max", self.file(x.astype(">i2").tobytes(), "b.bin"), "--dtype", ">i2"), 23,
                   "i16")
        self.gives(("sum", self.file(x[:1].tobytes(), "s.bin"), "--dtype", "i16", "--shape", ""),
                   0, "i64")
        self.gives(("sum", self.file(b"", "e.bin"), "--dtype", "f32"), 0, "f32")

    def test_i8_has_one_byte_and_little_i8_has_eight(self):
        name = self.file(np.ones(16, np.int8).tobytes(), "x.bin")
        self.gives(("count", name, "--dtype", "i8"), 16, "i64")
        self.gives(("count", name, "--dtype", "<i8"), 2, "i64")

    def test_lengths_must_fit(self):
        name = self.file(bytes(20), "x.bin")
        self.refuses(("sum", name), "--dtype")
        self.refuses(("sum", name, "--dtype", "f64"), "whole number")
        self.refuses(("sum", name, "--dtype", "f32", "--shape", "6"), "--shape")
        self.refuses(("sum", name, "--dtype", "f32", "--shape", "2,2"), "--shape")
        self.refuses(("sum", name, "--dtype", "f32", "--shape", f"{2**62},4"), "64 bits")
        self.refuses(("sum", np.ones(3), "--shape", 3), "--shape")
        self.refuses(("sum", np.ones(3), "--dtype", "f32"), "f64")

    def test_standard_input(self):
        x = np.arange(30, dtype=np.float32)
        stream = {"input": x.tobytes()}
        for op, want in (("sum", 435), ("argmax", 29), ("minmax", [0, 29]), ("mean", 14.5)):
            self.same(self.answer(op, "-", "--dtype", "f32", **stream)[1], want)
        self.same(self.answer("sum", "-", "--dtype", "f32", "--keepdims", **stream)[1], [435])
        shaped = ("-", "--dtype", "f32", "--shape", "5,6")
        self.same(self.answer("sum", *shaped, "--keepdims", **stream)[1], [[435]])
        self.same(self.answer("sum", *shaped, "--axis", 1, **stream)[1], x.reshape(5, 6).sum(1))
        self.same(self.answer("cumsum", *shaped, "--axis", 0, **stream)[1],
                  x.reshape(5, 6).cumsum(0))
        self.same(self.answer("dot", "-", self.file(x), "--dtype", "f32", **stream)[1],
                  (x * x).sum())
        self.same(self.answer("sum", "-", "--dtype", "f32", "--init", 10, **stream)[1], 445)
        self.same(self.stored("max", "-", "--dtype", "f32", **stream), 29)
        big = x.astype(">f4").tobytes()
        self.same(self.answer("sum", "-", "--dtype", ">f4", input=big)[1], 435)
        self.refuses(("sum", "-"), "--dtype", **stream)
        self.refuses(("sum", "-", "--dtype", "f64", "--shape", "16"), "--shape", **stream)
        self.refuses(("sum", "-", "--dtype", "f32", "--shape", "29"), "more", **stream)
        self.refuses(("sum", "-", "--dtype", "f32"), "whole number", input=bytes(7))
        self.refuses(("min", "-", "--dtype", "f32"), input=b"")

    def test_a_long_stream_needs_little_memory(self):
        piece = np.ones(2**22, np.uint8).tobytes()

        def feed(pipe):
            for _ in range(100):
                pipe.write(piece)
            pipe.close()

        script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:]); "
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)")
        words = [sys.executable, "-c", script, self.program, "sum", "-", "--dtype", "u8"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            feeder = threading.Thread(target=feed, args=(run.stdin,))
            feeder.start()
            feeder.join()
            run.stdin = None
            output, errors = run.communicate()
        self.assertEqual(output, b"%d\n" % (100 * 2**22))
        self.assertLess(int(errors.split()[-1]), 300 * 1024)  # KiB, for 400 MiB of values
