# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""--exact: sums, means, spreads, norms, products and running sums against rational arithmetic."""
import math
from fractions import Fraction

import numpy as np

from runner import Case

A = np.array
nan, inf = math.nan, math.inf
f16, f32, f64 = np.float16, np.float32, np.float64


def nearest(exact, dtype):
    """The value of dtype nearest to a fraction; of two equally near, the even one."""
    low = high = dtype(float(exact))
    if Fraction(float(low)) > exact:
        low = np.nextafter(low, dtype(-inf))
    else:
        high = np.nextafter(high, dtype(inf))
    below, above = exact - Fraction(float(low)), Fraction(float(high)) - exact
    if below == above:
        return low if low.view(f"u{low.itemsize}") % 2 == 0 else high
    return low if below < above else high


def fractions(x):
    return [Fraction(float(v)) for v in np.ravel(x)]


class Exact(Case):
    def values(self, dtype, n=1500):
        rng = np.random.default_rng(5)
        x = (rng.standard_normal(n) * 2.0 ** rng.integers(-9, 9, n)).astype(dtype)
        return np.concatenate([x, -x[: n // 2], A([1, 2.0 ** -12], dtype)])

    def test_everything_that_is_offered(self):
        for dtype, name in ((f16, "f16"), (f32, "f32"), (f64, "f64")):
            x = self.values(dtype)
            v, n = fractions(x), len(x)
            total = sum(v)
            self.gives(("sum", x, "--exact"), nearest(total, dtype), name)
            self.gives(("mean", x, "--exact"), nearest(total / n, dtype), name)
            spread = sum(u * u for u in v) - total * total / n
            self.gives(("var", x, "--exact", "--ddof", 1), nearest(spread / (n - 1), dtype), name)
            if dtype is f16:  # the products would pass its range
                continue
            y = x[::-1].copy()
            dot = sum(a * b for a, b in zip(v, reversed(v)))
            self.gives(("dot", x, y, "--exact"), nearest(dot, dtype), name)

    def test_axes_and_prefixes(self):
        x = self.values(f32, 600)[:896].reshape(28, 32)
        want = [nearest(sum(fractions(x[:, c])), f32) for c in range(32)]
        self.gives(("sum", x, "--axis", 0, "--exact"), want, "f32")
        line, running, want = x.ravel(), Fraction(0), []
        for v in fractions(line):
            running += v
            want.append(nearest(running, f32))
        self.gives(("cumsum", line, "--exact"), want, "f32")

    def test_infinities_nans_and_integers(self):
        self.gives(("sum", A([3e38, 3e38, -3e38], f32), "--exact"), f32(3e38), "f32")
        self.gives(("sum", A([3e38, 3e38], f32), "--exact"), inf, "f32")
        self.gives(("sum", A([1, nan, 2], f32), "--exact"), nan, "f32")
        self.gives(("sum", A([1, nan, 2], f32), "--exact", "--skip-nan"), 3, "f32")
        self.gives(("sum", A([], f32), "--exact"), 0, "f32")
        self.gives(("norm", A([3e300, 4e300], f64), "--exact"), 5e300, "f64")
        self.gives(("sum", A([1e16, 1], f64), "--exact", "--init", "1"), 1e16 + 2, "f64")
        self.gives(("mean", A([2**63 - 1, 2**63 - 1, 2], np.int64), "--exact"), 2**64 / 3, "f64")
        self.gives(("std", A([1, 2, 4], np.int8), "--exact"), math.sqrt(14 / 9), "f64")

    def test_what_has_no_exact_form_says_so(self):
        self.refuses(("max", A([1.0]), "--exact"), "max has no exact form")
        self.refuses(("sum", A([1j]), "--exact"), "exact sums are of real numbers")
