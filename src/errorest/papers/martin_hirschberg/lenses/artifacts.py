"""Section 6 on decision trees: parameters, studies, and the contact lenses themselves.

Figure 10, the estimates on the 24 cases and the counts in the text are made here; what is
made of samples stands in the modules beside this one.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
from pydantic import field_validator

from errorest.data.sets import digest, load
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Regenerated, Row, Run, rows_of
from errorest.papers.martin_hirschberg.lenses.designs import (
    CASES,
    ESTIMATORS,
    INDUCERS,
    Lenses,
    cases_study,
    distinct_items,
    fewest_leaves,
    largest_tree,
    lens_study,
)
from errorest.papers.martin_hirschberg.lenses.statistics import NAMES, mean_and_deviation, noise_key
from errorest.papers.parameters import Parameters, SizesForTenFolds, parameter

__all__ = [
    "READINGS",
    "LensesParameters",
    "Reading",
    "by_size",
    "figure_10",
    "inputs",
    "lenses_24",
    "noise_results",
    "sizes_results",
    "tree_counts",
]

READINGS = {name: f"fitted:{name}" for name in INDUCERS}
"""Inducer to name of the reading; the first is the headline.  All were searched for."""

Reading = Literal["gain-3102", "chi-square-3102", "misclassification-3102", "gain-ratio-none"]

_CLAIMS = "martin-hirschberg-claims"
_LITERAL = "literal"


class LensesParameters(Parameters):
    """Parameters of everything in section 6."""

    readings: list[Reading] = parameter(
        list(INDUCERS), "readings of what ID3 leaves open; the first is the headline", min_length=1
    )
    noise_readings: list[Reading] = parameter(["gain-3102"], "the same for the samples with noise", min_length=1)
    sizes: SizesForTenFolds = parameter([24, 48, 72, 96], "sample sizes N without noise", min_length=1)
    noise_sizes: SizesForTenFolds = parameter([24, 48, 72, 96, 144, 192], "sample sizes N with noise", min_length=1)
    noise_levels: list[float] = parameter(
        [0.01, 0.05, 0.1, 0.25], "probabilities p of a wrong label, proportions", min_length=1
    )
    samples: int = parameter(6, "samples of each size and noise; repetitions on the 24 cases", ge=3)
    many_sizes: SizesForTenFolds = parameter([24, 96], "sample sizes N of the regressions", min_length=1)
    many_noise: float = parameter(0.01, "probability of a wrong label in the regressions", ge=0, le=0.5)
    many_samples: int = parameter(200, "samples of each size in the regressions", ge=10, preview=40)
    realizations: int = parameter(
        1, "times that everything is done (with noise a third of them, the regressions a tenth)", ge=1
    )
    repeats: int = parameter(30, "enlarged run: how many times the realizations; 1 for none", ge=1, preview=1)
    cv_repeats: int = parameter(100, "iterations of 2-CV*", ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, "bootstrap samples, B", ge=1, preview=50)

    @field_validator("readings", "noise_readings", "sizes", "noise_sizes", "noise_levels", "many_sizes")
    @classmethod
    def _once(cls, value: list) -> list:
        if len(set(value)) < len(value):
            raise ValueError(f"{value} names something twice; expected each once; leave the repeat out")
        return value

    @field_validator("noise_levels")
    @classmethod
    def _noise(cls, value: list[float]) -> list[float]:
        for noise in value:
            if not 0 <= noise <= 0.5:
                raise ValueError(f"{noise} is outside [0, .5]; expected proportions; 25 % is written 0.25")
        return value

    @property
    def noise_realizations(self) -> int:
        """Times that the samples with noise are drawn."""
        return max(1, self.realizations // 3)

    @property
    def many_realizations(self) -> int:
        """Times that the samples of the regressions are drawn."""
        return max(1, self.realizations // 10)

    def enlarged(self) -> LensesParameters | None:
        """Return the design with ``repeats`` times the realizations, which has no larger one itself."""
        if self.repeats == 1:
            return None
        return self.model_copy(update={"realizations": self.realizations * self.repeats, "repeats": 1})

    @property
    def reference(self) -> LensesParameters:
        """The largest design at hand: its spread is the noise of what a smaller one yields."""
        return self.enlarged() or self


def inputs(_: Parameters) -> dict[str, str]:
    """Check the data set and return its digest."""
    return {CASES: digest(CASES)}


def sizes_results(p: LensesParameters, run: Run) -> pd.DataFrame:
    """Run Table 11's samples, those of ``p.reference``; the first ``p.samples`` of a size are the published ones."""
    count = p.samples * p.reference.realizations
    settings = (p.cv_repeats, p.bootstrap_replicates, p.seed)
    return run(lens_study("sizes", p.sizes, [0.0], count, p.readings, ESTIMATORS, *settings))


