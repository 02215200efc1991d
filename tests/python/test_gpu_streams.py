# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in GPU memory: work in the order of the caller's stream, CUDA graphs, PyTorch's operators
and their gradients, bf16, negated views."""
import numpy as np
import pytest

import rung
from gpu_arrays import libraries, need_gpu, same_bytes

need_gpu()
FOUND = {library.name: library for library in libraries()}
if "torch" not in FOUND:
    pytest.skip("PyTorch sees no GPU", allow_module_level=True)
import torch  # noqa: E402

import rung.torch  # noqa: E402


def test_calls_keep_the_order_of_a_stream_of_torch():
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x = torch.zeros(1 << 24, device="cuda")
        for i in range(20):
            x.add_(1)  # 20 ms that are not over yet
            x.sub_(1)
        x.fill_(1)
        total, running = rung.sum(x), rung.cumulative_sum(x)
        x.fill_(3)  # comes after what was read
        odd = rung.prod(x[:5].double(), accumulate="float64") + total
    side.synchronize()
    assert total.item() == 1 << 24 and running[-1].item() == 1 << 24
    assert odd.item() == 243 + (1 << 24)


def test_calls_keep_the_order_of_a_stream_of_cupy():
    cupy = pytest.importorskip("cupy")
    with cupy.cuda.Stream(non_blocking=True) as side:
        x = cupy.zeros(1 << 24, "float32")
        for i in range(20):
            x += 1
        total = rung.sum(x)
        x.fill(0)
    side.synchronize()
    assert float(total) == 20 * (1 << 24)


def test_jax_waits_and_is_waited_for():
    jax = pytest.importorskip("jax")
    if "jax" not in FOUND:
        pytest.skip("JAX sees no GPU")
    x = jax.numpy.ones(1 << 22)
    for i in range(50):
        x = rung.cumulative_sum(x * 0 + 1) - x
        x = x * 0 + 1
    assert float(rung.sum(x)) == 1 << 22


def test_graphs():
    x = torch.randn(300, 1000, device="cuda")
    offsets = torch.tensor([0, 10, 900, 1000], device="cuda")
    calls = [lambda: rung.sum(x), lambda: rung.sum(x, axis=0), lambda: rung.argmax(x, axis=1),
             lambda: rung.cumulative_sum(x, axis=1), lambda: rung.cumulative_sum(x),
             lambda: rung.prod(x, axis=0), lambda: rung.var(x.double(), axis=1),
             lambda: rung.cummax(x, axis=0), lambda: rung.segment_sum(x[0], offsets),
             lambda: rung.linear_recurrence(x, x, axis=1), lambda: rung.torch.logsumexp(x, 0)]
    for call in calls:
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = [call() for call in calls]
    for seed in range(3):
        torch.manual_seed(seed)
        x.copy_(torch.randn(300, 1000))
        graph.replay()
        torch.cuda.synchronize()
        for call, result in zip(calls, results):
            assert torch.equal(call(), result)


def test_bf16():
    x = np.random.default_rng(1).normal(size=(40, 300)).astype(np.float32)
    t = torch.from_numpy(x).bfloat16()
    for name in ("sum", "mean", "max", "argmax", "cumulative_sum", "norm"):
        for axis in (0, 1, None):
            f = getattr(rung, name)
            got, want = f(t.cuda(), axis=axis), f(t, axis=axis)
            assert got.dtype == want.dtype and torch.equal(got.cpu(), want)


def test_negated_and_conjugated_views():
    z = torch.randn(50, dtype=torch.complex64, device="cuda")
    negated = z.conj().imag
    assert negated.is_neg()
    assert rung.sum(negated).item() == rung.sum(-z.imag.cpu().numpy())
    assert rung.sum(z.conj()).item() == rung.sum(z.cpu().numpy().conj())


def test_two_threads_on_two_streams():
    import threading

    x = torch.randn(1 << 20, device="cuda")
    want = [rung.sum(x).item(), rung.cumulative_sum(x).cpu()]
    wrong = []

    def work():
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(200):
                if rung.sum(x).item() != want[0]:
                    wrong.append("sum")
            if not torch.equal(rung.cumulative_sum(x).cpu(), want[1]):
                wrong.append("cumsum")

    torch.cuda.synchronize()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


CALLS = {
    "sum": lambda x: rung.torch.sum(x, 0),
    "cumsum": lambda x: rung.torch.cumsum(x, 1),
    "logsumexp": lambda x: rung.torch.logsumexp(x, -1),
    "recurrence": lambda x: rung.torch.linear_recurrence(x, x.flip(0) + 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_gradients_and_compile(name):
    x = torch.randn(4, 5, dtype=torch.float64, requires_grad=True)
    y = x.detach().cuda().requires_grad_()
    want, got = CALLS[name](x), CALLS[name](y)
    assert torch.equal(got.cpu(), want)
    weights = torch.arange(want.numel(), dtype=want.dtype).reshape(want.shape)
    (want * weights).sum().backward(), (got * weights.cuda()).sum().backward()
    torch.testing.assert_close(y.grad.cpu(), x.grad)
    compiled = torch.compile(CALLS[name], backend="aot_eager", fullgraph=True)
    assert torch.equal(compiled(y), got)
    assert torch.autograd.gradcheck(CALLS[name], (y,))


def test_parameters_and_gradients_are_read_as_values():
    weight = torch.nn.Parameter(torch.randn(30, 4, device="cuda"))
    assert not rung.sum(weight, axis=0).requires_grad
    assert torch.equal(rung.sum(weight, axis=0).cpu(), rung.sum(weight.detach().cpu(), axis=0))


def test_results_are_tensors_of_torchs_own_memory():
    x = torch.ones(1000, device="cuda")
    total = rung.sum(x)
    assert total.shape == () and total.device == x.device
    total.record_stream(torch.cuda.current_stream())
    assert total.untyped_storage().resizable()


def test_other_libraries_with_a_cuda_array_interface():
    cupy = pytest.importorskip("cupy")

    class Interface:
        def __init__(self, x):
            self.kept, self.__cuda_array_interface__ = x, x.__cuda_array_interface__

    x = cupy.arange(12, dtype="float32").reshape(3, 4)
    total = rung.sum(Interface(x), axis=0)
    assert isinstance(total, cupy.ndarray)
    same_bytes(FOUND["cupy"], total, rung.sum(x.get(), axis=0))
