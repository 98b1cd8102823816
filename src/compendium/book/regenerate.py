"""A call from Python: the numbers of one table or figure, with any parameters."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from compendium import versions
from compendium.book import catalogue
from compendium.book.parameters import resolve, scale_of
from compendium.book.places import store_folder
from compendium.book.session import code_of, regenerated_frame, yielded
from compendium.studies.store import Store
from compendium.studies.study import run_study
from compendium.studies.workers import number_of_jobs
from errorest.errors import UsageError

__all__ = ["regenerate"]


def regenerate(
    artifact_id: str, *, scale: str = "published", jobs: int = 1, dask: str | None = None, **parameters: Any
) -> pd.DataFrame:
    """Compute one table, figure or printed number, and return its numbers.

    Finished studies are read from the project's store and kept there, as by ``compendium run``; no notebook runs,
    and no page is written.

    Parameters
    ----------
    artifact_id : str
        One that ``compendium list`` names, such as ``kohavi-table-1``.
    scale : {"published", "preview"}
        Where parameters that are not given come from.
    jobs : int
        Worker processes; changes no result.
    dask : str, optional
        Address of a Dask scheduler that computes instead, ``tcp://host:port``.
    **parameters
        Those of the artifact's notebook, as ``compendium params NOTEBOOK`` lists them.

    Returns
    -------
    DataFrame
        A line a number: ``artifact``; ``reading``, the way the paper was read; ``scale``; ``row``, ``column``, its
        place in the table; ``value``, in the unit of the column; ``se``, one Monte Carlo standard error in the same
        unit, zero for what is exact; ``n``, the replicates behind it.  ``attrs["provenance"]`` says where the numbers
        come from: notebook, parameters, digests of data and code, versions of packages.

    Raises
    ------
    UsageError
        If the artifact or a parameter is unknown, or a value is wrong.
    MissingExtra
        If the extra ``book`` is not installed.

    Examples
    --------
    >>> found = regenerate("guide-other-packages", bootstrap_samples=[[0, 0, 2, 3, 4, 5, 6, 7]])
    >>> list(found.columns)
    ['artifact', 'reading', 'scale', 'row', 'column', 'value', 'se', 'n']
    >>> found.attrs["provenance"]["notebook"], set(found["scale"])
    ('guide/08-other-packages', {'own'})
    """
    if scale not in ("published", "preview"):
        raise UsageError(f"scale must be 'published' or 'preview'; got '{scale}'")
    spec, artifact = catalogue.artifact(artifact_id)
    checked = resolve(spec, parameters, scale)
    data = checked.inputs()
    run = partial(run_study, store=Store(store_folder()), jobs=number_of_jobs(jobs), dask=dask)
    made = yielded(artifact, spec.paper, checked, scale_of(spec, checked), run)
    frame = regenerated_frame(artifact.id, made)
    frame.attrs["provenance"] = {
        "notebook": spec.id,
        "parameters": checked.model_dump(),
        "data": data,
        "code": code_of(spec),
        "versions": versions.installed(versions.COMPUTING),
    }
    return frame
