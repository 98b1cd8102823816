"""An artifact as HTML: caption, picture or table, verdicts, checks, provenance, downloads.

The same function serves the executed notebook, a single run's page and the
book; only what a page adds to it differs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import Any

import pandas as pd
from markdown_it import MarkdownIt

from compendium.book.citation import Part, Work, apa, bibtex
from compendium.book.labels import labeller
from compendium.book.matrix import matrix_html, sign
from compendium.book.numbers import number, row_anchor
from compendium.book.pictured import pictured
from compendium.book.source_state import short
from compendium.evidence.claims import counted
from compendium.evidence.side_by_side import COUNTS_FIRST
from compendium.evidence.verdicts import OWN, counts

__all__ = ["Placed", "artifact_html", "badge", "scroll", "words"]

_MARKDOWN = MarkdownIt("commonmark", {"html": False})
_SAMPLED = '<abbr title="samples without spread, or without a standard error of their number">n = {n:,}</abbr>'
_ROUNDING = 1e-12
_FEW = 3
"""So few samples, or fewer, explain by themselves why a number is not defined."""
_CLASSES = {"not testable": "not-testable", "no power": "no-power", "no verdict": "none"}
_LONG = 30
"""Rows from which on, exclusively, a table that stands under a figure is folded."""
_OUTCOMES = {"holds": "reproduced", "fails": "differs", "holds in part": "close", "not decided": "none"}
_IN_THIS_RUN = {"holds": "so in this run", "fails": "not so in this run", "holds in part": "in part, in this run"}
"""What follows for a claim from a run that is not the published one, which can settle nothing."""
_SCALES = {"published": "at the paper's repeats", "enlarged": "with more repeats"}


def words(text: str) -> str:
    """Render one line of Markdown (emphasis, code) to HTML."""
    return str(_MARKDOWN.renderInline(text))


def badge(verdict: str, css: str | None = None) -> str:
    """Render a verdict as a badge that differs in text and shape, not by colour alone."""
    return f'<span class="verdict {css or _CLASSES.get(verdict, verdict)}">{escape(verdict)}</span>'


def _counting_first(keys: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put the column that counts before the others."""
    return sorted(keys, key=lambda key: key[1] not in COUNTS_FIRST)


def scroll(table: str, label: str) -> str:
    """Wrap a table so that a phone can scroll it and a keyboard can reach it."""
    return f'<div class="errorest-scroll" tabindex="0" role="region" aria-label="{escape(label)}">{table}</div>'


@dataclass(frozen=True)
class Placed:
    """What a page of the book adds to an artifact."""

    commit: str
    source: str
    work: Work
    part: Part


def artifact_html(manifest: Mapping[str, Any], files: str, placed: Placed | None = None) -> str:
    """Render an artifact from its manifest."""
    # where every number is exact, its caption says so once
    manifest = {**manifest, "all_exact": all(r["se"] == 0 and r["n"] <= 1 for r in manifest["rows"])}
    parts = [f'<section class="errorest-artifact" aria-label="{escape(manifest["number"])}">']
    if manifest.get("figure"):
        parts.append(_figure(manifest, files))
    if manifest["rows"]:
        parts.append(_tables(manifest))
    parts += [
        f'<p class="errorest-came-out"><strong>As a whole.</strong> {words(w["said"])}</p>'
        for w in manifest.get("wholes", [])
        if (w["reading"], w["scale"]) == ("headline", "published")
    ]
    if manifest["findings"]:
        parts += [f'<p class="errorest-came-out">{words(f)}</p>' for f in manifest["findings"]]
    if manifest["checks"]:
        parts.append(_checks(manifest))
    if manifest["errata"]:
        parts.append(_errata(manifest))
    parts.append(_downloads(manifest, files))
    parts.append(f'<p class="errorest-provenance">{_provenance(manifest, placed)}</p>')
    # numbers of a preview or of a reader's own parameters are not what the reference names
    if placed is not None and manifest["scale"] == "published":
        parts.append(_citation(placed))
    parts.append("</section>")
    return "\n".join(parts)


def _figure(manifest: Mapping[str, Any], files: str) -> str:
    figure = manifest["figure"]
    caption = f"<strong>{escape(manifest['number'])}.</strong> {words(figure['caption'])}"
    dark = f"{files}{figure['dark']}" if "dark" in figure else ""
    return pictured(f"{files}{figure['svg']}", dark, figure["alt"], caption)


