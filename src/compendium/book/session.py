"""A running notebook: ``open_notebook`` gives a session, and its ``show`` makes one artifact.

The session runs each study once, compares with the print, draws, saves everything to the run's folder and returns the
HTML that the notebook displays.  Run options come from the environment that the command sets; they change no result.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import os
import re
import warnings
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from compendium.book import events
from compendium.book.labels import headings, labeller
from compendium.book.notebook import Notebook, filled
from compendium.book.parameters import changed, describe, relation, resolve, scale_of
from compendium.book.places import build_folder, store_folder, write_whole
from compendium.book.templating import fill
from compendium.evidence.agreement import FEWEST, agreement_sentence, rerun, test_agreement
from compendium.evidence.artifact import Artifact
from compendium.evidence.claims import NotRun
from compendium.evidence.judging import PredictionInterval
from compendium.evidence.records import Fields, Values, each
from compendium.evidence.results import ArtifactResult, Check, Erratum, ResultsByScale, printed_errata
from compendium.evidence.side_by_side import draw_side_by_side
from compendium.evidence.subtitles import fill_subtitle
from compendium.evidence.verdicts import (
    REGENERATED_COLUMNS,
    compare,
    printed_of,
    read_published,
    read_regenerated,
    tidy_numbers,
)
from compendium.papers.parameters import Parameters
from compendium.plots.dark import darkened
from compendium.plots.fitting import break_at_edges, break_long_texts
from compendium.plots.layout_rule import layout_faults
from compendium.plots.narrow import narrow
from compendium.plots.picture import Drawing
from compendium.plots.subtitle import remove_subtitle, write_subtitle
from compendium.studies import digests
from compendium.studies.store import Store
from compendium.studies.study import Study, design_of, run_study
from errorest.errors import UsageError
from errorest.plots import DescribedFigure, save, save_svg
from errorest.streams import Streams

if TYPE_CHECKING:
    from IPython.display import HTML

_DIGITS = 10
_NAN = re.compile(r"(?<![\w.])[+−-]?nan(?: ± nan)?(?: %)?(?!\w|\.\w)")
_RERUNS = 60
# A manifest's drawings for a light page, each with that for a dark one
_DRAWINGS = {"svg": "dark", "narrow": "narrow-dark"}


def open_notebook(notebook_id: str, cell: Fields) -> Session:
    """Open the session of ``<paper>/NN-name`` with the parameters in the notebook's ``globals()``, checked.

    A name that is annotated like a parameter (``name: int = 3``) or given by papermill, and is none, is refused.
    """
    # by name: what the catalogue says of other notebooks is no code of this one, and in no key
    catalogue = importlib.import_module("compendium.book.catalogue")
    spec: Notebook = catalogue.notebook(notebook_id)
    session = Session(spec, resolve(spec, meant(spec, cell)))
    planned = json.loads(os.environ.get("ERROREST_PARAMETERS") or "null")
    values = session.parameters.model_dump()
    if planned is not None and planned != values:
        other = [name for name, value in values.items() if planned.get(name) != value]
        raise UsageError(
            f"the notebook sets {', '.join(other)} outside its parameters cell, after the parameters that are injected",
            "move the line there, or give the value by -p",
        )
    if session.scale != "published":
        from IPython.display import HTML, display

        display(HTML(parameters_html(spec, session.parameters)))
    return session


class Session:
    """One notebook being executed."""

    def __init__(self, spec: Notebook, parameters: Parameters, out: Path | None = None) -> None:
        self.spec = spec
        self.parameters = parameters
        self.scale = scale_of(spec, parameters)
        self.relation = relation(spec, parameters)
        followed = out or os.environ.get("ERROREST_OUT")
        self.out = Path(followed) if followed else folder_of(spec, parameters)
        self._alone = not followed
        self._jobs = int(os.environ.get("ERROREST_JOBS") or 1)
        self._dask = os.environ.get("ERROREST_DASK") or None
        self._studies: dict[str, pd.DataFrame] = {}
        self._largest: dict[str, tuple[pd.DataFrame, tuple[int, ...]]] = {}
        self._inputs = parameters.inputs()
        self._shown = 0

    def show(self, artifact_id: str) -> HTML:
        """Make one artifact, save it, and return what the notebook displays."""
        from IPython.display import HTML

        manifest = self.make(artifact_id)
        # by name: pages are rendered again from manifests, and how is in no key, as their templates are in none
        html = importlib.import_module("compendium.book.render").artifact_html(manifest, "artifacts/")
        return HTML(embedded(html, self.out / "artifacts") if self._alone else html)

    def make(self, artifact_id: str) -> Values:
        """Make one artifact, save it, and return its manifest."""
        spec = self.spec.artifact(artifact_id)
        # the page says what is not defined; numpy's warning would stand above the table
        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            made = yielded(spec, self.spec.paper, self.parameters, self.scale, self._run)
            manifest = self._manifest(spec, made)
        self._shown += 1
        self._send_share()
        return manifest

    @cached_property
    def _store(self) -> Store:
        return Store(store_folder())

    def _code(self) -> Values:
        return {"code": code_of(self.spec)}

    def _run(self, study: Study) -> pd.DataFrame:
        design = design_of(study)
        key = f"{design} {list(study.counts)}"
        if key not in self._studies:
            self._studies[key] = run_study(
                study, store=self._store, jobs=self._jobs, dask=self._dask, progress=self._send_share, say=_say
            )
        table = self._studies[key]
        if design not in self._largest or sum(study.counts) > sum(self._largest[design][1]):
            self._largest[design] = (table, study.counts)
        return table

    def _wholes(self, spec: Artifact, comparison: pd.DataFrame) -> list[Values]:
        """Judge a table as a whole, by reruns on bootstrap samples of its replicates."""
        if self.scale != "published" or not spec.rerun or not len(comparison) or comparison["z"].notna().sum() < FEWEST:
            return []
        rng = Streams(self.parameters.seed).child("reruns").generator(spec.id)
        reruns = rerun(spec.compute, self.parameters, lambda study: self._largest[design_of(study)], _RERUNS, rng)
        wholes = test_agreement(spec.id, comparison, reruns)
        return [{**w._asdict(), "z": [_rounded(v) for v in w.z], "said": agreement_sentence(w)} for w in wholes]

    def _send_share(self, done: float = 0.0, total: float = 1.0) -> None:
        """Send the share of a notebook that is done: most of it is the study that runs, the rest are artifacts."""
        part = done / total if total else 1.0
        events.send(share=0.9 * part + 0.1 * self._shown / max(1, len(self.spec.artifacts)))

    def _manifest(self, spec: Artifact, made: ResultsByScale) -> Values:
        folder = self.out / "artifacts"
        rows = regenerated_frame(spec.id, made)
        own = printed_of(spec.id, read_published(self.spec.paper), rows)
        prints = not own.empty
        # only a run of the paper's design is compared with the print, in figures as in tables
        if self.scale == "preview" or self.relation == "design":
            own = own.iloc[:0]
        judge = compare if self.scale == "published" else partial(with_print, self.spec.paper)
        comparison = judge(own, rows) if len(own) else pd.DataFrame()
        first, *_, largest = (*made.values(), *made.values())
        numbers = {f"{spec.id}.csv": rows, f"{spec.id}-tidy.csv": tidy_numbers(rows, comparison)}
        tables = {**numbers, **{f"{spec.id}-{name}.csv": frame for name, frame in first.data.items()}}
        for name, table in tables.items():
            digits = None if name in numbers else f"%.{_DIGITS}g"
            write_whole(folder / name, table.to_csv(index=False, lineterminator="\n", float_format=digits))
        files = list(tables)
        labels = headings(spec.labels, {*rows.row, *rows.column, *own.row, *own.column})
        figure = self._drawn(spec, made, own, rows, comparison, labels)
        for picture in [figure, *figure.get("others", [])] if figure else []:
            files.append(picture["svg"].replace(".svg", ".png"))
            files += [name for key, name in picture.items() if key in (*_DRAWINGS, *_DRAWINGS.values())]
        values = self.parameters.model_dump()
        if self.scale != "published":
            largest = replace(largest, checks=borne_checks(largest), errata=borne_errata(largest, self.relation))
        manifest = {
            "id": spec.id,
            "paper": self.spec.paper,
            "notebook": self.spec.id,
            "number": spec.number,
            "title": filled(spec.title, values),
            "caption": filled(spec.caption, values),
            "matrix": spec.matrix,
            "scale": self.scale,
            "relation": self.relation,
            "prints": prints,
            "labels": labels,
            "rows": _records(rows),
            "comparison": _records(comparison),
            "wholes": self._wholes(spec, comparison),
            "figure": figure,
            "findings": list(dict.fromkeys(_name_undefined(text) for text in largest.findings)),
            "checks": [_defined(c._asdict()) for c in largest.checks],
            "errata": [_defined(e._asdict()) for e in largest.errata],
            "files": files,
            "provenance": {
                "changed": {k: values[k] for k in changed(self.spec, self.parameters) if k != "seed"},
                "seed": values["seed"],
                "data": self._inputs,
                **self._code(),
            },
        }
        write_whole(folder / f"{spec.id}.json", json.dumps(manifest, indent=1, sort_keys=True) + "\n")
        return manifest

    def _drawn(
        self,
        spec: Artifact,
        made: ResultsByScale,
        printed: pd.DataFrame,
        rows: pd.DataFrame,
        comparison: pd.DataFrame,
        labels: Mapping[str, str],
    ) -> Values | None:
        """Draw an artifact, by default its numbers beside the printed ones; return what a page says of the figure."""
        if spec.draw is not None:
            sampled = spec.draw(self.parameters, made, printed)
        else:
            known = read_published(self.spec.paper)
            keys = [(r.row, r.column) for r in each(known[(known.artifact == spec.id) & (known.kind == "result")])]
            own = rows[rows.artifact == spec.id]
            sampled = draw_side_by_side(spec.id, spec.number, keys, own, comparison, labeller(labels))
        if sampled is None:
            return None
        subtitle = fill_subtitle(spec.subtitle, rows) if self.scale == "published" else ""
        pictures: list[Values] = []
        for number, (name, one) in enumerate((sampled if isinstance(sampled, Mapping) else {"": sampled}).items(), 1):
            described = captioned(spec, one, self.parameters) if isinstance(one, Drawing) else one
            file = self.out / "artifacts" / (spec.id if number == 1 else f"{spec.id}-{number}")
            picture, faults = _saved(described.figure, file, subtitle)
            alt = _name_undefined(" ".join(filter(None, (subtitle, described.alt))))
            caption = {} if pictures else {"caption": _name_undefined(described.caption)}
            optional = {"name": name, "faults": faults}
            pictures.append({"alt": alt, **caption, **picture, **{k: v for k, v in optional.items() if v}})
        # of several pictures a page shows one, which its reader chooses by name
        first, *others = pictures
        return first | ({"others": others} if others else {})


def _saved(figure: Figure, file: Path, subtitle: str) -> tuple[dict[str, str], list[str]]:
    """Save a figure for wide pages and for phones, light and dark; return the files' names, and what is unreadable."""
    break_long_texts(figure)
    if subtitle:
        write_subtitle(figure, subtitle)
    break_at_edges(figure)
    faults = layout_faults(figure)
    svg, _ = save(figure, file)
    light = {"svg": svg}
    remove_subtitle(figure)
    if narrow(figure):
        if subtitle:
            write_subtitle(figure, subtitle)
        faults += [f"{fault}, on a phone" for fault in layout_faults(figure)]
        light["narrow"] = save_svg(figure, file.with_name(f"{file.name}-narrow"))
    dark = {_DRAWINGS[key]: path.with_name(f"{path.stem}-dark.svg") for key, path in light.items()}
    for path, of in zip(dark.values(), light.values(), strict=True):
        write_whole(path, darkened(of.read_text(encoding="utf-8")))
    return {key: path.name for key, path in (light | dark).items()}, faults


