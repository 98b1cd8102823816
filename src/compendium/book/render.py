"""An artifact as HTML, in full and in short: a table is a pivot of its numbers, with their errors and verdicts.

Numbers stand one below the other, or, where an artifact asks for it, as a grid with a column for each quantity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup

from compendium.book.citation import Part, Work, apa, bibtex
from compendium.book.labels import labeller
from compendium.book.results import MORE_REPEATS, of_larger_run
from compendium.book.source_state import short
from compendium.book.templating import breakable, fill, measured, number, row_anchor
from compendium.evidence.claims import counted
from compendium.evidence.keys import ROLES, parts_of
from compendium.evidence.papers import PAPERS
from compendium.evidence.readings import meaning_of_reading
from compendium.evidence.records import Fields, Values
from compendium.evidence.texts import declared_of
from compendium.evidence.verdicts import headline, order_of

_ROUNDING = 1e-12
# So few samples, or fewer, explain by themselves why a number is not defined
_FEW = 3
# Numbers from which on, exclusively, the text shows a figure and no table, or the findings where there is no figure
_HEADLINE_NUMBERS, _HEADLINE_NUMBERS_ALONE = 130, 200
# Columns that fit into the text, where the printed number stands below ours, and as pairs of the print and ours
_HEADLINE_COLUMNS, _PAIRED_COLUMNS = 7, 3
# Names of tables in a choice by repeats
_PAPERS, _ENLARGED = "the paper's repeats", MORE_REPEATS
_RELATIONS = {">": "> ", "~": "≈ "}
_NUMERIC = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")

_Key = tuple[str, str]
_Record = Fields
# A reading and a scale
_Run = tuple[str, str]


@dataclass(frozen=True)
class Cell:
    """A number with its error, notes and verdict; of a run without verdicts with its z alone."""

    text: str = ""
    small: str = ""
    printed: str = ""
    samples: int = 0
    relation: str = ""
    verdict: str = ""
    z: str = ""
    note: str = ""
    note_name: str = "note"
    why: int = 0  # the reason why it differs, as the list below the tables numbers them from 1


class Line(NamedTuple):
    """A row; one with an anchor says how it is cited: its name, and each number with its error."""

    name: str
    anchor: str
    cells: Sequence[Cell]
    cite: str = ""


class Head(NamedTuple):
    """A heading of a column; a column of the class "text" has verdicts as badges."""

    text: str
    css: str = "num"
    small: str = ""


@dataclass(frozen=True)
class Grid:
    """A table; a text among its rows is the heading of those below."""

    label: str
    number: str
    caption: str
    heads: Sequence[Head]
    rows: Sequence[Line | str]
    spans: Sequence[str] = ()
    matrix: bool = False


@dataclass(frozen=True)
class Block:
    """A table under the name of its reading, or several blocks; folded where there is a summary.

    Of the blocks in one of the class ``errorest-readings`` a page shows one: its reader chooses by name and repeats.
    """

    grid: Grid | None = None
    reading: str = ""
    name: str = ""
    repeats: str = ""
    summary: str = ""
    css: str = ""
    blocks: Sequence[Block] = ()


class ArtifactTables:
    """Lays out the numbers of a manifest; those that differ lead to their reason, if the page lists the reasons."""

    def __init__(self, manifest: _Record, reasons: Sequence[str] = ()) -> None:
        self._manifest = manifest
        self._reasons = {reason: place for place, reason in enumerate(reasons, 1)}
        self._label = labeller(manifest["labels"])
        self._leading = declared_of(manifest["id"]).get("leading")
        self._title = f"{manifest['number']}: {manifest['title']}"
        self._all_exact = all(r["se"] == 0 and r["n"] <= 1 for r in manifest["rows"])
        self._printed: dict[_Key, _Record] = {(c["row"], c["column"]): c for c in manifest["comparison"]}
        self._judged = {(c["row"], c["column"], c["reading"], c["scale"]): c for c in reversed(manifest["comparison"])}
        rows = [{**r, **parts_of(r["artifact"], r["row"], r["column"])} for r in manifest["rows"]]
        # by role and key, the first row of each run
        self._ours: dict[str, dict[_Key, dict[_Run, _Record]]] = {role: {} for role in ("value", "label", *ROLES)}
        for r in rows:
            runs = self._ours[r["role"]].setdefault((r["of_row"], r["of_column"]), {})
            runs.setdefault((r["reading"], r["scale"]), r)
        self._lines = {r["row"]: (r["group"], r["line"]) for r in rows}
        for c in manifest["comparison"]:
            parts = parts_of(c["artifact"], c["row"], c["column"])
            self._lines.setdefault(c["row"], (parts["group"], parts["line"]))
        # in the order of the rows; a label stands where there is no number
        numbers = self._ours["label"] | self._ours["value"]
        self._shown = {
            key: numbers[key]
            for key, role in (((r["of_row"], r["of_column"]), r["role"]) for r in rows)
            if role == "value" or (role == "label" and key not in self._ours["value"])
        }

    def blocks(self) -> list[Block]:
        """Return the numbers, by reading and repeats, of which a page shows one at a time; then the half-widths."""
        runs = list(dict.fromkeys((r["reading"], r["scale"]) for r in self._manifest["rows"]))
        first = [run for run in runs if "enlarged" not in run[1]]
        more = [run for run in runs if "enlarged" in run[1]]
        if not runs:
            return []
        lay_out = self._grids if self._manifest.get("matrix") else self._list
        head, *others = [*lay_out(first or more), *(lay_out(more) if first and more else [])]
        tables = [head, *(replace(one, summary=", ".join(filter(None, (one.name, one.repeats)))) for one in others)]
        blocks = [Block(blocks=tables, css="errorest-readings") if others else head]
        if any(c["halfwidth_verdict"] for c in self._manifest["comparison"]):
            blocks.append(Block(self._half_widths(first), summary="Half-widths"))
        return blocks

    def readings(self, *, brief: bool = False) -> dict[str, str]:
        """Return what each reading means that the tables have, or the headline alone; nothing where all is literal."""
        runs = self._headline_runs().values() if brief else [run for of in self._shown.values() for run in of]
        names = dict.fromkeys(reading for reading, _ in runs)
        if {*names} <= {"literal"}:
            return {}
        return {name: meaning_of_reading(self._manifest["paper"], name) for name in sorted(names, key=order_of)}

    def marks(self, pictures: Sequence[Mapping[_Key, tuple[float, float]]]) -> list[list[Values]]:
        """Return the marks of each picture with the rows that they show."""
        return [
            [
                {
                    "anchor": row_anchor(self._manifest, *key),
                    "name": ", ".join(map(self._label, key)),
                    "left": left,
                    "top": top,
                }
                for key, (left, top) in places.items()
            ]
            for places in pictures
        ]

    def _headline_runs(self) -> dict[_Key, _Run]:
        """Return the run that stands for each number: literal before unstated before fitted, at published repeats."""
        return {
            key: min(of, key=lambda run: (order_of(run[0]), "enlarged" in run[1])) for key, of in self._shown.items()
        }

    def headline(self) -> Block | None:
        """Return the headline reading at the published scale as a grid; none where it is too long for a text.

        The shorter side of the keys gives the columns; a grid with more gaps than numbers is a list instead.
        """
        runs = self._headline_runs()
        figure = self._manifest.get("figure")
        if figure and declared_of(self._manifest["id"]).get("figure-alone"):
            return None
        if not runs or len(runs) > (_HEADLINE_NUMBERS if figure else _HEADLINE_NUMBERS_ALONE):
            return None
        rows, columns = (list(dict.fromkeys(key[side] for key in runs)) for side in (0, 1))
        if turned := len(columns) > min(_HEADLINE_COLUMNS, len(rows)):
            rows, columns = columns, rows
        # of readings with equally many numbers the first: a set would choose by the hashes of this process
        base = max(dict.fromkeys(runs.values()), key=list(runs.values()).count)
        caption = self._caption(base[1], signs=True)
        if len(columns) > _HEADLINE_COLUMNS or 2 * len(runs) < len(rows) * len(columns):
            listed = [(key, self._pair(key, run, base, paired=True, brief=True)) for key, run in runs.items()]
            heads = [Head("Published"), Head("Ours")] if self._printed else [Head("Ours")]
            return Block(self._grouped(listed, heads, caption))
        paired = bool(self._printed) and len(columns) <= _PAIRED_COLUMNS
        columns.sort(key=lambda column: column != self._leading)
        lines: list[Line | str] = []
        for row in rows:
            keys = [(column, row) if turned else (row, column) for column in columns]
            cells = [c for key in keys for c in self._pair(key, runs.get(key), base, paired=paired, brief=True)]
            lines.append(Line(self._label(row), "", cells))
        if self._printed and not paired:
            caption += " The printed number stands below ours."
        return Block(self._pivot(self._title, caption, columns, lines, paired=paired, matrix=paired))

    def _pair(self, key: _Key, run: _Run | None, base: _Run, *, paired: bool, brief: bool = False) -> list[Cell]:
        """Return a number of ours with the printed one, before it or below it; empty where there is neither."""
        if run is None:
            return [Cell()] * (1 + (paired and bool(self._printed)))
        ours = replace(self._number(key, run), note="" if run[0] == base[0] else run[0], note_name="reading")
        if brief:
            ours = replace(ours, small=ours.small.removeprefix("exact"))
        if not self._printed:
            return [ours]
        printed = self._print(key)
        return [printed, ours] if paired else [replace(ours, printed=f"{printed.relation}{printed.text}")]

    def _pivot(
        self,
        label: str,
        caption: str,
        columns: Sequence[str],
        lines: Sequence[Line | str],
        *,
        paired: bool,
        matrix: bool = True,
    ) -> Grid:
        """Return a grid with a column for each quantity, or a pair of the printed number and ours."""
        names = [self._label(column) for column in columns]
        heads = [Head("Published"), Head("Ours")] * len(columns) if paired else [Head(name) for name in names]
        return Grid(label, self._manifest["number"], caption, heads, lines, names if paired else (), matrix)

    def _list(self, runs: Sequence[_Run]) -> list[Block]:
        """Lay out the numbers one below the other, with a pair of columns for each run."""
        heads = [Head("Published")] if self._printed else []
        for reading, _ in runs:
            heads.append(Head(breakable(reading)))
            if self._printed:
                heads.append(Head("Verdict" if self._manifest["scale"] == "published" else "z", "text"))
        rows = []
        for key in sorted(dict.fromkeys([*self._printed, *self._shown]), key=lambda key: key[1] != self._leading):
            cells = [self._print(key)] if self._printed else []
            for ours in (self._number(key, run) for run in runs):
                cells.append(replace(ours, verdict="", z="", why=0))
                cells += [Cell(verdict=ours.verdict, z=ours.z, why=ours.why)] if self._printed else []
            rows.append((key, cells))
        enlarged = any("enlarged" in scale for _, scale in runs)
        grid = self._grouped(rows, heads, self._caption(runs[0][1]), runs=[] if enlarged else runs)
        return [Block(grid, repeats=_ENLARGED if enlarged else _PAPERS)]

    def _half_widths(self, runs: Sequence[_Run]) -> Grid:
        """Lay out the printed half-widths, ours by the paper's rule, and the honest ones."""
        honest = self._ours["honest-halfwidth"]
        heads = [Head("Published")]
        for reading, _ in runs:
            heads += [Head(breakable(reading), small="the paper's rule"), Head("Verdict", "text")]
            heads += [Head("honest")] if honest else []
        rows = []
        for key in (key for key in self._ours["halfwidth"] if key in self._printed):
            decimals = self._printed[key]["decimals"]
            cells = [Cell(f"{self._printed[key]['halfwidth']:.{int(decimals)}f}")]
            for run in runs:
                judged = self._judged.get((*key, *run))
                cells.append(Cell(number(judged["ours_halfwidth"], 0.01, decimals) if judged else "–"))
                cells.append(Cell(verdict=judged["halfwidth_verdict"] if judged else ""))
                if honest:
                    own = honest.get(key, {}).get(run)
                    cells.append(Cell(number(own["value"], 0.01, decimals) if own else "–"))
            rows.append((key, cells))
        return self._grouped(rows, heads, "Printed half-widths, ours by the paper's rule, and the honest ones.")

    def _grouped(
        self,
        rows: Sequence[tuple[_Key, Sequence[Cell]]],
        heads: Sequence[Head],
        caption: str,
        *,
        runs: Sequence[_Run] = (),
    ) -> Grid:
        """Group rows by the shorter side of their keys, so that a group is a list to read down; cite ours of runs."""
        by_column = len({c for (_, c), _ in rows}) <= len({r for (r, _), _ in rows})
        groups: dict[str, list[Line | str]] = {}
        for (row, column), cells in rows:
            line = Line(self._label(row if by_column else column), "", cells)
            if runs:
                anchor = row_anchor({**self._manifest, "matrix": False}, row, column)
                line = line._replace(anchor=anchor, cite=self._cited({(row, column): runs}))
            groups.setdefault(column if by_column else row, []).append(line)
        named = len(groups) > 1 or by_column
        lines = [line for name, own in groups.items() for line in ([self._label(name), *own] if named else own)]
        return Grid(self._title, self._manifest["number"], caption, heads, lines)

    def _grids(self, runs: Sequence[_Run]) -> list[Block]:
        """Lay out the headline readings as a grid, then, folded, each reading that has more."""
        every = dict.fromkeys([*self._printed, *self._shown])
        first = {key: next((run for run in runs if run in self._shown.get(key, ())), runs[0]) for key in every}
        name, repeats = runs[0][0] if len(runs) > 1 else "", _ENLARGED if "enlarged" in runs[0][1] else _PAPERS
        blocks = [Block(self._grid(first, runs[0]), reading=name, name=name, repeats=repeats)]
        for run in runs[1:]:
            own = {key: run for key in every if run in self._shown.get(key, ()) and first[key] != run}
            if own:
                blocks.append(Block(self._grid(own, run, anchored=False), name=run[0], repeats=repeats))
        return blocks

    def _grid(self, runs: Mapping[_Key, _Run], base: _Run, *, anchored: bool = True) -> Grid:
        """Lay out numbers as a grid; one of another run than the grid's names its reading."""
        paired = bool(self._printed)
        columns = sorted(dict.fromkeys(column for _, column in runs), key=lambda column: column != self._leading)
        # a paper that prints two classifiers side by side interleaves their rows
        names_of_rows = {row: self._lines[row] for row in dict.fromkeys(row for row, _ in runs)}
        grouped = all(group for group, _ in names_of_rows.values())
        groups: dict[str, list[tuple[str, str]]] = {}
        for row, (group, name) in names_of_rows.items():
            groups.setdefault(group if grouped else "", []).append((row, name if grouped else row))
        lines: list[Line | str] = []
        for group, rows in groups.items():
            lines += [self._label(group)] if group else []
            for row, name in rows:
                keys = [(row, column) for column in columns]
                cells = [cell for key in keys for cell in self._pair(key, runs.get(key), base, paired=True)]
                line = Line(self._label(name), "", cells)
                if anchored and "enlarged" not in base[1]:
                    cite = self._cited({key: [runs[key]] for key in keys if key in runs})
                    line = line._replace(anchor=row_anchor(self._manifest, row, ""), cite=cite)
                lines.append(line)
        label, caption = f"{self._title}, {base[0]}", self._caption(base[1], signs=True)
        return self._pivot(label, caption, columns, lines, paired=paired)

    def _cited(self, numbers: Mapping[_Key, Sequence[_Run]]) -> str:
        """Write numbers of a row as a reference gives them: quantity, print, and ours by reading with its error."""
        ours = "regenerated" if self._printed else "measured"
        texts = []
        for key, runs in numbers.items():
            sides = [("printed", self._print(key), "")] if key in self._printed else []
            sides += [(ours, self._number(key, run), f"({run[0]})") for run in runs if run in self._shown.get(key, ())]
            parts = [" ".join(filter(None, (side, f"{c.relation}{c.text}", c.small, of))) for side, c, of in sides]
            texts.append(f"{self._label(key[1])}: {', '.join(parts)}")
        return f"{self._label(next(iter(numbers))[0])}. {'; '.join(texts)}"

    def _number(self, key: _Key, run: _Run) -> Cell:
        """Return our number, or our label, of a key with its verdict."""
        ours, printed = self._shown.get(key, {}).get(run), self._printed.get(key)
        if ours is None:
            return Cell("–")
        if ours["role"] == "label":
            cell = Cell(ours["label"])
        else:
            cell = with_error(ours, printed["decimals"] if printed else None, all_exact=self._all_exact)
        judged = self._judged.get((*key, *run), {"verdict": "", "z": None, "note": ""})
        z, why = judged["z"], self._reasons.get(judged["note"], 0) if judged["verdict"] == "differs" else 0
        z = number(z, 0.1, 0) if z is not None and isfinite(z) else ""
        return replace(cell, verdict=judged["verdict"], z=z, why=why)

    def _print(self, key: _Key) -> Cell:
        p = self._printed.get(key)
        if p is None:
            return Cell("–")
        half, text = p["halfwidth"], str(p["printed"])
        width = f"(half-width {half:.{int(p['decimals'] or 0)}f})" if half is not None and isfinite(half) else ""
        text = text.replace("-", "−") if _NUMERIC.fullmatch(text) else text
        return Cell(text, width, relation=_RELATIONS.get(p["relation"], ""), note=p["note"] or "")

    def _caption(self, scale: str, *, signs: bool = False) -> Markup:
        """Return the caption, which ends with whose numbers stand there, and from which run."""
        compared = bool(self._printed)
        caption = fill(
            "caption.html",
            m=self._manifest,
            own=not PAPERS[self._manifest["paper"]].printed,
            enlarged="enlarged" in scale,
            compared=compared,
            all_exact=self._all_exact,
            signs=signs and compared,
        )
        return Markup(caption)


