"""Section 5 on nearest neighbours: Figure 8's classifiers and Figure 9's estimates.

Figure 8 carries no numbers; its sample is the first one drawn that shows what the text
remarks on, and the remarks are counted over many samples.  Figure 9 sets the mean of
five estimates against the mean true error, for 40 combinations of size and population.
"""

from __future__ import annotations

from math import inf

import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below, equal
from compendium.evidence.estimate import exact
from compendium.evidence.monte_carlo import root_of, variance_ratio
from compendium.evidence.regenerated import Regenerated, Row, Run, rows_of
from compendium.papers.martin_hirschberg.neighbors.claims import Results, claims, errata, findings
from compendium.papers.martin_hirschberg.neighbors.experiment import (
    ESTIMATORS,
    NeighborsParameters,
    apparent_error,
    inducer_name,
    neighbors_study,
    shapes_study,
    splits_alike,
)
from compendium.papers.martin_hirschberg.neighbors.figures import draw_figure_8, draw_figure_9
from compendium.papers.martin_hirschberg.one_sample import densities, first_sample
from compendium.papers.martin_hirschberg.samples import Samples, below_one
from compendium.studies.experiment import wide
from compendium.studies.populations import TwoNormals
from errorest.data.sample import Sample
from errorest.inducers.base import IntervalClassifier
from errorest.inducers.neighbors import interval_classifier
from errorest.streams import Streams

__all__ = ["figure_8", "figure_9"]

_LITERAL = "literal"
_DEVIATION = "fitted:standard-deviation"
_OURS = "unstated:our-populations"
_CLAIMS = "martin-hirschberg-claims"
_CLAIM = "632-below-loo-variance-percent-nearest-neighbors"


@artifact("martin-hirschberg-figure-8", draw=draw_figure_8, enlarge=False)
def figure_8(p: NeighborsParameters, run: Run) -> Regenerated:
    """Figure 8: one sample, its nearest-neighbour classifiers and their trees; the remarks on it, counted."""
    population = TwoNormals.of_inherent_error(p.figure_8_inherent_error)
    sample, drawn, found = _telling_sample(p, population)
    made = {k: interval_classifier(sample, k) for k in p.neighbors}
    errors = {k: 100 * population.true_error(classifier) for k, classifier in made.items()}
    rows: list[Row] = []
    for k, classifier in made.items():
        for name, value in (
            ("cut-points", len(classifier.cuts)),
            ("tree-leaves", len(classifier.labels)),
            ("true-error-percent", errors[k]),
            ("apparent-error-percent", 100 * apparent_error(classifier, sample)),
        ):
            rows += rows_of(_OURS, name, [(f"this-sample/k={k}", exact(value))])
    table = run(shapes_study(p.figure_8_cases, p.figure_8_inherent_error, p.shapes, p.neighbors, p.seed))
    shapes = {k: Samples(wide(table, inducer_name(k))) for k in p.neighbors}
    for k in p.neighbors:
        for name, column in (
            ("cut-points", "cut-points"),
            ("true-error-percent", "true-error"),
            ("apparent-error-percent", "apparent-error"),
            ("splits-adjacent-cases-of-one-class-percent", "splits-alike"),
            ("same-cut-points-as-a-full-tree-percent", "as-tree"),
        ):
            values = shapes[k].of(column) if name.endswith("percent") else shapes[k].table[column].to_numpy()
            rows += rows_of(_OURS, name, [(f"many-samples/k={k}", accuracy.mean(values))])
    how = (
        f"Sample number {drawn:,} is drawn; what the text remarks on takes two numbers of neighbours"
        if len(p.neighbors) < 2
        else f"Sample number {drawn:,} is the first that shows what the text remarks on"
        if found
        else f"None of {p.draws:,} samples showed all that the text remarks on, so the first is drawn"
    )
    said = ", ".join(f"{error:.1f} % with k = {k}" for k, error in errors.items())
    text = (
        f"{how}. Its classifiers have a true error of {said}, where "
        f"{100 * p.figure_8_inherent_error:.3g} % is inherent."
    )
    data = {
        "densities": densities(population),
        "points": pd.DataFrame({"x": sample.X[:, 0], "class": sample.y}),
        "classifiers": pd.concat([_intervals(k, c) for k, c in made.items()], ignore_index=True),
    }
    return Regenerated(rows, data, [c.check() for c in _claims_8(shapes, p)], [text])


