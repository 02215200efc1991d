# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Scans: entry i is the fold of the values up to i, bit for bit what the reduction of them gives.

The arguments that they share, beside those of the reductions:

    axis             the axis to scan along; None: all values in C order, the result has one axis
    include_initial  the result is one longer: it begins (reverse: ends) with the initial value,
                     or the fold of nothing
    exclusive        entry i leaves value i out
    reverse          from the end: entry i is the fold of the last value, the one before, ..., i
    exact            (cumulative_sum) every entry as if added with infinite precision, rounded once
    out              where the entries go, any strides; may be x itself
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _libraries

__all__ = [
    "cumulative_sum", "cumulative_prod", "cummin", "cummax", "cumlogsumexp", "cumsum", "cumprod",
]

_CUMSUM, _CUMPROD, _CUMMIN, _CUMMAX, _CUMLOGSUMEXP = map(
    _core.op_from_name, ("cumsum", "cumprod", "cummin", "cummax", "cumlogsumexp")
)


def cumulative_sum(x, /, *, axis: int | None = None, dtype=None, include_initial: bool = False,
                   accumulate=None, out=None, initial=None, skipna: bool = False,
                   exclusive: bool = False, reverse: bool = False, exact: bool = False,
                   threads: int = 0) -> Any:
    """Running sums; the last is sum(x). Also under NumPy's name cumsum.

    >>> rung.cumulative_sum(np.array([5, 1, 2]), initial=50, exclusive=True)
    array([50, 55, 56])
    >>> rung.cumulative_sum(np.array([[1, 2], [3, 4]]), axis=0)
    array([[1, 2],
           [4, 6]])
    """
    if include_initial:
        return _with_initial(_CUMSUM, x, axis, dtype, accumulate, out, initial, skipna, exclusive,
                             reverse, threads, exact)
    return _core.scan(_CUMSUM, x, axis, dtype, accumulate, out, initial, skipna, exclusive, reverse,
                      threads, exact)


def cumulative_prod(x, /, *, axis: int | None = None, dtype=None, include_initial: bool = False,
                    accumulate=None, out=None, initial=None, skipna: bool = False,
                    exclusive: bool = False, reverse: bool = False, threads: int = 0) -> Any:
    """Running products; the last is prod(x). Also under NumPy's name cumprod.

    >>> rung.cumulative_prod(np.array([2, 3, 4], np.int8), include_initial=True)
    array([ 1,  2,  6, 24])
    """
    if include_initial:
        return _with_initial(_CUMPROD, x, axis, dtype, accumulate, out, initial, skipna, exclusive,
                             reverse, threads)
    return _core.scan(_CUMPROD, x, axis, dtype, accumulate, out, initial, skipna, exclusive,
                      reverse, threads, False)


def cummin(x, /, *, axis: int | None = None, include_initial: bool = False, out=None, initial=None,
           skipna: bool = False, exclusive: bool = False, reverse: bool = False,
           threads: int = 0) -> Any:
    """The smallest value so far; a NaN wins from where it stands on.

    >>> rung.cummin(np.array([0.3, 0.7, 0.1, 0.9]))
    array([0.3, 0.3, 0.1, 0.1])
    """
    if include_initial:
        return _with_initial(_CUMMIN, x, axis, None, None, out, initial, skipna, exclusive, reverse,
                             threads)
    return _core.scan(_CUMMIN, x, axis, None, None, out, initial, skipna, exclusive, reverse,
                      threads, False)


def cummax(x, /, *, axis: int | None = None, include_initial: bool = False, out=None, initial=None,
           skipna: bool = False, exclusive: bool = False, reverse: bool = False,
           threads: int = 0) -> Any:
    """The largest value so far; a NaN wins from where it stands on.

    >>> rung.cummax(np.array([3, 1, 7, 2]), reverse=True)
    array([7, 7, 7, 2])
    """
    if include_initial:
        return _with_initial(_CUMMAX, x, axis, None, None, out, initial, skipna, exclusive, reverse,
                             threads)
    return _core.scan(_CUMMAX, x, axis, None, None, out, initial, skipna, exclusive, reverse,
                      threads, False)


def cumlogsumexp(x, /, *, axis: int | None = None, dtype=None, include_initial: bool = False,
                 accumulate=None, out=None, initial=None, skipna: bool = False,
                 exclusive: bool = False, reverse: bool = False, threads: int = 0) -> Any:
    """logsumexp of the values so far.

    >>> rung.cumlogsumexp(np.array([-np.inf, 1000.0, 1000.0]))
    array([         -inf, 1000.        , 1000.69314718])
    """
    if include_initial:
        return _with_initial(_CUMLOGSUMEXP, x, axis, dtype, accumulate, out, initial, skipna,
                             exclusive, reverse, threads)
    return _core.scan(_CUMLOGSUMEXP, x, axis, dtype, accumulate, out, initial, skipna, exclusive,
                      reverse, threads, False)


cumsum, cumprod = cumulative_sum, cumulative_prod


def _with_initial(code, x, axis, dtype, accumulate, out, initial, skipna, exclusive, reverse,
                  threads, exact=False):
    """The exclusive scan of x and one value more, whose own entry nobody asks for: it is left out
    of every fold, so that entry 0 is the initial value and the last one the fold of all."""
    if exclusive:
        raise ValueError("rung: include_initial asks for what exclusive leaves out")
    if _libraries.of(x, out) is not _libraries.Numpy:
        raise TypeError("rung: include_initial= takes NumPy arrays")
    x = _libraries.Numpy.take(x)[0]
    if axis is None:
        x, axis = x.reshape(-1), 0
    if not -x.ndim <= axis < x.ndim:
        return _core.scan(code, x, axis, dtype, accumulate, None, initial, skipna, False, reverse,
                          threads, exact)  # raises
    shape = list(x.shape)
    shape[axis] += 1
    one_more = np.zeros((), x.dtype)
    form = _core.result_of(code, _libraries.Numpy.view(one_more), None, None, False, accumulate,
                           None, skipna, exact)
    if out is None:
        from . import _general

        kind = form[0] if dtype is None else _general.type_code(dtype)
        out = _libraries.Numpy.empty(tuple(shape), kind)
    elif out.shape != tuple(shape):
        raise ValueError(f"rung: the result has shape {tuple(shape)}, the output {out.shape}")
    lines = np.moveaxis(out, axis, -1)
    entries, end = lines[..., 1:], lines[..., :1]
    if reverse:
        entries, end = lines[..., :-1], lines[..., -1:]
    first = np.zeros((1,), x.dtype)
    start = _core.scan(code, first, 0, None, accumulate, None, initial, skipna, True, False,
                       threads, exact)
    _core.scan(code, x, axis, dtype, accumulate, np.moveaxis(entries, -1, axis), initial, skipna,
               False, reverse, threads, exact)
    end[...] = start
    return out
