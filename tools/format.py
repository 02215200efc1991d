#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""format.py [--check]: clang-format every C++, CUDA and C source, or say which would change.

Releases of clang-format disagree about details, so only the pinned one is used; without it the
check is skipped (exit code 77).
"""
import re
import shutil
import subprocess
import sys

import sources

PINNED = 14


def pinned_clang_format():
    for program in (f"clang-format-{PINNED}", "clang-format"):
        if shutil.which(program):
            version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {PINNED}\.", version):
                return program
    return None


def main():
    program = pinned_clang_format()
    if program is None:
        print(f"clang-format {PINNED} is not installed")
        return 77
    files = sources.files(*sources.CODE)
    if "--check" not in sys.argv[1:]:
        return subprocess.run([program, "-i", "--style=file", *files]).returncode
    wrong = 0
    for path in files:
        command = [program, "--dry-run", "-Werror", "--ferror-limit=1", "--style=file", path]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            wrong += 1
            place = re.search(r":(\d+):\d+: ", result.stderr)
            print(f"{sources.name(path)}:{place[1] if place else '?'}: not as clang-format has it")
    print(f"{wrong} of {len(files)} files to format (./dev format)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
