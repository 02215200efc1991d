#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Times calls of the Python package on arrays in GPU memory against PyTorch's, CuPy's and JAX's.

    gpu.py FILE.json [--largest N] [--seconds S]    measure, for at most so many seconds
    gpu.py FILE.json --plot FILE.svg                draw what is in FILE.json (matplotlib)

The time of a call is that of many calls one after the other and one wait for the GPU at the end: of
few values it is what the call costs the host, of many the GPU's work. Libraries take turns; a time
is the best of two. rung's arrays are PyTorch's tensors. JAX's functions are compiled. The limit
is a copy by PyTorch, bytes read and written. A peer that takes over 50 ms is called once.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
WHAT = ("sum", "argmax", "var", "logsumexp", "cumsum")
SHAPES = ((16, 1 << 24), (1024, 1 << 18), (1 << 14, 1 << 14), (1 << 18, 1024), (1 << 22, 64),
          (1 << 24, 16), (256, 1024, 1024))
LEAST = 0.006


class Rung:
    name = "rung"

    def __init__(self):
        import rung
        import torch

        self.torch, self.rung = torch, rung
        self.version = rung.__version__

    def array(self, shape):
        return self.torch.rand(shape, device="cuda")

    def call(self, what, x, axis):
        f = getattr(self.rung, what)
        return lambda: f(x, axis=axis)

    def wait(self, result):
        self.torch.cuda.synchronize()


class Torch(Rung):
    name = "torch"

    def __init__(self):
        super().__init__()
        self.version = self.torch.__version__

    def call(self, what, x, axis):
        f = getattr(self.torch, what)
        if axis is None:
            axis = 0
        return lambda: f(x, axis)


class Cupy:
    name = "cupy"

    def __init__(self):
        import cupy

        self.cupy, self.version = cupy, cupy.__version__

    def array(self, shape):
        self.cupy.get_default_memory_pool().free_all_blocks()
        return self.cupy.random.rand(*shape, dtype="float32")

    def call(self, what, x, axis):
        if what == "logsumexp":
            return None
        f = getattr(self.cupy, what)
        return lambda: f(x, axis=axis)

    def wait(self, result):
        self.cupy.cuda.get_current_stream().synchronize()


class Jax:
    name = "jax"

    def __init__(self):
        import jax

        self.jax, self.version = jax, jax.__version__

    def array(self, shape):
        return self.jax.random.uniform(self.jax.random.key(1), shape)

    def call(self, what, x, axis):
        jax = self.jax
        f = jax.scipy.special.logsumexp if what == "logsumexp" else getattr(jax.numpy, what)
        compiled = jax.jit(lambda x: f(x, axis=axis))
        return lambda: compiled(x)

    def wait(self, result):
        result.block_until_ready()


def time_of(library, f):
    """Seconds of one call, and whether it is a slow one."""
    library.wait(f())
    start = time.perf_counter()
    library.wait(f())
    once = time.perf_counter() - start
    if once > 0.05:
        return once, True
    count = max(3, int(LEAST / once))
    while True:
        start = time.perf_counter()
        for _ in range(count):
            result = f()
        library.wait(result)
        spent = time.perf_counter() - start
        if spent >= LEAST / 2 or count > 1 << 16:
            return spent / count, False
        count *= 2


def copy_limit(torch):
    x = torch.empty(1 << 28, device="cuda")
    y = torch.empty_like(x)
    best = math.inf
    for _ in range(20):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(5):
            y.copy_(x)
        torch.cuda.synchronize()
        best = min(best, (time.perf_counter() - start) / 5)
    return 2 * 4 * x.numel() / best / 1e9


def cases(largest):
    n = 1 << 10
    while n <= largest:
        for what in WHAT:
            yield what, (n,), None
        n <<= 2
    for shape in SHAPES:
        if math.prod(shape) <= largest:
            for axis in range(len(shape)):
                for what in ("sum", "cumsum"):
                    yield what, shape, axis


def measure(options):
    end = time.monotonic() + options.seconds
    libraries = []
    for kind in (Rung, Torch, Cupy, Jax):
        try:
            libraries.append(kind())
        except ImportError:
            pass
    torch = libraries[0].torch
    limit = copy_limit(torch)
    points: list[dict] = []
    result = {"machine": torch.cuda.get_device_name(0),
              "date": f"{datetime.datetime.now(datetime.timezone.utc):%F}",
              "command": "bench/python/gpu.py FILE",
              "versions": {"python": sys.version.split()[0],
                           **{library.name: library.version for library in libraries}},
              "points": points}
    kept: dict = {}
    for what, shape, axis in cases(options.largest):
        if time.monotonic() > end:
            break
        if kept.get("shape") != shape:
            kept.clear()
            kept["shape"] = shape
            torch.cuda.empty_cache()
            for library in libraries[1:]:
                kept[library.name] = library.array(shape)
            kept["rung"] = kept["torch"]
        calls = {library: library.call(what, kept[library.name], axis) for library in libraries}
        times: dict = {}
        for _ in range(2):
            for library, call in calls.items():
                known = times.get(library, (math.inf, False))
                if call is None or known[1]:
                    continue
                seconds, slow = time_of(library, call)
                times[library] = min(seconds, known[0]), slow
        us = {library.name: 1e6 * seconds for library, (seconds, _) in times.items()}
        ours = us.pop("rung")
        size = 4 * math.prod(shape) * (2 if what == "cumsum" else 1)
        name = what if axis is None else f"{what} axis {axis}"
        points.append({"family": "python_gpu", "what": name, "type": "f32", "shape": list(shape),
                       "ours_us": round(ours, 3), "bytes": size, "limit_gbs": round(limit, 1),
                       "peers": {peer: round(t, 3) for peer, t in us.items()}})
        print(f"{name:17} {str(shape):20} {ours:10.2f} us " + " ".join(
            f"{peer} {t / ours:.2f}" for peer, t in us.items()), flush=True)
        lines = ",\n".join("  " + json.dumps(point) for point in points)
        head = json.dumps({key: value for key, value in result.items() if key != "points"})
        pathlib.Path(options.file).write_text(f'{head[:-1]}, "points": [\n{lines}\n]}}\n')


def plot(options):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rung"})
    import matplotlib.pyplot as plt

    result = json.loads(pathlib.Path(options.file).read_text())
    figure, axes = plt.subplots(figsize=(7.2, 4.2))
    for what in WHAT:
        line = [(p["shape"][0], p["peers"]["torch"] / p["ours_us"]) for p in result["points"]
                if p["what"] == what and len(p["shape"]) == 1]
        if line:
            axes.loglog(*zip(*line), marker="o", markersize=3, label=what)
    axes.axhline(1, color="0.6", linewidth=1)
    axes.set(xlabel="float32 values", ylabel="PyTorch's time / rung's time")
    axes.set_title(f"{result['machine']}, {result['date']}", fontsize=9)
    axes.legend(frameon=False, ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(options.plot, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--largest", type=int, default=1 << 30)
    parser.add_argument("--seconds", type=float, default=150)
    parser.add_argument("--plot")
    options = parser.parse_args()
    plot(options) if options.plot else measure(options)
