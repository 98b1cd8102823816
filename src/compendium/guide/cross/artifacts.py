"""Each paper's recommended estimator in every other paper's settings: bias, spread, error, coverage, cost.

Artifacts of this project's own; there is nothing printed to compare them with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, within
from compendium.evidence.estimate import Estimate, every, plus_minus, signed
from compendium.evidence.records import each, smallest
from compendium.evidence.results import ArtifactResult, Row, Run, rows_of
from compendium.guide import names
from compendium.guide.cross.cases import CLEAR, READING, Case, average, cases_of, complete, least_of, mean_ratio
from compendium.guide.cross.experiment import (
    CONTENDERS,
    ESTIMATORS,
    INTERVALS,
    REFERENCE,
    CrossParameters,
    Effort,
    estimator_ids,
    settings_of,
)
from compendium.guide.cross.figures import draw_biases, draw_coverages, draw_errors
from compendium.guide.names import symbol
from compendium.studies.experiment import TRUE_ERROR
from errorest.estimation.estimators import fits_of

__all__ = ["biases", "costs", "coverages", "errors", "left_out", "spreads"]

HOME: Mapping[str, tuple[str, ...]] = {
    "martin-hirschberg": ("bootstrap-632", "loo-star"),
    "shakhnarovich": ("cloned-632-plus", "cloned-bscv-5"),
    "kohavi": (REFERENCE,),
}
"""Estimators that each paper favours."""


def _matrix(cases: Sequence[Case], of: Callable[[Case, str], Estimate], columns: Sequence[str]) -> list[Row]:
    """Make a row a case and a column an estimator, in points."""
    return [
        row
        for case in cases
        for row in rows_of(READING, case.key, ((c, of(case, c)) for c in columns if case.has(c)), factor=100)
    ]


def _held(cases: Sequence[Case], estimators: Sequence[str]) -> Iterator[tuple[str, list[Case]]]:
    """Yield each estimator with the cases in which it was run, if there are any."""
    for name in estimators:
        held = [c for c in cases if c.has(name)]
        if held:
            yield name, held


def _everything(case: Case, name: str) -> dict[str, Any]:
    """Put all that is measured of a case and an estimator into one line, in points.

    ``z`` compares squared errors with those of stratified ten-fold cross-validation on the same
    samples: negative where the estimator errs less.
    """
    of = {"bias": case.bias(name), "sd": case.spread(name), "rmse": case.rmse(name)}
    return {
        "paper": case.ground,
        "setting": case.place,
        "n": case.setting.n,
        "inducer": case.inducer,
        "learner": case.learner,
        "estimator": name,
        "samples": case.truth.size,
        "true error": 100 * float(case.truth.mean()),
        "sd of true error": (case.spread(TRUE_ERROR) * 100).value,
        **{f"{what}{end}": part for what, m in of.items() for end, part in (("", 100 * m.value), (" se", 100 * m.se))},
        "z": case.versus(name, REFERENCE),
        "fits": case.fits(name),
    }


def _standings(cases: Sequence[Case]) -> pd.DataFrame:
    """Count, ground by ground, how each estimator does against the reference and against the best of a case."""
    least = {id(c): least_of(c) for c in cases}
    lines = []
    for ground in names.GROUNDS:
        for name, held in _held([c for c in cases if c.ground == ground], CONTENDERS):
            z = np.array([c.versus(name, REFERENCE) for c in held])
            ratio = mean_ratio(held, name)
            lines.append(
                {
                    "ground": ground,
                    "estimator": name,
                    "cases": len(held),
                    "smallest": sum(least[id(c)] == name for c in held),
                    "far from smallest": sum(c.versus(name, least[id(c)]) > CLEAR for c in held),
                    "better": int((z < -CLEAR).sum()),
                    "worse": int((z > CLEAR).sum()),
                    "ratio": ratio.value,
                    "ratio_se": ratio.se,
                    "worst ratio": float(np.exp(max(c.log_ratio(name).value for c in held))),
                }
            )
    return pd.DataFrame(lines)


def _ratios(cases: Sequence[Case]) -> pd.DataFrame:
    """Mean ratio to the reference for each estimator and kind of setting; ``all`` takes cases with every estimator."""
    kinds = {f.title: [c for c in cases if c.setting.family == key] for key, f in names.FAMILIES.items()}
    lines = []
    for kind, own in {**kinds, "all": complete(cases)}.items():
        for name, held in _held(own, CONTENDERS):
            m = mean_ratio(held, name)
            lines.append({"kind": kind, "estimator": name, "ratio": m.value, "se": m.se, "cases": m.n})
    return pd.DataFrame(lines)


@artifact("guide-cross-rmse", draw=draw_errors, matrix=True)
def errors(p: CrossParameters, run: Run) -> ArtifactResult:
    """Root mean squared error of every estimator in every case."""
    cases = cases_of(p, run)
    standings = _standings(cases)
    everything = [_everything(c, name) for c in cases for name in ESTIMATORS if c.has(name)]
    return ArtifactResult(
        _matrix(cases, Case.rmse, tuple(ESTIMATORS)),
        {"cases": pd.DataFrame(everything), "standings": standings, "ratios": _ratios(cases)},
        [claim.check() for claim in smallest_everywhere(cases)],
        [*_at_home(standings), *_away(standings)],
    )


def _at_home(standings: pd.DataFrame) -> list[str]:
    """Say who errs least in each paper's settings, and how the estimators that it favours do."""
    said = []
    for ground, own in standings.groupby("ground", sort=False):
        best = smallest(own, "ratio")
        home = ", ".join(
            f"{symbol(r.estimator)} {plus_minus(Estimate(r.ratio, r.ratio_se, int(r.cases)), '', 2)}"
            for r in each(own[own["estimator"].isin(HOME[str(ground)])])
        )
        said.append(
            f"In the settings of {names.GROUNDS[str(ground)].title} ({int(own['cases'].max())} cases) the smallest "
            f"error on the whole is that of {symbol(best.estimator)}: {best.ratio:.2f} ± {best.ratio_se:.2f} times "
            f"that of stratified ten-fold cross-validation (geometric mean). What that paper favours: {home}."
        )
    return said