def _runs(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Readings and scales in the order in which they were run."""
    return list(dict.fromkeys((r["reading"], r["scale"]) for r in manifest["rows"]))


def _tables(manifest: Mapping[str, Any]) -> str:
    """Write the numbers at the paper's repeats, then those with more, then the half-widths."""
    runs = _runs(manifest)
    first = [r for r in runs if "enlarged" not in r[1]]
    more = [r for r in runs if "enlarged" in r[1]]
    parts = [_table(manifest, first or more)] if not manifest.get("matrix") else _matrices(manifest, first or more)
    parts[:1] = [_folded(manifest, parts[0])]
    if first and more:
        further = "".join(_matrices(manifest, more)) if manifest.get("matrix") else _table(manifest, more)
        parts.append(f"<details><summary>With more repeats</summary>{further}</details>")
    if any(r["column"].endswith("/halfwidth") for r in manifest["rows"]) and any(
        c["halfwidth_verdict"] for c in manifest["comparison"]
    ):
        parts.append(f"<details><summary>Half-widths</summary>{_halfwidths(manifest, first)}</details>")
    return "".join(parts)


def _folded(manifest: Mapping[str, Any], table: str) -> str:
    """Fold a long table under its figure; the line that stands for it counts its rows and verdicts."""
    rows = table.count('<th scope="row"')
    if rows <= _LONG or not manifest.get("figure"):
        return table
    found = counts(pd.DataFrame(manifest["comparison"])) if manifest["comparison"] else {}
    told = "".join(f", {n} {verdict}" for verdict, n in found.items() if n)
    return (
        f'<details class="errorest-long"><summary>{escape(manifest["number"])} in numbers: {rows} rows{told}</summary>'
        f"{table}</details>"
    )


def _matrices(manifest: Mapping[str, Any], runs: list[tuple[str, str]]) -> list[str]:
    """Write a grid of the headline readings, then a folded one for each reading that has more to say."""
    printed = {(c["row"], c["column"]): c for c in manifest["comparison"]}
    made: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for r in manifest["rows"]:
        made.setdefault((r["row"], r["column"].partition("=")[0]), []).append((r["reading"], r["scale"]))
    first = {key: next((run for run in runs if run in own), runs[0]) for key, own in made.items()}

    def theirs(row: str, column: str, _: tuple[str, str]) -> str:
        return _printed(printed.get((row, column)))

    def ours(row: str, column: str, run: tuple[str, str]) -> str:
        one = _find(manifest["rows"], row, column, run)
        judged = _find(manifest["comparison"], row, column, run)
        if one is None and (row, column) in printed and printed[row, column]["kind"] == "label":
            return f"{escape(_said(manifest, row, column, run))} {_sign(judged)}"
        if one is None:
            return "–"
        decimals = printed[row, column]["decimals"] if (row, column) in printed else None
        return f"{_with_error(one, decimals, all_exact=manifest['all_exact'])} {_sign(judged)}".rstrip()

    def headline(row: str, column: str, run: tuple[str, str]) -> str:
        own = first.get((row, column), run)
        mark = "" if own[0] == run[0] else f' <abbr class="errorest-note" title="{escape(own[0])}">reading</abbr>'
        return ours(row, column, own) + mark

    label = labeller(manifest["labels"])
    own = [(r["row"], r["column"]) for r in manifest["rows"] if not _beside(r["column"])]
    every = list(dict.fromkeys([*printed, *own]))
    parts = []
    for place, run in enumerate(runs):
        keys = every if place == 0 else [k for k in every if run in made.get(k, []) and first[k] != run]
        if not keys:
            continue
        caption = f"<strong>{escape(manifest['number'])}.</strong> {_caption(manifest, run[1], bool(printed))}"
        if printed and manifest["scale"] == "published":
            caption += " Signs: ✓ reproduced, ≈ close, × differs, ○ no power, ? not testable."
        table = matrix_html(
            keys,
            run,
            caption,
            theirs if printed else None,
            headline if place == 0 else ours,
            label,
            (lambda row: row_anchor(manifest, row, "")) if place == 0 and "enlarged" not in run[1] else None,
        )
        table = scroll(table, f"{manifest['number']}: {manifest['title']}, {run[0]}")
        folded = f"<details><summary>Reading: {_reading(run[0])}</summary>{table}</details>"
        # one part with its table, since a long one is folded
        named = f'<p class="errorest-reading">Reading: {_reading(run[0])}</p>' if len(runs) > 1 else ""
        parts.append(named + table if place == 0 else folded)
    return parts


def _caption(manifest: Mapping[str, Any], scale: str, compared: bool) -> str:
    caption = words(manifest["caption"] or manifest["title"])
    if manifest["paper"] == OWN:
        if manifest["all_exact"]:
            return f"{caption} All values are exact."
        return f"{caption} Beside each value stands its standard error, where it has one."
    if manifest["scale"] == "published":
        error = "all exact" if manifest["all_exact"] else "with its standard error"
        return f"{caption} Ours {_SCALES.get(scale, '')}, {error}."
    more = ", with more repeats" if "enlarged" in scale else ""
    caption += f" This run's numbers{more}, with standard errors where they have one."
    if not manifest.get("prints", True):
        return f"{caption} The paper prints none here."
    changed = ", ".join(manifest["provenance"]["changed"])
    if manifest.get("relation") == "design" and manifest["scale"] == "own":
        return f"{caption} Other design than the paper's ({escape(changed)}): not comparable. No verdict."
    if not compared:
        return f"{caption} No verdict: the scale or the parameters are not the paper's."
    other = f"other repeats ({escape(changed)})" if changed else "other seed"
    return f"{caption} Same experiment, {other}: z is the distance from the print in standard errors. No verdict."


def _table(manifest: Mapping[str, Any], runs: list[tuple[str, str]]) -> str:
    printed = {(c["row"], c["column"]): c for c in manifest["comparison"]}
    labels = {k for k, c in printed.items() if c["kind"] == "label"}
    known = {(r["row"], r["column"]) for r in manifest["rows"]}
    shown = [r for r in manifest["rows"] if not _beside(r["column"], r["row"], labels | known)]
    keys = _counting_first(list(dict.fromkeys([*printed, *((r["row"], r["column"]) for r in shown)])))
    compared = bool(printed)

    def cells(row: str, column: str) -> str:
        theirs = f'<td class="num">{_printed(printed.get((row, column)))}</td>' if compared else ""
        return theirs + "".join(_cells(manifest, row, column, run, printed) for run in runs)

    heads = ['<th scope="col" class="num">Published</th>'] if compared else []
    for reading, _ in runs:
        heads.append(f'<th scope="col" class="num">{_reading(reading)}</th>')
        judged = "Verdict" if manifest["scale"] == "published" else "z"
        heads += [f'<th scope="col" class="text">{judged}</th>'] if compared else []
    caption = _caption(manifest, runs[0][1] if runs else manifest["scale"], compared)
    return _grouped(manifest, keys, heads, cells, caption, anchors=all("enlarged" not in scale for _, scale in runs))


def _beside(column: str, row: str = "", known: Container[tuple[str, str]] | None = None) -> bool:
    """Say whether a row of ours stands beside another: a half-width, quantiles of reruns, a number of another label."""
    if column.endswith("halfwidth") or "/reruns-" in column:
        return True
    name, named, _ = column.partition("=")
    return bool(named) and (known is None or (row, name) in known)


def _reading(reading: str) -> str:
    """Write a reading's name so that it may break after its kind."""
    return escape(reading).replace(":", ":<wbr/>")


def _halfwidths(manifest: Mapping[str, Any], runs: list[tuple[str, str]]) -> str:
    printed = {(c["row"], c["column"]): c for c in manifest["comparison"]}
    width = [(r["row"], r["column"].removesuffix("/halfwidth")) for r in manifest["rows"]
             if r["column"].endswith("/halfwidth")]  # fmt: skip
    keys = [k for k in dict.fromkeys(width) if k in printed]

    def cells(row: str, column: str) -> str:
        decimals = printed[row, column]["decimals"]
        out = [f'<td class="num">{printed[row, column]["halfwidth"]:.{int(decimals)}f}</td>']
        for run in runs:
            judged = _find(manifest["comparison"], row, column, run)
            honest = _find(manifest["rows"], row, f"{column}/honest-halfwidth", run)
            ours = number(judged["ours_halfwidth"], 0.01, decimals) if judged else "–"
            out.append(f'<td class="num">{ours}</td>')
            out.append(f'<td class="text">{badge(judged["halfwidth_verdict"]) if judged else ""}</td>')
            if honest is not None:
                out.append(f'<td class="num">{number(honest["value"], 0.01, decimals)}</td>')
        return "".join(out)

    honest = any(r["column"].endswith("/honest-halfwidth") for r in manifest["rows"])
    heads = ['<th scope="col" class="num">Published</th>']
    for reading, _ in runs:
        heads.append(f'<th scope="col" class="num">{_reading(reading)}<br/><small>the paper\'s rule</small></th>')
        heads.append('<th scope="col" class="text">Verdict</th>')
        heads += ['<th scope="col" class="num">honest</th>'] if honest else []
    return _grouped(manifest, keys, heads, cells, "Printed half-widths, ours by the paper's rule, and the honest ones.")


def _grouped(
    manifest: Mapping[str, Any],
    keys: list[tuple[str, str]],
    heads: list[str],
    cells: Callable[[str, str], str],
    caption: str,
    *,
    anchors: bool = False,
) -> str:
    """Lay out keys in groups; the shorter side of the keys heads them, so that a group is a list to read down."""
    by_column = len({c for _, c in keys}) <= len({r for r, _ in keys})
    groups: dict[str, list[tuple[str, str]]] = {}
    for row, column in keys:
        groups.setdefault(column if by_column else row, []).append((row, column))
    body = []
    label = labeller(manifest["labels"])
    for name, members in groups.items():
        if len(groups) > 1 or by_column:
            across = f'scope="rowgroup" colspan="{len(heads) + 1}"'
            body.append(f'<tr class="errorest-group"><th {across}>{escape(label(name))}</th></tr>')
        for row, column in members:
            own = label(row if by_column else column)
            anchor = f' id="{row_anchor({**manifest, "matrix": False}, row, column)}"' if anchors else ""
            body.append(f'<tr><th scope="row"{anchor}>{escape(own)}</th>{cells(row, column)}</tr>')
    table = (
        f'<table class="errorest-table"><caption><span class="errorest-caption">'
        f"<strong>{escape(manifest['number'])}.</strong> {caption}</span></caption>"
        f'<thead><tr><th scope="col">Quantity</th>{"".join(heads)}</tr></thead><tbody>{"".join(body)}</tbody></table>'
    )
    return scroll(table, f"{manifest['number']}: {manifest['title']}")


def _find(rows: list[dict[str, Any]], row: str, column: str, run: tuple[str, str]) -> dict[str, Any] | None:
    wanted = (row, column, *run)
    return next((r for r in rows if (r["row"], r["column"], r["reading"], r["scale"]) == wanted), None)


def _said(manifest: Mapping[str, Any], row: str, column: str, run: tuple[str, str]) -> str:
    """Return our label of a key, or a dash."""
    for r in manifest["rows"]:
        if (r["row"], r["column"].partition("=")[0], r["reading"], r["scale"]) == (row, column, *run):
            return str(r["column"].partition("=")[2])
    return "–"


def _cells(
    manifest: Mapping[str, Any],
    row: str,
    column: str,
    run: tuple[str, str],
    printed: Mapping[tuple[str, str], Mapping[str, Any]],
) -> str:
    """Write our value with its error, and the verdict, of one number in one reading and scale."""
    ours = _find(manifest["rows"], row, column, run)
    if ours is None and (row, column) in printed and printed[row, column]["kind"] == "label":
        judged = _verdict(_find(manifest["comparison"], row, column, run))
        return f'<td class="num">{escape(_said(manifest, row, column, run))}</td><td class="text">{judged}</td>'
    if ours is None:
        return '<td class="num">–</td>' + ('<td class="text"></td>' if printed else "")
    theirs = printed.get((row, column))
    decimals = theirs["decimals"] if theirs else None
    out = f'<td class="num">{_with_error(ours, decimals, all_exact=manifest["all_exact"])}</td>'
    if printed:
        out += f'<td class="text">{_verdict(_find(manifest["comparison"], row, column, run))}</td>'
    return out


def _printed(p: Mapping[str, Any] | None) -> str:
    if p is None:
        return "–"
    sign = {">": "&gt; ", "~": "≈ "}.get(p["relation"], "")
    half = p["halfwidth"]
    named = half is not None and isfinite(half)
    width = f" <small>(half-width {half:.{int(p['decimals'] or 0)}f})</small>" if named else ""
    note = f' <abbr class="errorest-note" title="{escape(p["note"])}">note</abbr>' if p["note"] else ""
    text = str(p["printed"])
    return f"{sign}{escape(text.replace('-', '−') if _numeric(text) else text)}{width}{note}"


def _numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _with_error(ours: Mapping[str, Any], decimals: float | None, *, all_exact: bool) -> str:
    """Write a number with its standard error, or say why there is none: what was sampled is not exact for that."""
    value, se, n = ours["value"], ours["se"], ours["n"]
    few = f": {counted(n, 'sample')}" if 0 < n <= _FEW else ""
    if value is None or not isfinite(value):
        return f"<small>not defined{few}</small>"
    if se is not None and 0 < se <= _ROUNDING * max(1.0, abs(value)):
        # sums of equal numbers leave this much
        se = 0.0
    text = number(value, se, decimals)
    if se is None or not isfinite(se):
        return f"{text} <small>± not defined{few}</small>" if few else text
    if se == 0:
        return text if all_exact else f"{text} <small>{'exact' if n <= 1 else _SAMPLED.format(n=n)}</small>"
    return f"{text} <small>± {number(se, se, decimals)}</small>"


def _verdict(c: Mapping[str, Any] | None) -> str:
    if c is None:
        return ""
    z = number(c["z"], 0.1, 0) if c["z"] is not None and isfinite(c["z"]) else ""
    if not c["verdict"]:
        return z
    return badge(c["verdict"]) + (f' <small class="errorest-z">z {z}</small>' if z else "")


def _sign(c: Mapping[str, Any] | None) -> str:
    """Write a verdict as a sign; of a run without verdicts the distance from the print."""
    if c is None or c["verdict"]:
        return sign(c)
    told = _verdict(c)
    return f"<small>z {told}</small>" if told else ""


def _checks(manifest: Mapping[str, Any]) -> str:
    own = {} if manifest["scale"] == "published" else _IN_THIS_RUN
    where = ", in this run" if own else ", executed"
    rows = "".join(
        f'<tr><th scope="row">{words(c["claim"])}</th><td data-label="Measured">{words(c["evidence"])}</td>'
        f'<td data-label="Outcome">{badge(own.get(c["outcome"], c["outcome"]), _OUTCOMES[c["outcome"]])}</td></tr>'
        for c in manifest["checks"]
    )
    return scroll(
        '<table class="errorest-table errorest-prose">'
        f"<caption>Claims{where} (± is one standard error)</caption>"
        "<thead><tr>"
        '<th scope="col">Claim</th><th scope="col">Measured</th><th scope="col">Outcome</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>",
        f"Claims about {manifest['number']}",
    )


def _errata(manifest: Mapping[str, Any]) -> str:
    items = "".join(
        f"<li><strong>{escape(e['place'])}{' (as scanned)' if e['as_scanned'] else ''}:</strong> prints "
        f"{words(e['printed'])}; {words(e['should_be'])}. {words(e['evidence'])}</li>"
        for e in manifest["errata"]
    )
    return (
        f'<p class="errorest-errata-title"><strong>Errors in print</strong></p><ul class="errorest-errata">{items}</ul>'
    )


def _downloads(manifest: Mapping[str, Any], files: str) -> str:
    links = []
    for name in manifest["files"]:
        kind = name.rsplit(".", 1)[-1].upper()
        stem = name.rsplit(".", 1)[0].removeprefix(manifest["id"]).strip("-")
        label = f"{kind} ({stem})" if stem else kind
        links.append(f'<a href="{files}{escape(name)}" download>{escape(label)}</a>')
    return f'<p class="errorest-downloads">Download: {" ".join(links)}</p>'


def _provenance(manifest: Mapping[str, Any], placed: Placed | None) -> str:
    p = manifest["provenance"]
    parts = [f"<code>{escape(manifest['id'])}</code>", f"notebook <code>{escape(manifest['notebook'])}</code>"]
    changed = p["changed"]
    text = ", ".join(f"{k}={v}" for k, v in changed.items()) if changed else "as published"
    parts.append(f"parameters: {escape(text)}")
    parts.append(f"seed {p['seed']}")
    if p["data"]:
        parts.append("data " + ", ".join(f"{escape(k)} <code>{v[:12]}</code>" for k, v in p["data"].items()))
    parts.append(f"code <code>{p['code'][:12]}</code>")
    if placed is not None:
        kind, state = short(placed.commit)
        parts.append(f"{kind} <code>{escape(state)}</code>")
        parts.append(f"source <code>{escape(placed.source)}</code>")
    return " · ".join(parts)


def _citation(placed: Placed) -> str:
    entry = escape(bibtex(placed.work, placed.part))
    return (
        f'<details class="errorest-citation"><summary>Cite {escape(placed.part.number)}</summary>'
        f"<p>{escape(apa(placed.work, placed.part))}</p>"
        f'<div class="highlight"><pre>{entry}</pre></div></details>'
    )
