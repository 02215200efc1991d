# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Dask arrays: any chunks give the bits of rung on the whole array."""
import numpy as np
import pytest

import rung
from oracle import same

da = pytest.importorskip("dask.array")
import rung.dask  # noqa: E402

CHUNKS = [1, 7, 64, 100, 1000, (3, 500, 497)]


@pytest.fixture(autouse=True)
def scheduler():
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.parametrize("chunks", CHUNKS[1:], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
def test_lines(chunks, dtype):
    x = (np.random.default_rng(2).normal(size=1000) * 9).astype(dtype)
    lazy = da.from_array(x, chunks=(chunks,) if isinstance(chunks, tuple) else chunks)
    for name in rung.dask.__all__:
        if name.startswith("cum"):
            same(getattr(rung.dask, name)(lazy).compute(), getattr(rung, name)(x))
        else:
            same(getattr(rung.dask, name)(lazy).compute(), np.asarray(getattr(rung, name)(x)))
    same(rung.dask.var(lazy, ddof=1).compute(), np.asarray(rung.var(x, ddof=1)))


@pytest.mark.parametrize("chunks", [(5, 4, 3), (20, 1, 30), (7, 30, 30)])
def test_axes(chunks):
    x = np.random.default_rng(2).normal(size=(20, 30, 30)).astype(np.float32)
    lazy = da.from_array(x, chunks=chunks)
    same(rung.dask.sum(lazy).compute(), np.asarray(rung.sum(x)))
    same(rung.dask.argmax(lazy, keepdims=True).compute(), rung.argmax(x, keepdims=True))
    for axis in (0, -1, (0, 2)):
        for keep in (False, True):
            same(rung.dask.sum(lazy, axis=axis, keepdims=keep).compute(),
                 rung.sum(x, axis=axis, keepdims=keep))
    same(rung.dask.cumsum(lazy, axis=1).compute(), rung.cumsum(x, axis=1))
    with pytest.raises(ValueError, match="needs axis"):
        rung.dask.cumsum(lazy)


def test_a_cluster_of_processes():
    distributed = pytest.importorskip("distributed")
    x = np.random.default_rng(2).normal(size=10_000)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  scheduler_port=0) as cluster, distributed.Client(cluster):
        lazy = da.from_array(x, chunks=999)
        same(rung.dask.sum(lazy).compute(scheduler="distributed"), np.asarray(rung.sum(x)))
        same(rung.dask.cumsum(lazy).compute(scheduler="distributed"), rung.cumsum(x))
