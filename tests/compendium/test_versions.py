"""What a result was computed with: settings in force, versions, processor."""

import pytest

from compendium import versions
from errorest import determinism


def test_settings_are_in_force_only_when_all_are_set() -> None:
    environment = determinism.apply({})
    assert versions.in_force(environment)
    environment["OMP_NUM_THREADS"] = "2"
    assert not versions.in_force(environment)
    assert versions.settings({})["OPENBLAS_CORETYPE"] is None


@pytest.mark.parametrize("changed", ["numba", "llvmlite", "python"])
def test_another_version_of_what_computes_is_another_digest(monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    here, result = versions.versions_digest(), versions.installed()
    versions.versions_digest.cache_clear()
    monkeypatch.setattr(versions, "installed", lambda: {**result, changed: "0.1"})
    other = versions.versions_digest()
    versions.versions_digest.cache_clear()
    assert len(here) == len(other) == 64
    assert here != other


def test_features_that_the_settings_switch_off_make_no_other_processor() -> None:
    plain = versions.processor({})
    assert set(versions.processor()) <= set(plain)
    assert not set(versions.processor()) & set(determinism.ENVIRONMENT["NPY_DISABLE_CPU_FEATURES"].split())
