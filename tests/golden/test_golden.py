"""What some hundreds of calls return is what was recorded; ``python tests/golden/record.py`` records again."""

import pytest
from golden_calls import all_calls
from record import PAGES, changes, made, recorded

CALLS = [(function, id) for function, calls in all_calls().items() for id in calls]


@pytest.mark.parametrize(("function", "id"), CALLS)
def test_values_and_texts_are_as_recorded(function: str, id: str) -> None:
    new = made(function, id)
    lines = [line for kind in new for line in changes(recorded(kind, function).get(id, {}), new[kind])]
    if lines:
        pytest.fail("\n".join(f"{function} [{id}] {line}" for line in lines), pytrace=False)


@pytest.mark.parametrize("function", all_calls())
def test_every_recorded_call_is_still_made(function: str) -> None:
    calls = set(all_calls()[function])
    assert set(recorded("value", function)) == calls
    assert set(recorded("text", function)) <= calls
    assert set(PAGES.get(function, ())) <= calls
