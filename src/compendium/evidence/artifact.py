"""An artifact declares itself beside the function that computes it: one printed table, figure or in-text number.

Above each function that computes an artifact stands what it is; the function takes the notebook's parameters and what
runs a study or finds it in the store::

    @artifact("martin-hirschberg-table-5a", size=10)
    @artifact("martin-hirschberg-table-5b", size=20)
    def table_5(p: DiscriminantParameters, run: Run, *, size: int) -> ArtifactResult: ...

A function that makes several is declared once for each; keyword arguments that :func:`artifact` does not know go to it.
``book/extend/paper.md`` describes the other parts of a section.  The order of artifacts and the notebook that each
belongs to are those of the ``show("...")`` calls in the notebooks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from inspect import signature
from types import ModuleType
from typing import Any, TypeVar

import pandas as pd

from compendium.evidence.names import Name
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row
from compendium.plots.picture import Drawing
from errorest.errors import UsageError, nearest
from errorest.plots import DescribedFigure

__all__ = ["Artifact", "artifact", "declared_in"]

Compute = Callable[..., ArtifactResult]
Drawn = Drawing | DescribedFigure
Draw = Callable[[Any, ResultsByScale, pd.DataFrame], Drawn | Mapping[str, Drawn] | None]
"""Draws a figure, or several by name, of which a page shows one at a time."""

NameRows = Callable[[ArtifactResult, pd.DataFrame], list[Row]]
Declared = TypeVar("Declared", bound=Compute)

_DECLARATIONS = "__artifacts__"


@dataclass(frozen=True)
class Artifact:
    """One printed table, figure or in-text number, and how it is made.

    Parameters
    ----------
    id : str
        ``<paper>-...``, as in ``data/published/``.
    compute : callable
        ``compute(parameters, run) -> ArtifactResult``.
    draw : callable, optional
        ``draw(parameters, made, published) -> Drawing``.
    name_rows : callable, optional
        ``name_rows(result, published) -> list of Row`` gives, at the published scale, ours of what the table
        names, where ours is another (columns that end in ``=<name>``); ``compute`` never sees what is printed.
    labels : mapping of str to Name or str
        Key (or part of one between strokes) -> its words in a heading, where the project's common names do not do.
    matrix : bool
        Lay the numbers out as a grid, rows down and columns across, instead of one below the other.
    once : tuple of str
        Rows that are arithmetic on the paper's own number of repeats, left out of the enlarged scale.
    enlarge : bool
        Whether the enlarged scale is run too, where the notebook has one.
    rerun : bool
        Whether it is judged as a whole, for which it is computed again, many times, from new samples;
        not where its numbers stand in other tables, or a computation takes long.
    number : str
        As the paper numbers it: ``Table 4``, ``In the text``. Texts come from :mod:`compendium.evidence.texts`.
    title : str
    caption : str
        The table's: what its rows and columns are, with the unit.
    figure, figure_printed : str
        The figure's caption, and the sentence that follows it where published values are drawn.
    alt : str
        The figure's alternative text, after what is written by the drawing.
    subtitle : str
        What came out, in a sentence above the figure's panels; see :mod:`compendium.evidence.subtitles`.

    Examples
    --------
    >>> Artifact("kohavi-example-1", compute=lambda p, run: ArtifactResult()).matrix
    False
    """

    id: str
    number: str = ""
    title: str = ""
    caption: str = ""
    figure: str = ""
    figure_printed: str = ""
    alt: str = ""
    subtitle: str = ""
    compute: Compute = field(kw_only=True)
    draw: Draw | None = field(default=None, kw_only=True)
    name_rows: NameRows | None = field(default=None, kw_only=True)
    labels: Mapping[str, Name | str] = field(default_factory=dict, kw_only=True)
    matrix: bool = field(default=False, kw_only=True)
    once: tuple[str, ...] = field(default=(), kw_only=True)
    enlarge: bool = field(default=True, kw_only=True)
    rerun: bool = field(default=True, kw_only=True)

    @property
    def module(self) -> str:
        """Module that declares it."""
        return str(_function(self.compute).__module__)

    @property
    def modules(self) -> set[str]:
        """Modules that the artifact is computed and drawn by."""
        return {_function(f).__module__ for f in (self.compute, self.name_rows, self.draw) if f is not None}


# What a declaration says beside the function
_SETTINGS = {one.name for one in fields(Artifact) if one.kw_only}


def artifact(id: str, **settings: Any) -> Callable[[Declared], Declared]:
    """Declare what the function below computes; the function itself stays as it is.

    Parameters
    ----------
    id : str
        Of the artifact.
    **settings
        Fields of :class:`Artifact`; all others are keyword arguments of the function, where it makes several artifacts.

    Raises
    ------
    UsageError
        If a setting is neither, or the function needs one that is not given.

    Examples
    --------
    >>> @artifact("paper-table-1", size=10)
    ... @artifact("paper-table-2", size=20)
    ... def table(p, run, *, size):
    ...     return ArtifactResult(findings=[f"{size} cases"])
    >>> [(a.id, a.compute(None, None).findings) for a in declarations(table)]
    [('paper-table-2', ['20 cases']), ('paper-table-1', ['10 cases'])]
    """

    given = {name: value for name, value in settings.items() if name not in _SETTINGS}
    own = {name: value for name, value in settings.items() if name in _SETTINGS}

    def declare(compute: Declared) -> Declared:
        try:
            signature(compute).bind(None, None, **given)
        except TypeError as exc:
            strange = [name for name in given if name not in signature(compute).parameters]
            hint = nearest(strange[0], _SETTINGS) if strange else "name it beside the id"
            raise UsageError(f"artifact '{id}': {compute.__name__}() {exc}; {hint}") from None
        one = Artifact(id, compute=partial(compute, **given) if given else compute, **own)
        setattr(compute, _DECLARATIONS, (*declarations(compute), one))
        return compute

    return declare


def declarations(function: Any) -> tuple[Artifact, ...]:
    """Return what is declared of a function."""
    result = getattr(function, _DECLARATIONS, ())
    return result if isinstance(result, tuple) else ()


def declared_in(module: ModuleType) -> list[Artifact]:
    """Collect what a module declares.

    Examples
    --------
    >>> from compendium.guide import other_packages
    >>> [a.id for a in declared_in(other_packages)]
    ['guide-other-packages']
    """
    own = (f for f in vars(module).values() if getattr(f, "__module__", None) == module.__name__)
    return [one for function in own for one in declarations(function)]


def _function(made: Any) -> Any:
    """Return the function that a partial application is of."""
    return _function(made.func) if isinstance(made, partial) else made
