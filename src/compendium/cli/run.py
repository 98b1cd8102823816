"""``compendium run``: one notebook with parameters of a person's own, or the same with each of several values."""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compendium.book.folders import output_folder
from errorest.cli.output import complain, why_not_written
from errorest.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from compendium.book.progress import Bar
    from compendium.book.runs import Options, Run

__all__ = ["add_parser", "add_run_options", "add_worker_options", "cores", "jobs", "options_of", "planned"]

_UNSAFE = re.compile(r"[^A-Za-z0-9.=_-]+")
_TABLE = "results.csv"


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    one = commands.add_parser("run", help="execute a notebook, with parameters of your own if you like")
    one.add_argument("notebook", metavar="NOTEBOOK")
    one.add_argument("-p", dest="assignments", metavar="NAME=VALUE", action="append", default=[], help="a parameter")
    one.add_argument(
        "-f", dest="file", metavar="PARAMS.yml", type=Path, help="parameters as YAML; an import path in it runs code"
    )
    one.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="where the results go: a new folder, or one of an earlier run; by default ./NOTEBOOK-run",
    )
    one.add_argument("--no-page", action="store_true", help="leave the HTML page out, which takes seconds")
    one.add_argument(
        "--sweep",
        action="store_true",
        help="run once for each of the values that -p names, as in -p samples=10,20,50, with one table of all results",
    )
    add_run_options(one)
    one.set_defaults(command=_run)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that change how fast a run is and how many repeats it has."""
    parser.add_argument("--scale", choices=("published", "preview"), default="published", help="the paper's, or small")
    add_worker_options(parser)
    parser.add_argument(
        "--patience", metavar="MINUTES", type=_minutes, help="end a notebook that finishes nothing for so long"
    )


def _minutes(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes (a number above 0)")
    return value


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who computes."""
    parser.add_argument("--jobs", metavar="N", type=jobs, default=cores(), help="worker processes; changes no result")
    parser.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, tls:// or tcp://, that computes instead")


