# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""The general way of a call: types by name, other array libraries, conversions of the result.

rung._core computes on NumPy arrays and hands over to here what is anything else: lists, arrays of
other libraries, an output or a dtype= that is not the type of the result. Each call ends in
rung._core again, on memory that is shared, never copied, wherever the library allows it.
"""

from __future__ import annotations

import numpy as np

from . import _core, _libraries

# Names of rung that NumPy lacks, or has for a type that rung lacks (f16: float128).
_RUNG_NAMES = {"i16", "i32", "i64", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "c64", "c128"}


def type_code(dtype) -> int:
    """The code of a type: NumPy's names, dtypes and scalar types, other libraries' dtypes, and
    rung's own names. i8 and u8 are NumPy's, of eight bytes; say int8 and uint8 for one."""
    text = dtype if isinstance(dtype, str) else None
    if text is None and type(dtype).__module__.partition(".")[0] == "torch":
        text = str(dtype).partition(".")[2]
    if text in _RUNG_NAMES or text == "bfloat16":
        return _core.type_from_name(text)
    try:
        name = np.dtype(text if text is not None else dtype).name
    except TypeError:
        raise TypeError(f"rung: {dtype!r} is no type that rung knows") from None
    code = _core.type_from_name(name)
    if code < 0:
        raise TypeError(f"rung: there are no operations on {name} values")
    return code


def torch_type(code: int):
    """PyTorch's type, for rung._core."""
    return _libraries.torch_type(code)


def initial_array(value):
    """An initial value that is no Python number, as a 0-d NumPy array of its own type."""
    array = np.asarray(value)
    if array.ndim != 0 or array.dtype.kind not in "biufc":
        raise TypeError("rung: the initial value must be one number")
    return array.astype(array.dtype.newbyteorder("="))


_INTEGERS = frozenset(map(_core.type_from_name, "bool i8 i16 i32 i64 u8 u16 u32 u64".split()))
_F16, _BF16, _F32, _F64, _C64, _C128 = map(
    _core.type_from_name, "f16 bf16 f32 f64 c64 c128".split())
# Results of these types are computed as they are, then rounded or cut to the one asked for.
_FROM_WIDER = {
    **{t: _INTEGERS for t in _INTEGERS},
    _F16: {_BF16, _F32, _F64},
    _BF16: {_F16, _F32, _F64},
    _F32: {_F64},
    _C64: {_C128},
}


def _kind(code: int) -> int:
    return 0 if code in _INTEGERS else 1 if code < _C64 else 2


def _plan(library, dtype, accumulate, out, source, form):
    """(accumulate, form of what is computed, type to convert it to or None) of a call.

    A result is held at least as wide as its type and rounded to it once.
    """
    have, shape = form(accumulate)
    wanted = type_code(dtype) if dtype is not None else None
    if wanted is None and out is not None:
        wanted = library.type_of(out)
    if wanted is None or wanted == have:
        return accumulate, have, shape, None
    if _kind(wanted) < _kind(have):
        raise TypeError(
            f"rung: the result is {_core.type_name(have)}, which does not fit "
            f"{_core.type_name(wanted)}"
        )
    narrower = have in _FROM_WIDER.get(wanted, ())
    if accumulate is None and not narrower and _kind(wanted) >= _kind(source):
        accumulate = _libraries.NAMES[wanted]
        have, shape = form(accumulate)
    return accumulate, have, shape, wanted if wanted != have else None


def _finish(library, result, wanted, out):
    if wanted is not None:
        result = library.convert(result, wanted, out)
    return library.give(result, out)


def _result(library, x, dtype, accumulate, out, form):
    """accumulate, an array for the kernels to write to, and the type it is converted to after."""
    accumulate, have, shape, wanted = _plan(
        library, dtype, accumulate, out, library.type_of(x), form
    )
    result = library.empty(shape, have) if out is None or wanted is not None else out
    return accumulate, result, wanted


def reduce(op, x, second, axis, keepdims, dtype, accumulate, out, initial, skipna, ddof, threads,
           exact=False):
    library = _libraries.of(x, second, out)
    x, a = library.take(x)
    b = None if second is None else library.take(second)[1]

    accumulate, result, wanted = _result(library, x, dtype, accumulate, out, lambda accumulate: (
        _core.result_of(op, a, b, axis, keepdims, accumulate, initial, skipna, exact)))
    _core.reduce(
        op, a, b, axis, keepdims, None, accumulate, library.view(result), initial, skipna, ddof,
        threads, exact,
    )
    return _finish(library, result, wanted, out)


def scan(op, x, axis, dtype, accumulate, out, initial, skipna, exclusive, reverse, threads,
         exact=False):
    library = _libraries.of(x, None, out)
    x, a = library.take(x)

    accumulate, result, wanted = _result(library, x, dtype, accumulate, out, lambda accumulate: (
        _core.result_of(op, a, None, axis, False, accumulate, initial, skipna, exact)))
    _core.scan(
        op, a, axis, None, accumulate, library.view(result), initial, skipna, exclusive, reverse,
        threads, exact,
    )
    return _finish(library, result, wanted, out)


def segmented(op, x, offsets, order, dtype, accumulate, out, initial, skipna, ddof, exclusive,
              threads, exact=False):
    library = _libraries.of(x, out)
    x, a = library.take(x)
    if library.on_gpu:
        offsets, cuts = library.take_integers(offsets)
        count = max(offsets.shape[0] - 1, 0)
        order = None if order is None else library.take_integers(order)[1]
    else:
        cuts = _libraries.of(offsets).take(offsets)[1]
        if type(cuts) is tuple or cuts.size == 0 and cuts.dtype.kind == "f":
            cuts = np.zeros(0, np.int64)  # an empty list has no integer type of its own
        count = max(cuts.size - 1, 0)
    scans = _core.is_scan(op)

    def form(accumulate):
        code = library.type_of(x)  # there may be no values
        one = np.zeros((), np.uint16 if code == _BF16 else _libraries.NAMES[code])
        have, shape = _core.result_of(op, (one, "bf16") if code == _BF16 else one, None, None,
                                      False, accumulate, None, skipna, exact)
        return have, tuple(x.shape) if scans else (*shape, count)

    if x.ndim != 1:
        raise ValueError(
            f"rung: segments lie in a one-dimensional array, this one has {x.ndim} axes")
    accumulate, have, shape, wanted = _plan(
        library, dtype, accumulate, out, library.type_of(x), form
    )
    result = library.empty(shape, have) if out is None or wanted is not None else out
    _core.segmented(
        op, a, cuts, order, accumulate, library.view(result), initial, skipna, ddof, exclusive,
        threads, exact,
    )
    return _finish(library, result, wanted, out)
