"""Does it hold under another seed?  The verdicts of a notebook's experiment under several, all else as published.

Numbers that no seed can change, being counted or calculated, are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from compendium.book.notebook import Notebook
from compendium.book.places import store_folder, write_whole
from compendium.book.runs import Options
from compendium.book.session import judged_with_print, regenerated_frame
from compendium.book.templating import fill
from compendium.evidence.judging import VERDICTS
from compendium.evidence.results import ResultsByScale
from compendium.evidence.verdicts import compare, headline, read_published, read_regenerated
from compendium.plots.palette import VERDICT_COLOURS
from compendium.studies.store import Store
from compendium.studies.study import run_study
from errorest.errors import UsageError
from errorest.plots import DescribedFigure, in_style, legend_below, new_figure, save

_SHOWN = VERDICTS[: VERDICTS.index("no power") + 1]
_HATCHES = ("", "..", "xx", "//")
_KEY = ["artifact", "row", "column"]
_COLUMNS = ("seed", *_KEY, "printed", "reading", "value", "se", "n", "z", "verdict")
PUBLISHED = "as published"


@dataclass(frozen=True)
class Replication:
    """The verdicts of a notebook's printed numbers under several seeds."""

    spec: Notebook
    verdicts: pd.DataFrame

    @property
    def by_seed(self) -> pd.DataFrame:
        """Counts of verdicts, a row a seed."""
        return _counted(self.verdicts, ["seed"])

    @property
    def by_number(self) -> pd.DataFrame:
        """Counts of verdicts under the new seeds, a row a printed number, and what the published run came to."""
        published = self.verdicts["seed"] == PUBLISHED
        recorded = self.verdicts[published].set_index(_KEY)["verdict"]
        table = _counted(self.verdicts[~published], _KEY)
        return table.assign(**{"as-published": recorded.reindex(table.index).fillna("")})

    @property
    def summary(self) -> str:
        """The verdicts in two sentences; a number without power is neither reproduced nor not."""
        new = self.by_seed.drop(index=PUBLISHED, errors="ignore")
        recorded = self.by_seed.loc[PUBLISHED] if PUBLISHED in self.by_seed.index else None
        numbers = self.by_number
        return fill(
            "replication.txt",
            total=len(numbers),
            published=None if recorded is None else recorded["reproduced"],
            seeds=len(new),
            reproduced=new["reproduced"],
            always=int((numbers["reproduced"] == len(new)).sum()),
            never=int((numbers["close"] + numbers["differs"] == len(new)).sum()),
            powerless=int((numbers["no power"] == len(new)).sum()),
        )


