"""Numbers of all artifacts, and outcomes of all claims under bent results of the studies.

Each notebook's studies are measured with two replicates a cell, at the preview's parameters.  Further replicates are
made of these, and the numbers bent, in twelve ways: estimators moved together or apart, spreads stretched, trends
turned, names exchanged.  ``golden/claims/`` has a file a notebook with a line a claim or an erratum, a letter a bend:
``h`` holds, ``p`` holds in part, ``f`` fails, ``u`` is not decided, ``e`` an erratum, ``!`` the artifact raises, ``-``
not spoken of.  What calculates without a study has one letter, and what claims nothing is computed under three bends.
One line an artifact has the digest of its rows, tables and findings under the first bend, where the enlarged scale has
twice the samples.

``python tests/bent_claims.py [NOTEBOOK ...]`` records again.
"""

import hashlib
import sys
import warnings
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from compendium.book import catalogue
from compendium.book.notebook import Notebook
from compendium.book.parameters import resolve
from compendium.book.row_diff import outcomes_of
from compendium.book.session import captioned, regenerated_frame, yielded
from compendium.evidence.artifact import Artifact
from compendium.evidence.results import ResultsByScale
from compendium.evidence.verdicts import read_published
from compendium.papers.parameters import Parameters
from compendium.plots.picture import Drawing
from compendium.studies.study import Study, run_study
from errorest.plots import DescribedFigure

MEASURED = 2
"""Replicates of a cell that are measured; all others are made of these."""

INDICES = ("bin", "number", "m", "a", "b", "made", "tested")
"""Measured columns that name a place in a result, or count what decides nothing."""

SMALLER: dict[str, dict[str, Any]] = {
    "martin-hirschberg/06-reversal": {"reversal_rules": ["literal", "class-0-mean"]},
    "scheffer-herbrich/02-measured": {"cases": 80, "held_out": 60, "folds": 3, "inner_folds": 3},
}
"""Parameters below the preview's, where a fit or a study takes long."""

EXTREMES = (10, 11)
"""Bends under which an artifact that claims nothing is computed too, for it must not raise."""

LETTERS = {"holds": "h", "holds in part": "p", "fails": "f", "not decided": "u", "": "e", "raises": "!"}
NUMBERS = "numbers"
UNSTABLE = ("martin-hirschberg-figure-17",)
"""Artifacts without a digest: fits to bent numbers that end elsewhere in another process."""

LINE = ["kind", "artifact", "reading", "key"]
GOLDEN = Path(__file__).parent / "golden" / "claims"


@dataclass(frozen=True)
class Bend:
    """How numbers are bent, in units of a quantity's deviation over all cells.

    ``up`` moves all quantities but the true one; ``apart`` moves each its own way; ``trend`` tilts each its own way
    along the cells; ``stretch`` multiplies each one's noise by this or its inverse; ``swap`` gives a quantity the
    numbers of the next but so many; ``turn`` exchanges first and last cells; ``flat`` makes all cells equal.
    """

    noise: float
    up: float = 0.0
    apart: float = 0.0
    trend: float = 0.0
    stretch: float = 1.0
    swap: int = 0
    turn: bool = False
    flat: bool = False


BENDS = (
    Bend(0.3),
    Bend(0.02),
    Bend(0.05, up=0.3),
    Bend(0.05, up=-0.3),
    Bend(0.05, apart=0.5),
    Bend(0.3, apart=0.15, stretch=2.0),
    Bend(0.3, stretch=4.0),
    Bend(0.05, trend=1.0, up=0.1),
    Bend(0.05, swap=1, apart=0.1),
    Bend(0.1, turn=True, swap=2, stretch=3.0),
    Bend(0.001, flat=True, apart=0.05),
    Bend(2.0, trend=0.5),
)


