"""What results have in common: verdict, classes, table, methods paragraph, page, pictures, progress."""

import io
import re
import sys
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from scipy import stats
from sklearn.metrics import confusion_matrix

import errorest
from errorest import plots
from errorest.assessment import (
    ErrorEstimate,
    choose,
    compare,
    estimate,
    from_predictions,
    learning_curve,
    permutation_test,
)
from errorest.assessment.estimates import round_above
from errorest.assessment.result import Result
from errorest.cli.commands import _picture
from errorest.data.reading import read_csv
from errorest.estimation.estimators import ESTIMATORS
from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS, Limits, parse_interval
from errorest.estimation.intervals.folds import CvWald
from errorest.estimation.proportions import wilson_interval

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "src" / "errorest" / "assessment"
TEXTS = tomllib.loads((SHIPPED / "methods.toml").read_text(encoding="utf-8"))
RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
RARE = np.array(["no"] * 190 + ["yes"] * 10)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + RNG.normal(size=200) / 2, [-0.5, 0.8])]
FEW, CODES = X[:30], (X[:30, 0] + RNG.normal(size=30) > 0).astype(int)
TWINS = np.arange(30) // 2
PAIR = ["naive-bayes", "knn(k=3)"]


def found(y: np.ndarray = THREE, inducer: Any = "naive-bayes", **changes: Any) -> ErrorEstimate:
    return estimate(inducer, X, y, **{"method": "cv(k=10)", "rng": 0, **changes})


def test_a_constant_classifier_shows_no_improvement_over_the_baseline() -> None:
    for inducer, estimator in (("majority", "cv(k=10)"), ("majority", "632+(replicates=50)")):
        report = found(RARE, inducer, method=estimator).verdict
        assert report.startswith(
            "5.0 % error; always answering 'no' gives 5.0 %: no evidence of improvement over the b"
        )
        assert report.endswith("95 % interval +0.0 to +0.0 points), and all ten cases of 'yes' are wrong")
    balanced = found(RARE, "majority", scoring="balanced").verdict
    assert balanced.startswith("50.0 % balanced error; any constant answer gives 50.0 %: no evidence of improvement")


def test_the_verdict_is_a_paired_test_against_the_baseline() -> None:
    good = found()
    table = good.cases
    difference = table["loss"] - (table["class"] != good.constant)
    half = stats.t(199).ppf(0.975) * (2 * difference.var() / 200) ** 0.5
    expected = (difference.mean(), difference.mean() - half, difference.mean() + half)
    assert good.against_baseline == pytest.approx(expected)
    assert good.against_baseline.high < 0
    assert "better than the baseline (paired difference" in good.verdict
    assert good.to_dict()["against_baseline"]["low"] == pytest.approx(expected[1])
    noise = found(RNG.permutation(THREE))
    assert noise.against_baseline.low < 0 < noise.against_baseline.high
    assert "no evidence of improvement over the baseline" in noise.verdict
    wrong = from_predictions(THREE, np.where(THREE == "a", "b", "a"))
    assert "worse than the baseline (paired difference" in wrong.verdict
    # copies of groups are one piece of evidence each
    twice = np.concatenate([np.arange(200)] * 2)
    one, two = (
        from_predictions(THREE[i], table["class"].where(table["loss"] == 0, "b").to_numpy()[i], groups=groups)
        for i, groups in ((np.arange(200), None), (twice, twice))
    )
    assert two.against_baseline == pytest.approx(one.against_baseline)
    untested = found(method="resubstitution", interval=None)
    assert untested.against_baseline is None
    assert untested.verdict.endswith("no paired test of the two, since no cases were tested unseen")


def test_a_class_that_is_mostly_wrong_is_named() -> None:
    shifted = X.copy()
    shifted[193:] += 4
    report = estimate("naive-bayes", shifted, RARE, method="cv(k=10)", rng=0)
    (wrong,) = report.classes.loc[report.classes["class"] == "yes", "error"]
    assert 0 < wrong < 1
    few = replace(report, interval=None)
    assert ("of the ten cases of 'yes' are wrong" in few.verdict) is (wrong > 0.5)