def _counted(verdicts: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    ones = pd.get_dummies(verdicts["verdict"], dtype=int).reindex(columns=list(_SHOWN), fill_value=0)
    return ones.groupby([verdicts[name] for name in by], sort=False).sum()


def replicate(
    spec: Notebook, seeds: int, options: Options, progress: Callable[[int, float], None] = lambda number, share: None
) -> Replication:
    """Run a notebook's experiment under other seeds, those that follow the published one, and judge each."""
    printed = read_published(spec.paper)
    requested = [a for a in spec.artifacts if a.id in set(printed.artifact)]
    if not requested:
        raise UsageError(f"notebook {spec.id} has no printed numbers to compare with", "see: compendium verdicts")
    first = int(spec.parameters.published()["seed"])
    own = printed[printed.artifact.isin({a.id for a in requested})]
    recorded = read_regenerated(spec.paper)
    results = [_chosen(compare(own, recorded[recorded.artifact.isin(set(own.artifact))]), PUBLISHED)]
    store = Store(store_folder())
    for number in range(seeds):
        # every study is read from the store by the artifacts after the first
        report = partial(_report, progress, number)
        run = partial(run_study, store=store, jobs=options.jobs, dask=options.dask, progress=report)
        parameters = spec.parameters(seed=first + 1 + number)
        frames = [regenerated_frame(a.id, ResultsByScale(own=a.compute(parameters, run))) for a in requested]
        progress(number, 1.0)
        rows = pd.concat(frames, ignore_index=True)
        results.append(_chosen(judged_with_print(spec.paper, own, rows), str(parameters.seed)))
    verdicts = pd.concat(results, ignore_index=True)
    if verdicts.empty:
        raise UsageError(
            f"all printed numbers of notebook {spec.id} are counted or calculated, so that no seed changes them",
            "see: compendium verdicts",
        )
    return Replication(spec, verdicts)


def _report(progress: Callable[[int, float], None], number: int, done: float, total: float) -> None:
    progress(number, done / total if total else 1.0)


def _chosen(judged: pd.DataFrame, seed: str) -> pd.DataFrame:
    """Keep the headline of each printed number that chance has a part in."""
    if judged.empty:
        return pd.DataFrame(columns=list(_COLUMNS))
    one = headline(judged)
    one = one[one["verdict"].isin(_SHOWN) & (one["n"] > 1)]
    return one.assign(seed=seed)[list(_COLUMNS)]


def write_replication(found: Replication, folder: Path) -> list[Path]:
    """Write the verdicts, their counts by number, and the figure, and return the files."""
    tables = {"verdicts.csv": found.verdicts, "numbers.csv": found.by_number.reset_index()}
    for name, table in tables.items():
        write_whole(folder / name, table.to_csv(index=False, lineterminator="\n", float_format="%.10g"))
    sampled = draw_replication(found)
    write_whole(folder / "verdicts.txt", f"{found.summary}\n\n{sampled.caption}\n\n{sampled.alt}\n")
    return [*(folder / name for name in tables), folder / "verdicts.txt", *save(sampled.figure, folder / "verdicts")]


@in_style
def draw_replication(found: Replication) -> DescribedFigure:
    """Draw the verdicts by seed, and in how many seeds each printed number is reproduced."""
    by_seed, numbers = found.by_seed, found.by_number
    seeds = [seed for seed in by_seed.index if seed != PUBLISHED]
    artifacts = list(dict.fromkeys(numbers.index.get_level_values("artifact")))
    height = 2.6 + 0.4 * len(artifacts)
    figure, axes = new_figure(2, 1, height=height + 2.0, height_ratios=[2.4, height - 1.4])
    upper, lower = axes[0, 0], axes[1, 0]
    colours: dict[Any, Any] = {verdict: VERDICT_COLOURS[verdict] for verdict in _SHOWN}
    by_seed.plot.bar(
        stacked=True, ax=upper, color=colours, width=0.8, edgecolor="white", linewidth=0.4, rot=0, legend=False
    )
    for bars, hatch in zip(upper.containers, _HATCHES, strict=True):
        for bar in bars:
            bar.set_hatch(hatch)
    every = max(1, len(by_seed) // 8)
    ticks = [i for i, seed in enumerate(by_seed.index) if i % every == 0 or seed == PUBLISHED]
    upper.set_xticks(ticks, [str(by_seed.index[i]).replace(PUBLISHED, "published\nrun") for i in ticks])
    upper.set_ylabel("printed numbers")
    upper.set_xlabel("seed")
    legend_below(figure, *upper.get_legend_handles_labels(), columns=len(_SHOWN))
    able = numbers[numbers["no power"] < len(seeds)]
    for place, artifact in enumerate(artifacts):
        own = able[able.index.get_level_values("artifact") == artifact]
        shares = 100 * np.sort((own["reproduced"] / (len(seeds) - own["no power"])).to_numpy(dtype=float))
        lower.plot(shares, place + np.linspace(-0.3, 0.3, len(shares)), "o", color=VERDICT_COLOURS["reproduced"], ms=3)
    lower.set_yticks(range(len(artifacts)), [a.removeprefix(f"{found.spec.paper}-") for a in artifacts])
    lower.set_ylim(len(artifacts) - 0.5, -0.5)
    lower.set_xlim(-3, 103)
    lower.set_xlabel("seeds that reproduce a number,\nof those with power (%)")
    caption = fill("replication_caption.txt", title=found.spec.title, seeds=len(seeds))
    return DescribedFigure(
        figure, f"Stacked bars of verdicts by seed, and dots for {len(numbers)} numbers. {found.summary}", caption
    )
