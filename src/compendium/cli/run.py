"""``compendium run``, ``explain`` and ``replicate``: one notebook with other parameters, or under other seeds."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from compendium.book.places import output_folder
from compendium.cli.options import options_of
from errorest.cli.output import say

if TYPE_CHECKING:
    from compendium.book.runs import Run


def planned(arguments: argparse.Namespace, *, imports: bool = True) -> Run:
    """Check the parameters and plan a run; ``imports``: whether an import path may be imported."""
    from compendium.book import catalogue
    from compendium.book.assignments import from_assignments
    from compendium.book.parameters import check_imports_nothing, edited_parameters, resolve
    from compendium.book.runs import plan

    spec = catalogue.notebook(arguments.notebook)
    edited = edited_parameters(spec)
    if edited:
        say(f"{spec.file.name}: as its parameters cell has it, {', '.join(edited)}", sys.stderr)
    given = from_assignments(arguments.assignments, arguments.file)
    if not imports:
        check_imports_nothing({**edited, **given}, "'explain' runs nothing", "read what the file names, then use 'run'")
    return plan(spec, resolve(spec, {**edited, **given}, arguments.scale))


def explain_run(arguments: argparse.Namespace) -> None:
    """Print whether a run is cached, and which input changed; nothing that the parameters name is imported."""
    from compendium.book.runs import explain

    say(explain(planned(arguments, imports=False)))


def run_notebook(arguments: argparse.Namespace) -> None:
    """Execute a notebook and lay out the results."""
    from compendium.book.progress import Bar, seconds_of
    from compendium.book.runs import execute

    run = planned(arguments)
    out = arguments.out or Path(f"{run.spec.name}-run")
    with output_folder(out, _inputs(arguments.file, run)) as new:
        options = options_of(arguments, Path.cwd())
        with Bar([6 + seconds_of(run.spec.id) / options.jobs, 0.0 if arguments.no_page else 8.0]) as bar:
            bar.say(run.spec.id)
            execute(run, options, lambda share: bar.report(0, share))
            for name in run.files():
                if name.startswith(("notebook.ipynb", "artifacts/")):
                    (new / name).parent.mkdir(exist_ok=True)
                    (new / name).write_bytes(run.read(name))
            if not arguments.no_page:
                from compendium.book.site import build_page

                bar.say("writing the page")
                build_page(run, new / "html")
            bar.report(1, 1.0)
    say(f"Executed notebook: {out / 'notebook.ipynb'}")
    if not arguments.no_page:
        say(f"Page: {out / 'html' / 'notebooks' / f'{run.spec.id}.html'}")
    say(f"Tables and figures: {out / 'artifacts'}")


def _inputs(file: Path | None, run: Run) -> list[str | Path]:
    """List what a run may read: its parameter file, and every text among the parameters, which may be a path."""
    values = [v if isinstance(v, list) else [v] for v in run.parameters.model_dump().values()]
    return [*([file] if file else []), *(v for several in values for v in several if isinstance(v, str))]


def replicate_notebook(arguments: argparse.Namespace) -> None:
    """Run a notebook's experiment under other seeds, and print the verdicts of each."""
    from compendium.book import catalogue
    from compendium.book.progress import Bar, seconds_of
    from compendium.book.replicate import replicate, write_replication
    from compendium.book.runs import Options
    from compendium.evidence.claims import counted

    spec = catalogue.notebook(arguments.notebook)
    out = arguments.out or Path(f"{spec.name}-replicate")
    seconds = arguments.seeds * seconds_of(spec.id) / arguments.jobs
    with output_folder(out) as new:
        print(
            f"{spec.id} under {counted(arguments.seeds, 'seed')}: at most about {max(1, round(seconds / 60))} min with "
            f"{counted(arguments.jobs, 'worker')}; interrupt it when you like, what is finished is kept",
            file=sys.stderr,
        )
        with Bar([seconds / arguments.seeds] * arguments.seeds) as bar:
            result = replicate(spec, arguments.seeds, Options(arguments.jobs, arguments.dask), bar.report)
        files = [out / file.name for file in write_replication(result, new)]
    say("\n".join([result.summary, result.by_seed.to_string(), *map(str, files)]))
