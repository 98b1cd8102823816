"""Section 7's seven conclusions, each executed on the samples of sections 3, 5 and 6.

The studies are those of the other notebooks, so that they come from the store where these
have run.  Bias and spread are within a population and a size; an overall figure is the mean
over the populations and sizes of a section, which is a choice of the paper's, not a law.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import graded, plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Run, rows_of
from errorest.papers.martin_hirschberg.designs import ESTIMATOR_IDS, discriminant_study, library_id
from errorest.papers.martin_hirschberg.discriminant.artifacts import READINGS as RULES
from errorest.papers.martin_hirschberg.discriminant.artifacts import DiscriminantParameters
from errorest.papers.martin_hirschberg.lenses.artifacts import READINGS as TREES
from errorest.papers.martin_hirschberg.lenses.artifacts import LensesParameters
from errorest.papers.martin_hirschberg.lenses.designs import ESTIMATORS, lens_study
from errorest.papers.martin_hirschberg.lenses.statistics import NAMES
from errorest.papers.martin_hirschberg.neighbors.artifacts import NeighborsParameters
from errorest.papers.martin_hirschberg.neighbors.claims import spread
from errorest.papers.martin_hirschberg.neighbors.designs import neighbors_study
from errorest.papers.parameters import Parameters, parameter
from errorest.study.study import Study

__all__ = ["ConclusionsParameters", "conclusions", "studies"]

_WORDS = {
    **NAMES,
    "holdout-1/2": "1/2 held out",
    "holdout-1/3": "1/3 held out",
    "holdout-1/4": "1/4 held out",
    "cv-2": "2-CV",
    "cv-5": "5-CV",
    "repeated-cv-5": "5-CV\\*",
    "repeated-cv-10": "10-CV\\*",
}
_EVERYWHERE = ("resubstitution", "cv-10", "loo", "bootstrap-632", "loo-star")
"""Estimators that all three sections have."""

_RARELY = 5.0
"""A bias in no more than this share of cells, percent, is as good as nowhere."""

_WEAK = 0.5
"""A mean correlation below this is poor."""


class ConclusionsParameters(Parameters):
    """Parameters of the conclusions: how many samples of each section's experiment."""

    discriminant_samples: int = parameter(100, "samples of each cell of section 3", ge=2, preview=20)
    neighbor_samples: int = parameter(20, "samples of each cell of section 5", ge=2, preview=5)
    tree_samples: int = parameter(6, "samples of each size and noise of section 6", ge=3)
    repeats: int = parameter(
        10, "enlarged run: how many times the samples of sections 5 and 6; 1 for none", ge=1, preview=1
    )
    discriminant_repeats: int = parameter(5, "enlarged run: how many times the samples of section 3", ge=1, preview=1)
    cv_repeats: int = parameter(100, "iterations of iterated cross-validation", ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, "bootstrap samples, B", ge=1, preview=50)
    negligible: float = parameter(1.0, "a mean bias below this counts as little, points", gt=0, le=50)

    def enlarged(self) -> ConclusionsParameters | None:
        """Return the design with more samples, as many as the sections' own notebooks take."""
        if self.repeats == 1:
            return None
        larger = {name: getattr(self, name) * self.repeats for name in ("neighbor_samples", "tree_samples")}
        larger["discriminant_samples"] = self.discriminant_samples * self.discriminant_repeats
        return self.model_copy(update=larger)


def studies(p: ConclusionsParameters) -> dict[str, Study]:
    """Return the studies of sections 3, 5 and 6: discriminant, neighbors, trees, clean trees (without noise)."""
    d, k, t = DiscriminantParameters(), NeighborsParameters(), LensesParameters()
    settings = (p.cv_repeats, p.bootstrap_replicates)
    ids = {e: library_id(e, *settings) for e in ESTIMATOR_IDS}
    return {
        "discriminant": discriminant_study(
            d.sizes, d.inherent_errors, p.discriminant_samples, ids, list(d.reversal_rules), p.seed
        ),
        "neighbors": neighbors_study(k.sizes, k.inherent_errors, p.neighbor_samples, k.neighbors, *settings, p.seed),
        "trees": lens_study(
            "noise", t.noise_sizes, t.noise_levels, p.tree_samples, t.noise_readings, ESTIMATORS, *settings, p.seed
        ),
        "clean trees": lens_study(
            "sizes", t.sizes, [0.0], p.tree_samples, t.noise_readings, ESTIMATORS, *settings, p.seed
        ),
    }


