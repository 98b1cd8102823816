"""Figures 1 to 4 and section 5: estimates of the accuracy, their bias and spread, over many samples; the propositions.

Also the use that the paper recommends an estimate for: choosing between inducers.  Accuracies are in percent; bias is
the mean estimate minus the true accuracy of Table 1: optimism is positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, nan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every, most
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.kohavi.data import RAND
from compendium.papers.kohavi.estimates import experiment
from compendium.papers.kohavi.estimates import figures as drawings
from compendium.papers.kohavi.named_inducers import own_files
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.artifacts import curves_of, frame_of, truths_of
from compendium.papers.own_code import studied_apart
from compendium.studies.experiment import TRUE_ERROR, wide
from errorest.streams import Streams

HOLDOUT = "holdout"  # Accuracy of the sample's classifier on all cases outside the sample

LOO, LEAVE_TWO, ADVISED = "leave-1-out", "leave-2-out", "stratified-k=10"

_CLOSE, _LARGE = 1.0, 2.0
"""A bias of at most so many points is small; one of more than so many is high.  The paper names no numbers."""

_UNBIASED = ("chess", "hypothyroid", "mushroom")


def _highly_biased(inducer: str) -> tuple[str, ...]:
    """Return the data sets on which the paper calls the bootstrap highly biased for an inducer."""
    named = {"c4.5": ("soybean-large", "vehicle", "rand"), "naive-bayes": ("vehicle", "rand")}
    return named.get(column_and_reading(inducer)[0], ())


def key_of(set_name: str, inducer: str) -> str:
    """Return the row under which a data set and an inducer stand."""
    return f"{set_name}/{column_and_reading(inducer)[0]}"


def estimates_of(p: experiment.EstimateParameters, run: Run) -> dict[tuple[str, str], Trials]:
    """Return all estimates, as accuracies, by data set and inducer: a row a sample."""
    sets = p.sets()
    data = tuple((one, p.samples_of(one)) for one in sets)
    together = studied_apart(p.inducers, lambda name: own_files([name]))
    results = pd.concat([wide(run(experiment.estimate_study(data, some, p.points, p.seed))) for some in together])
    by = parts(results, "source", "inducer")
    rates = [TRUE_ERROR, experiment.APPARENT, *(q.name for q in p.points)]
    matches = {}
    for one in sets:
        for inducer in p.inducers:
            own = by[one.source, inducer]
            accuracies = (
                (1.0 - own[rates])
                .rename(columns={TRUE_ERROR: HOLDOUT})
                .assign(**{experiment.RUNS: own[experiment.RUNS]})
            )
            matches[one.name, inducer] = Trials(accuracies, column_and_reading(inducer)[1], label=one.name)
    return matches


@dataclass(frozen=True)
class OnSets:
    """The estimates of one inducer by data set; for biases, with the true accuracies by data set and inducer."""

    inducer: str
    trials: Mapping[str, Trials]
    truths: Mapping[tuple[str, str], Estimate]

    def biases(self, point: str, only: Iterable[str] | None = None) -> list[Estimate]:
        """Mean estimate minus true accuracy on each data set, or on some; NotRun on none."""
        sets = [name for name in self.trials if only is None or name in only]
        if not sets:
            raise NotRun("none of the data sets")
        return [(self.trials[s].mean(point) - self.truths[s, self.inducer]).named(s, "points", 1) for s in sets]

    def gap(self, *pairs: tuple[str, str]) -> Estimate:
        """First estimate of each pair minus the second on the same samples: mean over pairs, samples, data sets."""
        gaps = [t.average(np.mean([t.difference(a, b) for a, b in pairs], axis=0)) for t in self.trials.values()]
        return monte_carlo.average(gaps).named("mean difference", "points")

    def sd_ratio(self, *pairs: tuple[str, str]) -> Estimate:
        """Standard deviation of the first estimate of each pair over that of the second; mean as in ``gap``."""
        ratios = []
        for t in self.trials.values():
            if varying := [(a, b) for a, b in pairs if np.ptp(t[b]) > 0]:
                # paired samples: the error is that of what each one adds to the ratio
                ratios.append(t.average(np.mean([monte_carlo.sd_ratio(t[a], t[b]) for a, b in varying], axis=0)))
        less = sum(ratio.value < 1 for ratio in ratios)
        label = f"mean ratio of the standard deviations (below 1 on {less} of {len(ratios)} data sets)"
        return monte_carlo.average(ratios).named(label, sign="")


def by_inducer(
    estimates: Mapping[tuple[str, str], Trials], truths: Mapping[tuple[str, str], Estimate] | None = None
) -> list[OnSets]:
    """Part the estimates by inducer."""
    inducers = dict.fromkeys(inducer for _, inducer in estimates)
    return [OnSets(i, {s: t for (s, other), t in estimates.items() if other == i}, truths or {}) for i in inducers]


FIGURE_1 = Claims(
    "kohavi-figure-1",
    {
        "two-folds": lambda c, p: most("biases", [b < 0 for b in c.biases("k=2")]),
        "five-folds": lambda c, p: most("biases", [b < 0 for b in c.biases("k=5")]),
        "ten-folds": lambda c, p: most("biases", [abs(b) <= _CLOSE for b in c.biases("k=10")]),
        "twenty-folds": lambda c, p: most("biases", [abs(b) <= _CLOSE for b in c.biases("k=20")]),
    },
)


FIGURE_2 = Claims(
    "kohavi-figure-2",
    {
        "unbiased": lambda c, p: [abs(b) <= _CLOSE for b in c.biases(p.last, _UNBIASED)],
        "biased": lambda c, p: [abs(b) > _LARGE for b in c.biases(p.last, _highly_biased(c.inducer))],
    },
)


FIGURE_3 = Claims(
    "kohavi-figure-3",
    {
        "ten-below-two": lambda c, p: c.sd_ratio(("k=10", "k=2")) < 1,
        "ten-below-loo": lambda c, p: c.sd_ratio(("k=10", LOO)) < 1,
        "twenty-below-loo": lambda c, p: c.sd_ratio(("k=20", LOO)) < 1,
        "ten-more-pessimistic": lambda c, p: c.gap(("k=10", LOO)) < 0,
        "twenty-more-pessimistic": lambda c, p: c.gap(("k=20", LOO)) < 0,
        "stratified": lambda c, p: c.sd_ratio(*_stratified_and_plain(p)) < 1,
    },
)


def _stratified_and_plain(p: experiment.EstimateParameters) -> list[tuple[str, str]]:
    pairs = [(f"stratified-k={k}", f"k={k}") for k in p.folds if k in p.stratified_folds]
    if not pairs:
        raise NotRun("no number of folds is both plain and stratified")
    return pairs


FIGURE_4 = Claims("kohavi-figure-4", {"below-ten-folds": lambda c, p: c.sd_ratio((p.last, "k=10")) < 1})


FOLDS, BOOTSTRAP = ("plain", "stratified"), ("bootstrap",)


@artifact("kohavi-figure-1", draw=drawings.draw_fold_means, schemes=FOLDS, claims=FIGURE_1)
@artifact("kohavi-another-folds", draw=drawings.draw_fold_means, schemes=FOLDS, claims=FIGURE_1)
@artifact("kohavi-figure-2", draw=drawings.draw_bootstrap_means, schemes=BOOTSTRAP, claims=FIGURE_2)
@artifact("kohavi-another-bootstrap", draw=drawings.draw_bootstrap_means, schemes=BOOTSTRAP, claims=FIGURE_2)
@artifact("kohavi-figure-3", draw=drawings.draw_fold_spread, schemes=FOLDS, claims=FIGURE_3, spread=True)
@artifact("kohavi-figure-4", draw=drawings.draw_bootstrap_spread, schemes=BOOTSTRAP, claims=FIGURE_4, spread=True)
def figure(
    p: experiment.EstimateParameters, run: Run, *, schemes: Sequence[str], claims: Claims, spread: bool = False
) -> ArtifactResult:
    """Figures 1 to 4: mean or standard deviation of an estimate against folds or bootstrap samples."""
    estimates, truths = estimates_of(p, run), truths_of(p, run)
    rows, table, checks = [], [], []
    for (name, inducer), t in estimates.items():
        for point in (point for point in p.points if point.scheme in schemes):
            mean, sd = t.mean(point.name), t.sd(point.name)
            bias = mean - truths[name, inducer]
            shown = {"std-percent": sd} if spread else {"accuracy-percent": mean, "bias-percent": bias}
            rows += [Row.of(t.reading, key_of(name, inducer), f"{point.name}/{c}", e) for c, e in shown.items()]
            line: dict[str, Any] = {"set": name, "inducer": inducer, "scheme": point.scheme, "point": point.name}
            line |= {"mean": mean.value, "se": mean.se, "sd": sd.value, "sd_se": sd.se, "n": mean.n}
            table.append({**line, "bias": bias.value, "bias_se": bias.se})
    for one in by_inducer(estimates, truths):
        words = {"unbiased": _UNBIASED, "biased": _highly_biased(one.inducer)}
        named = {word: ", ".join(name for name in one.trials if name in sets) for word, sets in words.items()}
        checks += judge_claims(claims, one, p, reading=title_of(one.inducer), last=p.last, **named)
    known = [{"set": s, "inducer": i, "accuracy": e.value, "se": e.se} for (s, i), e in truths.items()]
    data = {"points": pd.DataFrame(table)} | ({} if spread else {"truths": pd.DataFrame(known)})
    return ArtifactResult(rows, data, checks)


GAINS = Claims("kohavi-text-stratified", {"less-pessimistic": lambda c, p: c.gap(*_stratified_and_plain(p)) > 0})


@artifact("kohavi-text-stratified", draw=drawings.draw_text_stratified)
def text_stratified(p: experiment.EstimateParameters, run: Run) -> ArtifactResult:
    """Gain of stratified over plain folds: mean difference on the same samples, points of accuracy."""
    estimates = estimates_of(p, run)
    rows, table = [], []
    for (name, inducer), t in estimates.items():
        # the printed numbers belong to Figure 1, hence to C4.5
        column = column_and_reading(inducer)[0]
        row = name if column == "c4.5" else f"{name}/{column}"
        for k in (k for k in p.folds if k in p.stratified_folds):
            differences = t.difference(f"stratified-k={k}", f"k={k}")
            gain = t.average(differences)
            rows.append(Row.of(t.reading, row, f"gain-percent-at-{k}-folds", gain))
            line = {"set": name, "inducer": inducer, "k": k, "gain": gain.value, "se": gain.se}
            table.append({**line, "sd": differences.std(ddof=1), "n": gain.n})
    gains = pd.DataFrame(table, columns=["set", "inducer", "k", "gain", "se", "sd", "n"])
    checks = [c for one in by_inducer(estimates) for c in judge_claims(GAINS, one, p, reading=title_of(one.inducer))]
    return ArtifactResult(rows, {"gains": gains}, checks)


@artifact("kohavi-text-bootstrap", draw=drawings.draw_text_bootstrap)
def text_bootstrap(p: experiment.EstimateParameters, run: Run) -> ArtifactResult:
    """Bias of the .632 bootstrap with the most samples, against the true accuracy of Table 1, points."""
    truths = truths_of(p, run)
    rows, table = [], []
    for (name, inducer), t in estimates_of(p, run).items():
        mean, truth = t.mean(p.last), truths[name, inducer]
        bias = mean - truth
        rows.append(Row.of(t.reading, key_of(name, inducer), "bias-percent", bias))
        line = {"set": name, "inducer": inducer, "bias": bias.value, "se": bias.se, "estimate": mean.value}
        table.append({**line, "truth": truth.value, "resubstitution": t.mean(experiment.APPARENT).value, "n": mean.n})
    return ArtifactResult(rows, {"bias": pd.DataFrame(table)})


_RESAMPLED = 400
_SAME_SPREAD = 0.2  # A ratio of spreads within this of 1 counts as no change


@artifact("kohavi-claims", enlarge=False)
def claims(p: experiment.StudyParameters, run: Run) -> ArtifactResult:
    """Deterioration of an inducer with more cases; data sets with high variance at the high ends; runs."""
    curves, estimates = curves_of(p, p.inducers, run), estimates_of(p, run)
    rows = []
    for (name, inducer), curve in curves.items():
        best, last = max(curve, key=lambda n: curve[n].value), max(curve)
        fall = curve[best].value - curve[last].value
        se = hypot(curve[best].se, curve[last].se) if best != last else 0.0
        reading = column_and_reading(inducer)[1]
        rows.append(Row(reading, key_of(name, inducer), "deterioration-percent", fall, se, curve[last].n))
    rows += [
        _high_ends(p, one)
        for one in by_inducer(estimates)
        if {LOO, LEAVE_TWO, "k=10", "k=20"} <= {point.name for point in p.points}
    ]
    # the classifiers of each of the paper's inducers, in its first reading
    first = {column_and_reading(name)[0]: name for name in reversed(p.inducers)}
    counted = [t.frame[experiment.RUNS] for (_, inducer), t in estimates.items() if inducer in first.values()]
    runs = sum(int(made.sum()) for made in counted) + p.holdouts * len(counted)
    rows.append(Row.exact("literal", "text", "runs", runs))
    rows.append(Row.exact("literal", "text", "runs-of-whole-samples", sum(map(len, counted))))
    return ArtifactResult(rows, {"curves": frame_of(curves)})


def _high_ends(p: experiment.StudyParameters, one: OnSets) -> Row:
    """Count the data sets on which leave-one-out and leave-two-out both vary more than both 10 and 20 folds.

    The paper has no rule for "high variance".  The error is that of the count over bootstrap samples of the samples.
    """

    def high(estimates: np.ndarray) -> bool:
        sd = estimates.std(axis=0, ddof=1)
        return bool(sd[:2].min() > sd[2:].max())

    count, variance = 0, 0.0
    for name, t in one.trials.items():
        estimates = np.column_stack([t[point] for point in (LEAVE_TWO, LOO, "k=10", "k=20")])
        rng = Streams(p.seed).child("kohavi-claims", one.inducer).generator(name)
        draws = rng.integers(0, t.n, size=(_RESAMPLED, t.n))
        share = float(np.mean([high(estimates[d]) for d in draws]))
        variance += share * (1 - share)
        count += high(estimates)
    row, kind = column_and_reading(one.inducer)
    # a classifier's own reading tells it from another of the same name
    reading = "unstated:more-than-10-and-20-folds" if kind == "literal" else kind
    fewest = min(t.n for t in one.trials.values())
    return Row(reading, row, "files-with-high-variance-at-loo-and-leave-2-out", float(count), sqrt(variance), fewest)


def _unchanged(ratio: Estimate) -> Condition:
    return ratio.within(1 - _SAME_SPREAD, 1 + _SAME_SPREAD)


PROPOSITIONS = Claims(
    "kohavi-propositions",
    {
        "proposition-1": lambda one, ratios, first, *others: most(
            "measured over predicted", [_unchanged(ratio) for ratio in ratios]
        ),
        "corollary-2": lambda one, ratios, first, *others: every(
            f"spread over that of {first}, average over the data sets",
            [_unchanged(one.sd_ratio((point, first)).named(point)) for point in others],
        ),
    },
)


@artifact("kohavi-propositions", draw=drawings.draw_propositions)
def propositions(p: experiment.EstimateParameters, run: Run) -> ArtifactResult:
    """Proposition 1: a stable inducer's estimate has the standard deviation sqrt(acc (1 - acc)/n)."""
    sizes = {one.name: one.size for one in p.sets()}
    points = [q.name for q in p.points if q.scheme == "plain"]
    estimates = estimates_of(p, run)
    ratios: dict[str, list[Estimate]] = {inducer: [] for inducer in p.inducers}
    rows, table, checks = [], [], []
    for (name, inducer), t in estimates.items():
        for point in points:
            accuracies = t.frame[point]
            predicted = 100 * sqrt(float(np.mean(accuracies * (1 - accuracies))) / sizes[name])
            measured = t.sd(point)
            ratio = measured * (1 / predicted if predicted > 0 else nan)
            key = key_of(name, inducer)
            rows.append(Row(t.reading, key, f"{point}/predicted-std-percent", predicted, 0.0, t.n))
            rows.append(Row.of(t.reading, key, f"{point}/measured-over-predicted", ratio))
            line = {"set": name, "inducer": inducer, "point": point, "predicted": predicted}
            table.append({**line, "measured": measured.value, "se": measured.se, "ratio": ratio.value, "n": t.n})
            ratios[inducer] += [replace(ratio, label=f"{name}, {point}", unit="", sign="")] if predicted > 0 else []
    for one in by_inducer(estimates):
        checks += judge_claims(PROPOSITIONS, one, ratios[one.inducer], *points, reading=title_of(one.inducer))
    return ArtifactResult(rows, {"spread": pd.DataFrame(table)}, checks)


