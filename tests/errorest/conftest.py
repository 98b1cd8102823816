"""The command line in tests, as a person calls it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from errorest.cli.main import main


class Answer(NamedTuple):
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command, compare its status, and return what it printed."""

    def run(command: list[str], status: int = 0) -> Answer:
        capsys.readouterr()
        assert main(command) == status
        return Answer(*capsys.readouterr())

    return run