@dataclass
class Results:
    """Finds the bent results of studies, each measured once and bent once a bend; holds what the first bend yields."""

    # notebooks share studies
    measured: ClassVar[dict[str, pd.DataFrame]] = {}

    first: dict[str, ResultsByScale] = field(default_factory=dict)
    figures: dict[str, list[DescribedFigure]] = field(default_factory=dict)
    _bent: dict[tuple[str, int], pd.DataFrame] = field(default_factory=dict)

    def bent(self, study: Study, number: int) -> pd.DataFrame:
        """Return the results of a study with as many replicates as it asks for."""
        counts = tuple(min(MEASURED, count) for count in study.counts)
        design = repr((study.id, study.cells, study.seed, counts))
        if design not in self.measured:
            self.measured[design] = run_study(replace(study, replicates=counts))
        key = (f"{design} {study.counts}", number)
        if key not in self._bent:
            self._bent[key] = bent(self.measured[design], study.counts, counts, study.id, number)
        return self._bent[key]


def bent(
    table: pd.DataFrame, counts: tuple[int, ...], measured: tuple[int, ...], study: str, number: int
) -> pd.DataFrame:
    """Make as many replicates as ``counts`` says out of the measured ones, and bend their numbers."""
    cells = table["cell"].to_numpy() if "cell" in table else np.repeat(np.arange(len(measured)), measured)
    source = pd.DataFrame({"cell": cells, "measured": table["replicate"], "line": range(len(table))})
    places = [(cell, r, r % measured[cell]) for cell, count in enumerate(counts) for r in range(count)]
    made = pd.DataFrame(places, columns=["cell", "replicate", "measured"]).merge(source)
    cell, replicate, line = (made[name].to_numpy() for name in ("cell", "replicate", "line"))
    out = table.take(line).reset_index(drop=True).assign(replicate=replicate)
    own = list(table)[list(table).index("replicate") + 1 :]
    texts = [column for column in own if table[column].dtype == "category"]
    codes, names = pd.factorize(sum((table[text].astype(str) + "/" for text in texts), pd.Series("", table.index)))
    quantity = codes[line]
    # the noise that all quantities of a replicate share
    shape = (cell.max() + 1, replicate.max() + 1)
    shared = np.random.default_rng([number, zlib.crc32(study.encode())]).standard_normal(shape)[cell, replicate]
    for column in own:
        if column in (*texts, *INDICES, "low", "high"):
            continue
        values = out[column].to_numpy(dtype=float)
        by_cell = pd.DataFrame({"quantity": quantity, "cell": cell, "value": values})
        means = by_cell.pivot_table("value", "quantity", "cell").reindex(range(len(names)), columns=range(shape[0]))
        after = values.copy()
        for place, name in enumerate(names):
            lines = np.flatnonzero((quantity == place) & np.isfinite(values))
            if len(lines):
                seed = [number, zlib.crc32(f"{study} {name}{column}".encode())]
                both = means.to_numpy()[[place, (place + BENDS[number].swap) % len(names)]]
                after[lines] = _quantity(
                    BENDS[number], values[lines], cell[lines], both, shared[lines], seed, "true-error" in name + column
                )
        for side in {"low", "high"} & set(out) if column == "value" else ():
            out[side] += after - values
        out[column] = after.astype(out[column].dtype)
    return out


def _quantity(
    how: Bend, own: np.ndarray, cells: np.ndarray, means: np.ndarray, shared: np.ndarray, seed: list[int], true: bool
) -> np.ndarray:
    """Bend the numbers of one quantity; ``means`` are its own by cell, and those of the quantity to swap with."""
    unit = float(own.std()) or (0.1 * float(np.abs(own).max()) or 0.05 if how.apart else 0.0)
    rng = np.random.default_rng(seed)
    away, tilt, wide = rng.choice([-1.0, 1.0], 3)
    taken = means[1][cells[::-1] if how.turn else cells]
    taken = np.where(np.isfinite(taken), taken, means[0][cells])
    rest = own - means[0][cells]
    if how.flat:
        taken, rest = np.full(len(own), np.nanmean(means[0])), np.zeros(len(own))
    noise = 0.6 * shared + 0.8 * rng.standard_normal(len(own))
    rank = cells / max(means.shape[1] - 1, 1)
    moved = 0.0 if true else how.up + how.apart * away
    moved = moved + how.trend * tilt * (rank - 0.5) + how.noise * how.stretch**wide * noise
    out = taken + rest + unit * moved
    if set(own) == {0.0, 1.0}:
        return (rng.random(len(own)) < out).astype(float)
    low, high = (0.0 if own.min() >= 0 else -np.inf), (1.0 if own.min() >= 0 and own.max() <= 1 else np.inf)
    return out.clip(low, high)


