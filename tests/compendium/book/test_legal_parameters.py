"""Whatever is legal works: no traceback, no nan on a page, no verdict where none belongs; what is not legal is told
in one line before a kernel starts.

Parameters are drawn from the models' own bounds at the smallest scale: subsets of lists in any
order, least values.  ``make test`` draws a few for the quickest notebooks, ``ERROREST_FUZZ=20`` many for all.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from batteries import assert_refused
from compendium.book import catalogue, session
from compendium.book.notebook import Notebook
from compendium.book.parameters import describe, resolve
from compendium.book.session import Session
from errorest.errors import UsageError

DRAWS = int(os.environ.get("ERROREST_FUZZ", "0"))
SEED = int(os.environ.get("ERROREST_FUZZ_SEED", "1"))
QUICK = {
    "martin-hirschberg/02-discriminant",
    "kohavi/04-another-data-set",
    "scheffer-herbrich/03-calculator",
    "guide/08-other-packages",
}
NOTEBOOKS = [n for n in catalogue.notebooks() if DRAWS or n.id in QUICK]
LARGE = {
    # where the least value does not bound the work
    "kohavi/01-iris": {"holdouts": 3, "splits": 2, "memorizer_sizes": [20, 50], "trials": 100},
}


def least(spec: Notebook) -> dict[str, Any]:
    """The smallest scale: preview values, and the least whole numbers that the model allows."""
    results: dict[str, Any] = {}
    for d in describe(spec.parameters):
        if type(d.default) is int and "minimum" in d.limits and d.name != "seed":
            results[d.name] = d.limits["minimum"]
        elif d.preview != d.default:
            results[d.name] = d.preview
    return results | LARGE.get(spec.id, {})


def drawn(spec: Notebook, rng: np.random.Generator) -> dict[str, Any]:
    """Draw parameters; lists of one length are cut alike, since one often belongs to the other."""
    given = least(spec)
    cuts: dict[int, np.ndarray] = {}
    for d in describe(spec.parameters):
        values = given.get(d.name, d.default)
        if isinstance(values, list) and values:
            n = len(values)
            chosen = cuts.setdefault(n, rng.permutation(n)[: rng.integers(1, n + 1)])
            empty = rng.random() < 0.1 and not d.limits.get("min_entries")
            given[d.name] = [] if empty else [values[i] for i in chosen]
        elif isinstance(values, bool):
            given[d.name] = bool(rng.integers(2))
        elif d.allowed:
            given[d.name] = d.allowed[rng.integers(len(d.allowed))]
        elif type(values) is int and d.name in given:
            given[d.name] = values + int(rng.integers(2))
    return given


def shown(spec: Notebook, given: dict[str, Any], folder: Path) -> None:
    """Run a notebook in this process and hold what its pages must never have."""
    try:
        parameters = resolve(spec, given)
        parameters.inputs()
    except UsageError:
        assert_refused(None, lambda: resolve(spec, given).inputs())
        return
    opened = Session(spec, parameters)
    for artifact in spec.artifacts:
        html = opened.show(artifact.id).data
        text = re.sub(r"<[^>]*>", " ", html)
        assert not re.search(r"\bnan\b", text, re.IGNORECASE), (artifact.id, given)
        report = json.loads((folder / "artifacts" / f"{artifact.id}.json").read_text())
        assert report["scale"] in ("own", "preview") or parameters == resolve(spec, {})
        assert not any(c.get("verdict") for c in report["comparison"]), (artifact.id, given)
        assert not report["wholes"], (artifact.id, given)
        plt.close("all")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ERROREST_OUT", str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    # a figure is drawn once, not once more for the second format
    monkeypatch.setattr(session, "save", _save_svg)
    return tmp_path


def _save_svg(figure: Figure, base: str | Path) -> tuple[Path, Path]:
    figure.savefig(f"{base}.svg", format="svg")
    return Path(f"{base}.svg"), Path(f"{base}.png")


@pytest.mark.parametrize("spec", NOTEBOOKS, ids=lambda spec: spec.id)
def test_whatever_a_model_allows_is_shown_or_refused_in_one_line(spec: Notebook, folder: Path) -> None:
    rng = np.random.default_rng([SEED, *spec.id.encode()])
    for given in [least(spec), *(drawn(spec, rng) for _ in range(max(1, DRAWS)))]:
        print(spec.id, given)  # pytest shows it where this fails
        shown(spec, given, folder)


ANOTHER = {"holdouts": 2, "samples": 2, "inducers": ["naive-bayes"], "sizes": [60]}


@pytest.mark.parametrize(
    "given",
    [
        {"stratified_folds": []},
        {"folds": [2], "stratified_folds": [3], "bootstrap_samples": [1]},
        {"folds": [2], "data_sets": ["rand"]},
        {"data_sets": ["iris"], "inducers": ["knn(k=1)", "knn(k=3)", "naive-bayes"], "folds": [2]},
        {"data_sets": ["iris"], "inducers": ["sklearn.discriminant_analysis.LinearDiscriminantAnalysis"]},
        {"data_sets": ["iris"], "sizes": [2], "folds": [2], "stratified_folds": [2]},
    ],
)
def test_another_data_set_by_any_folds_and_classes(folder: Path, given: dict[str, Any]) -> None:
    shown(catalogue.notebook("kohavi/04-another-data-set"), {**ANOTHER, **given}, folder)