def with_error(ours: _Record, decimals: float | None, *, all_exact: bool) -> Cell:
    """Return a number with its standard error, or the reason why there is none: sampled numbers are not exact."""
    value, se, n = ours["value"], ours["se"], ours["n"]
    few = f": {counted(n, 'sample')}" if 0 < n <= _FEW else ""
    if value is None or not isfinite(value):
        return Cell(small=f"not defined{few}")
    if se is not None and 0 < se <= _ROUNDING * max(1.0, abs(value)):
        # sums of equal numbers leave this much
        se = 0.0
    if se is not None and isfinite(se) and se > 0:
        text, error = measured(value, se, decimals)
        return Cell(text, f"± {error}")
    text = number(value, se, decimals)
    if se is None or not isfinite(se):
        return Cell(text)
    if all_exact:
        return Cell(text)
    return Cell(text, "exact") if n <= 1 else Cell(text, samples=n)


_OUTCOME_CLASSES = {"holds": "reproduced", "fails": "differs", "holds in part": "close", "not decided": "none"}
# The outcome of a claim in a run that is not the published one, which can settle nothing
_IN_THIS_RUN = {"holds": "so in this run", "fails": "not so in this run", "holds in part": "in part, in this run"}


@dataclass(frozen=True)
class Placed:
    """What a page of the book adds to an artifact."""

    commit: str
    source: str
    work: Work
    part: Part
    made: Sequence[tuple[str, str, str]] = ()
    """The functions that made it: what each does, its name, and where its source is shown."""
    marks: Sequence[Mapping[_Key, tuple[float, float]]] = ()
    """Where the numbers stand in each of its pictures, in percent from the left and from the top."""


