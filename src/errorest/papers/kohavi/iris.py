"""Section 2's examples of failure: holdout and leave-one-out on iris, .632 for a memorizer, equation 3.

The majority inducer sees no attribute, so that every expectation can be counted exactly
from the class sizes.  Accuracies are in percent, as printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, comb, nan, sqrt
from typing import Any

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.data.sample import Sample
from errorest.data.sets import load_or_read
from errorest.errors import UsageError
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.intervals import BINOMIAL_INTERVALS, coverage, score_interval
from errorest.estimation.losses import RowErrors
from errorest.estimation.run import run_schemes
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.inducers.majority import Majority
from errorest.inducers.neighbors import KNN
from errorest.papers.parameters import Parameters, parameter
from errorest.resampling.schemes import Holdout, KFold, LeaveOneOut
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "IrisParameters",
    "equation_3",
    "example_1",
    "majority_holdout",
    "measure_memorizer",
    "text_632",
    "text_holdout",
]

_OWN = "kohavi-equation-3"
_MOST_WORK = 20_000_000


class IrisParameters(Parameters):
    """Parameters of the examples of section 2."""

    seed: int = parameter(1995, "seed of every random stream", ge=0)
    data: str = parameter("iris", "a data set of the project, or the path of a CSV file", min_length=1)
    class_column: str | None = parameter(None, "class column of a CSV file; the project's sets have theirs")
    holdouts: int = parameter(500, "holdouts of one experiment", ge=2, preview=200)
    test_share: float = parameter(1 / 3, "share of the cases that a holdout tests, a proportion", gt=0, lt=1)
    realizations: int = parameter(1, "times that the holdouts and the memorizer's samples are drawn", ge=1)
    repeats: int = parameter(10, "enlarged run: how many times the realizations; 1 for none", ge=1, preview=1)
    no_information_size: int = parameter(100, "cases of the data set without information, half of each class", ge=4)
    memorizer_sizes: list[int] = parameter(
        [100, 20, 50, 200], "cases of the memorizer's data sets; the first is the printed one", min_length=1
    )
    memorizer_samples: int = parameter(100, "data sets with random labels, of each size", ge=2, preview=20)
    bootstrap_replicates: int = parameter(100, "bootstrap samples, B", ge=1, preview=20)
    test_sizes: list[int] = parameter([20, 50, 100, 500], "tested cases h for equation 3", min_length=1)
    accuracies: list[float] = parameter(
        [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99], "true accuracies for equation 3, proportions", min_length=1
    )
    trials: int = parameter(10000, "simulated test sets for each h and accuracy", ge=100, preview=2000)
    confidence: float = parameter(0.95, "confidence of the intervals, a proportion", gt=0, lt=1)
    splits: int = parameter(500, "random splits into folds for equation 3 after cross-validation", ge=1, preview=100)

    @field_validator("memorizer_sizes", "test_sizes")
    @classmethod
    def _sizes(cls, value: list[int]) -> list[int]:
        if min(value) < 2:
            raise ValueError(f"{min(value)} cases are too few; expected at least 2; use larger sizes")
        return value

    @field_validator("accuracies")
    @classmethod
    def _accuracies(cls, value: list[float]) -> list[float]:
        for a in value:
            if not 0 < a < 1:
                raise ValueError(f"{a} is outside (0, 1); expected proportions; 90 % is written 0.9")
        return value

    @model_validator(mode="after")
    def _even(self) -> IrisParameters:
        if self.no_information_size % 2:
            raise ValueError(
                f"no_information_size = {self.no_information_size} is odd; expected half of each class; make it even"
            )
        return self

    def enlarged(self) -> IrisParameters | None:
        """Return the design with ``repeats`` times the realizations."""
        if self.repeats == 1:
            return None
        return self.model_copy(update={"realizations": self.realizations * self.repeats})


def _loaded(p: IrisParameters) -> Sample:
    sample = load_or_read(p.data, p.class_column)
    if sample.n < 4 or np.count_nonzero(sample.class_counts()) < 2:
        raise UsageError(
            f"{sample.name} has {sample.n} cases and {np.count_nonzero(sample.class_counts())} class(es); expected at "
            "least four cases and two classes; choose another data set"
        )
    return sample


def _accuracy(outcome: RowErrors) -> np.ndarray:
    """Accuracy of every row, percent."""
    return 100 * (1 - outcome.errors / outcome.tested)


def majority_holdout(counts: list[int], test: int) -> dict[int, Fraction]:
    """Distribution of how many test cases the majority inducer gets right in a random holdout.

    Parameters
    ----------
    counts : list of int
        Cases of each class, in the order in which ties of the majority are broken.
    test : int
        Cases tested.

    Returns
    -------
    dict of int to Fraction
        Exact probability of each number of right predictions; sums to 1.

    Raises
    ------
    UsageError
        If the test set is not smaller than the data set, or the count would take too long.

    Examples
    --------
    >>> majority_holdout([2, 2], 1)
    {0: Fraction(1, 1)}
    """
    n = sum(counts)
    train = n - test
    if not 1 <= test < n:
        raise UsageError(f"a holdout was asked to test {test} of {n} cases; expected 1 to {n - 1}; mend the share")
    largest = max(counts)
    if len(counts) * largest**2 * (len(counts) - 2) * n > _MOST_WORK:
        raise UsageError(
            f"counting all splits of {len(counts)} classes and {n} cases takes too long; expected a smaller set; "
            "read the simulated expectation"
        )
    ways = [_binomials(size) for size in counts]
    splits = comb(n, train)
    chances: dict[int, Fraction] = {}
    for c, size in enumerate(counts):
        others = ways[:c] + ways[c + 1 :]
        for held in range(-(-train // len(counts)), min(size, train) + 1):
            # an earlier class wins a tie, so it must have fewer cases in training
            limits = [held - 1] * c + [held] * (len(counts) - c - 1)
            number = ways[c][held] * _choices(others, limits, train - held)
            if number:
                chances[size - held] = chances.get(size - held, Fraction(0)) + Fraction(number, splits)
    return dict(sorted(chances.items()))


def _binomials(size: int) -> list[int]:
    row = [1]
    for k in range(size):
        row.append(row[-1] * (size - k) // (k + 1))
    return row


def _choices(ways: list[list[int]], limits: list[int], total: int) -> int:
    """Count how ``total`` cases can be chosen with at most ``limits`` of each class, exactly."""
    at = {0: 1}
    for own, limit in zip(ways[:-1], limits[:-1], strict=True):
        fresh: dict[int, int] = {}
        for have, known in at.items():
            for k in range(min(len(own) - 1, limit, total - have) + 1):
                fresh[have + k] = fresh.get(have + k, 0) + known * own[k]
        at = fresh
    most = min(len(ways[-1]) - 1, limits[-1])
    return sum(known * ways[-1][total - have] for have, known in at.items() if 0 <= total - have <= most)


def _moments(chances: Mapping[int, Fraction], test: int) -> tuple[Fraction, float]:
    mean = sum((k * chance for k, chance in chances.items()), Fraction(0)) / test
    square = sum((k * k * chance for k, chance in chances.items()), Fraction(0)) / test**2
    return mean, sqrt(square - mean**2)


def text_holdout(p: IrisParameters, run: Run) -> Regenerated:
    """The majority inducer under repeated holdout: mean, standard deviation of the mean, exact expectation.

    Returns
    -------
    Regenerated
        The printed keys (percent); own rows ``exact-mean-accuracy-percent``,
        ``exact-std-percent`` and ``exact-std-of-one-percent``.  Data ``accuracies``: for each
        number of right predictions the share of holdouts and the exact chance.
    """
    sample = _loaded(p)
    test = ceil(Fraction(p.test_share).limit_denominator(1_000_000) * sample.n)
    if test >= sample.n:
        raise UsageError(
            f"a holdout of {p.test_share:.6g} of {sample.n} cases leaves none to train on; expected a smaller share; "
            "mend test_share"
        )
    scheme = Holdout(test, p.holdouts * p.realizations)
    streams = Streams(p.seed).child("kohavi-iris", sample.digest())
    outcome = run_schemes(sample, Majority(), [scheme], streams)[scheme]
    values = _accuracy(outcome)
    mean, spread = accuracy.mean(values), accuracy.standard_deviation(values)
    counts = [int(c) for c in sample.class_counts()]
    expected = 100 * max(counts) / sample.n
    key = f"{sample.name}/majority"
    # the printed deviation is that of one experiment's mean; more experiments make ours more exact, not smaller
    scale = 1 / sqrt(p.holdouts)
    rows = [
        Row("literal", key, "mean-accuracy-percent", mean.value, mean.se, mean.n),
        Row("literal", key, "std-percent", spread.value * scale, spread.se * scale, mean.n),
        Row("literal", key, "expected-accuracy-percent", expected, 0.0, 1),
    ]
    right = (outcome.tested - outcome.errors).astype(int)
    shares = pd.Series(right).value_counts(normalize=True)
    table = {"right": range(int(right.min()), int(right.max()) + 1)}
    said = (
        f"{mean.n:,} holdouts of {test} of {sample.n} cases give the majority inducer {mean.value:.2f} % accuracy on "
        f"average, with a standard error of {mean.se:.2f}; a single holdout varies by {spread.value:.1f} points. A "
        f"classifier that always names one of the largest classes is right in {expected:.1f} %."
    )
    findings = [said]
    checks = []
    try:
        chances = majority_holdout(counts, test)
    except UsageError as exc:
        chances = {}
        findings.append(f"There is no exact expectation here: {str(exc).split(';')[0]}.")
    if chances:
        exact, of_one = _moments(chances, test)
        rows += [
            Row("literal", key, "exact-mean-accuracy-percent", 100 * float(exact), 0.0, 1),
            Row("literal", key, "exact-std-percent", 100 * of_one * scale, 0.0, 1),
            Row("literal", key, "exact-std-of-one-percent", 100 * of_one, 0.0, 1),
        ]
        table = {"right": range(min(min(chances), int(right.min())), max(max(chances), int(right.max())) + 1)}
        z = (mean.value - 100 * float(exact)) / (100 * of_one / sqrt(mean.n))
        text = str(exact) if len(str(exact)) < 40 else f"a fraction of {len(str(exact.denominator))} digits"
        findings.append(
            f"Counting all splits gives the expectation exactly: {100 * float(exact):.4f} % ({text}), and a standard "
            f"deviation of {100 * of_one:.2f} points for one holdout, so {100 * of_one * scale:.3f} for the mean of "
            f"{p.holdouts:,}. The simulated mean lies {z:+.1f} standard errors from it."
        )
        checks.append(
            Check(
                "Holdout underrates the majority inducer: a class that prevails in training is rare in the test set.",
                f"exact expectation {100 * float(exact):.2f} % against {expected:.2f} %; the largest accuracy that any "
                f"split can give is {100 * max(chances) / test:.1f} %",
                "holds" if 100 * float(exact) < expected else "fails",
            )
        )
    data = pd.DataFrame(table)
    data["accuracy"] = 100 * data["right"] / test
    data["share"] = data["right"].map(shares).fillna(0.0)
    data["exact"] = data["right"].map({k: float(v) for k, v in chances.items()}).fillna(0.0) if chances else nan
    data["holdouts"] = p.holdouts
    return Regenerated(rows, {"accuracies": data}, checks, findings)


def _without_information(p: IrisParameters) -> Sample:
    n = p.no_information_size
    rng = Streams(p.seed).child("kohavi-no-information").generator("sample")
    return Sample.from_arrays(rng.standard_normal((n, 2)), rng.permutation(n) % 2, name="no-information")


def example_1(p: IrisParameters, run: Run) -> Regenerated:
    """Example 1: leave-one-out of the majority inducer.

    Returns
    -------
    Regenerated
        The printed keys (percent), all exact: nothing is drawn but attributes that the
        inducer does not look at.
    """
    rows = []
    findings = []
    for sample in (_loaded(p), _without_information(p)):
        scheme = LeaveOneOut()
        outcome = run_schemes(sample, Majority(), [scheme], Streams(p.seed))[scheme]
        values = _accuracy(outcome)
        spread = float(values.std())
        key = f"{sample.name}/majority"
        rows.append(Row("literal", key, "loo-accuracy-percent", float(values.mean()), 0.0, 1))
        rows.append(Row("literal", key, "std-of-folds-percent", spread, 0.0, 1))
        counts = ", ".join(str(c) for c in sample.class_counts())
        findings.append(
            f"On {sample.name} (classes of {counts} cases) leave-one-out gives the majority inducer "
            f"{values.mean():.4g} % accuracy, with a standard deviation of {spread:.4g} % over the folds; "
            f"{100 * sample.class_counts().max() / sample.n:.4g} % would be right."
        )
    zero = [r.value == 0 for r in rows]
    check = Check(
        "Leave-one-out gives a majority inducer 0 % where the classes are equally frequent, with no variation at all.",
        "; ".join(f"{r.row}, {r.column}: {r.value:.4g}" for r in rows),
        "holds" if all(zero) else "holds in part" if any(zero) else "fails",
    )
    return Regenerated(rows, {}, [check], findings)


_MEMORIZER = {
    "resubstitution-accuracy-percent": "resubstitution",
    "bootstrap-e0-accuracy-percent": "e0(replicates={b})",
    "accuracy-percent": "632(replicates={b})",
    "632-plus-accuracy-percent": "632+(replicates={b})",
    "loo-accuracy-percent": "loo",
}


def measure_memorizer(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Draw data sets with random labels and estimate a memorizer's accuracy (percent) on each.

    Also returns ``distinct``, the mean share of distinct cases in a bootstrap sample (percent).
    """
    n, ids = cell["n"], cell["estimators"]
    estimators = {name: parse_estimator(i) for name, i in ids.items()}
    schemes = list(dict.fromkeys(s for e in estimators.values() for s in e.schemes))
    out = {name: np.empty(len(replicates)) for name in (*estimators, "distinct")}
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        rng = place.generator("sample")
        sample = Sample.from_arrays(rng.standard_normal((n, 2)), rng.integers(0, 2, size=n), classes=("0", "1"))
        outcomes = run_schemes(sample, KNN(1), schemes, place)
        for name, estimator in estimators.items():
            out[name][i] = 100 * (1 - estimator.reduce(sample, outcomes))
        boot = next(o for s, o in outcomes.items() if s.name == "bootstrap")
        out["distinct"][i] = 100 * (1 - boot.tested.mean() / n)
    return out