def _away(standings: pd.DataFrame) -> list[str]:
    """Compare each favoured estimator at home with the same abroad."""
    said = []
    for ground, name in ((g, name) for g, favoured in HOME.items() for name in favoured if name != REFERENCE):
        own = standings[standings["estimator"] == name]
        away, here = own[own["ground"] != ground], own[own["ground"] == ground]
        if away.empty or here.empty:
            continue
        (better, worse, of), (better_away, worse_away, of_away) = (
            [int(part[c].sum()) for c in ("better", "worse", "cases")] for part in (here, away)
        )
        said.append(
            f"{symbol(name)}, against stratified ten-fold cross-validation: clearly better in {better} and clearly "
            f"worse in {worse} of {of} cases at home; {better_away} and {worse_away} of {of_away} away; at worst its "
            f"error is {own['worst ratio'].max():.1f} times as large."
        )
    return said


def smallest_everywhere(cases: Sequence[Case]) -> list[Claim]:
    """Say of each favoured estimator that none has a smaller error; each ground is a part of its own."""
    claims = []
    for home, name in ((g, name) for g, favoured in HOME.items() for name in favoured):
        grounds = [
            every(
                names.GROUNDS[ground].title,
                [above(c.title, _ahead(c, name) * 1e4, unit="squared points", digits=1) for c in own],
            )
            for ground in names.GROUNDS
            if (own := [c for c in cases if c.ground == ground and c.has(name)])
        ]
        paper = names.GROUNDS[home]
        claims.append(
            Claim(
                f"{symbol(name)}, which {paper.title} {paper.favours}, has the smallest root mean squared error "
                "wherever it is tried.",
                grounds,
                context="mean squared error of the best other minus its own, in cases",
            )
        )
    return claims


def _ahead(case: Case, name: str) -> Estimate:
    """Mean squared error of the best other estimator minus an estimator's own; one that is the same is no other."""
    others = [e for e in CONTENDERS if e != name and not (case.leaves_one_out(e) and case.leaves_one_out(name))]
    return case.excess(least_of(case, others), name)


