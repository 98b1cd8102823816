"""The whole build: every notebook executed, every number compared, the book built and checked.

Only a complete build at published scale writes ``data/regenerated/``, and the table of coverage that the library ships.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from threading import Event

from compendium.book import catalogue, row_diff
from compendium.book.archive import import_archive
from compendium.book.manifests import recorded_manifests, write_words
from compendium.book.page_checks import check_site
from compendium.book.parameters import edited_parameters, resolve
from compendium.book.places import refuse_foreign, root, site_folder, store_folder, write_whole
from compendium.book.progress import Bar, seconds_of, usual_seconds, write_usual_seconds
from compendium.book.record import record_studies
from compendium.book.runs import Options, Run, execute, plan
from compendium.book.site import build_site
from compendium.book.source_state import remember, state
from compendium.book.verdict_tables import tally_lines
from compendium.evidence.papers import PAPERS
from compendium.evidence.records import Values
from compendium.evidence.texts import paper_of
from compendium.studies.store import Store
from compendium.studies.workers import number_of_jobs
from errorest.errors import UsageError

_PAGES_WEIGHT = 12.0
_START_WEIGHT = 6.0
_MOST_AT_ONCE = 4


def build_book(scale: str, options: Options, *, record: bool = False, archive: Path | None = None) -> int:
    """Execute, compare, build, check; prints where the book is and a summary of verdicts."""
    if scale != "published" and (record or archive is not None):
        raise UsageError("--record and --store are for the published scale", "leave them out, or --scale")
    site = site_folder(scale)
    refuse_foreign(site)
    for spec in catalogue.notebooks():
        if edited := edited_parameters(spec):
            raise UsageError(
                f"the parameters cell of {spec.path} was edited ({', '.join(edited)})",
                f"run: compendium run {spec.path}, or compendium params {spec.id} --write",
            )
    if archive is not None:
        import_archive(archive)
    made_of = state(scale)
    stored = store_folder().is_dir() and any(store_folder().iterdir())
    runs = _planned(scale)
    share = 0.05 if archive is not None else 1.0 if scale == "published" else 0.1
    with Bar([*(_START_WEIGHT + share * seconds_of(r.spec.id) / options.jobs for r in runs), _PAGES_WEIGHT]) as bar:
        complete = [run.complete for run in runs]
        for position in (place for place, one in enumerate(complete) if one):
            bar.skip(position)
        took = _execute_all(runs, scale, options, bar)
        if not all(complete):
            # one may have rewritten the table that the library ships, and another may quote it
            runs = _planned(scale)
            took = _execute_all(runs, scale, options, bar) | took
        bar.say("building the pages")
        manifests = [manifest for run in runs for manifest in run.manifests()]
        rows = row_diff.rows_of(manifests)
        for run in runs:
            # the pages show the last run: one that was finished before becomes it again
            if run.parts_before() != run.parts:
                run.record()
        build_site(scale, options.jobs, afresh=True)
        bar.report(len(runs), 1.0)
    lines = [f"Preview: {len(manifests)} artifacts at a reduced scale, no verdicts."]
    if scale == "published":
        lines = tally_lines(row_diff.judged_rows(rows))
        lines += row_diff.summarize_diff(row_diff.diff_rows(row_diff.recorded_rows(), rows))
        lines += row_diff.diff_outcomes(row_diff.outcomes_of(recorded_manifests()), row_diff.outcomes_of(manifests))
        write_regenerated(manifests)
        write_words(manifests)
        if record:
            # what was stored before this build took no time
            known = usual_seconds() if stored else {}
            write_usual_seconds({name: seconds for name, seconds in took.items() if name not in known})
            record_studies(Store(store_folder()))
    faults = check_site(site, manifests)
    summary = "\n".join(["", *lines])
    print(summary)
    for fault in faults:
        print(f"fault: {fault}", file=sys.stderr)
    if not faults:
        remember(scale, made_of, summary)
    print(f"\nOpen {site / 'index.html'}")
    return 1 if faults else 0


def _planned(scale: str) -> list[Run]:
    return [plan(spec, resolve(spec, {}, scale)) for spec in catalogue.notebooks()]


class _StoppedError(Exception):
    """Another notebook failed, or somebody interrupted."""


def _execute_all(runs: Sequence[Run], scale: str, options: Options, bar: Bar) -> dict[str, float]:
    """Execute notebooks side by side, those that take longest first; where one fails, the others are ended too.

    Returns the seconds of those that were executed, for one core.
    """
    at_once = max(1, min(options.jobs, number_of_jobs(-1), _MOST_AT_ONCE))
    workers = replace(options, jobs=max(1, options.jobs // at_once))
    took: dict[str, float] = {}
    stop = Event()

    def one(position: int) -> None:
        run = runs[position]

        def report(share: float) -> None:
            if stop.is_set():
                raise _StoppedError
            bar.report(position, share)

        report(0.0)
        bar.say(run.spec.id)
        began = time.monotonic()
        execute(run, workers, report)
        took[run.spec.id] = workers.jobs * (time.monotonic() - began)
        if scale == "published":
            # at once: notebooks that begin later may quote it
            write_shipped(run)

    waiting = sorted((i for i, run in enumerate(runs) if not run.complete), key=lambda i: -seconds_of(runs[i].spec.id))
    with ThreadPoolExecutor(at_once) as pool:
        tasks = [pool.submit(one, position) for position in waiting]
        try:
            wait(tasks, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
    errors = [task.exception() for task in tasks if not task.cancelled()]
    for error in sorted(filter(None, errors), key=lambda error: isinstance(error, _StoppedError)):
        raise error
    return took


def write_regenerated(manifests: Sequence[Values]) -> None:
    """Write ``data/regenerated/<paper>.csv``, the numbers, from the manifests of a complete published build."""
    folder = root() / "data" / "regenerated"
    frame = row_diff.rows_of(manifests)
    if not set(frame.scale) <= {"published", "enlarged"}:
        raise UsageError("a run at another scale cannot be written to data/regenerated", "run: make book")
    papers = frame.artifact.map(paper_of)
    for paper in PAPERS:
        own = frame[papers == paper]
        if len(own):
            ordered = own.sort_values("scale", key=lambda scale: scale == "enlarged", kind="stable")
            text = ordered.to_csv(index=False, lineterminator="\n", float_format="%.10g")
            path = folder / f"{paper}.csv"
            if not path.is_file() or path.read_text() != text:
                write_whole(path, text)


def write_shipped(run: Run) -> None:
    """Write what the library ships of a paper's results, from their runs at published scale."""
    for artifact, table in PAPERS[run.spec.paper].shipped.items():
        name = f"artifacts/{artifact}-table.csv"
        if name in run.files() and table.read_bytes() != run.read(name):
            write_whole(table, run.read(name))