def captioned(spec: Artifact, drawing: Drawing, parameters: Parameters) -> DescribedFigure:
    """Put the facts of a drawing and the parameters into the caption and the alternative text of a figure."""
    if not spec.figure:
        raise UsageError(f"the figure of '{spec.id}' has no caption", "write 'figure:' in the paper's artifacts.yaml")
    caption = " ".join(filter(None, [spec.figure, spec.figure_printed if drawing.printed else ""]))
    values = {**parameters.model_dump(), **drawing.facts}
    alt = " ".join(filter(None, [drawing.alt, filled(spec.alt, values)]))
    return DescribedFigure(drawing.figure, alt, filled(caption, values))


def yielded(
    spec: Artifact, paper: str, parameters: Parameters, scale: str, run: Callable[[Study], pd.DataFrame]
) -> ResultsByScale:
    """Compute an artifact by scale: the one that is asked for first, then the enlarged one."""
    base = scale if scale in ("preview", "own") else "published"
    made = ResultsByScale({base: _computed(spec, parameters, run)})
    larger = parameters.enlarged() if spec.enlarge else None
    if larger is not None:
        more = _computed(spec, larger, run)
        selected = [r for r in more.rows if r.row not in spec.once]
        made["enlarged" if base == "published" else f"{base}, enlarged"] = replace(more, rows=selected)
    if base != "published":
        return made
    if spec.name_rows is not None:
        printed = read_published(paper)
        named = printed[printed["artifact"] == spec.id]
        made = ResultsByScale({k: one + ArtifactResult(spec.name_rows(one, named)) for k, one in made.items()})
    return ResultsByScale({k: one + printed_errata(paper, spec.id) for k, one in made.items()})


