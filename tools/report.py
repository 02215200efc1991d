#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Prints what is in bench/results/.

    report.py [FOLDER|FILE.json ...] [--summary]    default: all of bench/results
    report.py --machine-name                        this machine's folder name

Per family: the points (time, GB/s, fraction of the limit measured in the same run), then for each
peer the worst and the geometric mean of peer time / our time, then the worst and best fraction.
"""
import argparse
import json
import math
import os
import pathlib
import re
import sys

from sources import ROOT

KEYS = {"family", "what", "type", "shape", "ours_us", "bytes", "limit_gbs", "peers"}


def machine_name():
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)$", info, re.M)
    number = re.search(r"^model\s*: (\d+)$", info, re.M)
    text = f"{model[1] if model else 'cpu'} {number[1] if number else ''} {os.cpu_count()}-cores"
    text = re.sub(r"\((R|TM)\)|\b(CPU|Processor)\b|@.*?Hz", " ", text, flags=re.I)
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def load(path):
    result = json.loads(path.read_text())
    missing = {"machine", "date", "command", "versions", "points"} - result.keys()
    for point in result["points"]:
        missing |= KEYS - point.keys()
    if missing:
        sys.exit(f"{path}: no {', '.join(sorted(missing))}")
    return result


def gbs(point):
    return point["bytes"] / point["ours_us"] / 1e3


def fraction(point):
    return gbs(point) / point["limit_gbs"] if point["limit_gbs"] else None


def label(point):
    shape = "x".join(str(n) for n in point["shape"])
    return f"{point['what']} {point['type']} {shape}"


def percent(share):
    return "" if share is None else f"{100 * share:.0f}%"


def print_points(points):
    print(f"  {'point':44} {'us':>12} {'GB/s':>8} {'limit':>6}  peer time / our time")
    for point in points:
        ratios = {name: us / point["ours_us"] for name, us in point["peers"].items()}
        peers = "  ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
        cells = f"{point['ours_us']:12.3f} {gbs(point):8.1f} {percent(fraction(point)):>6}"
        print(f"  {label(point):44} {cells}  {peers}")


def print_summary(points):
    ratios = {}
    for point in points:
        for name, us in point["peers"].items():
            ratios.setdefault(name, []).append((us / point["ours_us"], label(point)))
    for name, found in ratios.items():
        worst, where = min(found)
        mean = math.exp(sum(math.log(ratio) for ratio, _ in found) / len(found))
        print(f"  vs {name:24} geometric mean {mean:6.2f}x  worst {worst:6.2f}x ({where})")
    shares = [(fraction(point), label(point)) for point in points if fraction(point) is not None]
    if shares:
        (low, where_low), (high, where_high) = min(shares), max(shares)
        best = f"best {percent(high)} ({where_high})"
        print(f"  of the limit: worst {percent(low)} ({where_low}), {best}")


def main():
    parser = argparse.ArgumentParser(description="Prints benchmark results.")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, default=[ROOT / "bench/results"])
    parser.add_argument("--machine-name", action="store_true", help="print this machine's folder")
    parser.add_argument("--summary", action="store_true", help="leave the single points out")
    options = parser.parse_args()
    if options.machine_name:
        return print(machine_name())
    found = 0
    for top in options.paths:
        for path in [top] if top.is_file() else sorted(top.glob("**/*.json")):
            result = load(path)
            families = {}
            for point in result["points"]:
                families.setdefault(point["family"], []).append(point)
            for family, points in families.items():
                found += 1
                versions = ", ".join(f"{name} {text}" for name, text in result["versions"].items())
                print(f"{family}: {result['machine']}, {result['date']}")
                print(f"  {result['command']}  ({versions})")
                if not options.summary:
                    print_points(points)
                print_summary(points)
                print()
    if not found:
        sys.exit("no results; ./dev bench makes them")


if __name__ == "__main__":
    main()
