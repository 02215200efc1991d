#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""generate.py K FILE.npy: 2^K f32 values in [-1/2, 1/2), the same on every machine.

Value i is the top 24 bits of a multiplicative hash of i: it looks random and needs no generator.
"""
import sys

import numpy as np

STEP = 1 << 22


def main():
    n = 1 << int(sys.argv[1])
    out = np.lib.format.open_memmap(sys.argv[2], mode="w+", dtype=np.float32, shape=(n,))
    for start in range(0, n, STEP):
        i = np.arange(start, min(start + STEP, n), dtype=np.uint64)
        i *= np.uint64(0x9E3779B97F4A7C15)
        i ^= i >> np.uint64(29)
        i *= np.uint64(0xBF58476D1CE4E5B9)
        out[start : start + i.size] = (i >> np.uint64(40)).astype(np.float32) / 2**24 - 0.5
    out.flush()


main()
