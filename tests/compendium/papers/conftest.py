"""Studies that the tests of papers share."""

import pytest

from compendium.studies.study import run_study


@pytest.fixture(scope="package")
def run():
    """Run each study once for all tests of papers in a process."""
    known = {}

    def cached(study):
        key = repr((study.id, study.cells, study.counts, study.seed))
        if key not in known:
            known[key] = run_study(study)
        return known[key]

    return cached
