# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""rung over many processes: each has a part of one array, all get the bits of the whole.

The parts are those of one array that was cut along its first axis, in the order of the ranks, in
pieces of any length, empty ones too; positions count in C order. Processes are those of an mpi4py
communicator, or of a process group of torch.distributed (None: its default group); arrays lie in
host memory. Only partials travel: at most two states per bit of the number of values, and twice a
line of text about each rank.

    import rung.distributed
    from mpi4py import MPI
    total = rung.distributed.sum(my_part, MPI.COMM_WORLD)          # on every rank
    prefix = rung.distributed.cumsum(my_part, MPI.COMM_WORLD)      # of my part, as long as it

All ranks make the same calls in the same order. If one fails, or calls something else, all raise.
Reductions take beside the part and the group what rung.Partial takes: accumulate, skipna, ddof,
exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import rung

__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "cummax", "cummin", "cumprod",
           "cumsum", "logsumexp", "max", "mean", "min", "minmax", "norm", "prod", "std", "sum",
           "var"]


class RankError(RuntimeError):
    """Another rank has failed, or makes another call; the text says which."""


def _exchange(group, mine: Any) -> tuple[int, list[Any]]:
    """What every rank gave, in their order, and which one is mine."""
    if hasattr(group, "Get_rank"):  # both kinds have an allgather
        return group.Get_rank(), group.allgather(mine)
    import torch.distributed as dist

    if not dist.is_initialized():
        raise RuntimeError("rung: no group was given, and torch.distributed is not initialized")
    gathered: list[Any] = [None] * dist.get_world_size(group)
    dist.all_gather_object(gathered, mine, group=group)
    return dist.get_rank(group), gathered


class _Call:
    """One call of all ranks: what fails on one is told in the next exchange, and all raise."""

    def __init__(self, group):
        self.group, self.failure = group, None

    def attempt(self, f):
        if self.failure is None:
            try:
                return f()
            except Exception as failure:  # told to the others first
                self.failure = failure
        return None

    def exchange(self, mine):
        text = None if self.failure is None else f"{type(self.failure).__name__}: {self.failure}"
        self.rank, gathered = _exchange(self.group, (text, mine))
        if self.failure is not None:
            raise self.failure
        for rank, (text, _) in enumerate(gathered):
            if text is not None:
                raise RankError(f"rung: rank {rank} of {len(gathered)} failed; {text}")
        return [what for _, what in gathered]


def _flat(x):
    return x if getattr(x, "ndim", 0) == 1 else np.ascontiguousarray(x).reshape(-1)


def _begin(call: _Call, op: str, x, how) -> int:
    """The position of my first value."""
    about = (op, str(getattr(x, "dtype", None)).removeprefix("torch."), sorted(how.items()))
    told = call.exchange((about, 0 if x is None else len(x)))
    for rank, (other, _) in enumerate(told):
        if other != told[0][0]:
            raise RankError(f"rung: rank {rank} of {len(told)} and rank 0 make different calls: "
                            f"{other} and {told[0][0]}")
    counts = [count for _, count in told]
    return _plain_sum(counts[:call.rank])


_plain_sum = sum


def _partials(call: _Call, part: rung.Partial | None) -> list[rung.Partial]:
    saved = call.exchange(None if part is None else bytes(part))
    return [rung.Partial.from_bytes(one) for one in saved]


def _reduction(name: str):
    def reduction(x, /, group=None, **how) -> Any:
        call = _Call(group)
        x = call.attempt(lambda: _flat(x))
        begin = _begin(call, name, x, how)
        part = call.attempt(lambda: rung.Partial(name, x, begin, **how))
        return rung.merge(_partials(call, part)).value

    reduction.__name__ = reduction.__qualname__ = name
    reduction.__doc__ = (
        f"rung.{name} of the whole array, on every rank, to the bit. x: this rank's part; group: "
        f"an mpi4py communicator or a process group of torch.distributed."
    )
    return reduction


(all, any, argmax, argmin, count_nonzero, logsumexp, max, mean, min, minmax, norm, prod, std, sum,
 var) = map(_reduction, ("all any argmax argmin count_nonzero logsumexp max mean min minmax norm "
                         "prod std sum var").split())


def _stretches(begin: int, end: int):
    """What a scan does in one go: aligned blocks of powers of two, of which the last entry may be
    the end of a larger one, and from the roundest position on all the rest."""
    while begin < end:
        block = begin & -begin
        whole = begin == 0 or end - begin < block
        stop = end if whole else begin + block
        yield begin, stop, whole
        begin = stop


def _running(name: str, total: str):
    scan = getattr(rung, name)

    def running(x, /, group=None) -> Any:
        call = _Call(group)
        x = call.attempt(lambda: np.asarray(_flat(x)))
        begin = _begin(call, name, x, {})
        halves = x.dtype.kind == "f" and x.dtype.itemsize == 2
        wide = {"accumulate": "f32"} if halves and total in ("sum", "prod") else {}
        stretches = list(_stretches(begin, begin + len(x)))

        def blocks():
            return [rung.Partial(total, x[b - begin:e - begin], b, **wide) for b, e, _ in stretches]

        mine = call.attempt(blocks)
        nothing = rung.Partial(total, begin=begin, dtype=x.dtype, **wide)
        before = rung.merge([rung.Partial(total, dtype=x.dtype, **wide),
                             *_partials(call, rung.merge(mine or [nothing]))[:call.rank]])
        out = np.empty(len(x), scan(np.ones(1, x.dtype)).dtype)
        for (b, e, whole), block in zip(stretches, mine):
            to = slice(b - begin, e - begin)
            out[to] = scan(x[to], initial=before.value if b else None,
                           **({"dtype": out.dtype} if wide else {}))
            before = before + block
            if not whole:
                with np.errstate(over="ignore"):
                    out[e - begin - 1] = before.value
        return out

    running.__name__ = running.__qualname__ = name
    running.__doc__ = (
        f"This rank's entries of rung.{name} of the whole array, to the bit. x: this rank's part, "
        f"of one axis or taken in C order; group: an mpi4py communicator or a process group of "
        f"torch.distributed."
    )
    return running


cumsum, cumprod = _running("cumsum", "sum"), _running("cumprod", "prod")
cummin, cummax = _running("cummin", "min"), _running("cummax", "max")
