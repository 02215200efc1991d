# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong is named, as the exceptions that NumPy users expect; nothing is written before."""
import threading

import numpy as np
import pytest

import rung

X = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("kind, text, call", [
    (IndexError, "axis 5", lambda: rung.sum(X, axis=5)),
    (ValueError, "axis 5", lambda: rung.sum(X, axis=5)),
    (IndexError, "axis -3", lambda: rung.cumsum(X, axis=-3)),
    (IndexError, "axis", lambda: rung.sum(X, axis=2**40)),
    (ValueError, "given twice", lambda: rung.sum(X, axis=(0, -2))),
    (TypeError, "integer", lambda: rung.sum(X, axis=1.5)),
    (TypeError, "integer", lambda: rung.sum(X, axis="0")),
    (ValueError, "axis 1", lambda: rung.min(np.zeros((2, 0)), axis=1)),
    (ValueError, "argmax of no values", lambda: rung.argmax([])),
    (TypeError, "no order", lambda: rung.max(np.array([1j]))),
    (TypeError, "object", lambda: rung.sum(object())),
    (TypeError, "datetime64", lambda: rung.sum(np.array(["2026-11-30"], "M8[D]"))),
    (TypeError, "longdouble|float128", lambda: rung.sum(np.ones(2, np.longdouble))),
    (TypeError, "void|record", lambda: rung.sum(np.zeros(2, "i4,f8"))),
    (TypeError, "masked", lambda: rung.sum(np.ma.masked_array([1, 2], [True, False]))),
    (TypeError, "no array|object", lambda: rung.sum([[1], [2, 3]])),
    (TypeError, "'zz'", lambda: rung.sum(X, dtype="zz")),
    (TypeError, "str", lambda: rung.sum(X, accumulate="U3")),
    (TypeError, "no integer", lambda: rung.sum([1, 2], initial=0.5)),
    (TypeError, "complex", lambda: rung.sum(X, initial=1j)),
    (TypeError, "one number", lambda: rung.sum(X, initial="1")),
    (ValueError, "64 bits", lambda: rung.sum([1, 2], initial=2**70)),
    (ValueError, "shape", lambda: rung.dot([1, 2], [1, 2, 3])),
    (ValueError, "shape", lambda: rung.sum(X, axis=0, out=np.zeros(2))),
    (ValueError, "read-only", lambda: rung.sum(X, out=np.broadcast_to(1.0, ()))),
    (ValueError, "stride 0", lambda: rung.sum(X, axis=1, out=writable_repeated())),
    (ValueError, "shares memory", lambda: rung.sum(X, axis=0, out=X[0])),
    (TypeError, "list", lambda: rung.sum(X, axis=0, out=[0, 0, 0])),
    (TypeError, "does not fit", lambda: rung.sum(X, axis=0, out=np.zeros(3, int))),
    (ValueError, "threads", lambda: rung.sum(X, threads=-1)),
])
def test_errors(kind, text, call):
    with pytest.raises(kind, match=text):
        call()


def writable_repeated():
    return np.lib.stride_tricks.as_strided(np.zeros(1), (2,), (0,), writeable=True)


def test_nothing_is_written_before_the_check():
    out = np.full(2, 7.0)
    with pytest.raises(ValueError):
        rung.sum(X, axis=0, out=out)
    assert (out == 7).all()


def test_threads_may_call_at_once_and_errors_stay_apart():
    x = np.random.default_rng(0).normal(size=100_000)
    want, wrong = rung.sum(x), []

    def work(i):
        for _ in range(20):
            if i % 2:
                with pytest.raises(IndexError, match=f"axis {i}"):
                    rung.sum(x, axis=i)
            elif rung.sum(x) != want:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
