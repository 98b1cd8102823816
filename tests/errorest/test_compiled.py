"""How compiled functions are compiled: without counts of references where no array is made."""

from pathlib import Path
from typing import Any

import numba as nb
import numpy as np
import pytest
from numba.core import config
from numba.core.errors import TypingError
from numba.core.options import DefaultOptions

from errorest import compiled


@pytest.fixture(autouse=True)
def nothing_compiled_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is loaded from a folder of compiled functions cannot be looked into."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))


@pytest.fixture(params=["inner", "both"])
def countless(request: pytest.FixtureRequest) -> Any:
    return getattr(compiled, request.param)


def add(total, x):  # type: ignore[no-untyped-def]
    for i in range(x.shape[0]):
        total[i] += x[i]


def test_nothing_is_counted_for_the_arrays_that_are_passed_or_looked_at(countless) -> None:  # type: ignore[no-untyped-def]
    added = countless(add)

    @countless
    def add_rows(total, X):  # type: ignore[no-untyped-def]
        for r in range(X.shape[0]):
            added(total, X[r])

    @nb.njit
    def run(total, X):  # type: ignore[no-untyped-def]
        add_rows(total, X)

    total = np.zeros(2)
    run(total, np.arange(6.0).reshape(3, 2))
    assert total.tolist() == [6.0, 9.0]
    for function in (added, add_rows):
        (code,) = (overload.library.get_llvm_str() for overload in function.overloads.values())
        assert "NRT_incref" not in code
        assert "NRT_decref" not in code


def test_a_function_that_counts_nothing_may_call_one_that_makes_an_array() -> None:
    @compiled.maker
    def doubled(x):  # type: ignore[no-untyped-def]
        twice = np.empty_like(x)
        for i in range(x.shape[0]):
            twice[i] = 2.0 * x[i]
        return twice[0]

    @compiled.both
    def first_doubled(x):  # type: ignore[no-untyped-def]
        return doubled(x)

    assert first_doubled(np.array([3.0])) == 6.0


@pytest.mark.parametrize("size", [lambda x: np.empty(x.shape[0]), lambda x: x[:1]])
def test_making_or_handing_back_an_array_without_a_count_is_refused(countless, size) -> None:  # type: ignore[no-untyped-def]
    made = countless(size)

    @nb.njit
    def run(x):  # type: ignore[no-untyped-def]
        return made(x)

    with pytest.raises(TypingError):
        run(np.zeros(2))


def test_a_numba_that_always_counts_is_requested_for_nothing_that_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled._references(counted=False) == {"_nrt": False}
    monkeypatch.delattr(DefaultOptions, "_nrt")
    assert compiled._references(counted=False) == {}
