# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of every layout for hypothesis: views with any strides, orders of axes and bytes."""
import numpy as np
from hypothesis import strategies as st

import oracle

special = {"f": [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 65504.0], "i": [0, 1, -1, 127, -128],
           "u": [0, 1, 255], "b": [False, True], "c": [0, 1j, complex(np.inf, 0), -0.0]}


@st.composite
def arrays(draw, types=tuple(oracle.TYPES), least=0, most_rank=4, specials=True):
    dtype = np.dtype(draw(st.sampled_from(types)))
    shape = tuple(draw(st.lists(st.integers(least, 9), max_size=most_rank)))
    if len(shape) == 1:
        shape = (draw(st.integers(least, 3000)),)
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    steps = [draw(st.sampled_from((1, 2, -1, -3))) for _ in shape]
    base = tuple(n * abs(step) for n, step in zip(shape, steps))
    if dtype.kind in "iub":
        x = random.integers(0, 2 if dtype.kind == "b" else 100, base).astype(dtype)
    else:
        x = (random.normal(size=base) * 10.0 ** random.integers(-3, 4, base)).astype(dtype)
        if dtype.kind == "c":
            x = x + 1j * random.normal(size=base).astype(dtype)
    x = np.array(x, dtype, order=draw(st.sampled_from("CF")))
    x = x[(..., *(slice(None, None, step) for step in steps))]
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    if specials and x.size and draw(st.booleans()):
        for _ in range(draw(st.integers(1, 3))):
            place = tuple(draw(st.integers(0, n - 1)) for n in x.shape)
            x[place] = draw(st.sampled_from(special[dtype.kind]))
    if draw(st.integers(0, 4)) == 0:
        x = x.astype(dtype.newbyteorder("S"))
    if draw(st.booleans()):
        x.flags.writeable = False
    return x


@st.composite
def with_axes(draw, **how):
    """An array and some of its axes, as a user would write them."""
    x = draw(arrays(**how))
    axes = draw(st.lists(st.sampled_from(range(x.ndim)), unique=True)) if x.ndim else []
    axes = tuple(a - x.ndim if draw(st.booleans()) else a for a in axes)
    return x, draw(st.sampled_from((None, axes, axes[0] if axes else None)))


def lines(x, axis):
    """Values in C order along the reduced axes, which come first, and the other axes behind."""
    native = x.astype(x.dtype.newbyteorder("="))
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = sorted(a % x.ndim for a in axes)
    kept = [d for d in range(x.ndim) if d not in axes]
    moved = native.transpose(axes + kept)
    length = int(np.prod([x.shape[a] for a in axes], dtype=np.int64))
    return np.ascontiguousarray(moved).reshape((length, *(x.shape[d] for d in kept)))
