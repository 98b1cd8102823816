"""What a notebook and an artifact are, as the catalogue lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import pandas as pd

from errorest.evidence.regenerated import Regenerated, Run
from errorest.papers.parameters import Parameters
from errorest.plots import Drawn

__all__ = ["ArtifactSpec", "NotebookSpec"]

Compute = Callable[[Any, Run], Regenerated]
Draw = Callable[[Any, Mapping[str, Regenerated], pd.DataFrame], Drawn]
Examine = Callable[[Any, Regenerated, pd.DataFrame], Regenerated]


def _no_inputs(_: Any) -> dict[str, str]:
    return {}


@dataclass(frozen=True)
class ArtifactSpec:
    """One printed table, figure or in-text number, and how it is made.

    Parameters
    ----------
    id : str
        ``<paper>-...``, as in ``data/published/``.
    number : str
        As the paper numbers it: ``Table 4``, ``In the text``.
    title : str
    compute : callable
        ``compute(parameters, run) -> Regenerated``.
    draw : callable, optional
        ``draw(parameters, made, published) -> Drawn``.
    summary : str
        The table's caption: what its rows and columns are, with the unit.
    enlarge : bool
        Whether the enlarged scale is run too, where the notebook has one.
    once : tuple of str
        Rows that are arithmetic on the paper's own number of repeats, left out of the enlarged scale.
    matrix : bool
        Lay the numbers out as a grid, rows down and columns across, instead of one below the other.
    weight : float
        Share of the notebook's time in proportion to its other artifacts', for the progress.
    examine : callable, optional
        ``examine(parameters, result, published) -> Regenerated`` holds the paper's printed numbers against
        themselves or against a result, at the published scale: further data, checks, findings and errata,
        and no rows.  It is given all that the paper prints, which ``compute`` never sees.

    Examples
    --------
    >>> from errorest.compendium.catalogue import NOTEBOOKS
    >>> NOTEBOOKS[0].artifacts[0].id.startswith(NOTEBOOKS[0].paper)
    True
    """

    id: str
    number: str
    title: str
    compute: Compute
    draw: Draw | None = None
    summary: str = ""
    enlarge: bool = True
    once: tuple[str, ...] = ()
    matrix: bool = False
    weight: float = 1.0
    examine: Examine | None = None


@dataclass(frozen=True)
class NotebookSpec:
    """A notebook with its parameters and artifacts.

    Parameters
    ----------
    id : str
        ``<paper>/NN-name``; the notebook is ``notebooks/<id>.ipynb``.
    paper : str
        An id of :data:`errorest.evidence.verdicts.PAPERS`.
    title : str
    parameters : type of Parameters
    artifacts : tuple of ArtifactSpec
    weight : float
        Rough seconds at published scale on one core, for the overall progress.
    inputs : callable
        ``inputs(parameters)`` checks the data that the notebook reads and returns name -> digest.

    Examples
    --------
    >>> from errorest.compendium.catalogue import NOTEBOOKS
    >>> str(NOTEBOOKS[0].path) == f"notebooks/{NOTEBOOKS[0].id}.ipynb"
    True
    """

    id: str
    paper: str
    title: str
    parameters: type[Parameters]
    artifacts: tuple[ArtifactSpec, ...]
    weight: float = 10.0
    inputs: Callable[[Any], dict[str, str]] = _no_inputs

    @property
    def path(self) -> PurePosixPath:
        """Path of the notebook from the project's root."""
        return PurePosixPath("notebooks") / f"{self.id}.ipynb"

    def artifact(self, artifact_id: str) -> ArtifactSpec:
        """Return one of its artifacts."""
        return next(a for a in self.artifacts if a.id == artifact_id)