def jobs(text: str) -> int:
    """Read a number of workers."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value == -1:
        return cores()
    if value < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of workers (a whole number from 1, or -1 for all cores)"
        )
    return value


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def options_of(arguments: argparse.Namespace, folder: Path | None = None) -> Options:
    """Read the run options, and see that a cluster answers."""
    from compendium.book.runs import Options

    if arguments.dask:
        from compendium.studies.workers import Cluster, unprotected

        # say now, not from within a kernel, that an address does not answer, or is open to all
        with Cluster(arguments.dask):
            pass
        if line := unprotected(arguments.dask):
            complain(line)
    return Options(arguments.jobs, arguments.dask, folder, arguments.patience)


def planned(arguments: argparse.Namespace, assignments: Sequence[str] | None = None, *, imports: bool = True) -> Run:
    """Check what was asked for, and find out what decides its results; ``imports``: whether a path may be imported."""
    from compendium.book import catalogue
    from compendium.book.parameters import check_imports_nothing, edited_parameters, from_assignments, resolve
    from compendium.book.runs import plan

    spec = catalogue.notebook(arguments.notebook)
    edited = edited_parameters(spec)
    if edited:
        print(f"{spec.file.name}: as its parameters cell has it, {', '.join(edited)}", file=sys.stderr)
    given = from_assignments(arguments.assignments if assignments is None else assignments, arguments.file)
    if not imports:
        check_imports_nothing({**edited, **given})
    return plan(spec, resolve(spec, {**edited, **given}, arguments.scale))


def _run(arguments: argparse.Namespace) -> None:
    from compendium.book.progress import Bar, seconds_of

    swept = _swept(arguments.assignments) if arguments.sweep else {"": arguments.assignments}
    # all are checked before the first starts
    runs = {name: planned(arguments, assignments) for name, assignments in swept.items()}
    spec = next(iter(runs.values())).spec
    out = arguments.out or Path(f"{spec.name}-{'sweep' if arguments.sweep else 'run'}")
    try:
        with output_folder(out, inputs=[p for run in runs.values() for p in _read_by(arguments.file, run)]) as new:
            options = options_of(arguments, Path.cwd())
            usual = 6 + seconds_of(spec.id) / options.jobs
            bar = Bar([seconds for _ in runs for seconds in (usual, 0.0 if arguments.no_page else 8.0)])
            try:
                for place, (name, run) in enumerate(runs.items()):
                    _execute(run, new / name, options, bar, 2 * place, pages=not arguments.no_page)
            finally:
                bar.close()
            if arguments.sweep:
                table = _table_of(runs, new, [text.partition("=")[0] for text in arguments.assignments])
                table.to_csv(new / _TABLE, index=False, lineterminator="\n", float_format="%.10g")
    except OSError as exc:
        raise UsageError(
            f"the results could not be written to {out} ({why_not_written(exc)}); expected free space in a "
            "writable folder; finished runs are kept, so the same command with another --out takes seconds"
        ) from None
    _tell(arguments, out, spec.id, list(runs))


def _execute(run: Run, folder: Path, options: Options, bar: Bar, step: int, *, pages: bool) -> None:
    """Execute a notebook and lay out its results in a folder."""
    from compendium.book.parameters import scale_of
    from compendium.book.runs import execute

    bar.say(f"{run.spec.id} {folder.name}" if step else run.spec.id)
    execute(run, options, lambda share: bar.report(step, share))
    folder.mkdir(exist_ok=True)
    for name in run.files():
        if name.startswith(("notebook.ipynb", "artifacts/")):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(run.read(name))
    if pages:
        bar.say("writing the page")
        _write_page(run, scale_of(run.spec, run.parameters), folder / "html")
    bar.report(step + 1, 1.0)


def _write_page(run: Run, scale: str, html: Path) -> None:
    from compendium.book.staging import build_pages, private_stage, stage_single

    with private_stage() as stage:
        stage_single(run, scale, stage)
        built = stage.with_name("html")
        build_pages(stage, built)
        shutil.copytree(built, html)


def _tell(arguments: argparse.Namespace, out: Path, notebook: str, names: Sequence[str]) -> None:
    page = Path("html") / "notebooks" / f"{notebook}.html"
    if arguments.sweep:
        print(f"{len(names)} runs: {', '.join(str(out / name) for name in names)}\nAll results: {out / _TABLE}")
        return
    print(f"Executed notebook: {out / 'notebook.ipynb'}")
    if not arguments.no_page:
        print(f"Page: {out / page}")
    print(f"Tables and figures: {out / 'artifacts'}")


def _read_by(file: Path | None, run: Run) -> list[str | Path]:
    """List what a run may read: its parameter file, and every text among the parameters, which may be a path."""
    stated = [v if isinstance(v, list) else [v] for v in run.parameters.model_dump().values()]
    texts: list[str | Path] = [v for values in stated for v in values if isinstance(v, str)]
    return texts + ([file] if file else [])


def _swept(assignments: Sequence[str]) -> dict[str, list[str]]:
    """Spread assignments with several values: the name of each run's folder, and its assignments."""
    each = [
        [f"{name}{equals}{one}" for one in _values_of(value)]
        for name, equals, value in (text.partition("=") for text in assignments)
    ]
    several = [place for place, values in enumerate(each) if len(values) > 1]
    if not several:
        raise UsageError(
            "no parameter has several values; expected values with commas between them; write -p samples=10,20,50, and "
            'lists in brackets: -p "sizes=[10],[20]"'
        )
    found: dict[str, list[str]] = {}
    for chosen in itertools.product(*each):
        name = _UNSAFE.sub("-", " ".join(chosen[place] for place in several)).strip("-")
        if name in found:
            raise UsageError(f"'{name}' would be run twice; expected each value once; leave one out")
        found[name] = list(chosen)
    return found


def _values_of(text: str) -> list[str]:
    """Split at the commas that stand in no brackets and no quotation marks."""
    values, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth and not quote:
            values.append("")
        else:
            values[-1] += character
    return values


def _table_of(runs: Mapping[str, Run], folder: Path, named: Sequence[str]) -> pd.DataFrame:
    """Join the rows of all runs, with the parameters that tell them apart."""
    import pandas as pd

    tables = []
    for name, run in runs.items():
        rows = [pd.read_csv(folder / name / "artifacts" / f"{a.id}.csv") for a in run.spec.artifacts]
        values = run.parameters.model_dump()
        table = pd.concat([r for r in rows if len(r)], ignore_index=True)
        for place, parameter in enumerate(dict.fromkeys(n.strip() for n in named)):
            table.insert(place, parameter, str(values[parameter]))
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
