"""Figures 1 to 4 and section 5.1: estimates of the accuracy, their bias and spread, over many samples.

Accuracies are in percent.  Bias is the mean estimate minus the true accuracy of Table 1: optimism is positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, Rows, judge_claims
from compendium.evidence.estimate import Estimate, most
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.kohavi.estimates import figures as drawings
from compendium.papers.kohavi.estimates.experiment import (
    APPARENT,
    RUNS,
    EstimateParameters,
    estimate_study,
)
from compendium.papers.kohavi.named_inducers import own_files
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.artifacts import truths_of
from compendium.papers.own_code import studied_apart
from compendium.studies.experiment import TRUE_ERROR, wide

HOLDOUT = "holdout"
"""Accuracy of the sample's classifier on all cases outside the sample."""

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


def estimates_of(p: EstimateParameters, run: Run) -> dict[tuple[str, str], Trials]:
    """Return all estimates, as accuracies, by data set and inducer: a row a sample."""
    sets = p.sets()
    data = tuple((one, p.samples_of(one)) for one in sets)
    together = studied_apart(p.inducers, lambda name: own_files([name]))
    results = pd.concat([wide(run(estimate_study(data, some, p.points, p.seed))) for some in together])
    by = parts(results, "digest", "inducer")
    rates = [TRUE_ERROR, APPARENT, *(q.name for q in p.points)]
    found = {}
    for one in sets:
        for inducer in p.inducers:
            own = by[one.digest, inducer]
            accuracies = (1.0 - own[rates]).rename(columns={TRUE_ERROR: HOLDOUT}).assign(**{RUNS: own[RUNS]})
            found[one.name, inducer] = Trials(accuracies, column_and_reading(inducer)[1], label=one.name)
    return found


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


def _figure(
    p: EstimateParameters, run: Run, schemes: Sequence[str], claims: Rows, *, spread: bool = False
) -> ArtifactResult:
    """Make the rows of a figure, and judge its claims of each inducer."""
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


FIGURE_1 = Claims(
    "kohavi-figure-1",
    {
        "two-folds": lambda c, p: most("biases", [b < 0 for b in c.biases("k=2")]),
        "five-folds": lambda c, p: most("biases", [b < 0 for b in c.biases("k=5")]),
        "ten-folds": lambda c, p: most("biases", [abs(b) <= _CLOSE for b in c.biases("k=10")]),
        "twenty-folds": lambda c, p: most("biases", [abs(b) <= _CLOSE for b in c.biases("k=20")]),
    },
)


@artifact("kohavi-figure-1", draw=drawings.draw_fold_means)
@artifact("kohavi-another-folds", draw=drawings.draw_fold_means)
def figure_1(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Figure 1: mean of cross-validation, plain and stratified, against the number of folds."""
    return _figure(p, run, ("plain", "stratified"), FIGURE_1)


FIGURE_2 = Claims(
    "kohavi-figure-2",
    {
        "unbiased": lambda c, p: [abs(b) <= _CLOSE for b in c.biases(p.last, _UNBIASED)],
        "biased": lambda c, p: [abs(b) > _LARGE for b in c.biases(p.last, _highly_biased(c.inducer))],
    },
)


@artifact("kohavi-figure-2", draw=drawings.draw_bootstrap_means)
@artifact("kohavi-another-bootstrap", draw=drawings.draw_bootstrap_means)
def figure_2(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Figure 2: mean of the .632 bootstrap against the number of bootstrap samples."""
    return _figure(p, run, ("bootstrap",), FIGURE_2)


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


def _stratified_and_plain(p: EstimateParameters) -> list[tuple[str, str]]:
    pairs = [(f"stratified-k={k}", f"k={k}") for k in p.folds if k in p.stratified_folds]
    if not pairs:
        raise NotRun("no number of folds is both plain and stratified")
    return pairs


@artifact("kohavi-figure-3", draw=drawings.draw_fold_spread)
def figure_3(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Figure 3: standard deviation of one cross-validation estimate against the number of folds."""
    return _figure(p, run, ("plain", "stratified"), FIGURE_3, spread=True)


FIGURE_4 = Claims("kohavi-figure-4", {"below-ten-folds": lambda c, p: c.sd_ratio((p.last, "k=10")) < 1})


@artifact("kohavi-figure-4", draw=drawings.draw_bootstrap_spread)
def figure_4(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Figure 4: standard deviation of one .632 estimate against the number of bootstrap samples."""
    return _figure(p, run, ("bootstrap",), FIGURE_4, spread=True)


GAINS = Claims("kohavi-text-stratified", {"less-pessimistic": lambda c, p: c.gap(*_stratified_and_plain(p)) > 0})


@artifact("kohavi-text-stratified", draw=drawings.draw_text_stratified)
def text_stratified(p: EstimateParameters, run: Run) -> ArtifactResult:
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
def text_bootstrap(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Bias of the .632 bootstrap with the most samples, against the true accuracy of Table 1, points."""
    truths = truths_of(p, run)
    rows, table = [], []
    for (name, inducer), t in estimates_of(p, run).items():
        mean, truth = t.mean(p.last), truths[name, inducer]
        bias = mean - truth
        rows.append(Row.of(t.reading, key_of(name, inducer), "bias-percent", bias))
        line = {"set": name, "inducer": inducer, "bias": bias.value, "se": bias.se, "estimate": mean.value}
        table.append({**line, "truth": truth.value, "resubstitution": t.mean(APPARENT).value, "n": mean.n})
    return ArtifactResult(rows, {"bias": pd.DataFrame(table)})
