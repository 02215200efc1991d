# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Partials: however an array is cut, stored and sent, the joined value is that of the whole."""
import multiprocessing
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

import rung
from oracle import same


@given(st.lists(st.integers(0, 5000), max_size=6), st.sampled_from(
    ("sum", "mean", "var", "std", "argmin", "minmax", "norm", "logsumexp", "count_nonzero")),
    st.sampled_from((np.float32, np.float16, np.int8, np.uint8)))
def test_any_cut_gives_the_bits_of_the_whole(cuts, name, dtype):
    x = (np.random.default_rng(5).normal(size=5000) * 20).astype(dtype)
    cuts = [0, *sorted(cuts), 5000]
    parts = [rung.Partial(name, x[i:j], begin=i) for i, j in zip(cuts, cuts[1:])]
    whole = getattr(rung, name)(x)
    joined = parts[0]
    for part in parts[1:]:
        joined = joined + part
    same(joined.value, whole)
    same(rung.merge(parts).value, whole)
    same(rung.merge(pickle.loads(pickle.dumps(p)) for p in parts).value, whole)
    assert (joined.begin, joined.end) == (0, 5000)


def of_a_slice(slice_):
    begin, end = slice_
    return rung.Partial("sum", np.arange(begin, end) / 3, begin)


def test_processes_send_them():
    slices = [(0, 1000), (1000, 2500), (2500, 2501), (2501, 4000)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(of_a_slice, slices)
    same(rung.merge(parts[::-1]).value, rung.sum(np.arange(4000) / 3))


def test_appending_and_options():
    p = rung.Partial("var", dtype=np.float64, ddof=1, skipna=True)
    for piece in ([1.0, np.nan], [3.0], []):
        p.append(np.array(piece))
    same(p.value, np.float64(2))
    assert (p.op, p.begin, p.end) == ("var", 0, 3)
    assert repr(p) == "<rung.Partial var of 0:3>"
    same(rung.Partial("sum", np.ones(3, np.float16), accumulate="f32").value, np.float32(3))
    same(rung.Partial.from_bytes(bytes(p)).value, p.value)


def test_what_does_not_fit_is_refused():
    left, right = rung.Partial("sum", np.ones(3)), rung.Partial("sum", np.ones(3), begin=4)
    with pytest.raises(ValueError):
        left + right
    with pytest.raises(ValueError):
        right.value
    with pytest.raises(ValueError, match="do not merge"):
        left + rung.Partial("max", np.ones(3), begin=3)
    with pytest.raises(ValueError, match="no operation 'median'"):
        rung.Partial("median", np.ones(3))
    with pytest.raises(ValueError):
        rung.Partial.from_bytes(b"no partial")
    with pytest.raises(TypeError, match="needs a dtype"):
        rung.Partial("sum")
    with pytest.raises(ValueError):
        rung.Partial("max", dtype=float).value
    with pytest.raises(TypeError):
        left + 1
    with pytest.raises(ValueError, match="no partials"):
        rung.merge([])
