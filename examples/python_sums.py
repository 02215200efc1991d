# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""What the one order is good for, with plots: how far running sums drift, what changes from run to
run and from shape to shape, and how fast it is. Cells for Jupyter or VS Code; as a script it needs
matplotlib and writes three SVG files to the folder it is given, or the current one.
"""
# %%
import pathlib
import sys
import time

import matplotlib
import numpy as np

import rung

matplotlib.use("svg") if __name__ == "__main__" else None
import matplotlib.pyplot as plt  # noqa: E402

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# %% A running sum in float32, against the same in float64. Adding one value after the other, as
# NumPy does, the error grows with the number of values; in a tree it grows with its logarithm.
x = np.random.default_rng(1).random(10_000_000, dtype=np.float32)
exact = np.cumsum(x, dtype=np.float64)
places = np.unique(np.logspace(1, 7, 300).astype(int)) - 1
figure, axes = plt.subplots()
for name, entries in {"numpy.cumsum": np.cumsum(x), "rung.cumsum": rung.cumsum(x)}.items():
    error = np.abs(entries[places] - exact[places]) / exact[places]
    axes.loglog(places + 1, np.maximum(error, 1e-9), ".", markersize=3, label=name)
axes.set(xlabel="values", ylabel="relative error of the running sum")
axes.legend()
figure.savefig(folder / "running_sum_error.svg")

# %% The same numbers in another layout: NumPy's sum follows the memory, rung's the positions.
square = x[:9_000_000].reshape(3000, 3000)
views = {"C order": square, "Fortran order": np.asfortranarray(square),
         "every other of twice as many": np.repeat(square, 2, axis=1)[:, ::2]}
for name, view in views.items():
    print(f"{name:30} numpy {np.sum(view, axis=0)[0]!r:24} rung {rung.sum(view, axis=0)[0]!r}")
sums = {f.__module__.partition(".")[0]: [f(v, axis=1) for v in views.values()]
        for f in (np.sum, rung.sum)}
figure, axes = plt.subplots()
for place, (name, (first, *others)) in enumerate(sums.items()):
    differing = [np.count_nonzero(first != other) for other in others]
    axes.bar(np.arange(len(others)) + place * 0.4, differing, 0.4, label=name)
axes.set(xticks=np.arange(2) + 0.2, xticklabels=list(views)[1:],
         ylabel="row sums, of 3000, with other bits")
axes.legend()
figure.savefig(folder / "layouts.svg")

# %% Time by axis.
figure, axes = plt.subplots()
shapes = [(10**7, 1), (10**5, 100), (3162, 3162), (100, 10**5), (1, 10**7)]
for name, f in {"numpy": np.cumsum, "rung": rung.cumsum}.items():
    times = []
    for shape in shapes:
        table = np.resize(x, shape)
        best = np.inf
        for _ in range(3):
            start = time.perf_counter()
            f(table, axis=0)
            best = min(best, time.perf_counter() - start)
        times.append(best * 1e3)
    axes.semilogy(["x".join(map(str, shape)) for shape in shapes], times, "o-", label=name)
axes.set(ylabel="ms for a running sum along axis 0")
axes.legend()
figure.savefig(folder / "axes.svg")