def _telling_sample(p: NeighborsParameters, population: TwoNormals) -> tuple[Sample, int, bool]:
    """Draw until 1-NN bends to an outlier and the largest k divides two neighbours of one class."""
    streams = Streams(p.seed).child("martin-hirschberg-figure-8")
    low, high = min(p.neighbors), max(p.neighbors)

    def telling(sample: Sample) -> bool:
        rough, smooth = interval_classifier(sample, low), interval_classifier(sample, high)
        return low == high or (0 < len(smooth.cuts) < len(rough.cuts) and splits_alike(smooth, sample))

    sample, drawn = first_sample(population, p.figure_8_cases, telling, streams, p.draws)
    if sample is not None:
        return sample, drawn, True
    return population.sample(p.figure_8_cases, streams.child(0).generator("sample")), 1, False


def _intervals(k: int, classifier: IntervalClassifier) -> pd.DataFrame:
    cuts = [-inf, *classifier.cuts, inf]
    return pd.DataFrame({"k": k, "left": cuts[:-1], "right": cuts[1:], "class": classifier.labels})


def _claims_8(shapes: dict[int, Samples], p: NeighborsParameters) -> list[Claim]:
    if 1 not in p.neighbors:
        return []
    alike, apparent, as_tree = (
        {k: accuracy.mean(of.of(column)) for k, of in shapes.items()}
        for column in ("splits-alike", "apparent-error", "as-tree")
    )
    claims = [
        Claim(
            "1-NN never predicts differently for adjacent cases of one class, and makes no error on its own sample.",
            [
                equal("samples on which it does", alike[1].value, 0, "%"),
                equal("mean apparent error", apparent[1].value, 0, "%", digits=2),
            ],
        ),
        Claim(
            "The tree of 1-NN is the one that CART or ID3 would grow in full.",
            [equal("samples with equal cut-points", as_tree[1].value, 100, "%")],
        ),
    ]
    for k in (k for k in p.neighbors if k > 1):
        of = shapes[k]
        worse = accuracy.mean(shapes[1].true_error - of.true_error)
        cuts = accuracy.mean((shapes[1].table["cut-points"] - of.table["cut-points"]).to_numpy())
        claims += [
            Claim(
                f"{k}-NN may predict differently for adjacent cases of one class, and its tree is not what CART or "
                "ID3 would grow.",
                [
                    above("samples on which it does", alike[k], 0.0, "%", 1, ""),
                    below("samples with the cut-points of the full tree", as_tree[k], 50.0, "%", 1, ""),
                ],
            ),
            Claim(
                f"1-NN follows outliers, which costs true error; {k}-NN smooths them.",
                [
                    above(f"true error of 1-NN minus that of {k}-NN", worse, unit="points"),
                    above("cut-points more", cuts),
                ],
            ),
        ]
    return claims


@artifact("martin-hirschberg-figure-9", draw=draw_figure_9)
def figure_9(p: NeighborsParameters, run: Run) -> Regenerated:
    """Figure 9: mean estimate against mean true error, and the claims of section 5."""
    used = (p.neighbors, p.cv_repeats, p.bootstrap_replicates, p.seed)
    r = Results.of_study(run(neighbors_study(p.sizes, p.inherent_errors, p.samples, *used)), p.neighbors)
    rows: list[Row] = []
    ratios = {_CLAIM: variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell)}
    for k, own in r.by.items():
        rows += rows_of(_LITERAL, "true-error", [(f"mean-percent/k={k}", own.mean(own.true_error))])
        for name in ESTIMATORS:
            columns = {"bias": own.bias(name), "rms": own.rms(name), "std": own.spread(name)}
            rows += rows_of(_LITERAL, name, [(f"{c}-percent/k={k}", m) for c, m in columns.items()])
        ratios[f"632-below-loo-variance-percent/k={k}"] = r.ratio(k, "bootstrap-632", "loo")
    for key, ratio in ratios.items():
        artifact = _CLAIMS if key == _CLAIM else ""
        for reading, m in ((_LITERAL, below_one(ratio)), (_DEVIATION, below_one(root_of(ratio)))):
            rows.append(Row.of(reading, "text", key, m, artifact))
    return Regenerated(
        rows, {"points": _points(r)}, [c.check() for c in claims(r, p.negligible)], findings(r), errata(r)
    )


def _points(r: Results) -> pd.DataFrame:
    points = []
    for number in range(int(r.cell.max()) + 1):
        for k, whole in r.by.items():
            own = whole.at(cell=number)
            at = own.table.iloc[0]
            for name in ESTIMATORS:
                point = {"k": k, "n": int(at["n"]), "inherent_error": float(at["inherent_error"]), "estimator": name}
                for column, values in (
                    ("true_error", own.true_error),
                    ("estimate", own.of(name)),
                    ("bias", own.difference(name)),
                ):
                    m = accuracy.mean(values)
                    point |= {column: m.value, f"{column}_se": m.se}
                points.append(point)
    return pd.DataFrame(points)
