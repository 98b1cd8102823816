"""Tests run under the settings that keep equal bits, set before numpy is imported, and repeat exactly."""

import gc
import json
import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from errorest import determinism

determinism.apply()

from pandas import DataFrame  # noqa: E402

from compendium.studies.study import Study, run_study  # noqa: E402
from errorest.cli.main import main  # noqa: E402

# many small objects live long here, and looking for cycles among them takes a seventh of the time
gc.set_threshold(50_000, 20, 50)

# what is slow depends on what else the machine does
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

LONGEST = [
    "cloned_estimators",
    "bent_claims",
    "determinism",
    "check_inducer",
    "conformance",
    "svm",
    "bad_inputs",
    "extend",
    "library_alone",
    "run_by_hand",
    "permutation_test",
    "choosing",
    "legal_parameters",
    "mh_conclusions",
    "kill",
    "hostile",
    "build_book",
]
"""The files of tests that take longest, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no worker is busy with one when the others are done."""
    place = {f"test_{name}.py": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(place)))


@pytest.fixture(scope="session")
def run() -> Callable[[Study], DataFrame]:
    """Run each study once for all tests of a process."""
    known: dict[str, DataFrame] = {}

    def cached(study: Study) -> DataFrame:
        key = repr((study.id, study.cells, study.counts, study.seed))
        if key not in known:
            known[key] = run_study(study)
        return known[key]

    return cached


@pytest.fixture(scope="session")
def compiled_code() -> Iterator[None]:
    """Let executed notebooks take compiled code from where the tests do: each build folder would compile its own."""
    from compendium.book import runs

    environment = runs.environment
    shared = {name: os.environ[name] for name in ("NUMBA_CACHE_DIR",) if name in os.environ}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "environment", lambda: environment() | shared)
        yield


class Answer(NamedTuple):
    """What a command printed."""

    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command of the library, compare its status, and return what it printed."""

    def run(command: list[str], status: int = 0) -> Answer:
        capsys.readouterr()
        assert main(command) == status
        return Answer(*capsys.readouterr())

    return run
