"""One's own data: estimates, intervals, tables, groups, strata, losses, failures, comparisons and their margins."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from threadpoolctl import threadpool_info, threadpool_limits

from batteries import Scripted, assert_refused, losses_of
from errorest import compare, estimate
from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError
from errorest.learners import KNN
from errorest.resampling.schemes import Bootstrap
from processes import run_python

RNG = np.random.default_rng(0)
X = RNG.normal(size=(36, 2))
Y = np.where(X[:, 0] + RNG.normal(size=36) > 0, "yes", "no")


def fragile(least: int = 23) -> Scripted:
    """Fails on training sets of few distinct cases."""

    def check(_: Any, X: Any) -> None:
        if len(np.unique(X)) < least:
            raise RuntimeError("too few distinct cases")

    return Scripted(fitting=check)


def test_our_inducer_and_scikit_learns_of_the_same_rule_agree() -> None:
    # three neighbours: repeats of a case in a bootstrap sample vote as often as they stand
    ours = estimate(KNN(3), X, Y, rng=1)
    theirs = estimate(KNeighborsClassifier(3), X, Y, rng=1)
    assert (theirs.value, theirs.interval) == (ours.value, ours.interval)
    pd.testing.assert_frame_equal(losses_of(theirs), losses_of(ours))


def test_intervals_of_splitters_follow_what_the_splits_are() -> None:
    partition = estimate("knn", X, Y, method=KFold(6), rng=0)
    alike = estimate("knn", X, Y, method=ShuffleSplit(9, test_size=9, random_state=0), rng=0)
    unequal = estimate("knn", X, Y, method=RepeatedKFold(n_splits=5, random_state=0), rng=0)
    neither = estimate("knn", X, Y, method=TimeSeriesSplit(5), rng=0)
    assert partition.interval.method == "cv-wilson(k=6)"
    assert unequal.interval.method == "cv-wilson(k=5, repeats=10)"
    assert (alike.interval.method, neither.interval) == ("corrected-t(splits=9, ratio=3/4)", None)
    with pytest.raises(UsageError, match=r"not legal .* expected one of: cv-wilson, kohavi, cv-wald"):
        estimate("knn", X, Y, method=KFold(6), interval="oob")


def test_tables_add_up_to_the_estimate() -> None:
    result = estimate("knn", X, Y, method="cv(k=6)", rng=0)
    assert losses_of(result)["loss"].mean() == pytest.approx(result.value)
    assert result.predictions.cases(result.metric)["loss"].mean() == pytest.approx(result.value)
    splits = result.predictions.by_split(result.metric)
    assert np.average(splits["value"], weights=splits["tested"]) == pytest.approx(result.value)
    assert splits["trained"].tolist() == [30] * 6
    assert losses_of(result)["loss"].tolist() == (losses_of(result)["y_true"] != losses_of(result)["y_pred"]).tolist()


def test_cases_count_only_tests_that_they_were_not_trained_for() -> None:
    result = estimate("knn", X, Y, method="632(replicates=20)", rng=0)
    bootstrap = losses_of(result)[losses_of(result)["scheme"].str.startswith("bootstrap")]
    assert result.predictions.cases(result.metric)["tested"].sum() == len(bootstrap)
    whole = estimate("knn", X, Y, method=Bootstrap(20, "all", random_state=0), interval=None, rng=0)
    assert whole.predictions.cases(whole.metric)["tested"].sum() < len(losses_of(whole))


def test_a_frame_names_its_cases_by_its_index() -> None:
    frame = pd.DataFrame(X, columns=["u", "v"], index=[f"p{i}" for i in range(36)])
    result = estimate("knn", frame, pd.Series(Y, index=frame.index), method="loo", rng=0)
    assert result.predictions.cases(result.metric)["case"].tolist() == list(frame.index)
    assert result.value == estimate("knn", X, Y, method="loo", rng=0).value


def test_a_sample_of_ours_serves_both_kinds_of_classifier() -> None:
    nominal = Attribute("colour", "nominal", ("blue", "red"))
    codes = (np.arange(36) % 2).astype(float)
    sample = Sample.from_arrays(np.column_stack([X[:, 0], codes]), Y, attributes=[Attribute("u"), nominal])
    ours = estimate("naive-bayes", sample, method="cv(k=4)", rng=0)
    theirs = estimate(KNeighborsClassifier(1), sample, encode=True, method="cv(k=4)", rng=0)
    assert ours.n == theirs.n == 36
    assert_refused("colour", estimate, KNeighborsClassifier(1), sample, method="cv(k=4)")


def test_distances_given_in_place_of_attributes_are_cut_on_both_sides() -> None:
    kernel = estimate(SVC(kernel="precomputed"), X @ X.T, Y, method="cv(k=6)", rng=0)
    plain = estimate(SVC(kernel="linear"), X, Y, method="cv(k=6)", rng=0)
    assert kernel.value == plain.value


@pytest.mark.parametrize("name", ["cv(k=5)", "loo", "632+(replicates=30)", "holdout(test=1/3, repeats=5)"])
def test_whole_groups_stay_together(name: str) -> None:
    groups = np.arange(36) % 12
    result = estimate("knn", X, Y, method=name, groups=groups, rng=0)
    tested = losses_of(result)[~losses_of(result)["scheme"].str.startswith("resubstitution")]
    of_row = tested.groupby(["scheme", "split"])["case"].apply(
        lambda c: np.bincount(groups[c.to_numpy()], minlength=12)
    )
    assert all(set(counts.tolist()) <= {0, 3} for counts in of_row)


def test_groups_of_one_case_change_the_quantile_and_the_divisor_of_the_variance_alone() -> None:
    # 36 groups: Student's quantile with 35 degrees of freedom, and a variance that is divided by 35
    wider = stats.t.ppf(0.975, 35) / stats.norm.ppf(0.975)
    for name, interval, factor in (
        ("cv(k=5)", "cv-wald", wider * np.sqrt(36 / 35)),
        ("loo", "loo-wald", wider * np.sqrt(36 / 35)),
        ("e0(replicates=30, per=case)", "oob", wider * np.sqrt(36 / 35)),
        ("632+(replicates=30)", "632+", wider * np.sqrt(36 / 35)),
        ("auto", "nested-cv(k=3, repeats=2)", wider),
        ("auto", "conservative-z(splits=3, halvings=3)", wider),
        # five and four degrees of freedom of their own
        ("holdout(test=1/3, repeats=6)", "auto", 1.0),
        ("auto", "5x2cv(estimate=mean)", 1.0),
    ):
        plain = estimate("knn", X, Y, method=name, interval=interval, rng=0)
        alone = estimate("knn", X, Y, method=name, interval=interval, groups=np.arange(36), rng=0)
        assert alone.value == pytest.approx(plain.value, rel=1e-12)
        half, other = (r.interval.high - r.value for r in (plain, alone))
        assert other == pytest.approx(factor * half, rel=1e-9, abs=1e-12)


def test_limits_of_few_groups_have_no_more_degrees_of_freedom_than_groups_less_one() -> None:
    most = {"conservative-z": 4, "corrected-t": 4, "5x2cv": 4, "oob": 4, "632+": 4, "nested-cv(k=3, repeats=5)": 6}
    for name, number in most.items():
        result = estimate("knn", X, Y, interval=name, groups=np.arange(36) % number, rng=0)
        half = result.interval.high - result.value
        assert half == pytest.approx(stats.t.ppf(0.975, number - 1) * result.standard_error), name
    # Wald's: losses of a group are summed, and the variance of the sums is divided by 3
    wald = estimate("knn", X, Y, method="cv(k=4)", interval="cv-wald", groups=np.arange(36) % 4, rng=0)
    loss = losses_of(wald).sort_values("case")["loss"].to_numpy()
    se = np.sqrt(np.bincount(np.arange(36) % 4, loss).var(ddof=1) / 4) / 9
    assert wald.standard_error == pytest.approx(se)


def test_wilsons_limits_of_groups_count_the_groups_with_students_quantile() -> None:
    # two classes far apart: no error in any resample
    X, y, groups = (
        np.repeat([0.0, 9.0], 20)[:, None] + np.arange(40)[:, None] % 7 / 9,
        np.repeat([0, 1], 20),
        np.arange(40) // 4,
    )
    found = estimate("knn(k=1)", X, y, groups=groups, rng=0)
    t = stats.t.ppf(0.975, 9)
    assert (found.value, found.interval.low) == (0.0, 0.0)
    assert found.interval.high == pytest.approx(t**2 / (10 + t**2))
    assert not found.interval.degenerate


def test_strata_are_preserved_in_proportion() -> None:
    strata = np.repeat(["a", "b", "c"], [6, 12, 18])
    folds = estimate("knn", X, Y, method="cv(k=6)", stratify=strata, rng=0)
    sampled = estimate("knn", X, Y, method="holdout(test=1/6, repeats=8)", stratify=strata, rng=0)
    for result in (folds, sampled):
        for _, rows in losses_of(result).groupby("split"):
            assert np.unique(strata[rows["case"]], return_counts=True)[1].tolist() == [1, 2, 3]
    boot = estimate("knn", X, Y, method="e0(replicates=9)", stratify="class", interval=None, rng=0)
    assert boot.predictions.by_split(boot.metric)["trained"].tolist() == [36] * 9
    assert_refused("one case, which a bootstrap", estimate, "knn", X, Y, stratify=["rare"] + ["common"] * 35)


def test_workers_seeds_and_progress_change_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    forest = RandomForestClassifier(3)
    one = estimate(forest, X, Y, method="cv(k=4)", rng=5)
    two = estimate(forest, X, Y, method="cv(k=4)", rng=5, n_jobs=2)
    shown = estimate(forest, X, Y, method="cv(k=4)", rng=5, progress=True)
    assert losses_of(one)["y_pred"].tolist() == losses_of(two)["y_pred"].tolist() == losses_of(shown)["y_pred"].tolist()
    assert "4/4" in capsys.readouterr().err
    seen: list[tuple[str, int, int]] = []
    estimate(forest, X, Y, method="cv(k=4)", rng=5, progress=lambda *told: seen.append(told))
    assert seen == [("RandomForestClassifier(n_estimators=3)", done, 4) for done in (1, 2, 3, 4)]
    report = estimate("knn", X, Y, rng=5, progress=True)
    assert (report.value, forest.random_state) == (estimate("knn", X, Y, rng=5).value, None)


def test_an_estimate_without_a_generator_tells_the_seed_that_repeats_it() -> None:
    result = estimate("knn", X, Y)
    assert estimate("knn", X, Y, rng=result.seed).value == result.value
    assert estimate("knn", X, Y, rng=np.random.default_rng(1)).seed is None


def test_a_fit_that_fails_is_named_and_left_out_only_when_requested() -> None:
    wanted = "e0(replicates=30)"
    line = np.arange(36.0)[:, None]
    message = r"failed on resample \d+ of 30 .*too few distinct cases.*error_score=numpy.nan"
    assert_refused(message, estimate, fragile(), line, Y, method=wanted, rng=0)
    result = estimate(fragile(), line, Y, method=wanted, error_score=float("nan"), rng=0)
    assert 0 < result.n_fits < 30
    assert any("left out" in w for w in result.warnings)
    assert len(result.predictions.by_split(result.metric)) == result.n_fits
    assert result.interval is not None
    assert_refused("failed on every resample", estimate, fragile(99), line, Y, error_score=float("nan"))
    for interval in ("nested-cv(repeats=2)", "two-stage(outer=5, inner=2)"):
        given = {"interval": interval, "error_score": float("nan"), "rng": 0}
        assert_refused("needs all its resamples", estimate, fragile(), line, Y, **given)


def test_a_worker_and_own_inducers_import_nothing_that_takes_long() -> None:
    code = (
        "import sys, errorest.assessment.user_model\nprint('numba' in sys.modules, 'sklearn' in sys.modules)\n"
        "import numpy as np\nfrom errorest import estimate\n"
        "X, y = np.random.default_rng(0).normal(size=(20, 2)), ['a', 'b'] * 10\n"
        "for own in ('knn', 'linear-discriminant', 'naive-bayes', 'c4.5', 'majority'):\n"
        "    print(estimate(own, X, y, rng=1))\n"
        "print(sorted({'pandas', 'sklearn', 'scipy.stats', 'scipy.optimize', 'joblib'} & set(sys.modules)))"
    )
    answer = run_python("-c", code)
    lines = answer.stdout.splitlines()
    assert (lines[0], answer.stdout.count("(95 % interval"), lines[-1]) == ("False False", 5, "[]")


def count_threads(model: Any, _: Any) -> None:
    model.threads_ = max(pool["num_threads"] for pool in threadpool_info())


def answer_by_threads(model: Any, X: Any) -> np.ndarray:
    """One class if the libraries below may take one thread, else the other."""
    return np.full(len(X), model.classes_[int(model.threads_ != 1)])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fit_takes_one_thread_unless_more_are_allowed(jobs: int) -> None:
    rare, counts = np.where(np.arange(36) % 6, "no", "yes"), Scripted(answer_by_threads, count_threads)

    def said(threads: int | None) -> set[str]:
        report = estimate(counts, X, rare, method="cv(k=4)", threads=threads, n_jobs=jobs, rng=0)
        return set(losses_of(report)["y_pred"])

    with threadpool_limits(limits=2):
        if max(pool["num_threads"] for pool in threadpool_info()) < 2:
            pytest.skip("these libraries know one thread alone")
        assert (said(1), said(2)) == ({"no"}, {"yes"})
        if jobs == 1:
            assert said(None) == {"yes"}
            assert compare(counts, "knn", X, rare, rng=0).value_a == pytest.approx(0.3, abs=0.3)
        assert max(pool["num_threads"] for pool in threadpool_info()) == 2
    assert_refused("threads = 0", estimate, counts, X, Y, threads=0)
