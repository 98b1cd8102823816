"""``compendium run``: one notebook with other parameters."""

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


def planned(arguments: argparse.Namespace) -> Run:
    """Check the parameters and plan a run."""
    from compendium.book import catalogue
    from compendium.book.assignments import from_assignments
    from compendium.book.parameters import edited_parameters, resolve
    from compendium.book.runs import plan

    spec = catalogue.notebook(arguments.notebook)
    edited = edited_parameters(spec)
    if edited:
        say(f"{spec.file.name}: as its parameters cell has it, {', '.join(edited)}", sys.stderr)
    given = from_assignments(arguments.assignments, arguments.file)
    return plan(spec, resolve(spec, {**edited, **given}, arguments.scale))


def run_notebook(arguments: argparse.Namespace) -> None:
    """Execute a notebook and lay out the results."""
    from compendium.book.progress import Bar, seconds_of
    from compendium.book.runs import execute

    run = planned(arguments)
    out = arguments.out or Path(f"{run.spec.name}-run")
    # what the run may read: its parameter file, and every text among the parameters, which may be a path
    texts = [v if isinstance(v, list) else [v] for v in run.parameters.model_dump().values()]
    inputs = [v for several in texts for v in several if isinstance(v, str)]
    with output_folder(out, [*inputs, *([arguments.file] if arguments.file else [])]) as new:
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
