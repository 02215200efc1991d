# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Many processes: any split gives the bits of the whole. Here the ranks are threads, with the one
call of an mpi4py communicator that is used; torch.distributed where it is installed."""
import threading

import numpy as np
import pytest

import rung
import rung.distributed
from oracle import same


class Threads:
    """A communicator of threads."""

    def __init__(self, size):
        self.barrier, self.given, self.ranks = threading.Barrier(size, timeout=60), {}, {}

    def Get_rank(self):  # noqa: N802 (as mpi4py has it)
        return self.ranks[threading.get_ident()]

    def allgather(self, mine):
        self.given[self.Get_rank()] = mine
        self.barrier.wait()
        all_given = [self.given[rank] for rank in sorted(self.given)]
        self.barrier.wait()
        return all_given

    def run(self, f):
        """f(rank) on every rank; results or exceptions."""
        results = [None] * self.barrier.parties

        def go(rank):
            self.ranks[threading.get_ident()] = rank
            try:
                results[rank] = f(rank)
            except Exception as failure:  # noqa: BLE001
                results[rank] = failure

        threads = [threading.Thread(target=go, args=(r,)) for r in range(self.barrier.parties)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        return results


SPLITS = [[0, 1000], [0, 500, 1000], [0, 512, 1000], [0, 333, 333, 1000], [0, 0, 7, 64, 999, 1000]]


@pytest.mark.parametrize("cuts", SPLITS, ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
def test_any_split(cuts, dtype):
    x = (np.random.default_rng(4).normal(size=1000) * 9).astype(dtype)
    comm = Threads(len(cuts) - 1)
    for name in rung.distributed.__all__:
        function, whole = getattr(rung.distributed, name), getattr(rung, name)(x)
        results = comm.run(lambda rank: function(x[cuts[rank]:cuts[rank + 1]], comm))
        for result in results:
            assert not isinstance(result, Exception), (name, result)
        if name.startswith("cum"):
            same(np.concatenate(results), whole)
        else:
            for result in results:
                same(np.asarray(result), np.asarray(whole))


def test_options_and_shapes():
    x = np.random.default_rng(5).normal(size=(40, 25)) * 1e9
    comm = Threads(3)
    parts = [x[:13], x[13:13], x[13:]]
    for got in comm.run(lambda rank: rung.distributed.var(parts[rank], comm, ddof=1)):
        same(np.asarray(got), np.asarray(rung.var(x, ddof=1)))
    for got in comm.run(lambda rank: rung.distributed.sum(parts[rank], comm, exact=True)):
        same(np.asarray(got), np.asarray(rung.sum(x, exact=True)))


class Broken:
    def __array__(self, *_, **__):
        raise ValueError("these values cannot be had")


def test_all_ranks_fail_together():
    comm = Threads(3)
    results = comm.run(
        lambda rank: rung.distributed.sum(np.ones(4) if rank != 1 else Broken(), comm))
    for rank in (0, 2):
        assert isinstance(results[rank], rung.distributed.RankError)
        assert "rank 1 of 3 failed; ValueError: these values" in str(results[rank])
    assert isinstance(results[1], ValueError)
    calls = [rung.distributed.sum, rung.distributed.sum, rung.distributed.max]
    for result in comm.run(lambda rank: calls[rank](np.ones(4), comm)):
        assert "rank 2 of 3 and rank 0 make different calls" in str(result)
    for result in comm.run(lambda rank: rung.distributed.min(np.ones(0), comm)):
        assert isinstance(result, ValueError)
    assert comm.run(lambda rank: rung.distributed.sum(np.ones(0), comm)) == [0, 0, 0]


def _torch_rank(rank, size, file, cuts):
    import torch.distributed as dist

    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=size)
    x = (np.random.default_rng(4).normal(size=1000) * 9).astype(np.float32)
    mine = x[cuts[rank]:cuts[rank + 1]]
    assert rung.distributed.sum(mine) == rung.sum(x)
    assert rung.distributed.mean(mine, dist.group.WORLD) == rung.mean(x)
    same(rung.distributed.cumsum(mine), rung.cumsum(x)[cuts[rank]:cuts[rank + 1]])
    dist.destroy_process_group()


def test_torch_process_groups(tmp_path):
    torch = pytest.importorskip("torch")
    if not torch.distributed.is_available():
        pytest.skip("this torch has no distributed package")
    torch.multiprocessing.spawn(_torch_rank, (3, tmp_path / "ranks", [0, 333, 400, 1000]), nprocs=3)
