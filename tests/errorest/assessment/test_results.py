"""What all results have: a table, and the paragraph for a methods section with its references."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import errorest
from errorest.assessment import choose, compare, estimate, from_predictions, learning_curve, permutation_test
from errorest.assessment.result import Result
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "src" / "errorest" / "assessment"
TEXTS = tomllib.loads((SHIPPED / "methods.toml").read_text(encoding="utf-8"))
RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
Y = (X[:, 0] + RNG.normal(size=30) > 0).astype(int)
PAIR = ["naive-bayes", "knn(k=3)"]


def entries(file: Path) -> dict[str, str]:
    """Read a BibTeX file: the entries by their keys."""
    return {m[1]: m[0] for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", file.read_text(encoding="utf-8"), re.M | re.S)}


@cache
def results() -> dict[str, Result]:
    return {
        "error": estimate("naive-bayes", X, Y, rng=1),
        "score": estimate("naive-bayes", X, Y, scoring="auc", rng=1),
        "groups": estimate("naive-bayes", X, Y, method=5, groups=np.arange(30) // 2, rng=np.random.default_rng(1)),
        "difference": compare(*PAIR, X, Y, rope=0.01, rng=1),
        "choice": choose(PAIR, X, Y, n_resamples=30, nested=2, rng=1),
        "chance": permutation_test("naive-bayes", X, Y, n_permutations=9, rng=1),
        "curve": learning_curve("naive-bayes", X, Y, at=[60], repeats=2, rng=1),
        "predictions": from_predictions(Y, 1 - Y, name="ours {x} [stone1974]"),
    }


ROWS = {"choice": 2, "curve": len(results()["curve"].points.sizes)}  # type: ignore[attr-defined]
CITED = {
    "error": {"efron1997"},
    "score": {"stone1974", "hanley1982"},
    "groups": {"stone1974", "bayle2020"},
    "difference": {"nadeau2003", "corani2015", "dietterich1998"},
    "choice": {"stone1974", "tsamardinos2018", "nadeau2003", "romano2005"},
    "chance": {"stone1974", "ojala2010", "phipson2010", "clopper1934"},
    "curve": {"stone1974"},
    "predictions": {"wilson1927"},
}


@pytest.mark.parametrize("kind", CITED)
def test_a_frame_has_a_row_for_each_estimate_candidate_or_point(kind: str) -> None:
    result = results()[kind]
    frame = result.to_frame()
    assert len(frame) == ROWS.get(kind, 1)
    assert frame.equals(result.table)
    assert not any(isinstance(value, dict | list) for value in frame.to_numpy().ravel())
    frame.iloc[0, 0] = None
    assert not frame.equals(result.table)
    if kind not in ROWS:
        assert frame.loc[0, "n"] == result.to_dict()["n"]


@pytest.mark.parametrize("kind", CITED)
def test_a_methods_text_names_version_seed_and_method_and_cites_what_it_uses(kind: str) -> None:
    result = results()[kind]
    paragraph, *references = result.methods_text().split("\n\n")
    assert f"errorest {errorest.__version__}." in paragraph
    assert ("The seed is 1." in paragraph) == (result.seed is not None)
    assert (f"Classifiers fitted: {result.n_fits}." in paragraph) == (result.n_fits > 0)
    known = entries(SHIPPED / "methods.bib")
    assert references == [known[key] for key in sorted(CITED[kind])]
    for reference in references:
        name = re.search(r"author = \{(\w+)", reference)
        assert name[1] in paragraph
    assert "{r." not in paragraph


def test_a_methods_text_says_what_was_done_in_words() -> None:
    assert "with 5 folds, stratified by class (Stone, 1974)." in results()["groups"].methods_text()
    assert "groups were resampled in place of cases" in results()["groups"].methods_text()
    report = results()["predictions"].methods_text()
    assert "The error rate of ours {x} [stone1974] was estimated from predictions of 30 cases" in report
    exact = permutation_test("naive-bayes", X[:6], [0, 0, 0, 1, 1, 1], method=2, rng=1).methods_text()
    assert "These are all arrangements" in exact
    pairs = [(np.arange(15), np.arange(15, 30)), (np.arange(15, 30), np.arange(15))]
    assert "the splits of a splitter, with list of 2." in estimate("knn", X, Y, method=pairs, rng=1).methods_text()


def test_every_method_of_ours_has_its_words_and_every_citation_its_entry() -> None:
    named = {*ESTIMATORS, *INTERVALS, *STATISTIC_INTERVALS}
    assert named <= set(TEXTS["methods"])
    known = entries(SHIPPED / "methods.bib")
    cited = set(re.findall(r"\[(\w+\d{4})\]", (SHIPPED / "methods.toml").read_text(encoding="utf-8")))
    assert cited == set(known)
    book = entries(ROOT / "book" / "references.bib")
    assert {key: book[key] for key in known if key in book} == {key: known[key] for key in known if key in book}
