# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Linear recurrences, in parallel: the scan of the maps x -> a x + b."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _general, _libraries


def linear_recurrence(a, b, /, *, axis: int | None = None, dtype=None, accumulate=None, out=None,
                      initial=None, reverse: bool = False, threads: int = 0) -> Any:
    """x[t] = a[t] * x[t - 1] + b[t] along an axis, x before the first being `initial`, or 0.

    a and b are broadcast to one shape, which the result has; axis None is for one-dimensional
    ones. reverse: x[t] = a[t] * x[t + 1] + b[t]. The steps are joined as a tree, so an error grows
    with the logarithm of the length. out may be a or b itself.

    >>> rung.linear_recurrence(np.full(4, 0.5), np.ones(4))
    array([1.   , 1.5  , 1.75 , 1.875])
    """
    library = _libraries.of(b, a, out)
    a, first = library.take(a)
    b, second = library.take(b)
    shape = tuple(a.shape)
    if shape != tuple(b.shape):
        if library.on_gpu:
            a, b = library.broadcast(a, b)
            first, second, shape = library.view(a), library.view(b), tuple(a.shape)
        else:
            first, second = _broadcast(first, second)
            shape = tuple(first[0].shape if type(first) is tuple else first.shape)
    if axis is None:
        if len(shape) != 1:
            raise ValueError(f"rung: arrays with {len(shape)} axes need axis=")
        axis = 0

    def form(accumulate):
        return _core.recurrence_type(first, second, accumulate), shape

    source = max(library.type_of(a), library.type_of(b))
    accumulate, have, shape, wanted = _general._plan(library, dtype, accumulate, out, source, form)
    result = library.empty(shape, have) if out is None or wanted is not None else out
    _core.recurrence(first, second, axis, accumulate, library.view(result), initial, reverse,
                     threads)
    return _general._finish(library, result, wanted, out)


def _broadcast(first, second):
    arrays = [x[0] if type(x) is tuple else x for x in (first, second)]
    try:
        arrays = np.broadcast_arrays(*arrays)
    except ValueError as error:
        raise ValueError(f"rung: {error}") from None
    return tuple(
        (array, "bf16") if type(x) is tuple else array
        for x, array in zip((first, second), arrays)
    )
