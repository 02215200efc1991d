# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""several: many reductions of one array while it passes through memory once.

The array is cut into pieces that fit the cache; every operation folds a piece before the next one
is read. Whole arrays are joined from partials, results along axes come piece by piece. So every
result has the bits that the reduction alone has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _libraries, _reductions
from ._partial import Partial

_PIECE_BYTES = 1 << 21  # two of them fit the L2 of most cores, and starting threads does not show
_NAMES = frozenset(("sum prod min max argmin argmax minmax mean var std norm any all "
                    "count_nonzero logsumexp").split())


def several(x, ops: str | Iterable[str], /, *, axis: _reductions.Axis = None,
            keepdims: bool = False, skipna: bool = False, ddof: float = 0,
            threads: int = 0) -> dict[str, Any]:
    """Several reductions of x in one pass over memory: {name: result}, in the order asked for.

    ops is a list of names, or one text with spaces between them. ddof is that of var and std.

    >>> rung.several(np.array([2.0, 4.0, 9.0]), "sum min mean")
    {'sum': np.float64(15.0), 'min': np.float64(2.0), 'mean': np.float64(5.0)}
    """
    names = ops.split() if isinstance(ops, str) else list(ops)
    for name in names:
        if name not in _NAMES:
            raise ValueError(f"rung: several knows no {name!r}; there are "
                             + " ".join(sorted(_NAMES)))
    how: dict[str, dict[str, Any]] = {
        name: {"skipna": skipna, "threads": threads} for name in names}
    for name in how.keys() & {"var", "std"}:
        how[name]["ddof"] = ddof

    def fold(name, x):
        return getattr(_reductions, name)(x, axis=axis, keepdims=keepdims, **how[name])

    library = _libraries.of(x)
    x, view = library.take(x)
    is_large = isinstance(view, np.ndarray) and view.nbytes > 2 * _PIECE_BYTES
    if not is_large or library is not _libraries.Numpy:
        return {name: fold(name, x) for name in names}
    reduced = _reduced_axes(axis, x.ndim)
    kept = [d for d in range(x.ndim) if d not in reduced]
    if kept:
        along = max(kept, key=lambda d: x.shape[d])
        lines = max(1, _PIECE_BYTES * x.shape[along] // x.nbytes)
        pieces = [slice(i, i + lines) for i in range(0, x.shape[along], lines)]
        parts: dict[str, list[Any]] = {name: [] for name in names}
        for piece in pieces:
            for name in names:
                parts[name].append(fold(name, x[(slice(None),) * along + (piece,)]))
        place = along if keepdims else kept.index(along)
        return {name: _joined(parts[name], place) for name in names}
    if not x.flags.c_contiguous:
        return {name: fold(name, x) for name in names}
    line = x.reshape(-1)
    partials = {
        name: Partial(name, dtype=x.dtype, skipna=skipna, ddof=ddof if "ddof" in how[name] else 0)
        for name in names
    }
    length = max(1, _PIECE_BYTES // x.itemsize)
    for i in range(0, line.size, length):
        for partial in partials.values():
            partial.append(line[i : i + length])
    shape = (1,) * x.ndim if keepdims else ()
    return {name: _shaped(partial.value, shape) for name, partial in partials.items()}


def _reduced_axes(axis, ndim: int) -> set[int]:
    if axis is None:
        return set(range(ndim))
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    return {d % ndim for d in axes if -ndim <= d < ndim}  # a wrong one is the fold's to refuse


def _joined(parts, place: int):
    if isinstance(parts[0], _reductions.MinMax):
        return _reductions.MinMax(*(np.concatenate(list(p), place) for p in zip(*parts)))
    return np.concatenate(parts, place)


def _shaped(value, shape):
    if isinstance(value, _reductions.MinMax):
        return _reductions.MinMax(*(_shaped(v, shape) for v in value))
    return np.asarray(value).reshape(shape) if shape else value
