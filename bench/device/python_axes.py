#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Adds the times of PyTorch, CuPy and JAX to the points of a device_axes run on the same GPU.

    python_axes.py axes.json [--seconds 60] [--libraries torch,cupy,jax] [--what sum,cumsum]

Device time between two events around a call, the median of three after one that is not counted; for
JAX, whose results come from a compiled function, a clock around it. Transposed: an array in C order
seen through its transpose, as the points are. A library gets so many seconds, its import not
counted; every figure is in the file as soon as it is known.
"""
import argparse
import json
import os
import re
import statistics
import time

DTYPES = {"f32": "float32", "f16": "float16"}
POINT = re.compile(r"(\w+) (?:over|along) ([\d,]+)(, transposed)?$")


def torch_peers():
    import torch

    kept = {}
    calls = {
        "sum": lambda x, axes: torch.sum(x, axes),
        "var": lambda x, axes: torch.var(x, axes),
        "logsumexp": lambda x, axes: torch.logsumexp(x, axes),
        "argmax": lambda x, axes: torch.argmax(x, axes[0]) if len(axes) == 1 else None,
        "cumsum": lambda x, axes: torch.cumsum(x, axes[0]),
    }

    def measure(what, dtype, shape, axes, transposed):
        if what not in calls:
            return None
        lies = tuple(reversed(shape)) if transposed else tuple(shape)
        if kept.get("key") != (lies, dtype):
            kept.clear()
            kept["x"] = torch.rand(lies, dtype=torch.float32, device="cuda").to(
                getattr(torch, DTYPES[dtype]))
            kept["key"] = (lies, dtype)
        x = kept["x"].permute(*reversed(range(len(lies)))) if transposed else kept["x"]
        times = []
        for turn in range(4):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            result = calls[what](x, axes)
            end.record()
            end.synchronize()
            if result is None:
                return None
            del result
            us = begin.elapsed_time(end) * 1e3
            if turn > 0 or us > 2e5:
                times.append(us)
            if us > 2e5:  # far off: once is enough
                break
        return statistics.median(times)

    return "torch", torch.__version__, measure


def cupy_peers():
    import cupy

    kept = {}
    calls = {
        "sum": lambda x, axes: cupy.sum(x, axis=axes),
        "var": lambda x, axes: cupy.var(x, axis=axes),
        "argmax": lambda x, axes: cupy.argmax(x, axis=axes[0]) if len(axes) == 1 else None,
        "cumsum": lambda x, axes: cupy.cumsum(x, axis=axes[0]),
    }

    def measure(what, dtype, shape, axes, transposed):
        if what not in calls:
            return None
        lies = tuple(reversed(shape)) if transposed else tuple(shape)
        if kept.get("key") != (lies, dtype):
            kept.clear()
            cupy.get_default_memory_pool().free_all_blocks()
            kept["x"] = cupy.random.rand(*lies, dtype=cupy.float32).astype(DTYPES[dtype])
            kept["key"] = (lies, dtype)
        x = kept["x"].T if transposed else kept["x"]
        times = []
        for turn in range(4):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            result = calls[what](x, axes)
            end.record()
            end.synchronize()
            if result is None:
                return None
            del result
            us = cupy.cuda.get_elapsed_time(begin, end) * 1e3
            if turn > 0 or us > 2e5:
                times.append(us)
            if us > 2e5:
                break
        return statistics.median(times)

    return "cupy", cupy.__version__, measure


def jax_peers():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp

    kept = {}
    calls = {"sum": jnp.sum, "var": jnp.var, "logsumexp": jax.scipy.special.logsumexp}

    def measure(what, dtype, shape, axes, transposed):
        if what not in calls:
            return None
        lies = tuple(reversed(shape)) if transposed else tuple(shape)
        if kept.get("key") != (lies, dtype):
            kept.clear()
            kept["x"] = jax.random.uniform(jax.random.key(1), lies).astype(DTYPES[dtype])
            kept["key"] = (lies, dtype)
        f = jax.jit(lambda x: calls[what](x.T if transposed else x, axis=axes))
        f(kept["x"]).block_until_ready()
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            for _ in range(5):
                result = f(kept["x"])
            result.block_until_ready()
            times.append((time.perf_counter() - begin) * 1e6 / 5)
        return statistics.median(times)

    return "jax", jax.__version__, measure


def write(path, result):
    lines = ",\n".join("  " + json.dumps(point) for point in result["points"])
    head = json.dumps({key: value for key, value in result.items() if key != "points"})
    with open(path + ".new", "w") as file:
        file.write(head[:-1] + ',\n "points": [\n' + lines + "\n]}\n")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--libraries", default="torch,cupy,jax")
    parser.add_argument("--what", default="sum,cumsum,argmax,var,logsumexp")
    options = parser.parse_args()
    with open(options.path) as file:
        result = json.load(file)
    makers = {"torch": torch_peers, "cupy": cupy_peers, "jax": jax_peers}
    for library in options.libraries.split(","):
        begin = time.monotonic()
        try:
            name, version, measure = makers[library]()
        except Exception as problem:  # not installed, or no GPU for it
            print(f"{library}: {problem}", flush=True)
            continue
        print(f"{name} {version}, imported in {time.monotonic() - begin:.0f} s", flush=True)
        result["versions"][name] = version
        begin = time.monotonic()
        for point in result["points"]:
            what, axes, transposed = POINT.match(point["what"]).groups()
            if what not in options.what.split(","):
                continue
            text = f"{name} {point['what']} {point['type']} {point['shape']}"
            if time.monotonic() - begin > options.seconds:
                print(f"{text} and what follows: no time left", flush=True)
                break
            try:
                us = measure(what, point["type"], point["shape"],
                             tuple(int(a) for a in axes.split(",")), bool(transposed))
            except Exception as problem:
                print(f"{text}: {str(problem)[:200]}", flush=True)
                continue
            if us is not None:
                point["peers"][name] = round(us, 3)
                print(f"{text}: {us:.2f} us, {us / point['ours_us']:.2f} of ours", flush=True)
        write(options.path, result)


if __name__ == "__main__":
    main()
