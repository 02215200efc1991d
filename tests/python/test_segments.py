# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Segments and groups: every result is the reduction of its own values, bit for bit."""
import numpy as np
import pytest
from hypothesis import given, strategies as st

import rung
from arrays import arrays
from oracle import same

REDUCTIONS = ["sum", "prod", "mean", "var", "std", "norm", "any", "all", "count_nonzero"]
ORDERED = ["min", "max", "argmin", "argmax", "logsumexp"]
SCANS = ["cumulative_sum", "cumulative_prod", "cummin", "cummax"]


@st.composite
def cut(draw):
    """A line of values and offsets into it, with empty segments among them."""
    x = draw(arrays(types=(np.float32, np.float64, np.int8, np.uint8, np.float16))).reshape(-1)
    places = draw(st.lists(st.integers(0, len(x)), min_size=1, max_size=20))
    return x, np.array(sorted(places), draw(st.sampled_from((np.int64, np.int32, np.uint32))))


@given(cut())
def test_segments_are_reductions_of_their_values(case):
    x, offsets = case
    parts = [x[i:j] for i, j in zip(offsets, offsets[1:])]
    for name in REDUCTIONS + ORDERED:
        got = getattr(rung, "segment_" + name)(x, offsets)
        assert got.shape == (len(parts),)
        for value, part in zip(got, parts):
            if len(part) or name in REDUCTIONS:
                same(value, getattr(rung, name)(part))
    both = rung.segment_minmax(x, offsets)
    same(both.min, rung.segment_min(x, offsets)), same(both.max, rung.segment_max(x, offsets))


@given(cut(), st.booleans())
def test_segments_are_scanned_for_themselves(case, exclusive):
    x, offsets = case
    for name in SCANS:
        got = getattr(rung, "segment_" + name)(x, offsets, exclusive=exclusive)
        assert got.shape == x.shape
        for i, j in zip(offsets, offsets[1:]):
            if i < j:
                same(got[i:j], getattr(rung, name)(x[i:j], exclusive=exclusive))


@given(arrays(types=(np.float32, np.int64), most_rank=1), st.integers(1, 40),
       st.sampled_from((np.int32, np.float64, np.uint8)), st.booleans())
def test_groups_are_reductions_of_their_values(x, kinds, key_type, runs):
    x = np.atleast_1d(x)
    keys = (np.arange(len(x)) * 7919 % 10007 % kinds).astype(key_type)
    if key_type == np.float64:
        keys[keys == 3] = np.nan
    same_key = lambda a, b: (a == b) | ((a != a) & (b != b))
    if runs:
        starts = np.flatnonzero([i == 0 or not same_key(keys[i - 1], keys[i])
                                 for i in range(len(x))])
        parts = np.split(x, starts[1:]) if len(x) else []
        want_keys = keys[starts]
    else:
        want_keys = np.unique(keys)
        parts = [x[same_key(keys, k)] for k in want_keys]
    for name in ("sum", "mean", "argmax", "minmax"):
        got = getattr(rung, "group_" + name)(keys, x, runs=runs)
        same(got.keys, want_keys)
        values = got.values if name != "minmax" else got.values.max
        one = getattr(rung, name) if name != "minmax" else rung.max
        for value, part in zip(values, parts, strict=True):
            same(value, one(part))


def test_empty_segments_and_options():
    x = np.array([1, 2, 3, 4])
    same(rung.segment_sum(x, [0, 2, 2, 4]), np.array([3, 0, 7]))
    same(rung.segment_prod(x, [0, 2, 2, 4]), np.array([2, 1, 12]))
    same(rung.segment_sum([], [0, 0]), np.zeros(1))
    same(rung.segment_sum(np.zeros(0, int), [0, 0, 0, 0]), np.zeros(3, int))
    same(rung.segment_sum(x, [0]), np.zeros(0, int))
    same(rung.segment_sum(x, []), np.zeros(0, int))
    same(rung.segment_max(x, [0, 4, 4]), np.array([4, np.iinfo(int).min]))
    same(rung.segment_sum(x, [0, 2, 4], initial=10), np.array([13, 17]))
    same(rung.segment_mean(x, [0, 4], dtype="f4"), np.array([2.5], np.float32))
    out = np.zeros(4, np.int64)[::2]
    assert rung.segment_sum(x, [0, 2, 4], out=out) is out
    same(out, np.array([3, 7]))
    same(rung.segment_sum([np.nan, 1.0], [0, 2], skipna=True), np.ones(1))


def test_wrong_offsets_and_keys_are_named():
    x = np.arange(5)
    with pytest.raises(ValueError, match="fall from 3 to 2 at index 2"):
        rung.segment_sum(x, [0, 3, 2])
    with pytest.raises(ValueError, match="6"):
        rung.segment_sum(x, [0, 6])
    with pytest.raises(TypeError, match="integers"):
        rung.segment_sum(x, [0.0, 2.0])
    with pytest.raises(ValueError, match="one-dimensional"):
        rung.segment_sum(x.reshape(1, 5), [0, 2])
    with pytest.raises(ValueError, match="one length"):
        rung.group_sum([1, 2], x)