def text_632(p: IrisParameters, run: Run) -> Regenerated:
    """The .632 bootstrap of a memorizer (one nearest neighbour) on random labels, and what .632+ gives.

    Returns
    -------
    Regenerated
        The printed keys (percent) for the first size; own rows for .632+ and leave-one-out, and
        for the other sizes under ``memorizer/random-labels/n=...``.  The true accuracy is 50 %
        exactly: labels are coins that no attribute knows of.
    """
    ids = {name: i.format(b=p.bootstrap_replicates) for name, i in _MEMORIZER.items()}
    sizes = list(dict.fromkeys(p.memorizer_sizes))
    results = run(
        Study(
            "kohavi-memorizer",
            [{"n": n, "estimators": ids} for n in sizes],
            p.memorizer_samples * p.realizations,
            measure_memorizer,
            seed=p.seed,
            seed_keys=("n",),
            cost=lambda cell: 1.0 + (cell["n"] / 50) ** 2,
        )
    )
    rows = []
    table = []
    for n in sizes:
        part = results[results["n"] == n]
        key = "memorizer/random-labels" + ("" if n == sizes[0] else f"/n={n}")
        for name in ids:
            m = accuracy.mean(part[name].to_numpy())
            rows.append(Row("literal", key, name, m.value, m.se, m.n))
            table.append({"n": n, "estimator": name, "accuracy": m.value, "se": m.se, "sd": m.se * sqrt(m.n)})
        rows.append(Row("literal", key, "true-accuracy-percent", 50.0, 0.0, 1))
    first = {r.column: r for r in rows if r.row == "memorizer/random-labels"}
    plain, plus = first["accuracy-percent"], first["632-plus-accuracy-percent"]
    text = (
        f"With n = {sizes[0]} the memorizer's resubstitution accuracy is "
        f"{first['resubstitution-accuracy-percent'].value:.1f} %, its e0 accuracy "
        f"{first['bootstrap-e0-accuracy-percent'].value:.1f} %, so that .632 says {plain.value:.1f} % (standard error "
        f"{plain.se:.1f}) where 50 % is true. .632+ says {plus.value:.1f} % (standard error {plus.se:.1f})."
    )
    check = Check(
        "The .632 bootstrap fails for a perfect memorizer on random labels.",
        text,
        "holds" if plain.value - 50 > 1.96 * plain.se else "fails",
    )
    distinct = accuracy.mean(results[results["n"] == sizes[0]]["distinct"].to_numpy())
    exact = 100 * (1 - (1 - 1 / sizes[0]) ** sizes[0])
    erratum = Erratum(
        "Section 2.3",
        "About .632 n distinct cases are said to appear in the test set.",
        "They appear in the bootstrap sample, the training set; the test set is the other .368 n.",
        f"At n = {sizes[0]} a bootstrap sample holds {distinct.value:.1f} % of the cases on average (standard error "
        f"{distinct.se:.2f}; exactly 1 - (1 - 1/n)^n = {exact:.1f} %); {100 - distinct.value:.1f} % are left to test.",
    )
    return Regenerated(rows, {"memorizer": pd.DataFrame(table)}, [check], [text], [erratum])


