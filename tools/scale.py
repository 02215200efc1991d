#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""How the ranks rung behaves with many ranks: message sizes, simulated times, a check by MPI.

    scale.py table                          the tables of docs/scale.md
    scale.py check PROGRAM [MPIRUN WORD...] run bench_ranks_mpi on 1, 2, 3, 4, 7 ranks and compare;
                                            exits with 1 if a size differs, or, with no more ranks
                                            than cores, a time by over 40 %
    scale.py gpus FILE                      predict bench_ranks_nccl's times on two GPUs from those
                                            on one, and what 4 and 8 would take; exits with 1 if a
                                            time on two differs by over 15 %

A collective is simulated message by message: in step k every rank sends what it has to the rank
2^k before it (Bruck's all-gather), or a binomial tree is climbed with partials that merge on the
way. A message takes latency * jitter + bytes / bandwidth; a rank goes on when its own are there.
"""
import json
import math
import os
import random
import subprocess
import sys

HEAD, FLAG, STATE = 24, 8, 4  # bytes: who has how many values; has it failed; a state of f32
LATENCY, BANDWIDTH = 2e-6, 12e9  # of a 100 Gbit/s network between nodes
NODE, INSIDE = 8, 3e-6  # ranks of a node, the latency between them through one GPU's software
STEP = 1.5  # us: a step of a ring between GPUs, an assumption
JITTER = 0.3  # sigma of the logarithm of a message's latency


def blocks(begin, end):
    """How many aligned power-of-two blocks a range of positions falls into."""
    count = 0
    while begin < end:
        size = 1 << ((end - begin).bit_length() - 1)
        if begin:
            size = min(size, begin & -begin)
        begin += size
        count += 1
    return count


def most_blocks(values, ranks):
    """Of any rank, with an even split; of a sample, if there are very many."""
    some = range(ranks) if ranks <= 2000 else random.Random(1).sample(range(ranks), 2000)
    return max(blocks(values * r // ranks, values * (r + 1) // ranks) for r in some)


def latency_of(rng, latency):
    return latency * rng.lognormvariate(0, JITTER)


def all_gather(ranks, size, latency, rng, bandwidth=BANDWIDTH):
    """The time of the slowest rank in Bruck's all-gather of `size` bytes per rank."""
    at, step = [0.0] * ranks, 1
    while step < ranks:
        wire = min(step, ranks - step) * size / bandwidth
        sent = [t + latency_of(rng, latency) + wire for t in at]
        at = [max(at[r], sent[(r + step) % ranks]) for r in range(ranks)]
        step *= 2
    return max(at)


def tree(ranks, size, latency, rng, bandwidth=BANDWIDTH):
    """Up a binomial tree to rank 0 and down again; partials merge, so every message has `size`."""
    at, step = [0.0] * ranks, 1
    while step < ranks:
        for r in range(0, ranks - step, 2 * step):
            arrives = at[r + step] + latency_of(rng, latency) + size / bandwidth
            at[r] = max(at[r], arrives)
        step *= 2
    while step > 1:
        step //= 2
        for r in range(0, ranks - step, 2 * step):
            at[r + step] = at[r] + latency_of(rng, latency) + size / bandwidth
    return max(at)


def flat_call(ranks, most, latency, rng):
    """What rung does: two all-gathers of all ranks."""
    return (all_gather(ranks, HEAD, latency, rng) +
            all_gather(ranks, FLAG + STATE * most, latency, rng))


def layered_call(ranks, most, rng):
    """Within each node, then between nodes, then back: partials of a node, merged, travel on."""
    nodes = max(1, ranks // NODE)
    time = 2 * all_gather(min(ranks, NODE), FLAG + STATE * most, INSIDE, rng, 100e9)
    for size in (HEAD, FLAG + STATE * 2 * 62):  # a partial has at most 2 log2 n blocks
        time += min(all_gather(nodes, size, LATENCY, rng), tree(nodes, size, LATENCY, rng))
    return time + INSIDE


def table():
    rng = random.Random(7)
    print("| ranks | blocks, 2^30 values each; 10^9 each | bytes received: headers; blocks | "
          "flat, us | layered, us | flat beside one fold of 2^30 f32 |")
    print("| --- | --- | --- | --- | --- | --- |")
    for ranks in (8, 64, 512, 4096, 32768, 100000):
        even, odd = most_blocks(ranks << 30, ranks), most_blocks(ranks * 10**9, ranks)
        flat, layered = flat_call(ranks, odd, LATENCY, rng), layered_call(ranks, odd, rng)
        size = ranks * (FLAG + STATE * odd)
        print(f"| {ranks:,} | {even}; {odd} | {ranks * HEAD:,}; {size:,} | {flat * 1e6:.0f} | "
              f"{layered * 1e6:.0f} | {flat / 0.92e-3 * 100:.1f} % |")


def check(program, mpirun):
    """One latency is fitted, to the first exchange on 4 ranks; everything else is predicted."""
    cores, bad = len(os.sched_getaffinity(0)), []
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    for values in (1 << 20, 1000003):
        got = {}
        for ranks in (1, 2, 3, 4, 7):
            out = subprocess.run([*mpirun, "-n", str(ranks), program, str(values)], check=True,
                                 stdout=subprocess.PIPE, text=True, env=environment)
            got[ranks] = json.loads(out.stdout)
        # Ranks that share a core take turns in every step.
        turns = {p: math.ceil(p / cores) for p in got}
        latency = got[4]["agree"] / (2 * turns[4])
        for ranks, one in got.items():
            steps = (ranks - 1).bit_length()
            exchange = steps * latency * turns[ranks]
            want = one["fold"] * turns[ranks] + 2 * exchange
            print(f"{values} values on {ranks} ranks, {cores} cores: blocks {one['blocks']}, "
                  f"exchange {one['gather']:.1f} us (model {exchange:.1f}), "
                  f"sum {one['sum']:.0f} us (model {want:.0f})")
            if one["blocks"] != most_blocks(values, ranks) or not one["right"]:
                bad.append(f"{ranks} ranks: not the blocks or the sum expected")
            if ranks <= cores and not 0.6 < one["sum"] / want < 1.4:
                bad.append(f"{ranks} ranks: the sum takes {one['sum']:.0f} us")
    sys.exit("\n".join(bad) or 0)


def gpus(path):
    """A call of P GPUs takes what one takes for its part, and an exchange. A scan's part is folded
    first. The exchange is fitted to 2^21 values: for messages of few states by NCCL (the sum), by
    peers, and for rows of 16 KiB. More GPUs: a step of NCCL's ring each; peers write to all at
    once.
    """
    with open(path) as file:
        points = json.load(file)["points"]
    time = {(p["what"], math.prod(p["shape"])): p["ours_us"] for p in points}

    def part(what, values):
        verb = what.removesuffix(", peers")
        folded = time["sum, 1 GPU", values] if verb == "inclusive sum" else 0
        return time[f"{verb}, 1 GPU", values] + folded

    exchange = {fit: time[f"{fit}, 2 GPUs", 1 << 21] - part(fit, 1 << 20)
                for fit in ("sum", "sum, peers", "sum of columns")}
    for fit, us in exchange.items():
        print(f"exchange between two GPUs, {fit}: {us:.1f} us")
    bad = []
    for what, fit in (("sum", "sum"), ("sum, peers", "sum, peers"), ("exact sum", "sum"),
                      ("inclusive sum", "sum"), ("inclusive sum, peers", "sum, peers"),
                      ("sum of columns", "sum of columns")):
        for log in (21, 25, 29, 32):
            got = time[f"{what}, 2 GPUs", 1 << log]
            want = part(what, 1 << log - 1) + exchange[fit]
            print(f"{what} of 2^{log} on 2 GPUs: {got:.1f} us (model {want:.1f})")
            if not 0.85 < got / want < 1.15:
                bad.append(f"{what} of 2^{log}: {got:.1f} us, the model says {want:.1f}")
        for count, log in ((4, 29), (8, 28)):
            steps = 0 if fit == "sum, peers" else (count - 2) * STEP
            want = part(what, 1 << log) + exchange[fit] + steps
            one = time[what.removesuffix(", peers") + ", 1 GPU", 1 << 31]
            print(f"{what} of 2^31 on {count} GPUs, predicted: {want:.0f} us, "
                  f"{one / want:.2f} times as fast as one")
    sys.exit("\n".join(bad) or 0)


def main():
    if sys.argv[1:] == ["table"]:
        table()
    elif len(sys.argv) == 3 and sys.argv[1] == "gpus":
        gpus(sys.argv[2])
    elif len(sys.argv) > 2 and sys.argv[1] == "check":
        check(sys.argv[2], sys.argv[3:] or ["mpirun", "--oversubscribe"])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
