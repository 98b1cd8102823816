"""Notebooks that tests execute take compiled code from where the tests do: each build folder would compile its own."""

import os
from collections.abc import Iterator

import pytest

from compendium.book import runs


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    environment = runs.environment
    shared = {name: os.environ[name] for name in ("NUMBA_CACHE_DIR",) if name in os.environ}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "environment", lambda: environment() | shared)
        yield