def equation_3(p: IrisParameters, run: Run) -> Regenerated:
    """Equation 3, the score interval: simulated and exact coverage, and its use after cross-validation.

    Returns
    -------
    Regenerated
        Own rows.  Data ``coverage`` (percent, exact for three intervals and simulated for
        equation 3), ``curves`` (exact, over a fine grid of accuracies) and ``cross_validation``.
    """
    streams = Streams(p.seed).child("kohavi-equation-3")
    rows: list[Row] = []
    table, curves = [], []
    for h in p.test_sizes:
        for a in p.accuracies:
            hits = streams.generator(h, a).binomial(h, a, size=p.trials)
            low, high = score_interval(hits, h, p.confidence)
            simulated = accuracy.mean(100.0 * ((low <= a) & (a <= high)))
            exact = {name: 100 * float(coverage(f, h, a, p.confidence)) for name, f in BINOMIAL_INTERVALS.items()}
            key = f"h={h}/accuracy={100 * a:.10g}"
            rows.append(Row("literal", key, "simulated-coverage-percent", simulated.value, simulated.se, p.trials))
            rows += [Row("literal", key, f"exact-coverage-percent/{k}", v, 0.0, 1) for k, v in exact.items()]
            table.append({"h": h, "accuracy": 100 * a, "simulated": simulated.value, "se": simulated.se, **exact})
        grid = np.linspace(0.5, 0.999, 500)
        for name, f in BINOMIAL_INTERVALS.items():
            share = 100 * coverage(f, h, grid, p.confidence)
            curves.append(pd.DataFrame({"h": h, "interval": name, "accuracy": 100 * grid, "coverage": share}))
    found = pd.DataFrame(table)
    within = (found["simulated"] - found["score"]).abs() <= 4 * np.maximum(found["se"], 100 / p.trials)
    fine = pd.concat(curves, ignore_index=True)
    least, average = (
        {name: float(fine.loc[fine["interval"] == name, "coverage"].agg(how)) for name in BINOMIAL_INTERVALS}
        for how in ("min", "mean")
    )
    finding = (
        f"Asked for {100 * p.confidence:g} %, over test sizes of {', '.join(str(h) for h in p.test_sizes)} and "
        f"accuracies from 50 to 99.9 %: equation 3 contains the true accuracy in {average['score']:.1f} % on average "
        f"and never in less than {least['score']:.1f} %; Wald's interval in {average['wald']:.1f} % and as little as "
        f"{least['wald']:.1f} %; Clopper & Pearson's in {average['clopper-pearson']:.1f} %, at least "
        f"{least['clopper-pearson']:.1f} %. The simulation agrees with the exact sum, within four standard errors, in "
        f"{int(within.sum())} of {len(found)} cases."
    )
    nominal = 100 * p.confidence
    off = [float((found.loc[found["h"] == h, "score"] - nominal).abs().max()) for h in p.test_sizes]
    check = Check(
        "For reasonably large test sets equation 3 has about the coverage that it is asked for.",
        "largest distance of the exact coverage from what was asked, over the accuracies: "
        + ", ".join(f"{d:.1f} points at h = {h}" for h, d in zip(p.test_sizes, off, strict=True)),
        "holds" if off[int(np.argmax(p.test_sizes))] < 1.5 else "fails",
    )
    after = _after_cross_validation(p)
    rows += after[0]
    data = {"coverage": found, "curves": fine, "cross_validation": after[1]}
    return Regenerated(rows, data, [check, *after[2]], [finding, *after[3]])


