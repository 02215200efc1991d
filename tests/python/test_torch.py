# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""PyTorch operators: values are rung's, gradients are right, torch.compile takes them whole."""
import pytest

torch = pytest.importorskip("torch")
import rung  # noqa: E402
import rung.torch  # noqa: E402


def random(*shape):
    torch.manual_seed(1)
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


CALLS = {
    "sum": lambda x: rung.torch.sum(x),
    "sum of an axis": lambda x: rung.torch.sum(x, 1),
    "sum of axes": lambda x: rung.torch.sum(x, (0, -1), keepdim=True),
    "cumsum": lambda x: rung.torch.cumsum(x, 1),
    "suffix sums": lambda x: rung.torch.cumsum(x, 0, reverse=True),
    "logsumexp": lambda x: rung.torch.logsumexp(x, -1),
    "recurrence": lambda x: rung.torch.linear_recurrence(x, x.flip(0) + 1),
    "recurrence back": lambda x: rung.torch.linear_recurrence(x[:, :1], x, 0, reverse=True),
}


@pytest.mark.parametrize("name", CALLS)
def test_gradients(name):
    assert torch.autograd.gradcheck(CALLS[name], (random(4, 5),))


@pytest.mark.parametrize("name", CALLS)
def test_compile(name):
    x = random(4, 5)
    compiled = torch.compile(CALLS[name], backend="aot_eager", fullgraph=True)
    want, got = CALLS[name](x), compiled(x)
    assert torch.equal(want, got)
    weights = torch.arange(want.numel(), dtype=want.dtype).reshape(want.shape)
    first, second = (torch.autograd.grad((y * weights).sum(), x)[0] for y in (want, got))
    assert torch.equal(first, second)


def test_values_and_types():
    x = torch.randn(3, 1001)
    assert torch.equal(rung.torch.cumsum(x, 1)[:, -1], rung.torch.sum(x, 1))
    assert rung.torch.sum(torch.ones(300, dtype=torch.int8)).dtype == torch.int64
    nothing = torch.full((2,), -torch.inf, requires_grad=True)
    rung.torch.logsumexp(nothing).backward()
    assert nothing.grad.tolist() == [0, 0]
    for op in ("sum", "cumsum", "logsumexp", "linear_recurrence"):
        assert hasattr(torch.ops.rung, op)
