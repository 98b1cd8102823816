"""Section 2.3: the .632 bootstrap of a memorizer on random labels, whose true accuracy is 50 %."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.names import read_names
from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Trials
from compendium.papers.kohavi.iris import IrisParameters
from compendium.plots.picture import Drawing, Picture, Series
from compendium.studies.experiment import Experiment, wide
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import DrawnSample
from compendium.studies.study import Study
from errorest.data.sample import Sample
from errorest.learners.neighbors import KNN
from errorest.plots import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILION
from errorest.streams import Streams


@dataclass(frozen=True)
class RandomLabels:
    """Samples whose labels are independent of the attributes."""

    n: int

    def draw(self, place: Streams) -> DrawnSample:
        """Draw n cases of two equally probable classes."""
        rng = place.generator("sample")
        X = rng.standard_normal((self.n, 2))
        return DrawnSample(Sample.from_arrays(X, rng.integers(0, 2, size=self.n), classes=("0", "1")))


# Column of the table -> id of its estimator
ESTIMATORS = {
    "resubstitution-accuracy-percent": "resubstitution",
    "bootstrap-e0-accuracy-percent": "e0(replicates={b})",
    "accuracy-percent": "632(replicates={b})",
    "632-plus-accuracy-percent": "632+(replicates={b})",
    "loo-accuracy-percent": "loo",
}


def _memorizer(cell: Cell) -> Experiment:
    return Experiment(RandomLabels(cell["n"]), KNN(1), cell["estimators"])


def memorizer_study(p: IrisParameters) -> Study:
    """Return the study of a memorizer's error rates on random labels; samples depend on n and the seed alone."""
    ids = {name: text.format(b=p.bootstrap_replicates) for name, text in ESTIMATORS.items()}
    return Study(
        "kohavi-memorizer",
        [{"n": n, "estimators": ids} for n in dict.fromkeys(p.memorizer_sizes)],
        p.memorizer_samples * p.realizations,
        each_replicate(_memorizer),
        seed=p.seed,
        seed_keys=("n",),
        cost=lambda cell: 1.0 + (cell["n"] / 50) ** 2,
    )


NAMES: Mapping[str, str] = read_names("kohavi")["estimates"]
COLOURS = {
    "resubstitution-accuracy-percent": GREY,
    "accuracy-percent": VERMILION,
    "632-plus-accuracy-percent": BLUE,
    "bootstrap-e0-accuracy-percent": ORANGE,
    "loo-accuracy-percent": GREEN,
}


def draw_text_632(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    scale, result = made.shown
    table, sizes = result.data["memorizer"].sort_values("n"), sorted(set(p.memorizer_sizes))
    picture = Picture(4.2, x="cases n", y="estimated accuracy (%)", x_levels=sizes)
    picture.guide(y=50, color=BLACK, linewidth=1.2, linestyle="--")
    # side by side, since three of the five estimates nearly agree
    series: Series = {"by": "estimator", "looks": COLOURS, "names": NAMES, "ends": True, "dodge": 0.06}
    series |= {"se": "sd", "z": 1.0, "marker": "o", "linewidth": 1.4, "capsize": 2}
    picture.lines(table, "n", "accuracy", **series)
    texts = []
    for name in COLOURS:
        first, last = (f"{value:.1f}" for value in matching(table, estimator=name)["accuracy"].iloc[[0, -1]])
        texts.append(f"{NAMES[name]} {first if first == last else f'{first} to {last}'} %")
    known = printed_values(published).get(("memorizer/random-labels", "accuracy-percent"))
    if known is not None:
        printed = pd.DataFrame({"n": [p.memorizer_sizes[0]], "accuracy": [known]})
        picture.scatter(printed, "n", "accuracy", printed=True)
    picture.limits(xlim=(-0.4, len(sizes) - 0.85))
    return picture.done(scale=scale, fewest=sizes[0], most=sizes[-1], accuracies="; ".join(texts), known=known)


@artifact("kohavi-text-632", draw=draw_text_632)
def text_632(p: IrisParameters, run: Run) -> ArtifactResult:
    """The .632 bootstrap of a memorizer (one nearest neighbour) on random labels, and what .632+ gives, percent."""
    results = wide(run(memorizer_study(p)))
    accuracies = Trials(results.assign(**{name: 1 - results[name] for name in ESTIMATORS}), "literal")
    sizes = list(dict.fromkeys(p.memorizer_sizes))
    rows, table = [], []
    for n in sizes:
        t = accuracies.at(n=n)
        key = "memorizer/random-labels" + ("" if n == sizes[0] else f"/n={n}")
        for name in ESTIMATORS:
            e = t.mean(name)
            rows.append(Row.of("literal", key, name, e))
            table.append({"n": n, "estimator": name, "accuracy": e.value, "se": e.se, "sd": e.se * sqrt(e.n)})
        rows.append(Row.exact("literal", key, "true-accuracy-percent", 50.0))
    promised = accuracies.at(n=sizes[0]).mean("accuracy-percent").named("it promises", "%", sign="")
    check = judge_claim("kohavi-text-632", "fails", promised > 50)
    return ArtifactResult(rows, {"memorizer": pd.DataFrame(table)}, [check])