def artifact_html(manifest: _Record, files: str, placed: Placed | None = None) -> str:
    """Render an artifact from its manifest."""
    downloads = []
    for name in manifest["files"]:
        stem, _, kind = name.rpartition(".")
        part = stem.removeprefix(manifest["id"]).strip("-")
        downloads.append((name, f"{kind.upper()} ({part})" if part else kind.upper()))
    comparison = manifest["comparison"]
    # on why numbers differ, each headline number once
    notes = Counter(filter(None, headline(pd.DataFrame(comparison))["note"])) if comparison else Counter()
    tables = ArtifactTables(manifest, list(notes))
    return fill(
        "artifact.html",
        **_shared(manifest, files),
        blocks=tables.blocks(),
        readings=tables.readings(),
        marks=tables.marks(placed.marks if placed else ()),
        wholes=[
            w["said"] for w in manifest.get("wholes", []) if (w["reading"], w["scale"]) == ("headline", "published")
        ],
        notes=notes,
        downloads=downloads,
        placed=placed,
        state=short(placed.commit) if placed else (),
        apa=apa(placed.work, placed.part) if placed else "",
        bibtex=bibtex(placed.work, placed.part) if placed else "",
    )


def story_html(manifest: _Record, files: str, placed: Placed, counts: str) -> str:
    """Render what the text shows of an artifact: figure, headline reading, findings, code, and a link to the rest."""
    parts = {
        "every reading and scale": manifest["rows"],
        "claims": manifest["checks"] and manifest["figure"],
        "downloads and provenance": True,
    }
    tables = ArtifactTables(manifest)
    headline = tables.headline()
    return fill(
        "story.html",
        **_shared(manifest, files),
        headline=headline,
        marks=tables.marks(placed.marks),
        readings=tables.readings(brief=True) if headline else {},
        counts=counts,
        what=", ".join(name for name, there in parts.items() if there),
        placed=placed,
    )


def _shared(manifest: _Record, files: str) -> Values:
    """Return what both templates of an artifact take."""
    published = manifest["scale"] == "published"
    claims = {"outcomes": {} if published else _IN_THIS_RUN, "outcome_classes": _OUTCOME_CLASSES}
    shown = {"m": {"figure": None, **manifest}, "files": files, "published": published}
    return {**shown, "larger": of_larger_run(manifest), **claims}
