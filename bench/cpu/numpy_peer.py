# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Times NumPy for the benchmarks: one JSON request per line in, seconds (or the version) out.

A request names verb, type, shape, axis (-1: the whole array), list (a file of 64-bit integers:
offsets of segments that are not empty, or ids) and repeats. Outputs are allocated
once, so that NumPy is not charged for page faults. f16 is summed in f32, as rung does.
"""
import json
import sys
import time

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32,
         "i64": np.int64}
SUMS = {"f16": np.float32, "f32": np.float32, "f64": np.float64, "i32": np.int64,
        "i64": np.int64}


def make_array(kind, shape):
    n = int(np.prod(shape))
    base = np.arange(min(n, 1 << 20), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    if kind in ("i32", "i64"):
        base = (base >> np.uint64(52)).astype(TYPES[kind]) - 2048
    else:
        base = ((base >> np.uint64(40)).astype(np.float32) / 2**24 - 0.5).astype(TYPES[kind])
    return np.resize(base, n).reshape(shape)


def make_call(verb, type, shape, axis, list):
    x = make_array(type, shape)
    axis = None if axis < 0 else axis
    wide = SUMS[type]
    if list:
        numbers = np.fromfile(list, np.int64)
    if verb == "bincount":
        return lambda: np.bincount(numbers, x)
    if verb.endswith(".reduceat"):
        begins = numbers[:-1]
        fold = np.add if verb.startswith("sum") else np.minimum
        kind = wide if fold is np.add else TYPES[type]
        out = np.zeros(begins.size, kind)
        return lambda: fold.reduceat(x, begins, dtype=kind, out=out)
    if verb == "sum" and axis is None:
        return lambda: x.sum(dtype=wide)
    if verb == "sum":
        out = np.zeros([n for k, n in enumerate(shape) if k != axis], wide)
        return lambda: x.sum(axis=axis, dtype=wide, out=out)
    out = np.zeros(x.size if axis is None else shape, wide)
    return lambda: x.cumsum(axis=axis, dtype=wide, out=out)


def main():
    known, call = None, None
    for line in sys.stdin:
        request = json.loads(line)
        if not request:
            print(np.__version__, flush=True)
            continue
        repeats = request.pop("repeats")
        if request != known:
            call = None  # frees the last arrays before the next ones are made
            known, call = dict(request), make_call(**request)
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        print(time.perf_counter() - start, flush=True)


main()
