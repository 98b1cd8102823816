"""An artifact with other parameters, in a page: its notebook's checks, its functions, and their table and figure.

Which artifacts a page runs is declared by ``in-page:`` in ``artifacts.yaml``; :mod:`compendium.book.panels` makes the
form of their parameters and packs what is needed here, with ``panels.json``.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from compendium.book.notebook import Notebook
from compendium.book.parameters import Given, check_imports_nothing, plain_value, resolve, shown
from compendium.book.render import artifact_html
from compendium.book.session import Session, embedded, parameters_html
from compendium.evidence.artifact import declared_in
from compendium.evidence.records import Values
from compendium.evidence.texts import texts_of
from compendium.page import show_progress
from compendium.papers.validation import Schema
from compendium.studies.study import Study, run_here
from errorest.errors import UsageError, quoted

# Seconds from which on a reader is asked first
_LONG = 20.0


class _LongError(Exception):
    """The studies of an artifact take longer than a reader has agreed to."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__()


class PageSession(Session):
    """A session that measures in this process and keeps nothing."""

    def __init__(self, spec: Notebook, parameters: Any, out: Path, *, confirmed: bool) -> None:
        super().__init__(spec, parameters, out)
        self._confirmed = confirmed

    def _run(self, study: Study) -> pd.DataFrame:
        key = repr((study.id, study.cells, study.counts))
        if key not in self._studies:
            forecast = None if self._confirmed else self._forecast
            self._studies[key] = run_here(study, progress=_report, seconds=forecast)
        return self._studies[key]

    def _forecast(self, seconds: float) -> None:
        if seconds > _LONG:
            raise _LongError(seconds)

    def _code(self) -> Values:
        return {}


def run(artifact: str, parameters: Mapping[str, str], confirmed: bool = False) -> dict[str, Any]:
    """Run an artifact with the parameters that a reader wrote into the form.

    Parameters
    ----------
    artifact : str
        The id.
    parameters : mapping of str to str
        The texts of the form by parameter.
    confirmed : bool
        Whether the reader has agreed to a run that takes long.

    Returns
    -------
    dict
        ``html``: the banner with the parameters, then figure, table and findings; or ``forecast``: the seconds that it
        would take, where these are more than twenty.

    Raises
    ------
    UsageError
        As the notebook's own checks do; or if the parameters are the published ones.
    """
    spec = notebook_of(artifact)
    given = read_texts(spec, parameters)
    check_imports_nothing(given, "a page runs no code but the book's", "run the command above")
    checked = resolve(spec, given)
    with TemporaryDirectory() as folder:
        session = PageSession(spec, checked, Path(folder), confirmed=confirmed)
        if session.scale == "published":
            raise UsageError("these are the published parameters, whose result stands above", "change one")
        try:
            manifest = session.make(artifact)
        except _LongError as exc:
            return {"forecast": exc.seconds}
        # without links to its files, which the page does not have
        made = re.sub(
            r'<p class="errorest-downloads">.*?</p>', "", artifact_html(manifest, "artifacts/"), flags=re.DOTALL
        )
        return {"html": parameters_html(spec, checked) + embedded(made, session.out / "artifacts", every=True)}


def notebook_of(artifact: str) -> Notebook:
    """Return the notebook of an artifact that pages run, with that artifact alone."""
    panels = json.loads(Path(__file__).with_name("panels.json").read_text(encoding="utf-8"))
    if artifact not in panels:
        raise UsageError(f"a page cannot run {quoted(artifact)}")
    panel = panels[artifact]
    module, _, model = panel["model"].partition(":")
    declared = {one.id: one for one in declared_in(importlib.import_module(panel["module"]))}
    paper = panel["notebook"].partition("/")[0]
    one = replace(declared[artifact], **texts_of(paper, artifact)._asdict())
    return Notebook(panel["notebook"], "", getattr(importlib.import_module(module), model), (one,))


def read_texts(spec: Notebook, texts: Mapping[str, str]) -> Given:
    """Read the texts of a form by the types of the parameters; a name that is none is left to the check."""
    fields = spec.parameters.model_fields
    return {name: _value(name, text, fields[name].schema()) if name in fields else text for name, text in texts.items()}


def _value(name: str, text: str, schema: Schema) -> object:
    if "anyOf" in schema:
        return None if not text.strip() or text.strip() in ("null", "none") else _value(name, text, schema["anyOf"][0])
    if schema["type"] == "array":
        return _entries(name, text, schema["items"])
    if schema["type"] == "string":
        return text.strip()
    try:
        return plain_value(text.strip())
    except ValueError:
        return text


def _entries(name: str, text: str, items: Schema) -> object:
    """Read a list: as JSON, or entries between commas."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if isinstance(read, list):
        return read
    inner = text.strip().removeprefix("[").removesuffix("]").strip()
    if re.search(r'[\[\]()"{}]', inner):
        raise UsageError(f"{name} was given {shown(text)}; expected a list", 'write it as [10, 20] or ["a", "b"]')
    return [_value(name, one, items) for one in inner.split(",")] if inner else []


def _report(done: float, total: float) -> None:
    """Tell the page's line how far a study is."""
    show_progress(f"{100 * done / total:.0f} % measured …")
