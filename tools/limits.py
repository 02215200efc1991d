#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Prints the size limits that keep the project readable, and fails where one is broken."""
import re
import statistics
import sys

import sources
from sources import ROOT, name

MAX_LINES, MAX_COLUMNS, MAX_MEDIAN, MAX_MACROS = 500, 100, 150, 10
MAX_HOPS, MAX_HOP_LINES = 4, 700
MACRO_HEADER = "include/rung/base/machine.hpp"
ARCH_FOLDERS = ("include/rung/base/", "include/rung/warp/")
SPDX = ("SPDX-FileCopyrightText: 2026 The rung authors", "SPDX-License-Identifier: Apache-2.0")

# Public call -> the files a reader opens in turn to get from the call to the instruction, space
# separated. Operators and index helpers are side trips, not hops.
CPU = "include/rung/cpu/"
WARP = "include/rung/warp/"
BLOCK = "include/rung/block/"
CLUSTER = "include/rung/cluster/"
HOPS = {
    "reduce(this_warp, v, op)": f"{WARP}reduce.cuh {WARP}lanes.cuh include/rung/base/cuda/warp.cuh",
    "inclusive_scan(this_warp, v, op)":
        f"{WARP}scan.cuh {WARP}sweep.cuh {WARP}lanes.cuh include/rung/base/cuda/warp.cuh",
    "reduce(this_block(s), v, op)":
        f"{BLOCK}reduce.cuh {WARP}reduce.cuh {WARP}lanes.cuh include/rung/base/cuda/warp.cuh",
    "inclusive_scan(this_block(s), x, op)":
        f"{BLOCK}scan.cuh {WARP}sweep.cuh {WARP}lanes.cuh include/rung/base/cuda/warp.cuh",
    "reduce(this_cluster(s), v, op)":
        f"{CLUSTER}reduce.cuh {CLUSTER}team.cuh {CLUSTER}group.cuh include/rung/base/cuda/copy.cuh",
    "reduce(cpu, x, op)": f"{CPU}reduce.hpp {CPU}run_reduce.hpp {CPU}generic.hpp",
    "inclusive_scan(cpu, x, y, op)": f"{CPU}scan.hpp {CPU}run_scan.hpp {CPU}generic_scan.hpp",
}


def text_of(path):
    return path.read_text(encoding="utf-8")


def comment_lines(path, lines):
    """How many lines are only a comment and how many are not blank; SPDX lines are neither."""
    comments = filled = 0
    inside = False
    for line in lines:
        line = line.strip()
        if not line or "SPDX-" in line:
            continue
        filled += 1
        if path.suffix not in sources.CODE:
            comments += line.startswith("#")
        elif inside or line.startswith("/*"):
            comments += 1
            inside = "*/" not in line
        else:
            comments += line.startswith("//")
    return comments, filled


def check_sizes(paths):
    for path in paths:
        lines = text_of(path).splitlines()
        if len(lines) > MAX_LINES:
            yield f"{name(path)}: {len(lines)} lines, at most {MAX_LINES}"
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_COLUMNS:
                yield f"{name(path)}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"


def check_headers(paths):
    for path in paths:
        lines = text_of(path).splitlines()
        start = 1 if lines and lines[0].startswith("#!") else 0
        for offset, want in enumerate(SPDX):
            line = lines[start + offset] if start + offset < len(lines) else ""
            if line.lstrip("/# ") != want:
                yield f"{name(path)}:{start + offset + 1}: this line must say {want}"


def check_macros(paths):
    """Macros that a header defines and leaves defined; a .cpp may do as it likes."""
    left = {}
    for path in paths:
        text = text_of(path)
        undefined = set(re.findall(r"^\s*#\s*undef\s+(\w+)", text, re.M))
        for macro in re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M):
            if macro not in undefined and not macro.startswith("HWY_"):
                left.setdefault(macro, path)
    print(f"macros: {len(left)} of at most {MAX_MACROS}: {' '.join(sorted(left))}")
    if len(left) > MAX_MACROS:
        yield f"{len(left)} macros, at most {MAX_MACROS}"
    for macro, path in sorted(left.items()):
        if name(path) != MACRO_HEADER:
            yield f"{name(path)}: defines {macro}; macros live in {MACRO_HEADER}"
        if not macro.startswith("RUNG_"):
            yield f"{name(path)}: {macro} does not start with RUNG_"


def check_arch(paths):
    for path in paths:
        if name(path).startswith(ARCH_FOLDERS):
            continue
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if re.match(r"\s*#\s*(el)?if.*__CUDA_ARCH__", line):
                yield f"{name(path)}:{number}: __CUDA_ARCH__ outside {' and '.join(ARCH_FOLDERS)}"


def included(path, seen=None):
    """Every header of the library that the file includes, directly or not."""
    seen = set() if seen is None else seen
    for found in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text_of(path), re.M):
        header = (path.parent / found).resolve()
        if header.exists() and header not in seen:
            seen.add(header)
            included(header, seen)
    return seen


def check_hops():
    print(f"hops, public call to instruction (at most {MAX_HOPS} files, {MAX_HOP_LINES} lines)")
    for call, chain in HOPS.items():
        paths = [ROOT / hop for hop in chain.split()]
        missing = [name(path) for path in paths if not path.exists()]
        if missing:
            yield f"{call}: no such file: {', '.join(missing)}"
            continue
        total = sum(len(text_of(path).splitlines()) for path in paths)
        print(f"  {len(paths)} files {total:4} lines  {call}: {chain}")
        if len(paths) > MAX_HOPS or total > MAX_HOP_LINES:
            yield f"{call}: too far: {len(paths)} files, {total} lines"
        reached = included(paths[0])
        for path in paths[1:]:
            if path.suffix != ".cpp" and path not in reached:
                yield f"{call}: {name(paths[0])} does not lead to {name(path)}"


def print_folders(paths):
    print("folder       files  lines median  max comments")
    folders = {}
    for path in paths:
        parts = name(path).split("/")
        folders.setdefault(parts[0] if len(parts) > 1 else ".", []).append(path)
    for folder, members in sorted(folders.items()):
        counts = [len(text_of(path).splitlines()) for path in members]
        ratios = [comment_lines(path, text_of(path).splitlines()) for path in members]
        comments, filled = map(sum, zip(*ratios))
        median = statistics.median(counts)
        share = 100 * comments / max(filled, 1)
        sizes = f"{len(counts):5} {sum(counts):6} {median:6g} {max(counts):4}"
        print(f"{folder:12} {sizes} {share:7.1f}%")
        if folder == "include" and median > MAX_MEDIAN:
            yield f"include/: median file has {median:g} lines, at most {MAX_MEDIAN}"


def main():
    code, scripts = sources.files(*sources.CODE), sources.files(*sources.SCRIPTS)
    public = [path for path in code if name(path).startswith("include/")]
    broken = [
        *print_folders(code + scripts),
        *check_sizes(code + scripts),
        *check_headers(code + scripts),
        *check_macros(public),
        *check_arch(code),
        *check_hops(),
    ]
    for line in broken:
        print("BROKEN", line)
    print(f"{len(broken)} limits broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
