# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
"""Examples in docstrings and in docs/python.md run; every public name is documented and typed."""
import ast
import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re

import numpy as np
import pytest

import rung

ROOT = pathlib.Path(__file__).resolve().parents[2]
WITH_OTHERS = ("_core", "dask", "torch")  # need what may not be installed, or no Python at all
MODULES = [rung, *(importlib.import_module(f"rung.{m.name}")
                   for m in pkgutil.iter_modules(rung.__path__) if m.name not in WITH_OTHERS)]
old = int(np.__version__.split(".")[0]) < 2  # writes scalars another way


@pytest.mark.skipif(old, reason="the examples show scalars as NumPy 2 does")
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_docstrings(module):
    failed, _ = doctest.testmod(module, extraglobs={"np": np, "rung": rung})
    assert not failed


@pytest.mark.skipif(old, reason="the examples show scalars as NumPy 2 does")
def test_manual(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, ran = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert ran and not failed


def test_every_public_name_is_documented():
    for name in rung.__all__:
        thing = getattr(rung, name)
        assert inspect.getdoc(thing), name
        if inspect.isfunction(thing):
            assert inspect.signature(thing).return_annotation is not inspect.Signature.empty, name
    assert len(set(rung.__all__)) == len(rung.__all__)


def test_stubs_are_those_of_the_module():
    """Names and parameters of _core.pyi against what the extension says of itself."""
    def functions(holder):
        return {name: thing.__nb_signature__[0][0] for name, thing in vars(holder).items()
                if hasattr(thing, "__nb_signature__")}

    def stubs(body):
        return {f.name: [a.arg for a in f.args.args] for f in body
                if isinstance(f, ast.FunctionDef)}

    tree = ast.parse((ROOT / "python/rung/_core.pyi").read_text())
    partial = next(c for c in tree.body if isinstance(c, ast.ClassDef))
    for body, holder in ((tree.body, rung._core), (partial.body, rung._core.Partial)):
        written, real = stubs(body), functions(holder)
        assert set(written) == set(real)
        for name, text in real.items():
            text = re.sub(r"\\\d+", "object", text)
            parameters = ast.parse(text + ": ...").body[0].args
            assert written[name] == [a.arg for a in parameters.posonlyargs + parameters.args], name


def test_version_is_the_librarys():
    text = (ROOT / "CMakeLists.txt").read_text()
    assert rung.__version__ == re.search(r"project\(rung VERSION ([\d.]+)", text)[1]
    assert rung.machine().startswith("cpu: ")