def noise_results(p: LensesParameters, run: Run) -> pd.DataFrame:
    """Run the samples of Figures 12 to 14 and Table 15, those of ``p.reference``."""
    count = p.samples * p.reference.noise_realizations
    settings = (p.cv_repeats, p.bootstrap_replicates, p.seed)
    return run(lens_study("noise", p.noise_sizes, p.noise_levels, count, p.noise_readings, ESTIMATORS, *settings))


def by_size(results: pd.DataFrame) -> dict[int, pd.DataFrame]:
    """Return the samples of each size, ascending."""
    return {int(str(n)): g for n, g in results.groupby("n", sort=True)}


def figure_10(p: LensesParameters, run: Run) -> Regenerated:
    """Figure 10: a correct tree for the contact lenses.

    Returns
    -------
    Regenerated
        Own rows for each reading: leaves, nodes, depth, and its errors on the 24 cases in
        percent, all exact.  Data ``tree`` (the headline's, one row a node, with the place of each: ``x`` counts
        leaves, ``y`` levels) and ``rules`` (the tree as text).
    """
    sample = load(CASES)
    rows: list[Row] = []
    texts = {}
    for name in p.readings:
        tree = INDUCERS[name].fit(sample)
        texts[name] = tree.to_text()
        wrong = 100 * float((tree.predict(sample.X) != sample.y).mean())
        values = {
            "leaves": tree.n_leaves,
            "nodes": tree.n_nodes,
            "depth": tree.depth,
            "true-error-percent": 100 * Lenses.with_noise(0.0).true_error(tree),
            "apparent-error-percent": wrong,
        }
        rows += rows_of(READINGS[name], "tree", [(k, Measured(float(v), 0.0, 1)) for k, v in values.items()])
    first = INDUCERS[p.readings[0]].fit(sample)
    place = first.layout()
    frame = pd.DataFrame(
        {
            "node": np.arange(first.n_nodes),
            "parent": place.parent,
            "x": place.x,
            "y": place.y,
            "leaf": place.leaf,
            "text": place.text,
            "branch": place.branch,
            "cases": first.counts.sum(axis=1),
        }
    )
    least = fewest_leaves(sample)
    leaves = [int(r.value) for r in rows if r.column == "leaves"]
    checks = [
        Check(
            "The leaves of this tree are necessary and sufficient for a correct tree.",
            f"{leaves[0]} leaves; trying all orders of splits, no tree without error has fewer than {least}",
            "holds" if set(leaves) == {least} else "fails",
        )
    ]
    alike = len(set(texts.values()))
    said = (
        f"All {len(texts)} readings grow {'the same tree' if alike == 1 else f'{alike} different trees'} from the "
        f"{sample.n} cases, without error on them. They differ where the cases are fewer: in what a tie or an empty "
        "branch decides."
    )
    return Regenerated(rows, {"tree": frame}, checks, [said])


def lenses_24(p: LensesParameters, run: Run) -> Regenerated:
    """The estimates of the error of the 24 cases' tree, mean and standard deviation of six repetitions, percent.

    Returns
    -------
    Regenerated
        The printed keys in every reading; LOO and APP are exact.
    """
    reference = p.reference
    results = run(
        cases_study(p.samples * reference.realizations, p.readings, p.cv_repeats, p.bootstrap_replicates, p.seed)
    )
    sample = load(CASES)
    rows: list[Row] = []
    for name in p.readings:
        error = 100 * Lenses.with_noise(0.0).true_error(INDUCERS[name].fit(sample))
        rows.append(Row(READINGS[name], "true-error", "mean-percent", error, 0.0, p.samples * p.realizations))
        for e in ESTIMATORS:
            values = 100 * results[f"{name}/{e}"].to_numpy()
            rows += mean_and_deviation(READINGS[name], e, "", values, p.samples, p.realizations)
    means = {(r.reading, r.row): r for r in rows if r.column == "mean-percent"}
    first = READINGS[p.readings[0]]
    biased = [e for e in ESTIMATORS if means[first, e].value > 0]
    checks = [
        Check(
            "All resampling estimates are pessimistic here, and the apparent error alone is right.",
            ", ".join(f"{NAMES[e]} {means[first, e].value:.1f} %" for e in ESTIMATORS)
            + f", where the true error is {means[first, 'true-error'].value:.0f} [{first}]",
            "holds" if biased == list(ESTIMATORS[1:]) else "fails",
        )
    ]
    said = ", ".join(
        f"{means[READINGS[n], 'loo'].value * sample.n / 100:.0f} of {sample.n} by *{READINGS[n]}*" for n in p.readings
    )
    boot = ", ".join(
        f"{plus_minus(_measured(means[READINGS[n], 'bootstrap-632']), '', 2)} by *{READINGS[n]}*" for n in p.readings
    )
    searched = (
        "The paper does not say how its ID3 decides. These readings were found by searching for what fits these "
        "numbers and those of Tables 11 and 15, so their agreement flatters them, and the search leaves no reading "
        "that fits everything."
    )
    counted = f"Leave-one-out errs on {said}: an exact number, so it can reject a reading. 632b is {boot}."
    return Regenerated(rows, checks=checks, findings=[counted, searched])