@artifact("kohavi-model-selection", draw=drawings.draw_model_selection)
@artifact("kohavi-another-choice", draw=drawings.draw_model_selection)
def model_selection(p: experiment.EstimateParameters, run: Run) -> ArtifactResult:
    """How often each estimate picks the better of the first two inducers, and how near it comes to the truth.

    The truth is the accuracy on all cases outside the sample.  Data without information are left out.
    """
    estimates = estimates_of(p, run)
    pairs = [[estimates[s, i] for i in p.inducers[:2]] for s in dict.fromkeys(s for s, _ in estimates) if s != RAND]
    if not pairs:
        return ArtifactResult()
    n = min(t.n for t in estimates.values())
    rows, table, checks = [], [], []
    right: dict[str, Estimate] = {}
    for point in (q.name for q in p.points):
        # mean square over both inducers and all samples of data sets that are fixed
        squares = [np.mean([t.difference(point, HOLDOUT) ** 2 for t in pair], axis=0) for pair in pairs]
        rms = monte_carlo.root_of(monte_carlo.average(map(monte_carlo.mean, squares)))
        rows.append(Row("literal", point, "rms-percent", rms.value, rms.se, n))
        chosen = monte_carlo.average([share for pair in pairs if (share := _right_choices(pair, point)) is not None])
        if chosen.n:
            rows.append(Row("literal", point, "right-choices-percent", chosen.value, chosen.se, n))
            right[point] = replace(chosen, n=n).named(point, "points", 1)
        line = {"point": point, "rms": rms.value, "rms_se": rms.se, "right": chosen.value, "se": chosen.se}
        table.append({**line, "n": n})
    others = [share for point, share in right.items() if point != ADVISED]
    if ADVISED in right and others:
        best = right[ADVISED] > max(others, key=lambda share: share.value)
        checks.append(judge_claim("kohavi-model-selection", "best", best))
    if ADVISED in right and LOO in right:
        checks.append(judge_claim("kohavi-model-selection", "better-than-loo", right[ADVISED] > right[LOO]))
    return ArtifactResult(rows, {"selection": pd.DataFrame(table)}, checks)


def _right_choices(pair: Sequence[Trials], point: str) -> Estimate | None:
    """Share of samples in which an estimate picks the better inducer, percent; an equal estimate counts half."""
    if len(pair) < 2:
        return None
    truly, seen = ((pair[0][column] - pair[1][column]).round(9) for column in (HOLDOUT, point))
    right = np.where(seen == 0, 0.5, np.sign(seen) == np.sign(truly))[truly != 0]
    return pair[0].average(100.0 * right) if right.size else None