def _computed(spec: Artifact, parameters: Parameters, run: Callable[[Study], pd.DataFrame]) -> ArtifactResult:
    """Compute an artifact; it has nothing to show where the run leaves out what it needs."""
    try:
        return spec.compute(parameters, run)
    except NotRun as missing:
        return ArtifactResult(findings=[f"Nothing to show: {missing}."])


def _defined(record: Values) -> Values:
    """Write "not defined" for NaN in the texts of a record."""
    return {k: _name_undefined(v) if isinstance(v, str) else v for k, v in record.items()}


def _name_undefined(text: str) -> str:
    return _NAN.sub("not defined", text)


def code_of(spec: Notebook) -> str:
    modules = {module for a in spec.artifacts for module in a.modules}
    return digests.code_digest(sorted(modules | {spec.parameters.__module__}))


def regenerated_frame(artifact_id: str, made: ResultsByScale) -> pd.DataFrame:
    """Return the rows of all scales with the columns of ``data/regenerated/``."""
    rows = []
    for scale, one in made.items():
        for r in one.rows:
            key = (r.artifact or artifact_id, r.reading, scale, r.row)
            rows.append((*key, r.column, _rounded(r.value), _rounded(r.se), int(r.n)))
            if r.reruns is not None:
                quantiles = zip(PredictionInterval._fields, r.reruns[:-1], strict=False)
                rows += [(*key, f"{r.column}/reruns-{q}", _rounded(v), nan, r.reruns.n) for q, v in quantiles]
    return pd.DataFrame(rows, columns=list(REGENERATED_COLUMNS))


