#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Measures how the device rung could cut an array, and prints what include/rung/tune/ should say.

    tune.py build/cuda/bench/device_reduce        on a machine with the GPU in question

Per size of an f32 sum: the plan that tune/reduce.hpp chooses now, the fastest that was measured,
and what the choice loses. A loss of a few percent is noise.
"""
import re
import subprocess
import sys

LINE = re.compile(r"plan (\d+) (\w+) warps (\d+) log_groups (\d+) us ([\d.]+)( chosen)?")


def read_plans(text):
    """{size: [(us, plan, chosen), ...]}, fastest first"""
    plans = {}
    for size, kernel, warps, groups, us, chosen in LINE.findall(text):
        plan = f"{kernel}, {warps} warps, {1 << int(groups)} groups"
        plans.setdefault(int(size), []).append((float(us), plan, bool(chosen)))
    return {size: sorted(found) for size, found in sorted(plans.items())}


def table(plans):
    lines = [f"{'values':>11}  {'chosen now':38} {'us':>9}  {'fastest':38} {'us':>9}  loss"]
    for size, found in plans.items():
        best = found[0]
        now = next((plan for plan in found if plan[2]), None)
        chosen = f"{now[1]:38} {now[0]:9.2f}" if now else f"{'(not measured)':38} {'':9}"
        loss = f"{100 * (now[0] / best[0] - 1):3.0f} %" if now else ""
        lines.append(f"{size:11}  {chosen}  {best[1]:38} {best[0]:9.2f}  {loss}".rstrip())
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    run = subprocess.run([sys.argv[1], "--plans"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr or f"{sys.argv[1]} failed")
    print(table(read_plans(run.stdout)))


if __name__ == "__main__":
    main()
