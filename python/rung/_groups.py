# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Groups of equal keys: x[i] belongs to the group of keys[i], wherever that key stands.

Results come sorted by key, NaN last (and equal to itself). With runs=True every run of equal
neighbouring keys is a group of its own, in the order of the runs. The values of a group are folded
in the order in which they stand, so a result has the bits of the reduction of x[keys == key]. The
other arguments are those of the reductions of whole arrays. Keys in GPU memory are copied to the
host, where groups are found, which waits for the GPU; their values are folded where they lie.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core, _general, _libraries
from ._reductions import MinMax

__all__ = [
    "Groups", "group_sum", "group_prod", "group_min", "group_max", "group_argmin", "group_argmax",
    "group_mean", "group_var", "group_std", "group_norm", "group_any", "group_all",
    "group_count_nonzero", "group_logsumexp", "group_minmax",
]


class Groups(NamedTuple):
    """The key of every group, and its result."""

    keys: Any
    values: Any


def _grouped(op, keys, x, runs, dtype, accumulate, initial, skipna, ddof, exclusive, threads,
             exact=False):
    keys_library, library = _libraries.of(keys), _libraries.of(x)
    keys, k = keys_library.take(keys)
    x, _ = library.take(x)
    if keys.ndim != 1 or keys.shape != x.shape:
        raise ValueError(
            f"rung: keys and values lie in one-dimensional arrays of one length, not of shapes "
            f"{tuple(keys.shape)} and {tuple(x.shape)}"
        )
    if keys_library.on_gpu:
        k = keys_library.to_host(keys)
    of_each, offsets, order = _core.group(k, not runs, threads)
    values = _general.segmented(_core.op_from_name(op), x, offsets, order, dtype, accumulate, None,
                                initial, skipna, ddof, exclusive, threads, exact)
    return Groups(keys_library.from_numpy(of_each), values)


def group_sum(keys, x, /, *, dtype=None, accumulate=None, initial=None, skipna: bool = False,
              runs: bool = False, exact: bool = False, threads: int = 0) -> Groups:
    """The sum of every group.

    >>> rung.group_sum(np.array([2, 1, 2]), np.array([10.0, 20.0, 30.0]))
    Groups(keys=array([1, 2]), values=array([20., 40.]))
    """
    return _grouped("sum", keys, x, runs, dtype, accumulate, initial, skipna, 0, False, threads,
                    exact)


def group_prod(keys, x, /, *, dtype=None, accumulate=None, initial=None, skipna: bool = False,
               runs: bool = False, threads: int = 0) -> Groups:
    """The product of every group."""
    return _grouped("prod", keys, x, runs, dtype, accumulate, initial, skipna, 0, False, threads)


def group_min(keys, x, /, *, initial=None, skipna: bool = False, runs: bool = False,
              threads: int = 0) -> Groups:
    """The smallest value of every group."""
    return _grouped("min", keys, x, runs, None, None, initial, skipna, 0, False, threads)


def group_max(keys, x, /, *, initial=None, skipna: bool = False, runs: bool = False,
              threads: int = 0) -> Groups:
    """The largest value of every group."""
    return _grouped("max", keys, x, runs, None, None, initial, skipna, 0, False, threads)


def group_argmin(keys, x, /, *, skipna: bool = False, runs: bool = False,
                 threads: int = 0) -> Groups:
    """Where in its group the smallest value first stands."""
    return _grouped("argmin", keys, x, runs, None, None, None, skipna, 0, False, threads)


def group_argmax(keys, x, /, *, skipna: bool = False, runs: bool = False,
                 threads: int = 0) -> Groups:
    """Where in its group the largest value first stands."""
    return _grouped("argmax", keys, x, runs, None, None, None, skipna, 0, False, threads)


def group_mean(keys, x, /, *, dtype=None, accumulate=None, skipna: bool = False,
               runs: bool = False, exact: bool = False, threads: int = 0) -> Groups:
    """The mean of every group."""
    return _grouped("mean", keys, x, runs, dtype, accumulate, None, skipna, 0, False, threads,
                    exact)


def group_var(keys, x, /, *, dtype=None, ddof: float = 0, skipna: bool = False,
              runs: bool = False, exact: bool = False, threads: int = 0) -> Groups:
    """The variance of every group; NaN where ddof >= count."""
    return _grouped("var", keys, x, runs, dtype, None, None, skipna, ddof, False, threads, exact)


def group_std(keys, x, /, *, dtype=None, ddof: float = 0, skipna: bool = False,
              runs: bool = False, exact: bool = False, threads: int = 0) -> Groups:
    """The standard deviation of every group."""
    return _grouped("std", keys, x, runs, dtype, None, None, skipna, ddof, False, threads, exact)


def group_norm(keys, x, /, *, dtype=None, initial=None, skipna: bool = False,
               runs: bool = False, exact: bool = False, threads: int = 0) -> Groups:
    """The Euclidean norm of every group."""
    return _grouped("norm", keys, x, runs, dtype, None, initial, skipna, 0, False, threads, exact)


def group_any(keys, x, /, *, skipna: bool = False, runs: bool = False, threads: int = 0) -> Groups:
    """Whether a group has a value that is not zero."""
    return _grouped("any", keys, x, runs, None, None, None, skipna, 0, False, threads)


def group_all(keys, x, /, *, skipna: bool = False, runs: bool = False, threads: int = 0) -> Groups:
    """Whether a group has no zero."""
    return _grouped("all", keys, x, runs, None, None, None, skipna, 0, False, threads)


def group_count_nonzero(keys, x, /, *, skipna: bool = False, runs: bool = False,
                        threads: int = 0) -> Groups:
    """How many values of every group are not zero."""
    return _grouped("count", keys, x, runs, None, None, None, skipna, 0, False, threads)


def group_logsumexp(keys, x, /, *, dtype=None, accumulate=None, initial=None,
                    skipna: bool = False, runs: bool = False, threads: int = 0) -> Groups:
    """logsumexp of every group."""
    return _grouped("logsumexp", keys, x, runs, dtype, accumulate, initial, skipna, 0, False,
                    threads)


def group_minmax(keys, x, /, *, initial=None, skipna: bool = False, runs: bool = False,
                 threads: int = 0) -> Groups:
    """The smallest and the largest value of every group, in one pass; values is a MinMax."""
    keys, both = _grouped("minmax", keys, x, runs, None, None, initial, skipna, 0, False, threads)
    return Groups(keys, MinMax(both[0], both[1]))
