"""Each paper's recommended estimator in every other paper's settings: bias, spread, error, coverage, cost.

Artifacts of this project's own; there is nothing printed to compare them with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from errorest.estimation.estimators import fits_of
from errorest.evidence.claims import signed
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.records import each, smallest
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.guide.cross.cases import (
    CONTENDERS,
    REFERENCE,
    SYMBOLS,
    Case,
    CrossParameters,
    cases_of,
    left_out,
    mean_ratio,
    settings_of,
)
from errorest.guide.cross.designs import ESTIMATORS, INTERVALS, estimator_ids

__all__ = [
    "CLEAR",
    "GROUNDS",
    "GROUND_TITLES",
    "HOME",
    "INTERVAL_TITLES",
    "KINDS",
    "biases",
    "costs",
    "coverages",
    "errors",
    "spreads",
    "table_of_cases",
]

READING = "unstated:cross-examination"

CLEAR = 3.0
"""Paired z from which a difference in one case counts as clear; with many cases, 1.96 would cry wolf."""

GROUND_TITLES: Mapping[str, str] = {
    "martin-hirschberg": "Martin & Hirschberg",
    "shakhnarovich": "Shakhnarovich et al.",
    "kohavi": "Kohavi",
}
"""Papers by the name of their ground."""

GROUNDS = tuple(GROUND_TITLES)

HOME: Mapping[str, tuple[str, ...]] = {
    "martin-hirschberg": ("bootstrap-632", "loo-star"),
    "shakhnarovich": ("cloned-632-plus", "cloned-bscv-5"),
    "kohavi": (REFERENCE,),
}
"""Estimators that each paper favours."""

KINDS: Mapping[str, str] = {
    "two-normals": "two Gaussians",
    "lenses": "lenses",
    "synthetic": "five synthetic",
    "uci": "UCI samples",
    "data": "Kohavi's sets",
}
"""Kinds of settings in figures."""

INTERVAL_TITLES: Mapping[str, str] = {
    "kohavi": "equation 3, stratified 10-CV",
    "cv-wald": "CV Wald, 10-CV",
    "loo-kohavi": "equation 3, LOO",
    "632-plus": ".632+, influence",
}
"""Intervals in figures and sentences."""


def points(m: Measured, factor: float = 100.0) -> Measured:
    """Turn a measured proportion into percentage points."""
    return Measured(m.value * factor, m.se * factor, m.n)


def _matrix(cases: Sequence[Case], of: Callable[[Case, str], Measured], names: Sequence[str]) -> list[Row]:
    rows = []
    for case in cases:
        for name in names:
            if case.has(name):
                m = points(of(case, name))
                rows.append(Row(READING, case.key, name, m.value, m.se, m.n))
    return rows


def table_of_cases(cases: Sequence[Case]) -> pd.DataFrame:
    """Put everything that is measured of every case and estimator into one table, in percentage points.

    ``z`` compares squared errors with those of stratified ten-fold cross-validation on the same
    samples: negative where the estimator errs less.
    """
    lines = []
    for case in cases:
        truth = points(case.spread("true-error"))
        ids = estimator_ids(case.setting.n, case.setting.effort, case.setting.without)
        for name, text in ids.items():
            bias, sd, rmse = (points(m) for m in (case.bias(name), case.spread(name), case.rmse(name)))
            lines.append(
                {
                    "paper": case.ground,
                    "setting": case.place,
                    "n": case.setting.n,
                    "inducer": case.inducer,
                    "learner": case.learner,
                    "estimator": name,
                    "samples": rmse.n,
                    "true error": 100 * float(case.truth.mean()),
                    "sd of true error": truth.value,
                    "bias": bias.value,
                    "bias se": bias.se,
                    "sd": sd.value,
                    "sd se": sd.se,
                    "rmse": rmse.value,
                    "rmse se": rmse.se,
                    "z": case.versus(name, REFERENCE),
                    "fits": fits_of([text], case.setting.n),
                }
            )
    return pd.DataFrame(lines)


def _standings(cases: Sequence[Case]) -> pd.DataFrame:
    """Count, ground by ground, how each estimator does against the reference and against the best of a case."""
    least = {id(c): min((e for e in CONTENDERS if c.has(e)), key=lambda e: c.rmse(e).value) for c in cases}
    lines = []
    for ground in GROUNDS:
        own = [c for c in cases if c.ground == ground]
        for name in CONTENDERS:
            held = [c for c in own if c.has(name)]
            if not held:
                continue
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
    lines = []
    for family, title in KINDS.items():
        own = [c for c in cases if c.setting.family == family]
        for name in CONTENDERS:
            held = [c for c in own if c.has(name)]
            if held:
                m = mean_ratio(held, name)
                lines.append({"kind": title, "estimator": name, "ratio": m.value, "se": m.se, "cases": m.n})
    whole = [c for c in cases if not c.setting.without]
    for name in CONTENDERS:
        m = mean_ratio(whole, name)
        lines.append({"kind": "all", "estimator": name, "ratio": m.value, "se": m.se, "cases": m.n})
    return pd.DataFrame(lines)


def errors(p: CrossParameters, run: Run) -> Regenerated:
    """Root mean squared error of every estimator in every case.

    Returns
    -------
    Regenerated
        Rows: a case by an estimator, in points.  Data ``cases`` (everything measured), ``standings``
        and ``ratios`` (geometric means of the ratio to stratified ten-fold cross-validation).
    """
    cases = cases_of(p, run)
    standings, ratios = _standings(cases), _ratios(cases)
    findings = []
    for ground, title in GROUND_TITLES.items():
        own = standings[standings["ground"] == ground]
        if own.empty:
            continue
        best = smallest(own, "ratio")
        home = ", ".join(
            f"{SYMBOLS[r.estimator]} {r.ratio:.2f} ± {r.ratio_se:.2f}"
            for r in each(own[own["estimator"].isin(HOME[ground])])
        )
        findings.append(
            f"In the settings of {title} ({int(own['cases'].max())} cases) the smallest error on the whole is that of "
            f"{SYMBOLS[best.estimator]}: {best.ratio:.2f} ± {best.ratio_se:.2f} times that of stratified "
            f"ten-fold cross-validation (geometric mean). What that paper favours: {home}."
        )
    champions = [name for names in HOME.values() for name in names]
    for name in champions:
        own = standings[standings["estimator"] == name]
        home = next(g for g, names in HOME.items() if name in names)
        away, here = own[own["ground"] != home], own[own["ground"] == home]
        if name == REFERENCE or away.empty or here.empty:
            continue
        findings.append(
            f"{SYMBOLS[name]}, against stratified ten-fold cross-validation: clearly better in "
            f"{int(here['better'].sum())} and clearly worse in {int(here['worse'].sum())} of "
            f"{int(here['cases'].sum())} "
            f"cases at home; {int(away['better'].sum())} and {int(away['worse'].sum())} of {int(away['cases'].sum())} "
            f"away; at worst its error is {own['worst ratio'].max():.1f} times as large."
        )
    data = {"cases": table_of_cases(cases), "standings": standings, "ratios": ratios}
    return Regenerated(_matrix(cases, lambda c, e: c.rmse(e), tuple(ESTIMATORS)), data, _smallest(standings), findings)


def _smallest(standings: pd.DataFrame) -> list[Check]:
    checks = []
    for ground, names in HOME.items():
        for name in names:
            own = standings[standings["estimator"] == name]
            if own.empty:
                continue
            first, far, total = (int(own[c].sum()) for c in ("smallest", "far from smallest", "cases"))
            split = "; ".join(
                f"{GROUND_TITLES[r['ground']]} {r['smallest']} of {r['cases']}, clearly beaten in "
                f"{r['far from smallest']}"
                for _, r in own.iterrows()
            )
            checks.append(
                Check(
                    f"{SYMBOLS[name]}, which {GROUND_TITLES[ground]} favour{'s' if ground == 'kohavi' else ''}, has "
                    f"the "
                    "smallest root mean squared error wherever it is tried.",
                    f"smallest in {first} of {total} cases, clearly beaten by the smallest in {far} ({split})",
                    "holds" if first == total else "holds in part" if far == 0 else "fails",
                )
            )
    return checks


def biases(p: CrossParameters, run: Run) -> Regenerated:
    """Bias of every estimator in every case.

    Returns
    -------
    Regenerated
        Rows: a case by an estimator, in points, positive where the estimate is too high.  Data
        ``learners``: mean bias, largest bias and number of clear biases by kind of inducer.
    """
    cases = cases_of(p, run)
    lines = []
    for learner in dict.fromkeys(c.learner for c in cases):
        for name in ESTIMATORS:
            found = [points(c.bias(name)) for c in cases if c.learner == learner and c.has(name)]
            values = np.array([m.value for m in found])
            if values.size:
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
    for who, own in learners[learners["estimator"].isin(CONTENDERS)].groupby("learner", sort=False):
        low = smallest(own, "mean")
        even = smallest(own.assign(size=own["mean"].abs()), "size")
        title = str(who)
        findings.append(
            f"{title[:1].upper()}{title[1:]}: the most optimistic on the whole is {SYMBOLS[low.estimator]} "
            f"({signed(low.mean)} points, down to {signed(low.lowest)}); the least biased is {SYMBOLS[even.estimator]} "
            f"({signed(even.mean)})."
        )
    rows = _matrix(cases, lambda c, e: c.bias(e), tuple(ESTIMATORS))
    single = [
        {"learner": c.learner, "estimator": e, "case": c.key, "bias": points(c.bias(e)).value}
        for c in cases
        for e in ESTIMATORS
        if c.has(e)
    ]
    return Regenerated(rows, {"learners": learners, "biases": pd.DataFrame(single)}, [], findings)


def spreads(p: CrossParameters, run: Run) -> Regenerated:
    """Standard deviation of every estimator in every case, beside that of the true error itself.

    Returns
    -------
    Regenerated
        Rows: a case by an estimator and by ``true-error``, in points.
    """
    cases = cases_of(p, run)
    rows = _matrix(cases, lambda c, e: c.spread(e), ("true-error", *ESTIMATORS))
    share = np.array([c.spread(REFERENCE).value / max(c.spread("true-error").value, 1e-12) for c in cases])
    steady = {}
    for name in CONTENDERS:
        held = [c for c in cases if c.has(name) and not c.setting.without]
        logs = [
            np.log(c.spread(name).value / c.spread(REFERENCE).value)
            for c in held
            if min(c.spread(name).value, c.spread(REFERENCE).value) > 0
        ]
        steady[name] = float(np.exp(np.mean(logs))) if logs else float("nan")
    least, most = min(steady, key=lambda k: steady[k]), max(steady, key=lambda k: steady[k])
    return Regenerated(
        rows,
        findings=[
            (
                f"Where every estimator was run, {SYMBOLS[least]} varies least, {steady[least]:.2f} times as much as "
                f"stratified ten-fold cross-validation on the geometric mean, and {SYMBOLS[most]} most, "
                f"{steady[most]:.2f} "
                "times."
            ),
            (
                f"The estimate varies more than what it estimates: stratified ten-fold cross-validation varies at the "
                f"median {np.median(share):.1f} times as much from sample to sample as the true error does."
            ),
        ],
    )


def coverages(p: CrossParameters, run: Run) -> Regenerated:
    """How often intervals that ask for 95 % contain the true error of the classifier at hand.

    Returns
    -------
    Regenerated
        Rows: a case by ``<interval>/coverage-percent`` and ``<interval>/width-percent``.  Data ``coverages``.
    """
    cases = cases_of(p, run)
    rows, lines = [], []
    for case in cases:
        for name in INTERVALS:
            m = points(case.coverage(name))
            width = points(Measured(float(np.nanmean(case.columns[f"{name}/width"])), 0.0, m.n))
            rows.append(Row(READING, case.key, f"{name}/coverage-percent", m.value, m.se, m.n))
            spread = 100 * float(np.nanstd(case.columns[f"{name}/width"], ddof=1)) / np.sqrt(m.n)
            rows.append(Row(READING, case.key, f"{name}/width-percent", width.value, spread, m.n))
            lines.append(
                {
                    "case": case.key,
                    "learner": case.learner,
                    "n": case.setting.n,
                    "interval": name,
                    "coverage": m.value,
                    "se": m.se,
                    "width": width.value,
                }
            )
    table = pd.DataFrame(lines)
    checks, findings = [], []
    for name in INTERVALS:
        own = table[table["interval"] == name]
        short = own[own["coverage"] + 2 * own["se"] < 95]
        checks.append(
            Check(
                f"The interval of {INTERVAL_TITLES[name]} contains the true error 95 % of the time.",
                f"clearly less in {len(short)} of {len(own)} cases; lowest {own['coverage'].min():.0f} % "
                f"({smallest(own, 'coverage').case.replace('/', ', ').replace('=', ' = ')}), "
                f"mean {own['coverage'].mean():.1f} %, mean width {own['width'].mean():.0f} points",
                "holds" if short.empty else "holds in part" if len(short) <= len(own) / 4 else "fails",
            )
        )
    findings.append(
        "No interval of the library goes with the estimators on clones, LOO* or the plain .632; for these the spread "
        "of "
        "one estimate is not known from one sample."
    )
    return Regenerated(rows, {"coverages": table}, checks, findings)


def costs(p: CrossParameters, run: Run) -> Regenerated:
    """Exact number of classifiers that each estimator makes of one sample, and what was left out for its cost.

    Returns
    -------
    Regenerated
        Rows: a sample size by an estimator, at this design's numbers of resamples and clones, and at 100 clones
        a case as Shakhnarovich et al. draw them.  Data ``left-out``: where, what, why.
    """
    own = {s.n: s for s in settings_of(p) if not (s.without or s.effort.clones < p.clones)}
    sizes = sorted({s.n for s in settings_of(p)})
    effort = next(iter(own.values()), settings_of(p)[0]).effort
    full = effort._replace(clones=100)
    rows = []
    for n in sizes:
        for name, text in estimator_ids(n, effort).items():
            rows.append(Row(READING, f"this design/N={n}", name, float(fits_of([text], n)), 0.0, 1))
    for n in sizes:
        for name, text in estimator_ids(n, full._replace(left_out_clones=100 * n)).items():
            rows.append(Row(READING, f"with 100 clones each/N={n}", name, float(fits_of([text], n)), 0.0, 1))
    most = sizes[-1]
    dear = fits_of([estimator_ids(most, full._replace(left_out_clones=100 * most))["cloned-632-plus"]], most)
    missing = left_out(p)
    findings = [
        (
            f"At N = {most}, stratified ten-fold cross-validation makes {fits_of([ESTIMATORS[REFERENCE]], most)} "
            f"classifiers; "
            f".632+ on clones with 100 clones a case makes {dear:,}, each of its own density."
        ),
        *(f"Left out or cut short: {r['what']} ({r['where']}): {r['why']}." for _, r in missing.iterrows()),
    ]
    return Regenerated(rows, {"left-out": missing}, [], findings)