@artifact("guide-cross-bias", draw=draw_biases, matrix=True)
def biases(p: CrossParameters, run: Run) -> ArtifactResult:
    """Bias of every estimator in every case."""
    cases = cases_of(p, run)
    lines = []
    for learner in dict.fromkeys(c.learner for c in cases):
        for name, held in _held([c for c in cases if c.learner == learner], tuple(ESTIMATORS)):
            found = [c.bias(name) * 100 for c in held]
            values = np.array([m.value for m in found])
            lines.append(
                {
                    "learner": learner,
                    "estimator": name,
                    "cases": values.size,
                    "mean": float(values.mean()),
                    "lowest": float(values.min()),
                    "highest": float(values.max()),
                    "clear": sum(m.se > 0 and abs(m.value) > CLEAR * m.se for m in found),
                }
            )
    learners = pd.DataFrame(lines)
    findings = []
    for kind, own in learners[learners["estimator"].isin(CONTENDERS)].groupby("learner", sort=False):
        low = smallest(own, "mean")
        even = smallest(own.assign(size=own["mean"].abs()), "size")
        findings.append(
            f"{names.LEARNERS[str(kind)].heading}: the most optimistic on the whole is {symbol(low.estimator)} "
            f"({signed(low.mean)} points, down to {signed(low.lowest)}); the least biased is {symbol(even.estimator)} "
            f"({signed(even.mean)})."
        )
    single = [
        {"learner": c.learner, "estimator": e, "case": c.key, "bias": (c.bias(e) * 100).value}
        for c in cases
        for e in ESTIMATORS
        if c.has(e)
    ]
    rows = _matrix(cases, Case.bias, tuple(ESTIMATORS))
    return ArtifactResult(rows, {"learners": learners, "biases": pd.DataFrame(single)}, [], findings)


@artifact("guide-cross-spread", matrix=True)
def spreads(p: CrossParameters, run: Run) -> ArtifactResult:
    """Standard deviation of every estimator in every case, beside that of the true error itself."""
    cases = cases_of(p, run)
    share = [c.spread(REFERENCE).value / max(c.spread(TRUE_ERROR).value, 1e-12) for c in cases]
    steady = {name: _steadiness(complete(cases), name) for name in CONTENDERS}
    least, most = min(steady, key=lambda k: steady[k]), max(steady, key=lambda k: steady[k])
    return ArtifactResult(
        _matrix(cases, Case.spread, (TRUE_ERROR, *ESTIMATORS)),
        findings=[
            (
                f"Where every estimator was run, {symbol(least)} varies least, {steady[least]:.2f} times as much as "
                f"stratified ten-fold cross-validation on the geometric mean, and {symbol(most)} most, "
                f"{steady[most]:.2f} times."
            ),
            (
                "Stratified ten-fold cross-validation varies at the median "
                f"{np.median(share):.1f} times as much from sample to sample as the true error that it estimates."
            ),
        ],
    )


def _steadiness(cases: Sequence[Case], estimator: str) -> float:
    """Geometric mean of the ratio of an estimator's spread to the reference's, where both vary."""
    pairs = [(c.spread(estimator).value, c.spread(REFERENCE).value) for c in cases]
    logs = [np.log(a / b) for a, b in pairs if min(a, b) > 0]
    return float(np.exp(np.mean(logs))) if logs else float("nan")


@artifact("guide-cross-coverage", draw=draw_coverages, matrix=True)
def coverages(p: CrossParameters, run: Run) -> ArtifactResult:
    """How often intervals that ask for 95 % contain the true error of the classifier at hand."""
    rows, lines = [], []
    cases = cases_of(p, run)
    for case in cases:
        for name in INTERVALS:
            covered, width = case.coverage(name) * 100, case.width(name) * 100
            measured = [(f"{name}/coverage-percent", covered), (f"{name}/width-percent", width)]
            rows += rows_of(READING, case.key, measured)
            lines.append(
                {
                    "case": case.key,
                    "learner": case.learner,
                    "n": case.setting.n,
                    "interval": name,
                    "coverage": covered.value,
                    "se": covered.se,
                    "width": width.value,
                }
            )
    table = pd.DataFrame(lines)
    checks = [covers(name, cases, table[table["interval"] == name]).check() for name in INTERVALS]
    none = (
        "No interval of the library goes with the estimators on clones, LOO* or the plain .632; for these the spread "
        "of one estimate is not known from one sample."
    )
    return ArtifactResult(rows, {"coverages": table}, checks, [none])


