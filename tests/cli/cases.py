#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""cases.py PROGRAM [PART...]: the command line from outside, one part per case_PART.py."""
import os
import sys
import unittest

from runner import Case

PARTS = ("numbers", "order", "shapes", "files", "options", "errors", "partials",
         "segments", "exact")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Case.program = os.path.abspath(sys.argv[1])
    names = [f"case_{part}" for part in sys.argv[2:] or PARTS]
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
