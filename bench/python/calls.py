#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Times calls of the Python package against NumPy's, from tiny arrays, where a call is overhead, to
large ones, where it is memory.

    calls.py FILE.json [--largest N] [--quick]    measure
    calls.py FILE.json --plot FILE.svg            draw what is in FILE.json (matplotlib)

Both are timed in turns on the same arrays; a time is the best of several runs of many calls.
"""
import argparse
import datetime
import json
import math
import pathlib
import platform
import sys
import time

import numpy as np

TURNS = 5


def seconds(f, least):
    """Time of one call: as many calls as take `least` seconds."""
    count, spent = 1, 0.0
    while True:
        start = time.perf_counter()
        for _ in range(count):
            f()
        spent = time.perf_counter() - start
        if spent >= least or count >= 1 << 20:
            return spent / count
        count = max(count + 1, min(count * 8, int(count * 1.2 * least / max(spent, 1e-9))))


def in_turns(ours, peer, least, turns):
    best = [math.inf, math.inf]
    for _ in range(turns):
        for k, f in enumerate((ours, peer)):
            best[k] = min(best[k], seconds(f, least))
    return best


def cases(largest, rung):
    n = 100
    while n <= largest:
        x = np.random.default_rng(1).standard_normal(n, np.float32)
        for name in ("sum", "max", "argmax", "mean", "var", "cumsum"):
            yield name, (n,), 8 * n if name == "cumsum" else 4 * n, getattr(rung, name), \
                getattr(np, name), (x,), {}
        n *= 10
    side = math.isqrt(min(largest, 10**8))
    for shape in ((side, side), (100, side * side // 100), (side * side // 10, 10)):
        x = np.random.default_rng(1).standard_normal(shape, np.float32)
        for axis in (0, 1):
            for name in ("sum", "max", "cumsum"):
                yield f"{name} axis {axis}", shape, x.nbytes * (2 if name == "cumsum" else 1), \
                    getattr(rung, name), getattr(np, name), (x,), {"axis": axis}


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = next((line.split(":")[1].strip() for line in text.splitlines()
                  if line.startswith("model name")), platform.machine())
    return f"{model}, {text.count('processor	')} cores"


def measure(options):
    import rung

    points: list[dict] = []
    result = {"machine": machine(), "date": f"{datetime.datetime.now(datetime.timezone.utc):%F}",
              "command": "bench/python/calls.py " + " ".join(sys.argv[1:]),
              "versions": {"rung": rung.__version__, "numpy": np.__version__,
                           "python": platform.python_version()}, "points": points}
    for what, shape, size, ours, peer, args, how in cases(options.largest, rung):
        least = 0.002 if options.quick else 0.02
        turns = TURNS if size < 10**9 else 2
        a, b = in_turns(lambda: ours(*args, **how), lambda: peer(*args, **how), least, turns)
        points.append({"family": "python", "what": what, "type": "f32", "shape": list(shape),
                       "ours_us": a * 1e6, "bytes": size, "limit_gbs": 0.0,
                       "peers": {"NumPy": b * 1e6}})
        print(f"{what:14} {str(shape):18} {a * 1e6:12.2f} us {size / a / 1e9:8.1f} GB/s   NumPy "
              f"{b / a:.2f}", flush=True)
        pathlib.Path(options.file).write_text(json.dumps(result, indent=1) + "\n")


def plot(options):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rung"})
    import matplotlib.pyplot as plt

    result = json.loads(pathlib.Path(options.file).read_text())
    figure, axes = plt.subplots(figsize=(7.2, 4.2))
    lines = {}
    for p in result["points"]:
        if len(p["shape"]) == 1:
            point = p["shape"][0], p["peers"]["NumPy"] / p["ours_us"]
            lines.setdefault(p["what"], []).append(point)
    for name, line in lines.items():
        axes.loglog(*zip(*line), marker="o", markersize=3, label=name)
    axes.axhline(1, color="0.6", linewidth=1)
    axes.set(xlabel="float32 values", ylabel="NumPy's time / rung's time")
    axes.set_title(f"{result['machine']}, {result['date']}", fontsize=9)
    axes.legend(frameon=False, ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(options.plot, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--largest", type=int, default=10**8)
    parser.add_argument("--quick", action="store_true", help="a tenth of the time, noisier")
    parser.add_argument("--plot")
    options = parser.parse_args()
    plot(options) if options.plot else measure(options)
