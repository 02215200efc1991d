# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""rung as PyTorch operators with gradients: sum, cumsum, logsumexp and linear_recurrence.

They are torch.ops.rung.*, so torch.compile takes them as they are. Gradients are rung's own folds
and scans, with the same bits on every run. Tensors in host memory, or, in a build with CUDA, on a
GPU: there on the current stream, also while it is captured into a graph.

>>> import torch, rung.torch                                            # doctest: +SKIP
>>> x = torch.randn(1000, requires_grad=True)                           # doctest: +SKIP
>>> rung.torch.cumsum(x, 0).square().sum().backward()                   # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

import rung

__all__ = ["cumsum", "linear_recurrence", "logsumexp", "sum"]


def _dims(x: Tensor, dim: int | Sequence[int] | None) -> list[int]:
    if dim is None:
        return list(range(x.ndim))
    return [d % max(x.ndim, 1) for d in ([dim] if isinstance(dim, int) else dim)]


def _reduced(x: Tensor, dim: list[int], keepdim: bool) -> list[int]:
    return [1 if d in dim else n for d, n in enumerate(x.shape) if keepdim or d not in dim]


def _restored(y: Tensor, dim: list[int], keepdim: bool) -> Tensor:
    """A reduction's result with the reduced axes back, of length 1."""
    for d in () if keepdim else sorted(dim):
        y = y.unsqueeze(d)
    return y


def _sum_type(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_floating_point or dtype.is_complex:
        return dtype
    return torch.int64 if dtype.is_signed or dtype == torch.bool else torch.uint64


@torch.library.custom_op("rung::sum", mutates_args=())
def _sum(x: Tensor, dim: list[int], keepdim: bool) -> Tensor:
    return rung.sum(x, axis=tuple(dim), keepdims=keepdim)


@_sum.register_fake
def _(x, dim, keepdim):
    return x.new_empty(_reduced(x, dim, keepdim), dtype=_sum_type(x.dtype))


def _sum_setup(ctx, inputs, output):
    x, ctx.dim, ctx.keepdim = inputs
    ctx.shape = x.shape


def _sum_backward(ctx, grad):
    return _restored(grad, ctx.dim, ctx.keepdim).expand(ctx.shape), None, None


_sum.register_autograd(_sum_backward, setup_context=_sum_setup)


@torch.library.custom_op("rung::cumsum", mutates_args=())
def _cumsum(x: Tensor, dim: int, reverse: bool) -> Tensor:
    return rung.cumulative_sum(x, axis=dim, reverse=reverse)


@_cumsum.register_fake
def _(x, dim, reverse):
    return x.new_empty(x.shape, dtype=_sum_type(x.dtype))


def _cumsum_setup(ctx, inputs, output):
    _, ctx.dim, ctx.reverse = inputs


def _cumsum_backward(ctx, grad):
    return _cumsum(grad, ctx.dim, not ctx.reverse), None, None


_cumsum.register_autograd(_cumsum_backward, setup_context=_cumsum_setup)


@torch.library.custom_op("rung::logsumexp", mutates_args=())
def _logsumexp(x: Tensor, dim: list[int], keepdim: bool) -> Tensor:
    return rung.logsumexp(x, axis=tuple(dim), keepdims=keepdim)


@_logsumexp.register_fake
def _(x, dim, keepdim):
    dtype = x.dtype if x.dtype.is_floating_point else torch.float64
    return x.new_empty(_reduced(x, dim, keepdim), dtype=dtype)


def _logsumexp_setup(ctx, inputs, output):
    x, ctx.dim, ctx.keepdim = inputs
    ctx.save_for_backward(x, output)


def _logsumexp_backward(ctx, grad):
    x, y = ctx.saved_tensors
    grad, y = (_restored(t, ctx.dim, ctx.keepdim) for t in (grad, y))
    y = torch.where(y.isinf(), 0, y)  # exp(-inf - -inf) has an answer here: no share at all
    return grad * (x - y).exp(), None, None


_logsumexp.register_autograd(_logsumexp_backward, setup_context=_logsumexp_setup)


@torch.library.custom_op("rung::linear_recurrence", mutates_args=())
def _linear_recurrence(a: Tensor, b: Tensor, dim: int, reverse: bool) -> Tensor:
    return rung.linear_recurrence(a, b, axis=dim, reverse=reverse)


@_linear_recurrence.register_fake
def _(a, b, dim, reverse):
    return b.new_empty(b.shape, dtype=_sum_type(torch.promote_types(a.dtype, b.dtype)))


def _shifted(x: Tensor, dim: int, towards_the_end: bool) -> Tensor:
    """Each entry moved by one place; a zero comes in."""
    n = x.shape[dim]
    if n == 0:
        return x
    zero = torch.zeros_like(x.narrow(dim, 0, 1))
    if towards_the_end:
        return torch.cat([zero, x.narrow(dim, 0, n - 1)], dim)
    return torch.cat([x.narrow(dim, 1, n - 1), zero], dim)


def _recurrence_setup(ctx, inputs, output):
    a, _, ctx.dim, ctx.reverse = inputs
    ctx.save_for_backward(a, output)


def _recurrence_backward(ctx, grad):
    # The gradient of b is the recurrence run the other way: g[t] = grad[t] + a[t + 1] g[t + 1].
    a, x = ctx.saved_tensors
    to_b = _linear_recurrence(_shifted(a.conj(), ctx.dim, ctx.reverse), grad, ctx.dim,
                              not ctx.reverse)
    to_a = to_b * _shifted(x, ctx.dim, not ctx.reverse).conj()
    return to_a, to_b, None, None


_linear_recurrence.register_autograd(_recurrence_backward, setup_context=_recurrence_setup)


def sum(x: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    """rung.sum of a tensor, with a gradient."""
    return _sum(x, _dims(x, dim), keepdim)


def cumsum(x: Tensor, dim: int, reverse: bool = False) -> Tensor:
    """rung.cumulative_sum of a tensor, with a gradient."""
    return _cumsum(x, dim, reverse)


def logsumexp(x: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False) -> Tensor:
    """rung.logsumexp of a tensor, with a gradient."""
    return _logsumexp(x, _dims(x, dim), keepdim)


def linear_recurrence(a: Tensor, b: Tensor, dim: int = -1, reverse: bool = False) -> Tensor:
    """rung.linear_recurrence of tensors, with gradients; a and b are broadcast to one shape."""
    a, b = torch.broadcast_tensors(a, b)
    return _linear_recurrence(a, b, dim, reverse)
