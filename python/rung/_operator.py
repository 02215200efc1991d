# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""reduce and scan with any operator: one of rung's by name, or the user's own, compiled.

A user's operator becomes a small C++ program around the header-only library, built by the system's
compiler once per element type and kept in the user's cache folder. It runs on all cores in the one
order, as rung's own do; -march=native and a good expression let it use SIMD.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

import numpy as np

from . import _core, _libraries, _reductions, _scans

# Element type -> (C++ element, C++ state, NumPy state, C++ result, NumPy result)
_STATES = {
    **{n: (f"std::{n}_t", "std::int64_t", "int64", "std::int64_t", "int64")
       for n in ("int8", "int16", "int32", "int64")},
    **{n: (f"std::{n}_t", "std::uint64_t", "uint64", "std::uint64_t", "uint64")
       for n in ("uint8", "uint16", "uint32", "uint64")},
    "float16": ("rung::f16", "float", "float32", "rung::f16", "float16"),
    "float32": ("float", "float", "float32", "float", "float32"),
    "float64": ("double", "double", "float64", "double", "float64"),
}

_SOURCE = r"""
#include <rung/cpu/reduce.hpp>
#include <rung/cpu/scan.hpp>
#include <cmath>
#include <cstring>
#include <limits>

using V = @value@; using S = @state@; using R = @result@;
using std::abs, std::max, std::min, std::sqrt;
static S (*function)(S, S);
static const auto op = rung::make_operator([](S left, S right) -> S { return S(@expression@); }
                                           @facts@);
struct array { void* data; int rank; const std::int64_t *shape, *strides; };
template <class T> rung::view<T> as_view(const array& a) {
  rung::layout l;
  l.rank = a.rank;
  for (int d = 0; d < a.rank; d++) l.shape[d] = a.shape[d], l.strides[d] = a.strides[d];
  return rung::view<T>(static_cast<T*>(a.data), l);
}
extern "C" void use_function(S (*f)(S, S)) { function = f; }
extern "C" int run(int verb, const array* x, const array* out, const std::int64_t* axes, int count,
                   const S* init, int threads, char* text, std::size_t room) try {
  const auto where = rung::cpu.with_threads(threads);
  const auto from = as_view<const V>(*x);
  const auto to = as_view<R>(*out);
  if (verb == 0) {
    const rung::axes over = count < 0 ? rung::axes()
                                      : rung::axes(std::span<const std::int64_t>(axes, count));
    if (init) rung::reduce(where, from, op, over, *init, rung::into(to));
    else rung::reduce(where, from, op, over, rung::into(to));
  } else if (verb == 1) {
    if (init) rung::inclusive_scan(where, from, to, op, rung::axis{axes[0]}, *init);
    else rung::inclusive_scan(where, from, to, op, rung::axis{axes[0]});
  } else {
    rung::exclusive_scan(where, from, to, op, rung::axis{axes[0]}, init ? *init : S(@identity@));
  }
  return 0;
} catch (const rung::error& e) {
  std::strncpy(text, e.what(), room - 1);
  return int(e.code());
} catch (const std::exception& e) {
  std::strncpy(text, e.what(), room - 1);
  return 6;
}
"""


def get_include() -> str:
    """The folder of rung's C++ headers, for a compiler's -I."""
    return str(pathlib.Path(__file__).parent / "include")


class _Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("rank", ctypes.c_int),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]

    @classmethod
    def of(cls, x):
        integers = ctypes.c_int64 * max(x.ndim, 1)
        return cls(x.ctypes.data, x.ndim, integers(*x.shape), integers(*x.strides))


class Operator:
    """An operator of the user's, for rung.reduce and rung.scan. It must be associative.

        join        a C++ expression in `left` and `right`, or a Numba cfunc of two states
        identity    a value that changes nothing on either side: the result of no values
        any_order   any order and any swap of sides gives the same bits (never for float sums)

    States are 64-bit integers, f32 for float16 and float32, f64. Building one needs a C++20
    compiler: $CXX, c++, g++ or clang++; $CXXFLAGS are added.

    >>> gcd = rung.Operator("std::gcd(left, right)", identity=0, any_order=True,
    ...                     include="#include <numeric>")
    >>> rung.reduce(np.array([12, 18, 30]), gcd)                    # doctest: +SKIP
    np.int64(6)
    """

    def __init__(self, join, *, identity=None, any_order: bool = False, include: str = ""):
        self._function = getattr(join, "address", None)
        if self._function is None and not isinstance(join, str):
            raise TypeError("rung: an operator is a C++ expression or a Numba cfunc, not "
                            + type(join).__name__)
        self._expression = "function(left, right)" if self._function else join
        self._cfunc = join  # keeps its code alive
        self._identity, self._any_order, self._include = identity, any_order, include
        self._built: dict[str, Any] = {}

    def _library(self, name: str):
        if name not in self._built:
            library = _load(self._source(name))
            if self._function:
                library.use_function(ctypes.c_void_p(self._function))
            self._built[name] = library
        return self._built[name]

    def _source(self, name: str) -> str:
        value, state, _, result, _ = _STATES[name]
        facts = ""
        if self._identity is not None:
            facts += f", rung::identity_is<S>{{S({_literal(self._identity)})}}"
        if self._any_order:
            facts += ", rung::exact_in_any_order{}"
        names = {"value": value, "state": state, "result": result, "facts": facts,
                 "expression": self._expression,
                 "identity": _literal(self._identity) if self._identity is not None else "0"}
        source = self._include + _SOURCE
        for key, text in names.items():
            source = source.replace(f"@{key}@", text)
        return source

    def _run(self, verb, x, out, axes, initial, threads):
        name = x.dtype.name
        state = np.dtype(_STATES[name][2])
        start = None if initial is None else np.array(initial).astype(state).ctypes.data
        text = ctypes.create_string_buffer(1024)
        count = -1 if axes is None else len(axes)
        code = self._library(name).run(
            verb, ctypes.byref(_Array.of(x)), ctypes.byref(_Array.of(out)),
            (ctypes.c_int64 * max(count, 1))(*(axes or ())), count, ctypes.c_void_p(start), threads,
            text, ctypes.c_size_t(len(text)))
        if code:
            raise (TypeError if code == 2 else ValueError)(text.value.decode())
        return out


