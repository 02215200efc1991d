# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Reductions of whole arrays or along axes. Each is one pass over memory, in the one order.

The arguments that they share:

    axis        one axis or several (negative: counted from the last); None: all values;
                (): none, each value stays by itself
    keepdims    reduced axes stay, with length 1
    dtype       type of the result; the fold is held at least that wide and rounded to it once
    accumulate  type that the fold is held in, which the result has unless dtype says otherwise
    out         where the result goes, any strides
    initial     a value that stands before the first, once per result
    where       mask; values where it is False are left out
    skipna      leave NaNs out
    exact       as if with infinite precision, rounded once: the order no longer matters
    threads     how many; 0: all there are. Never changes a bit.

An axis that does not exist raises AxisError (a ValueError and IndexError), arguments that do not
fit together ValueError, element types without a meaning TypeError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _core
from ._masked import reduce_where

__all__ = [
    "MinMax", "sum", "prod", "min", "max", "minmax", "argmin", "argmax", "mean", "var", "std",
    "norm", "dot", "vdot", "any", "all", "count_nonzero", "logsumexp",
]

Axis = int | Sequence[int] | None

(_SUM, _PROD, _MIN, _MAX, _ARGMIN, _ARGMAX, _MINMAX, _MEAN, _VAR, _STD, _NORM, _DOT, _VDOT, _ANY,
 _ALL, _COUNT, _LOGSUMEXP) = map(_core.op_from_name, (
    "sum prod min max argmin argmax minmax mean var std norm dot vdot any all count logsumexp"
).split())


class MinMax(NamedTuple):
    """The smallest and the largest value."""

    min: Any
    max: Any


def sum(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, accumulate=None, out=None,
        initial=None, where=None, skipna: bool = False, exact: bool = False,
        threads: int = 0) -> Any:
    """The sum. Integers and bools add in 64 bits, f16 and bf16 in f32; of no values it is 0.

    >>> rung.sum(np.full(300, 1, np.uint8))
    np.uint64(300)
    >>> rung.sum(np.arange(6.0).reshape(2, 3), axis=0)
    array([3., 5., 7.])
    >>> rung.sum([0.1] * 10)
    np.float64(1.0)
    """
    if where is not None:
        return reduce_where(_SUM, x, where, axis, keepdims, dtype, accumulate, out, initial,
                            skipna, 0, threads, exact)
    return _core.reduce(_SUM, x, None, axis, keepdims, dtype, accumulate, out, initial, skipna, 0,
                        threads, exact)


def prod(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, accumulate=None, out=None,
         initial=None, where=None, skipna: bool = False, threads: int = 0) -> Any:
    """The product, held as in sum; of no values it is 1.

    >>> rung.prod(np.array([100, 100, 100], np.int8))
    np.int64(1000000)
    """
    if where is not None:
        return reduce_where(_PROD, x, where, axis, keepdims, dtype, accumulate, out, initial,
                            skipna, 0, threads)
    return _core.reduce(_PROD, x, None, axis, keepdims, dtype, accumulate, out, initial, skipna, 0,
                        threads, False)


def min(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, initial=None, where=None,
        skipna: bool = False, threads: int = 0) -> Any:
    """The smallest value; a NaN wins. Of no values: a ValueError, unless there is an initial.

    >>> rung.min(np.array([3.0, np.nan, 1.0]))
    np.float64(nan)
    >>> rung.min(np.array([3.0, np.nan, 1.0]), skipna=True)
    np.float64(1.0)
    """
    if where is not None:
        return reduce_where(_MIN, x, where, axis, keepdims, None, None, out, initial, skipna, 0,
                            threads)
    return _core.reduce(_MIN, x, None, axis, keepdims, None, None, out, initial, skipna, 0,
                        threads, False)