def outcomes(spec: Notebook, results: Results) -> pd.DataFrame:
    """Return a line a claim or an erratum of a notebook, with a letter a bend, and the digest of an artifact."""
    parameters = resolve(spec, SMALLER.get(spec.id, {}), "preview")
    twice = parameters.model_copy(update={"repeats": 2}) if "repeats" in type(parameters).model_fields else parameters
    lines: list[tuple[str, ...]] = []
    for artifact in spec.artifacts:
        letters: dict[tuple[str, ...], dict[int, str]] = {}
        tried = [0]
        for number in tried:
            made, judged, asked = _made(artifact, spec, parameters if number else twice, results, number)
            for *line, outcome in judged:
                letters.setdefault(tuple(line), {})[number] = LETTERS[outcome]
            if number == 0 and asked:
                tried += range(1, len(BENDS)) if letters else EXTREMES
            if number == 0 and made is not None:
                results.first[artifact.id] = made
                results.figures[artifact.id] = figures(artifact, spec, twice, made)
                if artifact.id not in UNSTABLE:
                    digest = hashlib.sha256(numbers(artifact, made).encode()).hexdigest()[:16]
                    lines.append((NUMBERS, artifact.id, "", "", digest))
        lines += [(*line, "".join(own.get(number, "-") for number in tried)) for line, own in letters.items()]
    return pd.DataFrame(lines, columns=[*LINE, "outcomes"])


def _made(
    artifact: Artifact, spec: Notebook, parameters: Parameters, results: Results, number: int
) -> tuple[ResultsByScale | None, Iterable[tuple[str, ...]], bool]:
    """Return what a complete build makes of bent results, its outcomes, and whether a study was asked for."""
    asked = []

    def run(study: Study) -> pd.DataFrame:
        asked.append(study.id)
        return results.bent(study, number)

    try:
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            made = yielded(artifact, spec.paper, parameters, "published", run)
    except Exception as fault:
        return None, [("artifact", artifact.id, "", type(fault).__name__, "raises")], bool(asked)
    _, largest = made.largest
    checks = [check._asdict() for check in largest.checks if not check.vacuous]
    errata = [erratum._asdict() for erratum in largest.errata]
    judged = outcomes_of([{"id": artifact.id, "checks": checks, "errata": errata, "figure": None}])
    return made, judged.itertuples(index=False, name=None), bool(asked)


def numbers(artifact: Artifact, made: ResultsByScale) -> str:
    """Return rows, tables and findings, numbers in four digits, on which other processors agree."""
    frames = [regenerated_frame(artifact.id, made), *(table for one in made.values() for table in one.data.values())]
    texts = [frame.round(6).to_csv(index=False, float_format="%.4g") for frame in frames]
    return "\n".join([*texts, *(finding for one in made.values() for finding in one.findings)])


def figures(artifact: Artifact, spec: Notebook, parameters: Parameters, made: ResultsByScale) -> list[DescribedFigure]:
    """Draw an artifact with the print, as a complete build does, and without, as a run of another design does."""
    if artifact.draw is None:
        return []
    published = read_published(spec.paper)
    printed = published[published["artifact"] == artifact.id]
    own = ResultsByScale({"own": made.published})
    drawn = []
    for results, known in ((made, printed), (own, printed.iloc[:0]))[: 1 + (len(printed) > 0)]:
        pictures = artifact.draw(parameters, results, known)
        for one in pictures.values() if isinstance(pictures, Mapping) else [pictures]:
            if one is not None:
                drawn.append(captioned(artifact, one, parameters) if isinstance(one, Drawing) else one)
    return drawn


def recorded(spec: Notebook) -> Path:
    """Return where the outcomes of a notebook are recorded."""
    return GOLDEN / f"{spec.folder}.csv"


def main(names: list[str]) -> None:
    """Record the outcomes of the notebooks named, or of all."""
    for spec in catalogue.notebooks():
        if not names or spec.id in names:
            recorded(spec).write_text(outcomes(spec, Results()).to_csv(index=False, lineterminator="\n"))


if __name__ == "__main__":
    main(sys.argv[1:])
