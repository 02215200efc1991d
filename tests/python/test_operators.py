# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Operators by name, and the user's own, compiled."""
import math

import numpy as np
import pytest

import rung
from oracle import fold, running, same


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("CXXFLAGS", "-O0")  # the bits are the same, and it is there sooner
        yield


def test_names():
    x = np.arange(6.0).reshape(2, 3)
    same(rung.reduce(x, "var", axis=0, ddof=1), rung.var(x, axis=0, ddof=1))
    same(rung.scan(x, "max", axis=1, exclusive=True), rung.cummax(x, axis=1, exclusive=True))
    for wrong in (lambda: rung.reduce(x, "median"), lambda: rung.scan(x, "mean")):
        with pytest.raises(ValueError, match="there is no"):
            wrong()
    with pytest.raises(TypeError, match="C\\+\\+ expression"):
        rung.Operator(max)


def test_an_expression_in_the_one_order():
    # Not commutative, not associative in floats: only the order gives these bits.
    op = rung.Operator("left * 0.5 + right * 0.75")
    join = lambda left, right: left * 0.5 + right * 0.75
    x = np.random.default_rng(1).normal(size=(3, 1000))
    same(rung.reduce(x, op), fold(join, x.reshape(-1)))
    same(rung.reduce(x, op, axis=1), fold(join, x.T))
    same(rung.reduce(x[:, ::-2], op, axis=-1, keepdims=True), fold(join, x[:, ::-2].T)[:, None])
    same(rung.scan(x[0], op, initial=2), running(join, x[0], 2.0))
    same(rung.scan(x[0], op, initial=2, exclusive=True)[1:], running(join, x[0], 2.0)[:-1])
    with pytest.raises(ValueError, match="needs initial"):
        rung.scan(x, op, exclusive=True)
    with pytest.raises(IndexError):
        rung.reduce(x, op, axis=2)
    with pytest.raises(ValueError):
        rung.reduce(x[:0], op)
    with pytest.raises(TypeError, match="complex128"):
        rung.reduce(x * 1j, op)


def test_what_does_not_compile_is_told():
    with pytest.raises(ValueError, match="does not compile:\n.*lefft"):
        rung.reduce(np.ones(2, np.float32), rung.Operator("lefft + right"))


def test_numba():
    numba = pytest.importorskip("numba")

    @numba.cfunc("int64(int64, int64)")
    def gcd(a, b):
        while b:
            a, b = b, a % b
        return a

    op = rung.Operator(gcd, identity=0, any_order=True)
    x = np.random.default_rng(1).integers(1, 50, 5000) * 6
    same(rung.reduce(x, op), np.int64(math.gcd(*x.tolist())))
    same(rung.reduce(x[:0], op), np.int64(0))