def _measured(row: Row) -> Measured:
    return Measured(row.value, row.se, row.n)


def tree_counts(p: LensesParameters, run: Run) -> Regenerated:
    """The counts in section 6's text: distinct items of a sample, the largest tree, the smallest correct one.

    Returns
    -------
    Regenerated
        Printed keys under ``martin-hirschberg-claims``, all exact.  Own rows: share of
        samples (percent) whose tree is correct, and mean number of nodes, by size and noise.
    """
    sample = load(CASES)
    first = p.readings[0]
    reading = READINGS[first]
    results = sizes_results(p, run)
    arity = [len(a.categories) for a in sample.attributes]
    nodes, leaves = largest_tree(arity)
    exact = {n: distinct_items(n, sample.n) for n in p.sizes}
    rows = [Row(_LITERAL, "text", f"distinct-items-N={n}", v, 0.0, 1, _CLAIMS) for n, v in list(exact.items())[:3]]
    rows += [
        Row(_LITERAL, "text", "saturation-nodes", float(nodes), 0.0, 1, _CLAIMS),
        Row(_LITERAL, "text", "saturation-leaves", float(leaves), 0.0, 1, _CLAIMS),
        Row(reading, "text", "correct-tree-leaves", float(INDUCERS[first].fit(sample).n_leaves), 0.0, 1, _CLAIMS),
    ]
    shown = p.samples * p.realizations
    groups = {int(str(n)): g for n, g in results[results["replicate"] < shown].groupby("n")}
    correct = {}
    for n, group in groups.items():
        correct[n] = accuracy.mean(100.0 * (group[f"{first}/true-error"] == 0).to_numpy())
        rows += rows_of(reading, f"N={n}", [("correct-trees-percent", correct[n])])
        rows += rows_of(reading, f"N={n}", [("nodes", accuracy.mean(group[f"{first}/nodes"].to_numpy()))])
    noisy, complexity = _complexity(p, run)
    rows += noisy
    seen = {n: accuracy.mean(g["distinct"].to_numpy()) for n, g in groups.items()}
    large = {n: m for n, m in correct.items() if n >= 3 * sample.n}
    checks = [
        Check(
            "A correct tree can be inferred for many, but not all, samples of three times the items or more.",
            ", ".join(f"{plus_minus(m, '', 0)} % of the samples of N = {n}" for n, m in large.items())
            + f" ({shown} samples each) [{reading}]",
            "holds"
            if large and all(0 < m.value < 100 for m in large.values())
            else "holds in part"
            if any(0 < m.value < 100 for m in large.values())
            else "not decided",
        ),
        complexity,
    ]
    expected = ", ".join(f"{v:.2f} of N = {n} (drawn: {plus_minus(seen[n], '', 2)})" for n, v in exact.items())
    saturated = (
        f"A tree that tests everything everywhere has {leaves} leaves, and {nodes} nodes (inner nodes and leaves) if "
        f"the attribute of {max(arity)} values stands at the root; with it further down there are fewer, so "
        f"{nodes} is the largest of the possible counts, not the only one."
    )
    items = f"Expected distinct items, k(1 − (1 − 1/k)^N) for k = {sample.n}: {expected}."
    return Regenerated(rows, checks=checks, findings=[items, saturated])


def _complexity(p: LensesParameters, run: Run) -> tuple[list[Row], Check]:
    """Mean number of nodes by size and noise, and whether it grows with both towards the largest tree."""
    name = p.noise_readings[0]
    results = noise_results(p, run)
    shown = results[results["replicate"] < p.samples * p.noise_realizations]
    rows: list[Row] = []
    sizes, noises = sorted(p.noise_sizes), sorted(p.noise_levels)
    mean = np.empty((len(noises), len(sizes)))
    for i, noise in enumerate(noises):
        for j, n in enumerate(sizes):
            cell = shown[(shown["noise"] == noise) & (shown["n"] == n)]
            m = accuracy.mean(cell[f"{name}/nodes"].to_numpy())
            mean[i, j] = m.value
            rows += rows_of(READINGS[name], f"{noise_key(noise)}/N={n}", [("nodes", m)])
    nodes, _ = largest_tree([len(a.categories) for a in load(CASES).attributes])
    by_size, by_noise = bool((np.diff(mean, axis=1) > 0).all()), bool((np.diff(mean, axis=0) > 0).all())
    return rows, Check(
        "Trees grow with the sample and with the noise, and are nearly saturated at most noise and the largest sample.",
        f"mean nodes from {mean[0, 0]:.1f} ({noise_key(noises[0])}, N = {sizes[0]}) to {mean[-1, -1]:.1f} "
        f"({noise_key(noises[-1])}, N = {sizes[-1]}), where the largest tree has {nodes}; "
        f"{'every' if by_size and by_noise else 'not every'} step in size and noise adds some [{READINGS[name]}]",
        "holds" if by_size and by_noise else "holds in part" if by_size or by_noise else "fails",
    )
