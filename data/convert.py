#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""convert.py ASTROPY_IERS_DATA.whl DAY_LENGTH.npy: the LOD column of its eopc04 table, as f64."""
import sys
import zipfile

import numpy as np

with zipfile.ZipFile(sys.argv[1]) as wheel:
    text = wheel.read("astropy_iers_data/data/eopc04.1962-now").decode()
rows = [line for line in text.splitlines() if line and not line.startswith("#")]
days = np.array([float(row[16:26]) for row in rows])
assert (np.diff(days) == 1).all(), "a day is missing"
np.save(sys.argv[2], np.array([float(row[110:122]) for row in rows]))