def max(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, initial=None, where=None,
        skipna: bool = False, threads: int = 0) -> Any:
    """The largest value; a NaN wins. Of no values: a ValueError, unless there is an initial.

    >>> rung.max(np.array([[1, 5], [7, 2]]), axis=1)
    array([5, 7])
    """
    if where is not None:
        return reduce_where(_MAX, x, where, axis, keepdims, None, None, out, initial, skipna, 0,
                            threads)
    return _core.reduce(_MAX, x, None, axis, keepdims, None, None, out, initial, skipna, 0,
                        threads, False)


def minmax(x, /, *, axis: Axis = None, keepdims: bool = False, initial=None, where=None,
           skipna: bool = False, threads: int = 0) -> MinMax:
    """The smallest and the largest value, in one pass.

    >>> rung.minmax(np.array([3, 1, 7])).max
    np.int64(7)
    """
    if where is not None:
        both = reduce_where(_MINMAX, x, where, axis, keepdims, None, None, None, initial, skipna, 0,
                            threads)
    else:
        both = _core.reduce(_MINMAX, x, None, axis, keepdims, None, None, None, initial, skipna, 0,
                            threads, False)
    return MinMax(both[0], both[1])


def argmin(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, skipna: bool = False,
           threads: int = 0) -> Any:
    """The first index of the smallest value, as int64; the first NaN counts as the smallest.

    With several axes, or None, positions count in C order.

    >>> rung.argmin(np.array([2, 0, 1, 0]))
    np.int64(1)
    """
    return _core.reduce(_ARGMIN, x, None, axis, keepdims, None, None, out, None, skipna, 0,
                        threads, False)


def argmax(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, skipna: bool = False,
           threads: int = 0) -> Any:
    """The first index of the largest value, as int64; the first NaN counts as the largest.

    >>> rung.argmax(np.array([[1, 9], [9, 1]]), axis=0)
    array([1, 0])
    """
    return _core.reduce(_ARGMAX, x, None, axis, keepdims, None, None, out, None, skipna, 0,
                        threads, False)


def mean(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, accumulate=None, out=None,
         where=None, skipna: bool = False, exact: bool = False, threads: int = 0) -> Any:
    """The arithmetic mean; f64 for integers, NaN of no values.

    >>> rung.mean(np.array([40000, 40000, 40000], np.float16))
    np.float16(4e+04)
    """
    if where is not None:
        return reduce_where(_MEAN, x, where, axis, keepdims, dtype, accumulate, out, None, skipna,
                            0, threads, exact)
    return _core.reduce(_MEAN, x, None, axis, keepdims, dtype, accumulate, out, None, skipna, 0,
                        threads, exact)


def var(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, ddof: float = 0,
        correction: float | None = None, out=None, where=None, skipna: bool = False,
        exact: bool = False, threads: int = 0) -> Any:
    """The variance, in one stable pass held in f64; never negative, NaN where ddof >= count.

    The divisor is count - ddof; correction is the array API's name of ddof.

    >>> rung.var(np.array([1e7, 1e7 + 1, 1e7 + 2], np.float32), ddof=1)
    np.float32(1.0)
    """
    ddof = ddof if correction is None else correction
    if where is not None:
        return reduce_where(_VAR, x, where, axis, keepdims, dtype, None, out, None, skipna, ddof,
                            threads, exact)
    return _core.reduce(_VAR, x, None, axis, keepdims, dtype, None, out, None, skipna, ddof,
                        threads, exact)


def std(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, ddof: float = 0,
        correction: float | None = None, out=None, where=None, skipna: bool = False,
        exact: bool = False, threads: int = 0) -> Any:
    """The standard deviation, the square root of var.

    >>> rung.std(np.array([1.0, 3.0]))
    np.float64(1.0)
    """
    ddof = ddof if correction is None else correction
    if where is not None:
        return reduce_where(_STD, x, where, axis, keepdims, dtype, None, out, None, skipna, ddof,
                            threads, exact)
    return _core.reduce(_STD, x, None, axis, keepdims, dtype, None, out, None, skipna, ddof,
                        threads, exact)