def _literal(x) -> str:
    x = x.item() if isinstance(x, np.generic) else x
    if isinstance(x, float):
        if x != x or x in (np.inf, -np.inf):
            return f"{'-' if x < 0 else ''}std::numeric_limits<double>::" + (
                "quiet_NaN()" if x != x else "infinity()")
        return x.hex()
    return f"{int(x)}ull" if x > 2**63 - 1 else f"std::int64_t({int(x)}ull)"


def _compiler() -> str:
    for name in (os.environ.get("CXX"), "c++", "g++", "clang++"):
        found = name and shutil.which(name)
        if found:
            return found
    raise RuntimeError("rung: an operator of your own needs a C++20 compiler: none of $CXX, c++, "
                       "g++ and clang++ is on the path")


def _load(source: str):
    """The program, compiled, or taken from the cache."""
    compiler = _compiler()
    folder = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    cache = pathlib.Path(folder, "rung")
    flags = os.environ.get("CXXFLAGS", "")
    named = "\0".join((_core.version, compiler, flags, source))
    key = hashlib.sha256(named.encode()).hexdigest()[:32]
    built = cache / f"{key}.so"
    if not built.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            cpp, so = pathlib.Path(folder, "operator.cpp"), pathlib.Path(folder, "operator.so")
            cpp.write_text(source)
            command = [compiler, "-std=c++20", "-O3", "-march=native", "-shared", "-fPIC",
                       "-ffp-contract=off", "-DRUNG_CONTRACTION_IS_OFF=1", "-I", get_include(),
                       str(cpp), "-o", str(so), *flags.split()]
            for threads in (["-DRUNG_HAVE_TBB=1", "-ltbb"], []):  # without oneTBB: one thread
                done = subprocess.run(command + threads, capture_output=True, text=True)
                if done.returncode == 0 or "tbb" not in done.stderr:
                    break
            if done.returncode != 0:
                errors = [line for line in done.stderr.splitlines() if "error:" in line][:3]
                raise ValueError("rung: the operator does not compile:\n" + "\n".join(errors))
            os.replace(so, built)
    return ctypes.CDLL(str(built))


def _prepare(x):
    library = _libraries.of(x)
    if library is not _libraries.Numpy:
        raise TypeError("rung: operators of your own take NumPy arrays")
    x = library.take(x)[0]
    if x.dtype.name not in _STATES:
        raise TypeError(f"rung: operators of your own take integers and floats, not {x.dtype.name}")
    return x.astype(x.dtype.newbyteorder("="), copy=False)


def reduce(x, op: str | Operator, /, *, axis: _reductions.Axis = None, keepdims: bool = False,
           initial=None, threads: int = 0, **how) -> Any:
    """x reduced by an operator: a name ("sum", "max", ...), whose function's arguments are taken
    too, or an Operator.

    >>> rung.reduce(np.array([3, 1, 2]), "max")
    np.int64(3)
    """
    if isinstance(op, str):
        if op not in _reductions.__all__ or op in ("MinMax", "dot", "vdot"):
            raise ValueError(f"rung: there is no reduction {op!r}")
        if initial is not None:
            how["initial"] = initial
        return getattr(_reductions, op)(x, axis=axis, keepdims=keepdims, threads=threads, **how)
    if how:
        raise TypeError(f"rung: an Operator takes no {', '.join(how)}")
    x = _prepare(x)
    axes = None if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    shape = np.sum(np.broadcast_to(np.int8(0), x.shape), axis=None if axes is None else tuple(axes),
                   keepdims=keepdims).shape  # raises for a wrong axis
    out = np.empty(shape, _STATES[x.dtype.name][4])
    return op._run(0, x, out, axes, initial, threads)[()]


def scan(x, op: str | Operator, /, *, axis: int | None = None, initial=None,
         exclusive: bool = False, threads: int = 0, **how) -> Any:
    """x scanned by an operator: a name ("cumulative_sum", "sum", "max", ...) or an Operator.

    >>> rung.scan(np.array([3, 1, 2]), "sum")
    array([3, 4, 6])
    """
    if isinstance(op, str):
        names = {"sum": "cumulative_sum", "prod": "cumulative_prod", "min": "cummin",
                 "max": "cummax", "logsumexp": "cumlogsumexp"}
        name = names.get(op, op)
        if name not in _scans.__all__:
            raise ValueError(f"rung: there is no scan {op!r}")
        return getattr(_scans, name)(x, axis=axis, initial=initial, exclusive=exclusive,
                                     threads=threads, **how)
    if how:
        raise TypeError(f"rung: an Operator takes no {', '.join(how)}")
    if exclusive and initial is None and op._identity is None:
        raise ValueError(
            "rung: an exclusive scan by an operator without an identity needs initial=")
    x = _prepare(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    np.sum(np.broadcast_to(np.int8(0), x.shape), axis=axis)  # raises for a wrong axis
    out = np.empty(x.shape, _STATES[x.dtype.name][4])
    return op._run(2 if exclusive else 1, x, out, (axis,), initial, threads)