def test_classes_and_confusion_are_those_of_scikit_learn() -> None:
    report = found()
    table = report.losses
    matrix = confusion_matrix(table["class"], table["predicted"])
    shares = report.confusion["share"].to_numpy().reshape(3, 3)
    np.testing.assert_allclose(shares, matrix / matrix.sum(axis=1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(report.classes["error"], 1 - np.diag(shares), atol=1e-12)
    counts = matrix.sum(axis=1)
    for row, count, wrong in zip(report.classes.itertuples(), counts, counts - np.diag(matrix), strict=True):
        low, high = wilson_interval(int(wrong), int(count))
        assert (row.low, row.high) == pytest.approx((float(low), float(high)))
    wider = found(groups=np.arange(200) // 4, method="cv(k=10)").classes
    assert ((wider["high"] - wider["low"]) > (report.classes["high"] - report.classes["low"])).all()
    assert found(method="resubstitution", interval=None).classes.empty


def test_of_the_bootstrap_a_case_counts_by_its_unseen_tests() -> None:
    report = found(method="632+(replicates=30)")
    one = report.cases.groupby("class")["loss"].mean()
    np.testing.assert_allclose(report.classes.set_index("class")["error"], one, atol=1e-12)


def entries(file: Path) -> dict[str, str]:
    """Read a BibTeX file: the entries by their keys."""
    return {m[1]: m[0] for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", file.read_text(encoding="utf-8"), re.M | re.S)}


@cache
def results() -> dict[str, Result]:
    return {
        "error": estimate("naive-bayes", FEW, CODES, rng=1),
        "score": estimate("naive-bayes", FEW, CODES, scoring="auc", rng=1),
        "groups": estimate(
            "naive-bayes", FEW, CODES, method=5, groups=np.arange(30) // 2, rng=np.random.default_rng(1)
        ),
        "difference": compare(*PAIR, FEW, CODES, rope=0.01, rng=1),
        "choice": choose(PAIR, FEW, CODES, n_resamples=30, nested=2, rng=1),
        "chance": permutation_test("naive-bayes", FEW, CODES, n_permutations=9, rng=1),
        "curve": learning_curve("naive-bayes", FEW, CODES, at=[60], repeats=2, rng=1),
        "predictions": from_predictions(CODES, 1 - CODES, name="ours {x} [stone1974]"),
    }


ROWS = {"choice": 2, "curve": len(results()["curve"].points.sizes)}  # type: ignore[attr-defined]
CITED = {
    "error": {"efron1997", "wilson1927"},
    "score": {"stone1974", "hanley1982"},
    "groups": {"stone1974", "bayle2020"},
    "difference": {"stone1974", "nadeau2003", "corani2015", "dietterich1998"},
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


GROUPED: dict[str, Any] = {
    "estimate": lambda groups: estimate("naive-bayes", FEW, CODES, groups=groups, rng=1),
    "score": lambda groups: estimate("naive-bayes", FEW, CODES, scoring="auc", method=5, groups=groups, rng=1),
    "compare": lambda groups: compare(*PAIR, FEW, CODES, groups=groups, rng=1),
    "choose": lambda groups: choose(PAIR, FEW, CODES, n_resamples=30, groups=groups, rng=1),
    "permutation_test": lambda groups: permutation_test("naive-bayes", FEW, CODES, n_permutations=9, groups=groups),
    "learning_curve": lambda groups: learning_curve("naive-bayes", FEW, CODES, repeats=2, groups=groups, rng=1),
    "from_predictions": lambda groups: from_predictions(CODES, 1 - CODES, groups=groups),
}


@pytest.mark.parametrize("function", GROUPED)
def test_every_result_says_how_many_groups_there_are(function: str, tmp_path: Path) -> None:
    result = GROUPED[function](TWINS)
    assert result.n_groups == result.to_dict()["n_groups"] == 15
    assert dict(result.lines())["cases"].startswith("30 in 15 groups")
    assert "30 in 15 groups" in repr(result)
    assert "30 cases in 15 groups" in result.methods_text()
    assert "groups counted in place of cases" in result.methods_text()
    if function == "estimate":
        assert "30 cases in 15 groups of 2 classes" in page_of(result, tmp_path)
    alone = GROUPED[function](None)
    assert alone.n_groups is None
    assert "group" not in dict(alone.lines())["cases"] + alone.methods_text().partition("\n")[0]
    assert "n_groups" not in alone.to_dict()


def test_a_methods_text_says_what_was_done_in_words() -> None:
    assert "with 5 folds, stratified by class (Stone, 1974)." in results()["groups"].methods_text()
    assert "groups counted in place of cases" in results()["groups"].methods_text()
    balanced = from_predictions(CODES, 1 - CODES, scoring="balanced-accuracy").methods_text()
    assert "(Wilson, 1927; Newcombe, 1998; Zou and Donner, 2008)" in balanced
    report = results()["predictions"].methods_text()
    assert "The error rate of ours {x} [stone1974] was estimated from predictions of 30 cases" in report
    exact = permutation_test("naive-bayes", FEW[:6], [0, 0, 0, 1, 1, 1], method=2, rng=1).methods_text()
    assert "These are all arrangements" in exact
    pairs = [(np.arange(15), np.arange(15, 30)), (np.arange(15, 30), np.arange(15))]
    assert (
        "the splits of a splitter, with list of 2." in estimate("knn", FEW, CODES, method=pairs, rng=1).methods_text()
    )


def test_every_method_of_ours_has_its_words_and_every_citation_its_entry() -> None:
    named = {*ESTIMATORS, *INTERVALS, *STATISTIC_INTERVALS}
    assert named <= set(TEXTS["methods"])
    known = entries(SHIPPED / "methods.bib")
    cited = set(re.findall(r"\[(\w+\d{4})\]", (SHIPPED / "methods.toml").read_text(encoding="utf-8")))
    assert cited == set(known)
    book = entries(ROOT / "book" / "references.bib")
    assert {key: book[key] for key in known if key in book} == {key: known[key] for key in known if key in book}


def page_of(result: Any, folder: Path, command: str = "") -> str:
    result.to_html(folder / "page.html", command)
    return (folder / "page.html").read_text()


def test_a_page_names_file_lines_columns_and_command(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    rows = "".join(f"{x:.3f},{k}\n\n" for x, k in zip(X[:, 0], THREE, strict=True))
    path.write_text("height <cm>,kind\n" + rows)
    report = estimate("naive-bayes", read_csv(path, "kind", quiet=True), method="cv(k=5)", rng=0)
    page = page_of(report, tmp_path, "errorest estimate some.csv --seed 0")
    for text in ("some.csv, 20", "errorest estimate some.csv --seed 0", "line of some.csv", "errorest 0.", "<details>"):
        assert text in page
    assert "height &lt;cm&gt;" in page
    assert "Columns as understood" in page
    hardest = report.cases.sort_values("loss", ascending=False, kind="stable").iloc[0]
    # every other line is empty
    assert f"<td>{2 * hardest['case'] + 2}</td><td>{hardest['class']}</td>" in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    plain = page_of(found(), tmp_path)
    assert "line of" not in plain
    assert "the same call with rng=0" in plain
    tagged = found(np.where(RARE == "yes", "<b>", "no"))
    for escaped in (page_of(tagged, tmp_path), tagged._repr_html_()):
        assert "&lt;b&gt;" in escaped
        assert "<b>" not in escaped


def test_a_page_of_a_set_date_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    one, two = (page_of(found(), tmp_path) for _ in range(2))
    assert one == two
    assert "1970-01-02" in one
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert "1970" not in page_of(found(), tmp_path)


@cache
def few(**changes: Any) -> ErrorEstimate:
    return estimate(PAIR[1], FEW, CODES, rng=0, **changes)


def test_an_estimate_that_is_not_the_estimators_is_not_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    method = parse_interval("cv-wald(k=5)")
    monkeypatch.setattr(CvWald, "reduce", lambda self, measured: Limits.around(0.123, 0.1, measured.z, 35))
    assert few(interval=method).estimator == "the estimate of cv-wald(k=5)"


def test_the_axis_leaves_the_interval_half_of_it() -> None:
    base = few()
    for value, high, bar, end in (
        (0.02, 0.054, 0.6, 0.2),
        (0.001, 0.002, 0.6, 0.005),
        (0.2, 0.3, 0.6, 1.0),
        (0.0, 0.0, 0.4, 0.5),
        (0.1, float("nan"), 0.6, 0.2),
    ):
        r = replace(base, estimate=value, interval=replace(base.interval, low=0.0, high=high), majority_error=bar)
        assert r.axis_end == pytest.approx(end)
    other = replace(base, zero_one=False, estimate=3.0, interval=None)
    assert other.axis_end == 10
    for value in np.random.default_rng(0).uniform(1e-4, 900, size=300):
        assert 1 <= round_above(value) / value < 2.5 + 1e-9


def test_both_pictures_mark_one_class_always_where_it_fits_and_else_point_to_it() -> None:
    base = few()
    low = replace(base, estimate=0.022, interval=replace(base.interval, low=0.0, high=0.054), majority_error=0.6011)
    near = replace(low, majority_error=0.15)
    for r, end, mark in ((low, "20 %", "→ one class always: 60.1 %"), (near, "20 %", "┊ one class always")):
        picture = _picture(r)
        axis, legend = picture.splitlines()
        assert axis.endswith(end)
        assert legend.endswith(mark)
        assert axis.count("─") > 10
        sampled = r.drawn()
        top = sampled.figure.axes[0]
        assert top.get_xlim() == (0, pytest.approx(20))
        texts = [t.get_text() for t in top.texts]
        fits = r is near
        assert ("one class always" in texts) is fits
        assert ("one class always: 60.1 % →" in texts) is not fits
        assert ("dashed" in sampled.alt) is fits


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_where_no_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, returns in ((io.StringIO(), False), (Terminal(), True)):
        monkeypatch.setattr(sys, "stderr", stream)
        few.__wrapped__(method="cv(k=5, repeats=20)", progress=True)
        assert ("\r" in stream.getvalue()) is returns
        if not returns:
            assert re.fullmatch(r"knn\(k=3, standardize=training\): 100/100 fits in \S+ s\n", stream.getvalue())


@pytest.mark.parametrize("kind", CITED)
def test_a_picture_is_shown_by_a_notebook_without_pyplot(kind: str) -> None:
    data, _ = DisplayFormatter().format(results()[kind].plot())
    assert data["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("scoring", ["error", "auc"])
def test_labels_of_panels_side_by_side_do_not_overlap(scoring: str) -> None:
    with plots.style():
        figure = choose(PAIR, FEW, CODES, scoring=scoring, n_resamples=30, rng=1).plot()
        figure.canvas.draw()
        left, right = (axis.xaxis.label.get_window_extent() for axis in figure.axes)
    assert left.x1 < right.x0
    assert right.x1 <= figure.bbox.x1