_AS_PROMISED = 2.0
"""Points by which the mean coverage of an interval may miss what it is called."""


def covers(name: str, cases: Sequence[Case], own: pd.DataFrame) -> Claim:
    """Say of an interval that it contains the true error as often as it is called; each kind of inducer is a part."""
    where = smallest(own, "coverage").case.replace("/", ", ").replace("=", " = ")
    return Claim(
        f"The interval of {names.PAIRED_INTERVALS[name].title} contains the true error 95 % of the time.",
        [
            within(
                names.LEARNERS[learner].plural,
                average([c.coverage(name) for c in cases if c.learner == learner]),
                _AS_PROMISED,
                "%",
                of=95.0,
                digits=1,
                sign="",
            )
            for learner in dict.fromkeys(c.learner for c in cases)
        ],
        context=f"lowest {own['coverage'].min():.0f} % ({where}), mean width {own['width'].mean():.0f} points; means "
        "of cases",
    )


@artifact("guide-cross-cost", matrix=True)
def costs(p: CrossParameters, run: Run) -> ArtifactResult:
    """Exact number of classifiers that each estimator makes of one sample, and what was left out for its cost."""
    settings = settings_of(p)
    sizes = sorted({s.n for s in settings})
    # of settings of one size the last counts, in the place of the first
    usual = {s.n: s for s in settings if not (s.without or s.effort.clones < p.clones)}
    effort = next(iter(usual.values()), settings[0]).effort

    def in_full(n: int) -> Effort:
        return effort._replace(clones=100, left_out_clones=100 * n)

    rows = [
        Row(READING, f"{what}/N={n}", name, float(fits_of([text], n)), 0.0, 1)
        for what, of in (("this design", lambda _: effort), ("with 100 clones each", in_full))
        for n in sizes
        for name, text in estimator_ids(n, of(n)).items()
    ]
    most = sizes[-1]
    dear = fits_of([estimator_ids(most, in_full(most))["cloned-632-plus"]], most)
    missing = left_out(p)
    findings = [
        (
            f"At N = {most}, stratified ten-fold cross-validation makes {fits_of([ESTIMATORS[REFERENCE]], most)} "
            f"classifiers; .632+ on clones with 100 clones a case makes {dear:,}, each of its own density."
        ),
        *(f"Left out or cut short: {r['what']} ({r['where']}): {r['why']}." for _, r in missing.iterrows()),
    ]
    return ArtifactResult(rows, {"left-out": missing}, [], findings)


def left_out(p: CrossParameters) -> pd.DataFrame:
    """List what is not run, or run with less, and why."""
    settings = settings_of(p)
    reason = "{n} cases would need as many densities, fitted anew without each case, for every sample"
    rows = [(f"{s.at}, N = {s.n}", ".632+ on clones", reason.format(n=s.n)) for s in settings if s.without]
    slow = [s for s in settings if s.effort.clones < p.clones or s.effort.left_out_clones < p.left_out_clones]
    if slow:
        effort = slow[0].effort
        rows.append(
            (
                f"{len(slow)} settings of trees, Naive Bayes or nominal data",
                (
                    f"{effort.left_out_clones} instead of {p.left_out_clones} clones for .632+, {effort.clones} "
                    f"instead of {p.clones} for 5-CV on clones"
                ),
                "their classifiers are made one by one, or their clones take long to draw",
            )
        )
    rows += [
        (
            "every setting",
            "100 clones a case, as Shakhnarovich et al. draw them",
            f"{p.left_out_clones} clones are shared out among the cases of a sample, which adds a little noise",
        ),
        ("every setting", "10-CV on clones and leave-one-out on clones", "the paper that proposes them prefers others"),
        ("vehicle and Pima", "the support vector machines of section 8", "their clones take most of that paper's time"),
    ]
    return pd.DataFrame(rows, columns=["where", "what", "why"])
