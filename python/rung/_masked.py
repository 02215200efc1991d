# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""where=: values that a mask leaves out are skipped, exactly as skipna skips NaNs.

Floats that are left out become NaN for a skipping fold; results over a NaN that is kept are put
back to NaN. Integers that are left out become what changes nothing: 0, 1, the largest or the
smallest. Positions stay, so the bits are those of the same array with NaNs.
"""

from __future__ import annotations

import numpy as np

from . import _core, _libraries

_NAMES = "sum prod min max argmin argmax minmax mean var std norm dot vdot any all count logsumexp"
_OP = {_core.op_from_name(name): name for name in _NAMES.split()}
_IN_FLOATS = {"mean", "var", "std", "norm", "logsumexp"}  # f64 whatever the integers


def _no_op(op: str, dtype: np.dtype):
    """An integer or bool that changes nothing."""
    if op in ("prod", "all"):
        return True if dtype.kind == "b" else 1
    if op in ("min", "max"):
        if dtype.kind == "b":
            return op == "min"
        return np.iinfo(dtype).max if op == "min" else np.iinfo(dtype).min
    return 0


def reduce_where(code, x, where, axis, keepdims, dtype, accumulate, out, initial, skipna, ddof,
                 threads, exact=False):
    op = _OP[code]
    if op == "minmax":
        both = [
            reduce_where(_core.op_from_name(one), x, where, axis, keepdims, dtype, accumulate,
                         out, initial, skipna, ddof, threads)
            for one in ("min", "max")
        ]
        return both
    library = _libraries.of(x, out)
    if library is not _libraries.Numpy:
        raise TypeError("rung: where= takes NumPy arrays; x[where] does for whole arrays")
    x = library.take(x)[0]
    mask = np.asarray(where)
    if mask.dtype != bool:
        raise TypeError(f"rung: where must be a mask of bools, not {mask.dtype.name}")
    shape = np.broadcast_shapes(x.shape, mask.shape)
    x, mask = np.broadcast_to(x, shape), np.broadcast_to(mask, shape)

    def fold(code, values, skips, **how):
        return _core.reduce(
            code, values, None, axis, keepdims, how.get("dtype"), how.get("accumulate"),
            how.get("out"), how.get("initial"), skips, how.get("ddof", 0), threads,
            how.get("exact", False),
        )

    if op in ("min", "max") and initial is None and not np.all(
        fold(_core.op_from_name("any"), mask, False)
    ):
        raise ValueError(f"rung: {op} of no values: where leaves none; give initial=")
    how = dict(dtype=dtype, accumulate=accumulate, out=out, initial=initial, ddof=ddof,
               exact=exact)
    if x.dtype.kind in "biu" and op in _IN_FLOATS:
        x = x.astype(np.float64)
    if x.dtype.kind in "biu" or op in ("any", "all", "count"):
        if x.dtype.kind not in "biu":
            x, skipna = x != 0 if not skipna else (x != 0) & (x == x), False
        return fold(code, np.where(mask, x, x.dtype.type(_no_op(op, x.dtype))), skipna, **how)
    result = fold(code, np.where(mask, x, x.dtype.type(np.nan)), True, **how)
    if not skipna:
        kept = fold(_core.op_from_name("any"), np.isnan(x) & mask, False)
        if np.any(kept):
            if out is None:
                return np.where(kept, result.dtype.type(np.nan), result)[()]
            np.copyto(out, np.nan, where=kept)
    return result
