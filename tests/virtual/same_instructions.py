#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""same_instructions.py INCLUDE: a kernel in the vocabulary has the instructions of the same kernel
written by hand. Compares machine code where there is a cuobjdump: the same operations in the same
order. Otherwise PTX, before the last optimizations: no more operations, and no other ones. Exit
code 77 where there is no nvcc."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("same_instructions.cu")


def find(tool):
    return shutil.which(tool) or shutil.which(tool, path="/usr/local/cuda/bin")


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def machine_code(nvcc, cuobjdump, include, folder):
    """Kernel -> its operations in order, NOPs at the end left out."""
    cubin = f"{folder}/kernels.cubin"
    output(nvcc, "-std=c++20", "-arch=sm_90a", "-cubin", f"-I{include}", "-o", cubin, str(SOURCE))
    kernels = {}
    for line in output(cuobjdump, "-sass", cubin).splitlines():
        if name := re.search(r"Function : (\w+)", line):
            current = kernels.setdefault(name[1], [])
        elif found := re.match(r"\s+/\*\w{4}\*/\s+(?:@!?U?P\d+ )?([\w.]+)", line):
            if found[1] != "NOP":
                current.append(found[1])
    return kernels


def ptx(nvcc, include, folder):
    """Kernel -> the operations of its PTX that are more than a name for something."""
    path = f"{folder}/kernels.ptx"
    output(nvcc, "-std=c++20", "-arch=sm_90a", "-ptx", f"-I{include}", "-o", path, str(SOURCE))
    text = pathlib.Path(path).read_text()
    moves = ("mov", "cvta", "ld.param")
    return {
        name: [
            op.removesuffix(".uni")
            for op in re.findall(r"^\s+(?:@!?%p\d+ )?([a-z][\w.:]*)\s", body, re.M)
            if not op.startswith(moves)
        ]
        for name, body in re.findall(r"\.entry (\w+)\(.*?\n\{\n(.*?)\n\}\n", text, re.S)
    }


def main():
    nvcc, cuobjdump = find("nvcc"), find("cuobjdump")
    if nvcc is None:
        print("no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        if cuobjdump is None:
            kernels = ptx(nvcc, sys.argv[1], folder)
        else:
            kernels = machine_code(nvcc, cuobjdump, sys.argv[1], folder)
    different = 0
    for name in sorted(kernels):
        if not name.startswith("words_"):
            continue
        words, hand = kernels[name], kernels[name.replace("words_", "hand_")]
        print(f"{name}: {len(words)} instructions, by hand {len(hand)}")
        fewer = len(words) <= len(hand) and set(words) <= set(hand)
        same = fewer if cuobjdump is None else words == hand
        if not same:
            different += 1
            print("  " + " ".join(words) + "\n  " + " ".join(hand))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
