# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Partials: the fold of a part of an array, which joins with its neighbours without a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _core, _libraries
from ._general import type_code
from ._reductions import MinMax


def _host_library(x):
    library = _libraries.of(x)
    if library.on_gpu:
        raise TypeError("rung: a partial takes arrays in host memory: copy this one there first")
    return library


class Partial(_core.Partial):
    """The summary of positions begin:end of a longer array, in one operation.

    However the array is cut, the neighbours joined with + have the bits of the whole. A partial is
    small (one state per aligned block of a power of two of positions) and can be pickled, or kept
    as bytes that `rung merge` on the command line reads too.

        op          the name of a reduction of one array: sum, mean, var, minmax, argmax, ...
        x           its values, one-dimensional; None: none yet
        begin       the position of the first in the whole array
        dtype       the type of the values, if there are none yet
        accumulate, skipna, ddof, exact    as in the reductions

    >>> x = np.linspace(0, 1, 1000)
    >>> left, right = rung.Partial("sum", x[:300]), rung.Partial("sum", x[300:], begin=300)
    >>> (left + right).value == rung.sum(x)
    np.True_
    """

    def __init__(self, op: str, x=None, begin: int = 0, *, dtype=None, accumulate=None,
                 skipna: bool = False, ddof: float = 0, exact: bool = False):
        code = _core.op_from_name("count" if op == "count_nonzero" else op)
        if code < 0:
            raise ValueError(f"rung: there is no operation {op!r}")
        values = None
        if x is not None:
            library = _host_library(x)
            x, values = library.take(x)
            dtype = _libraries.NAMES[library.type_of(x)]
        if dtype is None:
            raise TypeError("rung: a partial of no values yet needs a dtype")
        super().__init__(code, type_code(dtype), begin, accumulate, skipna, ddof, exact)
        if values is not None:
            self._append(values)

    def append(self, x) -> None:
        """Adds values that stand at self.end and on."""
        self._append(_host_library(x).take(x)[1])

    @property
    def op(self) -> str:
        """The operation's name."""
        return self._op()

    @property
    def begin(self) -> int:
        """The position of the first value."""
        return self._range()[0]

    @property
    def end(self) -> int:
        """The position behind the last value."""
        return self._range()[1]

    @property
    def value(self) -> Any:
        """The result for positions 0:end. A ValueError if begin is not 0."""
        value = self._value()
        return MinMax(*value) if isinstance(value, tuple) else value

    def __add__(self, right: Partial) -> Partial:
        """Joins neighbours; right begins where self ends. Neither is changed."""
        if not isinstance(right, Partial):
            return NotImplemented
        joined = Partial.from_bytes(bytes(self))
        joined._merge(right)
        return joined

    def __bytes__(self) -> bytes:
        return self._save()

    @classmethod
    def from_bytes(cls, saved: bytes) -> Partial:
        """The partial that bytes(partial) gave."""
        partial = cls("sum", dtype="f32")
        partial._load(saved)
        return partial

    def __reduce__(self):
        return Partial.from_bytes, (bytes(self),)

    def __repr__(self) -> str:
        begin, end = self._range()
        return f"<rung.Partial {self.op} of {begin}:{end}>"


def merge(partials: Iterable[Partial]) -> Partial:
    """Joins partials given in any order. A gap or an overlap between them is a ValueError.

    >>> x = np.arange(100.0)
    >>> rung.merge([rung.Partial("max", x[50:], 50), rung.Partial("max", x[:50])]).value
    np.float64(99.0)
    """
    ordered = sorted(partials, key=lambda partial: partial._range())
    if not ordered:
        raise ValueError("rung: no partials to merge")
    joined = Partial.from_bytes(bytes(ordered[0]))
    for partial in ordered[1:]:
        joined._merge(partial)
    return joined