def _after_cross_validation(p: IrisParameters) -> tuple[list[Row], pd.DataFrame, list[Check], list[str]]:
    """Apply equation 3 with h = n to the cross-validated majority inducer."""
    sample = _loaded(p)
    truth = float(sample.class_counts().max() / sample.n)
    k = min(10, sample.n)
    schemes = {
        "2-fold": KFold(2, p.splits),
        f"{k}-fold": KFold(k, p.splits),
        f"stratified {k}-fold": KFold(k, p.splits, stratified=True),
        "leave-one-out": LeaveOneOut(),
    }
    streams = Streams(p.seed).child("kohavi-equation-3-cv", sample.digest())
    outcomes = run_schemes(sample, Majority(), schemes.values(), streams)
    rows, table = [], []
    for name, scheme in schemes.items():
        outcome = outcomes[scheme]
        right = np.bincount(outcome.replicate, weights=outcome.tested - outcome.errors).astype(int)
        low, high = score_interval(right, sample.n, p.confidence)
        share = accuracy.mean(100.0 * ((low <= truth) & (truth <= high)))
        mean = accuracy.mean(100.0 * right / sample.n)
        low_mean, high_mean = 100 * float(low.mean()), 100 * float(high.mean())
        # where all splits agree, as the one of leave-one-out does with itself, nothing is random
        se, share_se = (0.0, 0.0) if np.ptp(right) == 0 else (mean.se, share.se)
        key = f"{sample.name}/majority/{name.replace(' ', '-')}"
        rows += [
            Row("literal", key, "accuracy-percent", mean.value, se, right.size),
            Row("literal", key, "interval-low-percent", low_mean, 0.0, right.size),
            Row("literal", key, "interval-high-percent", high_mean, 0.0, right.size),
            Row("literal", key, "contains-percent", share.value, share_se, right.size),
        ]
        table.append(
            {"scheme": name, "accuracy": mean.value, "low": low_mean, "high": high_mean, "contains": share.value}
        )
    found = pd.DataFrame(table)
    text = "; ".join(
        f"{r['scheme']}: {r['accuracy']:.1f} % accuracy, interval {r['low']:.1f} to {r['high']:.1f} % on average, "
        f"contains it in {r['contains']:.0f} % of splits"
        for r in table
    )
    check = Check(
        "Where the inducer is not stable, equation 3 after cross-validation gives narrow limits in the wrong place.",
        f"majority inducer on {sample.name}, {100 * truth:.1f} % true: {text}",
        "holds" if found["contains"].min() < 100 * p.confidence - 5 else "fails",
    )
    start = f"After cross-validation of the majority inducer on {sample.name} (true accuracy {100 * truth:.1f} %): "
    return rows, found, [check], [f"{start}{text}."]
