#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Adds the times of PyTorch, CuPy and JAX to the points of a device_reduce or device_scan run on
the same GPU.

    python_peers.py device_scan.json [--seconds 60] [--libraries torch,cupy,jax]

PyTorch: device time by graph replay, as the points themselves, with deterministic algorithms. CuPy:
events around 20 calls (5 of many values). JAX has no graphs to replay: a clock around as many calls
of a compiled function.
A library that is not there is left out. Reductions of some sizes of f32 and f16 only, because
compiling for each takes its time; sums of scans for all powers of four of f32, f64, i32 and f16. A
library gets so many seconds, its import not counted (which takes a minute where nothing is cached);
every figure is printed and is in the file as soon as it is known.
"""
import argparse
import json
import os
import statistics
import sys
import time

CALLS = 20
SIZES = (1 << 16, 1 << 20, 1 << 24, 1 << 28)
DTYPES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16",
          "i8": "int8", "i32": "int32", "i64": "int64"}


def calls_for(n):
    return CALLS if n <= 1 << 24 else 5


def torch_peers():
    import torch

    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False
    calls = {"sum": torch.sum, "max": torch.amax, "argmax": torch.argmax, "var": torch.var,
             "logsumexp": lambda v: torch.logsumexp(v, 0)}

    def measure(what, dtype, n):
        if what not in calls and what != "cumsum":
            return None
        kind = getattr(torch, DTYPES[dtype])
        size = torch.empty((), dtype=kind).element_size()
        slots = max(1, min((1 << 31) // (n * size), CALLS))
        x = torch.rand(slots, n, dtype=torch.float32, device="cuda").to(kind)
        y = torch.empty_like(x) if what == "cumsum" else None

        def call(i):
            if what == "cumsum":
                return torch.cumsum(x[i], 0, dtype=kind, out=y[i])
            return calls[what](x[i])

        run = lambda: [call(i % slots) for i in range(CALLS if slots > 1 else 5)]
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            run()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            kept = run()
        times = []
        for _ in range(9):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e3 / len(kept))
        return statistics.median(times)

    return "torch", torch.__version__, measure


def cupy_peers():
    import cupy

    def measure(what, dtype, n):
        calls = {"sum": cupy.sum, "max": cupy.amax, "argmax": cupy.argmax, "var": cupy.var,
                 "cumsum": cupy.cumsum}
        if what not in calls or dtype == "bf16":
            return None
        x = cupy.random.rand(n, dtype=cupy.float32).astype(DTYPES[dtype])
        out = cupy.empty_like(x) if what == "cumsum" else cupy.asarray(calls[what](x))
        times = []
        for _ in range(9):
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            for _ in range(calls_for(n)):
                calls[what](x, out=out) if what != "var" else calls[what](x)
            end.record()
            end.synchronize()
            times.append(cupy.cuda.get_elapsed_time(begin, end) * 1e3 / calls_for(n))
        return statistics.median(times)

    return "cupy", cupy.__version__, measure


def jax_peers():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def measure(what, dtype, n):
        calls = {"sum": jnp.sum, "max": jnp.max, "argmax": jnp.argmax, "var": jnp.var,
                 "logsumexp": jax.scipy.special.logsumexp,
                 "cumsum": lambda v: jnp.cumsum(v, dtype=v.dtype)}
        if what not in calls or (what != "cumsum" and dtype in ("f64", "i64")):
            return None
        x = jax.random.uniform(jax.random.key(1), (n,), jnp.float32).astype(DTYPES[dtype])
        f = jax.jit(calls[what])
        f(x).block_until_ready()
        times = []
        for _ in range(9):
            begin = time.perf_counter()
            for _ in range(calls_for(n)):
                result = f(x)
            result.block_until_ready()
            times.append((time.perf_counter() - begin) * 1e6 / calls_for(n))
        return statistics.median(times)

    return "jax", jax.__version__, measure


def write(path, result):
    lines = ",\n".join("  " + json.dumps(point) for point in result["points"])
    head = json.dumps({key: value for key, value in result.items() if key != "points"})
    with open(path + ".new", "w") as file:
        file.write(head[:-1] + ',\n "points": [\n' + lines + "\n]}\n")
    os.replace(path + ".new", path)


def name_of(point):
    scan = point["family"] == "device_scan"
    return "cumsum" if scan and point["what"] == "sum" else "" if scan else point["what"]


def compared(point):
    n = point["shape"][0]
    if point["family"] == "device_scan":
        return (name_of(point) == "cumsum" and point["type"] in ("f32", "f64", "i32", "f16")
                and n & (n - 1) == 0 and n <= 1 << 30)
    return (point["what"] in ("sum", "max", "argmax", "var", "logsumexp")
            and point["type"] in ("f32", "f16") and point["shape"][0] in SIZES)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--libraries", default="torch,cupy,jax")
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
        for point in filter(compared, result["points"]):
            what = f"{name} {name_of(point)} {point['type']} {point['shape'][0]}"
            if time.monotonic() - begin > options.seconds:
                print(f"{what} and what follows: no time left", flush=True)
                break
            try:
                us = measure(name_of(point), point["type"], point["shape"][0])
            except Exception as problem:
                print(f"{what}: {problem}", flush=True)
                continue
            if us is not None:
                point["peers"][name] = round(us, 3)
                print(f"{what}: {us:.2f} us, {us / point['ours_us']:.2f} of ours", flush=True)
                write(options.path, result)


if __name__ == "__main__":
    main()
