"""What some hundreds of calls return is what was recorded; ``python tests/golden/record.py`` records anew."""

from __future__ import annotations

import pytest
from golden_calls import all_calls
from record import PAGES, changes, made, recorded

CALLS = [(function, id) for function, calls in all_calls().items() for id in calls]


def _compare(kind: str, function: str, id: str) -> None:
    old, new = recorded(kind, function).get(id, {}), made(function, id)[kind]
    if result := [f"{function} [{id}] {line}" for line in changes(old, new)]:
        pytest.fail("\n".join(result), pytrace=False)


@pytest.mark.parametrize(("function", "id"), CALLS)
def test_values_are_as_recorded(function: str, id: str) -> None:
    _compare("value", function, id)


@pytest.mark.parametrize(("function", "id"), CALLS)
def test_texts_are_as_recorded(function: str, id: str) -> None:
    _compare("text", function, id)


@pytest.mark.parametrize("function", all_calls())
def test_every_recorded_call_is_still_made(function: str) -> None:
    calls = set(all_calls()[function])
    assert set(recorded("value", function)) == calls
    assert set(recorded("text", function)) <= calls
    assert set(PAGES.get(function, ())) <= calls