def norm(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, out=None, initial=None,
         where=None, skipna: bool = False, exact: bool = False, threads: int = 0) -> Any:
    """The Euclidean norm, which neither overflows nor underflows on the way; f64 for integers.

    >>> rung.norm(np.array([3e200, 4e200]))
    np.float64(4.9999999999999995e+200)
    """
    if where is not None:
        return reduce_where(_NORM, x, where, axis, keepdims, dtype, None, out, initial, skipna, 0,
                            threads, exact)
    return _core.reduce(_NORM, x, None, axis, keepdims, dtype, None, out, initial, skipna, 0,
                        threads, exact)


def dot(a, b, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, accumulate=None,
        out=None, initial=None, exact: bool = False, threads: int = 0) -> Any:
    """The sum of a * b, for two arrays of one shape. Nothing is conjugated.

    Narrow integers multiply in 64 bits, f16 and bf16 in f32; every product is rounded on its own.

    >>> rung.dot(np.array([250, 7, 180], np.uint8), np.array([True, False, True]))
    np.uint64(430)
    """
    return _core.reduce(_DOT, a, b, axis, keepdims, dtype, accumulate, out, initial, False, 0,
                        threads, exact)


def vdot(a, b, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, accumulate=None,
         out=None, initial=None, exact: bool = False, threads: int = 0) -> Any:
    """The sum of conj(a) * b, for two arrays of one shape.

    >>> rung.vdot(np.array([1 + 1j, 2 - 3j]), np.array([4 - 2j, 1j]))
    np.complex128(-1-4j)
    """
    return _core.reduce(_VDOT, a, b, axis, keepdims, dtype, accumulate, out, initial, False, 0,
                        threads, exact)


def _of_zeros(op, x, axis, keepdims, out, where, skipna, threads):
    """What asks only which values are zero: no accumulation, no initial value."""
    if where is not None:
        return reduce_where(op, x, where, axis, keepdims, None, None, out, None, skipna, 0, threads)
    return _core.reduce(op, x, None, axis, keepdims, None, None, out, None, skipna, 0, threads,
                        False)


def any(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, where=None,
        skipna: bool = False, threads: int = 0) -> Any:
    """Whether any value is not zero; a NaN is not zero. False of no values.

    >>> rung.any(np.array([[0, 0], [0, 3]]), axis=1)
    array([False,  True])
    """
    return _of_zeros(_ANY, x, axis, keepdims, out, where, skipna, threads)


def all(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, where=None,
        skipna: bool = False, threads: int = 0) -> Any:
    """Whether no value is zero. True of no values.

    >>> rung.all(np.array([], float))
    np.True_
    """
    return _of_zeros(_ALL, x, axis, keepdims, out, where, skipna, threads)


def count_nonzero(x, /, *, axis: Axis = None, keepdims: bool = False, out=None, where=None,
                  skipna: bool = False, threads: int = 0) -> Any:
    """How many values are not zero, as int64; a NaN is not zero.

    >>> rung.count_nonzero(np.array([0, 3, 0, -1]))
    np.int64(2)
    """
    return _of_zeros(_COUNT, x, axis, keepdims, out, where, skipna, threads)


def logsumexp(x, /, *, axis: Axis = None, dtype=None, keepdims: bool = False, accumulate=None,
              out=None, initial=None, where=None, skipna: bool = False, threads: int = 0) -> Any:
    """log of the sum of exp(x), without overflow; -inf of no values, f64 for integers.

    >>> rung.logsumexp(np.array([1000.0, 1000.0, 1000.0]))
    np.float64(1001.0986122886682)
    """
    if where is not None:
        return reduce_where(_LOGSUMEXP, x, where, axis, keepdims, dtype, accumulate, out, initial,
                            skipna, 0, threads)
    return _core.reduce(_LOGSUMEXP, x, None, axis, keepdims, dtype, accumulate, out, initial,
                        skipna, 0, threads, False)
