# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The files of the project that the checks look at, and the project's root."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = (".hpp", ".h", ".cuh", ".cpp", ".cu", ".c")  # clang-format's and C++'s
SCRIPTS = (".py", ".cmake", ".txt", ".in", "")  # commented with #
SKIPPED = {"build", "__pycache__", "results"}


def files(*suffixes):
    """Every file below the root with one of these suffixes, sorted; "" stands for scripts."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in SKIPPED and (f[0] != "." or f == ".ci")]
        for name in names:
            path = pathlib.Path(folder, name)
            if path.suffix not in suffixes or name.startswith("."):
                continue
            if path.suffix == "" and not path.read_bytes().startswith(b"#!"):
                continue
            if path.suffix == ".txt" and name != "CMakeLists.txt":
                continue
            found.append(path)
    return sorted(found)


def name(path):
    """The path as it is printed: relative to the root."""
    return path.relative_to(ROOT).as_posix()