def _rounded(value: float) -> float:
    """Round to ten significant digits, on which other processors still agree."""
    rounded = float(f"{float(value):.{_DIGITS}g}")
    return rounded if rounded else 0.0


def _records(frame: pd.DataFrame) -> list[Values]:
    plain = frame.astype(object).where(frame.notna(), None)
    return [
        {str(k): _rounded(v) if isinstance(v, float) else v for k, v in r.items()} for r in plain.to_dict("records")
    ]


def _say(text: str) -> None:
    """Send a line to the command: printed here it would enter the notebook, and change its bytes."""
    if not events.send(line=text):
        print(text, flush=True)


# First line of the cell that papermill writes
_INJECTED = "# Parameters"

_LINK = re.compile(r'(?P<before>src|srcset|href)="artifacts/(?P<name>[^"/]+)"(?P<download> download)?')
_SOURCES = re.compile(r"<source [^>]*/>")
_KINDS = {"svg": "image/svg+xml", "png": "image/png", "csv": "text/csv"}


def meant(spec: Notebook, cell: Fields) -> dict[str, object]:
    """Return the parameters in a notebook's ``globals()``, and what is annotated or injected like one."""
    cells = [ast.parse(source).body for source in cell.get("In", ()) if source.startswith(_INJECTED)]
    targets = [target for body in cells for node in body if isinstance(node, ast.Assign) for target in node.targets]
    injected = [target.id for target in targets if isinstance(target, ast.Name)]
    names = dict.fromkeys([*spec.parameters.model_fields, *cell.get("__annotations__", {}), *injected])
    return {name: cell[name] for name in names if name in cell}


