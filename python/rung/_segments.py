# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Segments of a one-dimensional array: segment s is x[offsets[s]:offsets[s + 1]].

Offsets are integers that never fall, one more than there are segments; a wrong one is a ValueError
that names its index. A result depends on the values of its segment alone, bit for bit what the
reduction of them gives. Values before the first and behind the last segment belong to none. The
other arguments are those of the reductions and scans of whole arrays.
"""

from __future__ import annotations

from typing import Any

from . import _core, _general
from ._reductions import MinMax

__all__ = [
    "segment_sum", "segment_prod", "segment_min", "segment_max", "segment_argmin", "segment_argmax",
    "segment_mean", "segment_var", "segment_std", "segment_norm", "segment_any", "segment_all",
    "segment_count_nonzero", "segment_logsumexp", "segment_cumulative_sum",
    "segment_cumulative_prod", "segment_cummin", "segment_cummax", "segment_cumlogsumexp",
    "segment_minmax",
]


def _segmented(op, x, offsets, dtype, accumulate, out, initial, skipna, ddof, exclusive, threads,
             exact=False):
    return _general.segmented(_core.op_from_name(op), x, offsets, None, dtype, accumulate, out,
                              initial, skipna, ddof, exclusive, threads, exact)


def segment_sum(x, offsets, /, *, dtype=None, accumulate=None, initial=None, out=None,
                skipna: bool = False, exact: bool = False, threads: int = 0) -> Any:
    """The sum of every segment; 0 of an empty one.

    >>> rung.segment_sum(np.array([1, 2, 3, 4]), [0, 2, 2, 4])
    array([3, 0, 7])
    """
    return _segmented("sum", x, offsets, dtype, accumulate, out, initial, skipna, 0, False,
                      threads, exact)


def segment_prod(x, offsets, /, *, dtype=None, accumulate=None, initial=None, out=None,
                 skipna: bool = False, threads: int = 0) -> Any:
    """The product of every segment; 1 of an empty one."""
    return _segmented("prod", x, offsets, dtype, accumulate, out, initial, skipna, 0, False,
                      threads)


def segment_min(x, offsets, /, *, initial=None, out=None, skipna: bool = False,
                threads: int = 0) -> Any:
    """The smallest value of every segment; inf, or the largest integer, of an empty one."""
    return _segmented("min", x, offsets, None, None, out, initial, skipna, 0, False, threads)


def segment_max(x, offsets, /, *, initial=None, out=None, skipna: bool = False,
                threads: int = 0) -> Any:
    """The largest value of every segment; -inf, or the smallest integer, of an empty one."""
    return _segmented("max", x, offsets, None, None, out, initial, skipna, 0, False, threads)


def segment_argmin(x, offsets, /, *, out=None, skipna: bool = False, threads: int = 0) -> Any:
    """Where in its segment the smallest value first stands; -1 of an empty one."""
    return _segmented("argmin", x, offsets, None, None, out, None, skipna, 0, False, threads)


def segment_argmax(x, offsets, /, *, out=None, skipna: bool = False, threads: int = 0) -> Any:
    """Where in its segment the largest value first stands; -1 of an empty one."""
    return _segmented("argmax", x, offsets, None, None, out, None, skipna, 0, False, threads)


def segment_mean(x, offsets, /, *, dtype=None, accumulate=None, out=None, skipna: bool = False,
                 exact: bool = False, threads: int = 0) -> Any:
    """The mean of every segment; NaN of an empty one."""
    return _segmented("mean", x, offsets, dtype, accumulate, out, None, skipna, 0, False, threads,
                      exact)


def segment_var(x, offsets, /, *, dtype=None, ddof: float = 0, out=None, skipna: bool = False,
                exact: bool = False, threads: int = 0) -> Any:
    """The variance of every segment; NaN where ddof >= count."""
    return _segmented("var", x, offsets, dtype, None, out, None, skipna, ddof, False, threads,
                      exact)


def segment_std(x, offsets, /, *, dtype=None, ddof: float = 0, out=None, skipna: bool = False,
                exact: bool = False, threads: int = 0) -> Any:
    """The standard deviation of every segment."""
    return _segmented("std", x, offsets, dtype, None, out, None, skipna, ddof, False, threads,
                      exact)


def segment_norm(x, offsets, /, *, dtype=None, initial=None, out=None, skipna: bool = False,
                 exact: bool = False, threads: int = 0) -> Any:
    """The Euclidean norm of every segment; 0 of an empty one."""
    return _segmented("norm", x, offsets, dtype, None, out, initial, skipna, 0, False, threads,
                      exact)


def segment_any(x, offsets, /, *, out=None, skipna: bool = False, threads: int = 0) -> Any:
    """Whether a segment has a value that is not zero."""
    return _segmented("any", x, offsets, None, None, out, None, skipna, 0, False, threads)


def segment_all(x, offsets, /, *, out=None, skipna: bool = False, threads: int = 0) -> Any:
    """Whether a segment has no zero."""
    return _segmented("all", x, offsets, None, None, out, None, skipna, 0, False, threads)


def segment_count_nonzero(x, offsets, /, *, out=None, skipna: bool = False,
                          threads: int = 0) -> Any:
    """How many values of every segment are not zero."""
    return _segmented("count", x, offsets, None, None, out, None, skipna, 0, False, threads)


def segment_logsumexp(x, offsets, /, *, dtype=None, accumulate=None, initial=None, out=None,
                      skipna: bool = False, threads: int = 0) -> Any:
    """logsumexp of every segment; -inf of an empty one."""
    return _segmented("logsumexp", x, offsets, dtype, accumulate, out, initial, skipna, 0, False,
                      threads)


def segment_cumulative_sum(x, offsets, /, *, dtype=None, accumulate=None, initial=None,
                           exclusive: bool = False, out=None, skipna: bool = False,
                           exact: bool = False, threads: int = 0) -> Any:
    """Running sums that begin anew with every segment.

    >>> rung.segment_cumulative_sum(np.array([1, 2, 3, 4]), [0, 2, 4])
    array([1, 3, 3, 7])
    """
    return _segmented("cumsum", x, offsets, dtype, accumulate, out, initial, skipna, 0, exclusive,
                      threads, exact)


def segment_cumulative_prod(x, offsets, /, *, dtype=None, accumulate=None, initial=None,
                            exclusive: bool = False, out=None, skipna: bool = False,
                            threads: int = 0) -> Any:
    """Running products that begin anew with every segment."""
    return _segmented("cumprod", x, offsets, dtype, accumulate, out, initial, skipna, 0, exclusive,
                      threads)


def segment_cummin(x, offsets, /, *, initial=None, exclusive: bool = False, out=None,
                   skipna: bool = False, threads: int = 0) -> Any:
    """The smallest value so far in the segment."""
    return _segmented("cummin", x, offsets, None, None, out, initial, skipna, 0, exclusive, threads)


def segment_cummax(x, offsets, /, *, initial=None, exclusive: bool = False, out=None,
                   skipna: bool = False, threads: int = 0) -> Any:
    """The largest value so far in the segment."""
    return _segmented("cummax", x, offsets, None, None, out, initial, skipna, 0, exclusive, threads)


def segment_cumlogsumexp(x, offsets, /, *, dtype=None, accumulate=None, initial=None,
                         exclusive: bool = False, out=None, skipna: bool = False,
                         threads: int = 0) -> Any:
    """logsumexp of the values so far in the segment."""
    return _segmented("cumlogsumexp", x, offsets, dtype, accumulate, out, initial, skipna, 0,
                      exclusive, threads)


def segment_minmax(x, offsets, /, *, initial=None, skipna: bool = False,
                   threads: int = 0) -> MinMax:
    """The smallest and the largest value of every segment, in one pass."""
    both = _segmented("minmax", x, offsets, None, None, None, initial, skipna, 0, False, threads)
    return MinMax(both[0], both[1])