@dataclass(frozen=True, eq=False)
class _Method:
    """The results of one inference method, percent: columns ``cell``, ``true-error`` and the estimators."""

    name: str
    key: str
    reading: str
    table: pd.DataFrame

    @cached_property
    def estimators(self) -> list[str]:
        return [c for c in self.table.columns if c not in ("cell", "true-error")]

    @cached_property
    def cells(self) -> np.ndarray:
        return self.table["cell"].to_numpy()

    def values(self, column: str) -> np.ndarray:
        return self.table[column].to_numpy()

    def bias(self, estimator: str) -> Measured:
        return accuracy.mean(self.values(estimator) - self.values("true-error"), self.cells)

    def rms(self, estimator: str) -> Measured:
        return accuracy.rms(self.values(estimator) - self.values("true-error"), self.cells)

    def difference(self, one: str, other: str) -> Measured:
        """Mean of one estimate minus another on the same samples."""
        return accuracy.mean(self.values(one) - self.values(other), self.cells)

    def spread(self, estimator: str) -> Measured:
        return spread(self.values(estimator), self.cells)

    def ratio(self, one: str, other: str) -> float:
        """Standard deviation of one estimate in percent of another's, averaged over the cells where both vary."""
        each = self.table.groupby("cell")[[one, other]].std()
        each = each[(each > 1e-9).all(axis=1)]
        return 100 * float((each[one] / each[other]).mean())

    def biased_cells(self, estimator: str, negligible: float) -> float:
        """Share of the cells whose mean bias exceeds so many points by more than 1.96 standard errors, percent."""
        frame = pd.DataFrame({"cell": self.cells, "d": self.values(estimator) - self.values("true-error")})
        each = frame.groupby("cell")["d"].agg(["mean", "sem"])
        return 100 * float((each["mean"].abs() - 1.96 * each["sem"] > negligible).mean())

    @cached_property
    def _correlations(self) -> dict[str, pd.DataFrame]:
        return {}

    def correlations(self, estimator: str) -> pd.DataFrame:
        """Correlation with the true error in each cell where there is one: ``value`` and ``se``."""
        if estimator not in self._correlations:
            self._correlations[estimator] = self._correlate(estimator)
        return self._correlations[estimator]

    def _correlate(self, estimator: str) -> pd.DataFrame:
        found = [
            accuracy.correlation(cell[estimator].to_numpy(), cell["true-error"].to_numpy())
            for _, cell in self.table.groupby("cell", sort=True)
        ]
        table = pd.DataFrame(found)
        return table[np.isfinite(table["value"]) & np.isfinite(table["se"])]

    def correlation(self, estimator: str) -> Measured:
        """Mean over the cells."""
        each = self.correlations(estimator)
        if each.empty:
            return Measured(float("nan"), float("nan"), 0)
        error = float(np.sqrt((each["se"] ** 2).sum())) / len(each)
        return Measured(float(each["value"].mean()), error, int(each["n"].sum()))


