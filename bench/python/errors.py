# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Errors of sums, in units of the last place, and the time of math.fsum beside the exact sum.

    errors.py [--json FILE] [--values N]

Each sum of the same values: one addition after the other, NumPy, PyTorch and CUB (through CuPy) on
the GPU where there is one, rung in the one order, rung exact. What a sum is off by is
math.fsum(values and the negative sum), which is rounded once.
"""

import argparse
import json
import math
import time

import numpy as np

import rung


def data_sets(n, dtype):
    random = np.random.default_rng(1)
    normal = lambda count: random.standard_normal(count)
    wide = np.exp(10 * normal(n))
    half = np.exp(10 * normal(n // 2))
    cancelling = np.concatenate([half, -half])
    cancelling[:100] = normal(100)
    random.shuffle(cancelling)
    for name, x in [("uniform", random.random(n)), ("N(0, 1)", normal(n)), ("exp(10 N)", wide),
                    ("exp(10 N) and its negatives, with few others", cancelling)]:
        yield name, x.astype(dtype)


def sums():
    """name: a function from a NumPy array to its sum, of the same type."""
    found = {"loop": lambda x: np.cumsum(x)[-1], "NumPy": np.sum}
    try:
        import torch

        place = "cuda" if torch.cuda.is_available() else "cpu"
        found[f"PyTorch {place}"] = lambda x: torch.from_numpy(x).to(place).sum().cpu().numpy()[()]
    except ImportError:
        pass
    try:
        import cupy
        from cupy.cuda import cub

        found["CUB"] = lambda x: cub.device_reduce(cupy.asarray(x), cub.CUPY_CUB_SUM, (0,), (),
                                                   None, False).get()[()]
    except ImportError:
        pass
    found["one order"] = rung.sum
    found["exact"] = lambda x: rung.sum(x, exact=True)
    return found


def error_of(got, values, dtype):
    """In units of the last place of the right result; values: a list."""
    right = dtype(math.fsum(values))
    return abs(math.fsum([*values, -float(got)])) / float(np.spacing(abs(right)))


def seconds(f, *args):
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        f(*args)
        times.append(time.perf_counter() - begin)
    return sorted(times)[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json")
    parser.add_argument("--values", type=int, default=10**7)
    given = parser.parse_args()
    of = sums()
    points = []
    print("values", *of, sep=" | ")
    for dtype in (np.float32, np.float64):
        for name, x in data_sets(given.values, dtype):
            values = x.tolist()
            errors = {who: error_of(total(x), values, dtype) for who, total in of.items()}
            points.append({"type": np.dtype(dtype).name, "values": name, "errors": errors})
            print(np.dtype(dtype).name, name, *(f"{e:.2g}" for e in errors.values()), sep=" | ")
    x = np.random.default_rng(2).standard_normal(given.values)
    listed = x.tolist()
    times = {"math.fsum of a list": seconds(math.fsum, listed),
             "math.fsum of an array": seconds(math.fsum, x),
             "rung, exact": seconds(lambda: rung.sum(x, exact=True)),
             "rung, exact, one thread": seconds(lambda: rung.sum(x, exact=True, threads=1)),
             "rung, one order": seconds(rung.sum, x), "NumPy": seconds(np.sum, x)}
    print({name: f"{1e3 * t:.3g} ms" for name, t in times.items()})
    if given.json:
        with open(given.json, "w") as file:
            json.dump({"values": given.values, "points": points, "seconds": times}, file, indent=1)


if __name__ == "__main__":
    main()
