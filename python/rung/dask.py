# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""rung on dask arrays: the same bits for any chunks, schedulers and workers.

Whole arrays are folded chunk by chunk into partials, which are small and travel between workers;
positions count in C order, as in rung. Along axes, chunks are joined along these first. Scans of
one axis cut it into powers of two: the scan of a chunk goes on from the fold of all before it, and
its last entry is the fold of all through it.

>>> import dask.array as da, rung.dask                                   # doctest: +SKIP
>>> rung.dask.sum(da.from_array(x, chunks=1000)).compute() == rung.sum(x)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np

import rung

__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "cummax", "cummin", "cumprod",
           "cumsum", "logsumexp", "max", "mean", "min", "norm", "prod", "std", "sum", "var"]


def _result_dtype(function, x, **how):
    return np.asarray(function(np.ones((1,) * x.ndim, x.dtype), **how)).dtype


def _partial(op, block, begin, how):
    return rung.Partial(op, np.ascontiguousarray(block).reshape(-1), begin, **how)


def _partials(op: str, x, **how):
    """One partial per chunk of an array that is cut along its first axis only."""
    rows = np.cumsum((0, *x.chunks[0]))
    row = int(np.prod(x.shape[1:], dtype=np.int64))
    blocks = x.to_delayed().reshape(-1)
    return [dask.delayed(_partial)(op, block, int(begin) * row, how)
            for block, begin in zip(blocks, rows)]


def _value(parts, shape):
    value = np.asarray(rung.merge(parts).value)
    return value.reshape(shape)


def _reduction(name: str):
    function = getattr(rung, name)

    def reduction(x, /, *, axis=None, keepdims: bool = False, **how) -> Any:
        if axis is not None or x.ndim == 0:
            axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
            axes = tuple(a % x.ndim for a in axes)
            whole = x.rechunk({a: -1 for a in axes})
            return da.map_blocks(
                function, whole, axis=axes, keepdims=keepdims,
                dtype=_result_dtype(function, x, axis=axes, **how),
                drop_axis=() if keepdims else axes,
                chunks=tuple((1,) if a in axes else c for a, c in enumerate(whole.chunks))
                if keepdims else None, **how)
        x = x.rechunk({a: -1 for a in range(1, x.ndim)})
        shape = (1,) * x.ndim if keepdims else ()
        value = dask.delayed(_value)(_partials(name, x, **how), shape)
        return da.from_delayed(value, shape, _result_dtype(function, x, **how))

    reduction.__name__ = reduction.__qualname__ = name
    reduction.__doc__ = (
        f"rung.{name} of a dask array, lazily. Beside axis and keepdims it takes what rung.Partial "
        f"takes: skipna, and ddof or accumulate where rung.{name} does."
    )
    return reduction


(all, any, argmax, argmin, count_nonzero, logsumexp, max, mean, min, norm, prod, std, sum,
 var) = map(_reduction, ("all any argmax argmin count_nonzero logsumexp max mean min norm prod std "
                         "sum var").split())


def _folds(parts):
    """The fold of everything before each chunk (None before the first), and of all."""
    joined, values = None, [None]
    for part in parts:
        joined = part if joined is None else joined + part
        values.append(joined.value)
    return values


def _scanned(scan, block, folds, chunk, dtype):
    out = scan(block, initial=folds[chunk], dtype=dtype) if dtype else scan(
        block, initial=folds[chunk])
    if out.size:
        out[-1] = folds[chunk + 1]
    return out


def _running(name: str, total: str):
    scan = getattr(rung, name)

    def running(x, /, *, axis: int | None = None) -> Any:
        dtype = _result_dtype(scan, x, axis=0)
        if x.ndim != 1:
            if axis is None:
                raise ValueError(f"rung: a dask array with {x.ndim} axes needs axis=")
            return da.map_blocks(scan, x.rechunk({axis: -1}), axis=axis, dtype=dtype)
        length = 1 << int(np.max(x.chunks[0])).bit_length() - 1 if x.shape[0] else 1
        x = x.rechunk(length)
        halves = x.dtype.kind == "f" and x.dtype.itemsize == 2
        wide = {"accumulate": "f32"} if halves and total in ("sum", "prod") else {}
        folds = dask.delayed(_folds)(_partials(total, x, **wide))
        blocks = [
            da.from_delayed(
                dask.delayed(_scanned)(scan, block, folds, i, str(dtype) if wide else None),
                (size,), dtype)
            for i, (block, size) in enumerate(zip(x.to_delayed(), x.chunks[0]))
        ]
        return da.concatenate(blocks) if blocks else da.zeros(0, dtype=dtype)

    running.__name__ = running.__qualname__ = name
    running.__doc__ = f"rung.{name} of a dask array, lazily; axis is needed if there are several."
    return running


cumsum, cumprod = _running("cumsum", "sum"), _running("cumprod", "prod")
cummin, cummax = _running("cummin", "min"), _running("cummax", "max")
