"""The profile of studies gives each second to one function of the project."""

import os
import runpy
from pathlib import Path

import pytest

import errorest
from errorest.determinism import project_root

PACKAGE = Path(errorest.__file__).parent


@pytest.fixture(scope="module")
def by_project():
    before = dict(os.environ)
    kernels = runpy.run_path(str(project_root() / "benchmarks" / "kernels.py"))
    assert dict(os.environ) == before  # the suite has these settings already
    return kernels["_by_project"]


def function(name, *, ours=True):
    return (str(PACKAGE / "room.py") if ours else "functools.py", 1, name)


def test_a_package_that_calls_the_project_back_hands_on_its_own_seconds_alone(by_project):
    outer, inner, foreign, deep = function("outer"), function("inner"), function("get", ours=False), ("~", 0, "sort")
    # outer (1 s of its own) asks foreign (2 s), which asks inner (4 s) and deep (8 s); inner asks deep too (16 s)
    stats = {
        outer: (1, 1, 1.0, 31.0, {}),
        foreign: (1, 1, 2.0, 30.0, {outer: (1, 1, 2.0, 30.0)}),
        inner: (1, 1, 4.0, 20.0, {foreign: (1, 1, 4.0, 20.0)}),
        deep: (2, 2, 24.0, 24.0, {foreign: (1, 1, 8.0, 8.0), inner: (1, 1, 16.0, 16.0)}),
    }
    assert by_project(stats) == {"room.outer": 1 + 2 + 8, "room.inner": 4 + 16}


def test_what_two_functions_ask_a_package_for_is_parted_by_what_it_took_for_each(by_project):
    one, other, foreign, deep = function("one"), function("other"), function("get", ours=False), ("~", 0, "sort")
    stats = {
        one: (1, 1, 0.0, 9.0, {}),
        other: (1, 1, 0.0, 3.0, {}),
        foreign: (2, 2, 4.0, 12.0, {one: (1, 1, 3.0, 9.0), other: (1, 1, 1.0, 3.0)}),
        deep: (2, 2, 8.0, 8.0, {foreign: (2, 2, 8.0, 8.0)}),
    }
    assert by_project(stats) == {"room.one": 3 + 6, "room.other": 1 + 2}
