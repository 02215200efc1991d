# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""rung: folds and scans of arrays at the speed of memory, with the same bits everywhere.

The names are those of the array API standard and of NumPy. A float result depends on the values
and their number alone: any number of threads, any strides, any cut into partials give the same
bits, and a running sum ends with the sum.

>>> import numpy as np, rung
>>> x = np.linspace(0, 1, 10_001, dtype=np.float32)
>>> rung.sum(x) == rung.cumulative_sum(x)[-1]
np.True_
"""

from . import _core
from ._groups import *  # noqa: F403
from ._operator import Operator, get_include, reduce, scan
from ._partial import Partial, merge
from ._recurrence import linear_recurrence
from ._reductions import *  # noqa: F403
from ._scans import *  # noqa: F403
from ._segments import *  # noqa: F403
from ._several import several
from . import _groups, _reductions, _scans, _segments

_core.prepare()
__version__: str = _core.version


def machine() -> str:
    """What this build and this machine compute with, as lines for people."""
    return _core.machine()


__all__ = [
    "Operator", "Partial", "get_include", "linear_recurrence", "machine", "merge", "reduce", "scan",
    "several",
    *_groups.__all__, *_reductions.__all__, *_scans.__all__, *_segments.__all__,
]