def _methods(p: ConclusionsParameters, run: Run) -> list[_Method]:
    made = studies(p)
    results = {name: run(study) for name, study in made.items()}
    tree = LensesParameters().noise_readings[0]
    parts: list[tuple[str, str, str, str, str, list[str]]] = [
        ("discriminant", f"discriminant, rule *{rule}*", "discriminant", RULES[rule], rule, ["n", "inherent_error"])
        for rule in DiscriminantParameters().reversal_rules
    ]
    parts += [
        ("neighbors", f"{k}-NN", f"{k}-nn", "literal", f"k={k}", ["n", "inherent_error"])
        for k in NeighborsParameters().neighbors
    ]
    parts += [
        ("trees", "trees", "trees", TREES[tree], tree, ["n", "noise"]),
        ("clean trees", "trees without noise", "clean-trees", TREES[tree], tree, ["n", "noise"]),
    ]
    out = []
    for study, name, key, reading, prefix, cells in parts:
        own = results[study]
        skipped = ("true-error", "exact-error", "reversed", "nodes", "leaves")
        names = [c.removeprefix(f"{prefix}/") for c in own.columns if c.startswith(f"{prefix}/")]
        columns = {e: 100 * own[f"{prefix}/{e}"] for e in names if e == "true-error" or e not in skipped}
        table = pd.DataFrame({"cell": own.groupby(cells, sort=False).ngroup(), **columns})
        out.append(_Method(name, key, reading, table))
    return out


