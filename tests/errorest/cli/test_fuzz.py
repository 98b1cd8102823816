"""Texts that are nearly right: a result or one line, never anything else."""

from __future__ import annotations

import os

import pytest

from fuzzing import FOUND, KINDS, tried
from survival import LONG, counted

NUMBER = int(os.environ.get("ERROREST_TEXTS", "20000")) if LONG else 60
"""Texts of each kind."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_that_is_nearly_right_is_taken_or_refused(kind: str) -> None:
    found = tried(kind, NUMBER, seed=16)
    assert found.number == NUMBER + len(FOUND[kind])
    assert not found.failures, found.failures[:3]
    counted(f"texts that are nearly right: {kind}", found.number, found.number - len(found.failures))


def test_a_reader_that_breaks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "csv", lambda text: 1 // 0)
    assert len(tried("csv", 5, seed=0).failures) == 5 + len(FOUND["csv"])