def folder_of(spec: Notebook, parameters: Parameters) -> Path:
    """Return the folder for the files of a notebook with these parameters, data and code."""
    decided = [parameters.model_dump(), parameters.inputs(), digests.source_digest()]
    digest = hashlib.sha256(json.dumps(decided, sort_keys=True).encode()).hexdigest()
    return build_folder() / "interactive" / spec.folder / digest[:12]


def embedded(html: str, folder: Path, *, every: bool = False) -> str:
    """Embed the files that an artifact's HTML links to, with every drawing or the one for wide light pages."""

    def link(found: re.Match[str]) -> str:
        name = found["name"]
        content = b64encode((folder / name).read_bytes()).decode()
        download = f' download="{name}"' if found["download"] else ""
        return f'{found["before"]}="data:{_KINDS[Path(name).suffix[1:]]};base64,{content}"{download}'

    # without the drawings for dark pages and phones: a notebook is light and wide
    return _LINK.sub(link, html if every else _SOURCES.sub("", html))


# The smallest number of samples whose standard error is reliable enough to decide a claim
_FEWEST_SAMPLES = 10


def borne_checks(made: ArtifactResult) -> list[Check]:
    """Return the checks of a run without the vacuous ones; few samples decide nothing."""
    of_rows = _fewest(made)
    checks = []
    for check in (one for one in made.checks if not one.vacuous):
        fewest = of_rows if check.fewest is None else check.fewest
        if fewest and fewest < _FEWEST_SAMPLES and check.outcome != "not decided":
            samples = "1 sample decides" if fewest == 1 else f"{fewest} samples decide"
            check = check._replace(outcome="not decided", evidence=f"{check.evidence}; {samples} nothing")
        checks.append(check)
    return checks


def borne_errata(made: ArtifactResult, relation: str) -> list[Erratum]:
    """Return the errata that a run shows: those of the paper's design, from enough samples."""
    fewest = _fewest(made)
    return [] if relation == "design" or (fewest or _FEWEST_SAMPLES) < _FEWEST_SAMPLES else made.errata


def _fewest(made: ArtifactResult) -> int | None:
    """Return the smallest number of samples behind a row; None where all are exact."""
    return min((int(r.n) for r in made.rows if r.n > 1 or r.se != 0), default=None)


def with_print(paper: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare the rows of a run of the paper's design with the print: distances without verdicts."""
    result = judged_with_print(paper, printed, rows)
    if result.empty:
        return result
    # only simulated numbers have a distance in standard errors
    simulated = result["z"].where((result["se"] > 0) | (result["se_printed"] > 0))
    return result.assign(z=simulated, verdict="", reason="", halfwidth_verdict="")


def judged_with_print(paper: str, printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare rows with the print, by the spread of both in the recorded run, which knows the paper's repeats."""
    recorded = read_regenerated(paper)
    recorded = recorded[recorded.artifact.isin(set(rows.artifact))]
    # the run's quantiles of reruns, which come last, replace the recorded ones
    known = pd.concat([recorded, rows], ignore_index=True) if len(recorded) else rows
    result = compare(printed, known)
    return result[result["scale"].isin(set(rows["scale"]))].reset_index(drop=True) if len(result) else result


def parameters_html(spec: Notebook, parameters: Parameters) -> str:
    """Return the banner of a run with other parameters, with the table of those; changed ones stand first."""
    values, other = parameters.model_dump(), changed(spec, parameters)
    described = sorted(describe(spec.parameters), key=lambda d: d.name not in other)
    rows = [(d.name, _text(values[d.name]), _text(d.default), d.meaning, d.name in other) for d in described]
    return fill("parameters.html", rows=rows, other=list(other))


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(f"[{_text(one)}]" if isinstance(one, list) else _text(one) for one in value) or "none"
    return "none" if value is None else str(value)
