"""The profile of studies gives each second to one function of the project."""

import importlib.util
import os
from pathlib import Path

import pytest

from errorest.bits import project_root

PACKAGE = Path(importlib.util.find_spec("errorest").origin).parent  # type: ignore[union-attr, arg-type]


@pytest.fixture(scope="module")
def kernels():
    path = project_root() / "benchmarks" / "kernels.py"
    spec = importlib.util.spec_from_file_location("kernels_of_benchmarks", path)
    module = importlib.util.module_from_spec(spec)
    before = dict(os.environ)
    spec.loader.exec_module(module)
    assert dict(os.environ) == before  # the suite has these settings already
    return module


def function(name, *, ours=True):
    return (str(PACKAGE / "room.py") if ours else "functools.py", 1, name)


def test_a_package_that_calls_the_project_back_hands_on_its_own_seconds_alone(kernels):
    outer, inner, foreign, deep = function("outer"), function("inner"), function("get", ours=False), ("~", 0, "sort")
    # outer (1 s of its own) asks foreign (2 s), which asks inner (4 s) and deep (8 s); inner asks deep too (16 s)
    stats = {
        outer: (1, 1, 1.0, 31.0, {}),
        foreign: (1, 1, 2.0, 30.0, {outer: (1, 1, 2.0, 30.0)}),
        inner: (1, 1, 4.0, 20.0, {foreign: (1, 1, 4.0, 20.0)}),
        deep: (2, 2, 24.0, 24.0, {foreign: (1, 1, 8.0, 8.0), inner: (1, 1, 16.0, 16.0)}),
    }
    seconds = kernels._by_project(stats)
    assert seconds == {"room.outer": 1 + 2 + 8, "room.inner": 4 + 16}