def conclusions(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Execute section 7's seven conclusions.

    Returns
    -------
    Regenerated
        Own rows for each inference method and estimator: ``bias-percent`` (mean of estimate minus true
        error), ``std-percent`` (within a population and size), ``correlation`` (with the true error, mean
        over populations and sizes).
    """
    methods = _methods(p, run)
    rows = []
    for m in methods:
        for e in m.estimators:
            columns = [("bias-percent", m.bias(e)), ("std-percent", m.spread(e))]
            r = m.correlation(e)
            if np.isfinite(r.value):
                columns.append(("correlation", r))
            rows += rows_of(m.reading, f"{m.key}/{e}", columns)
    discriminants = [m for m in methods if m.key == "discriminant"]
    neighbors = [m for m in methods if m.key.endswith("-nn")]
    trees = next(m for m in methods if m.key == "trees")
    checks = [
        *_first(methods, p),
        _second(discriminants),
        *_third(discriminants, p),
        *_fourth(methods),
        *_fifth(methods, trees, p),
        *_sixth(neighbors, trees),
        _seventh(methods),
    ]
    return Regenerated(rows, checks=checks, errata=[_footnote_3()])


def _biases(methods: Iterable[_Method], names: tuple[str, ...]) -> str:
    return "; ".join(
        f"{m.name}: " + ", ".join(f"{_WORDS[e]} {plus_minus(m.bias(e))}" for e in names if e in m.estimators)
        for m in methods
    )


def _little(m: Measured, p: ConclusionsParameters) -> bool:
    return abs(m.value) - 1.96 * m.se <= p.negligible


def _clear(m: Measured) -> bool:
    return abs(m.value) > 1.96 * m.se


def _first(methods: list[_Method], p: ConclusionsParameters) -> list[Check]:
    cells = {e: float(np.mean([m.biased_cells(e, p.negligible) for m in methods])) for e in _EVERYWHERE}
    least = sorted(_EVERYWHERE, key=lambda e: cells[e])
    safe = [e for e in least if cells[e] <= _RARELY]
    ratios = {m.name: m.rms("cv-10").value / m.rms("loo").value for m in methods}
    return [
        Check(
            "1. Leave-one-out and 10-CV are the only estimators with little or no bias everywhere.",
            "share of populations and sizes with a mean bias clearly above "
            f"{p.negligible:g} in points, averaged over the methods: "
            + ", ".join(f"{_WORDS[e]} {cells[e]:.0f} %" for e in least)
            + f"; mean bias over all: {_biases(methods, _EVERYWHERE)}",
            "holds" if set(safe) == {"loo", "cv-10"} else "holds in part" if {"loo", "cv-10"} & set(safe) else "fails",
        ),
        Check(
            "1. The precision of 10-CV equals that of leave-one-out, at lower cost.",
            "root mean square error of 10-CV over that of LOO: "
            + ", ".join(f"{r:.2f} ({name})" for name, r in ratios.items())
            + "; 10 classifiers instead of N",
            graded(abs(r - 1) < 0.1 for r in ratios.values()),
        ),
    ]


def _second(discriminants: list[_Method]) -> Check:
    names = tuple(e for e in ESTIMATOR_IDS if e.startswith("holdout"))
    poorer, wider, said = [], [], []
    for m in discriminants:
        for e in names:
            loss, ratio = m.difference(e, "cv-10"), m.spread(e).value / m.spread("cv-10").value
            poorer.append(loss.value > 1.96 * loss.se)
            wider.append(ratio > 1)
            said.append(f"{_WORDS[e]} {plus_minus(loss)} points, {ratio:.1f} times the standard deviation ({m.name})")
    return Check(
        "2. A single independent subsample gives a poorer classifier and a much more variable estimate than 10-CV.",
        "its mean estimate, which is its own classifier's error, against that of 10-CV: " + "; ".join(said),
        graded([*poorer, *wider]),
    )


def _third(discriminants: list[_Method], p: ConclusionsParameters) -> list[Check]:
    pairs = [(k, f"cv-{k}", f"repeated-cv-{k}") for k in (2, 5, 10)]
    saved = {
        (m.name, k): 100 - 100 * m.spread(iterated).value / m.spread(single).value
        for m in discriminants
        for k, single, iterated in pairs
    }
    moved = {(m.name, k): m.difference(iterated, single) for m in discriminants for k, single, iterated in pairs}
    few = [m.bias(f"cv-{k}") for m in discriminants for k in (2, 5)]
    return [
        Check(
            "3. Iterating k-fold cross-validation lowers its spread, but little at k = 10.",
            "standard deviation lower by "
            + ", ".join(f"{v:.0f} % at k = {k} ({name})" for (name, k), v in saved.items()),
            graded(
                [all(v > 0 for v in saved.values()), *(saved[m.name, 10] < saved[m.name, 2] / 2 for m in discriminants)]
            ),
        ),
        Check(
            "3. Cross-validation is pessimistic for k below 10.",
            _biases(discriminants, ("cv-2", "cv-5", "cv-10")),
            graded(b.value > 1.96 * b.se for b in few),
        ),
        Check(
            "3. Iteration does not change the bias.",
            "difference of the means, points: "
            + ", ".join(f"{plus_minus(v, '+', 2)} at k = {k} ({name})" for (name, k), v in moved.items()),
            graded(abs(v.value) <= max(1.96 * v.se, p.negligible / 10) for v in moved.values()),
        ),
    ]


def _fourth(methods: list[_Method]) -> list[Check]:
    ratios = {m.name: m.ratio("bootstrap-632", "cv-10") for m in methods}
    biases = [m.bias("bootstrap-632") for m in methods]
    low, high = min(biases, key=lambda b: b.value), max(biases, key=lambda b: b.value)
    apart = Measured(high.value - low.value, float(np.hypot(high.se, low.se)), high.n)
    by_fit = {m.name: m.bias("bootstrap-632") for m in methods if m.key.endswith("-nn")}
    return [
        Check(
            "4. 632b has a lower spread than 10-CV.",
            "its standard deviation in percent of 10-CV's, averaged over populations and sizes: "
            + ", ".join(f"{r:.0f} ({name})" for name, r in ratios.items())
            + f"; {np.mean(list(ratios.values())):.0f} over the methods",
            graded(r < 100 for r in ratios.values()),
        ),
        Check(
            "4. Its bias differs with the learning algorithm and with overfitting.",
            f"{_biases(methods, ('bootstrap-632',))}; the extremes are {plus_minus(apart, '')} points apart",
            graded([_clear(apart), _far(by_fit)]),
        ),
    ]


def _far(biases: dict[str, Measured]) -> bool:
    """Whether two of the biases differ clearly."""
    values = list(biases.values())
    return any(
        abs(a.value - b.value) > 1.96 * float(np.hypot(a.se, b.se)) for a, b in product(values, values) if a is not b
    )


def _fifth(methods: list[_Method], trees: _Method, p: ConclusionsParameters) -> list[Check]:
    others = [m for m in methods if "trees" not in m.key]
    ratio = {m.name: m.ratio("loo-star", "loo") for m in methods}
    said = ", ".join(f"{r:.0f} ({name})" for name, r in ratio.items())
    return [
        Check(
            "5. LOO\\* is nearly unbiased for discriminants and nearest neighbours, and varies less than LOO there.",
            f"mean bias in points: {_biases(others, ('loo-star',))}; standard deviation in percent of LOO's: {said}",
            graded(
                [*(_little(m.bias("loo-star"), p) for m in others), *(ratio[m.name] < 100 for m in others)],
            ),
        ),
        Check(
            "5. Its lack of bias does not carry over to trees.",
            f"bias {plus_minus(trees.bias('loo-star'), '+', 2)} points",
            "holds" if _clear(trees.bias("loo-star")) else "not decided",
        ),
        Check(
            "5. Its better precision does not carry over to trees.",
            f"its standard deviation is {ratio[trees.name]:.0f} % of LOO's; its root mean square error "
            f"{trees.rms('loo-star').value:.2f} points, where LOO has {trees.rms('loo').value:.2f}",
            "holds" if trees.rms("loo-star").value >= trees.rms("loo").value else "fails",
        ),
    ]


def _sixth(neighbors: list[_Method], trees: _Method) -> list[Check]:
    if len(neighbors) < 2:
        return []
    one, three = neighbors[0], neighbors[-1]
    names = ("cv-10", "bootstrap-632")
    bias, precision, said = [], [], []
    for e in names:
        a, b = one.bias(e), three.bias(e)
        moved = Measured(a.value - b.value, float(np.hypot(a.se, b.se)), a.n)
        wide, narrow = one.spread(e), three.spread(e)
        bias.append(_clear(moved))
        precision.append(_clear(Measured(wide.value - narrow.value, float(np.hypot(wide.se, narrow.se)), wide.n)))
        said.append(
            f"{_WORDS[e]} {plus_minus(a)} against {plus_minus(b)} points of bias, standard deviation {wide.value:.2f} "
            f"against {narrow.value:.2f}"
        )
    return [
        Check(
            "6. Extreme overfitting affects the bias and the precision of cross-validation and the bootstrap.",
            f"{one.name} against {three.name}: {'; '.join(said)}. Bias of {_biases([trees], names)}",
            graded([*bias, *precision]),
        )
    ]


def _seventh(methods: list[_Method]) -> Check:
    names = tuple(e for e in _EVERYWHERE if e != "resubstitution")
    means = {m.name: {e: m.correlation(e) for e in names} for m in methods}
    known = [r for own in means.values() for r in own.values() if np.isfinite(r.value)]
    said = "; ".join(
        f"{name}: " + ", ".join(f"{_WORDS[e]} {plus_minus(r, '+', 2)}" for e, r in own.items() if np.isfinite(r.value))
        for name, own in means.items()
    )
    each = pd.concat([m.correlations(e) for m in methods for e in names])
    negative = 100 * float((each["value"] < -1.96 * each["se"]).mean())
    positive = 100 * float((each["value"] > 1.96 * each["se"]).mean())
    return Check(
        "7. Estimates are poorly, and sometimes negatively, correlated with the true error, whatever the method.",
        f"mean correlation over populations and sizes: {said}. Of all single correlations {positive:.0f} % are clearly "
        f"positive and {negative:.0f} % clearly negative, where chance alone makes 2 or 3 % each",
        graded([all(r.value < _WEAK for r in known), any(r.value < -1.96 * r.se for r in known)]),
    )


def _footnote_3() -> Erratum:
    n = 5
    splits = sum(0 < sum(part) < n for part in product((0, 1), repeat=n))
    unordered = len({frozenset((part, tuple(1 - v for v in part))) for part in product((0, 1), repeat=n)}) - 1
    return Erratum(
        "Section 2, footnote 3",
        "the number of training/test splits, if the size is not fixed, is S(2, N) = 2^(N − 1) − 1",
        "that is the number of ways to part the sample in two; which of the two parts is trained on matters, so there "
        "are 2^N − 2 splits",
        f"Listing all for N = {n}: {splits} splits into training and test set, {unordered} ways to part the sample.",
    )
