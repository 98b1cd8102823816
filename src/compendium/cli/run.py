"""``compendium run``, ``explain`` and ``replicate``: one notebook with other parameters, or under other seeds."""

from __future__ import annotations

import argparse
import itertools
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from compendium.book.places import output_folder
from compendium.cli.options import options_of
from errorest.cli.output import say
from errorest.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from compendium.book.progress import Bar
    from compendium.book.runs import Options, Run

_UNSAFE = re.compile(r"[^A-Za-z0-9.=_-]+")
_TABLE = "results.csv"


def planned(arguments: argparse.Namespace, assignments: Sequence[str] | None = None, *, imports: bool = True) -> Run:
    """Check the parameters and plan a run; ``imports``: whether an import path may be imported."""
    from compendium.book import catalogue
    from compendium.book.parameters import check_imports_nothing, edited_parameters, from_assignments, resolve
    from compendium.book.runs import plan

    spec = catalogue.notebook(arguments.notebook)
    edited = edited_parameters(spec)
    if edited:
        say(f"{spec.file.name}: as its parameters cell has it, {', '.join(edited)}", sys.stderr)
    given = from_assignments(arguments.assignments if assignments is None else assignments, arguments.file)
    if not imports:
        check_imports_nothing({**edited, **given})
    return plan(spec, resolve(spec, {**edited, **given}, arguments.scale))


def explain_run(arguments: argparse.Namespace) -> None:
    """Print whether a run is cached, and which input changed; nothing that the parameters name is imported."""
    from compendium.book.runs import explain

    say(explain(planned(arguments, imports=False)))


def run_notebook(arguments: argparse.Namespace) -> None:
    """Execute a notebook, or one for each of the values of its parameters, and lay out the results."""
    from compendium.book.progress import Bar, seconds_of

    swept = _swept(arguments.assignments) if arguments.sweep else {"": arguments.assignments}
    # all are checked before the first starts
    runs = {name: planned(arguments, assignments) for name, assignments in swept.items()}
    spec = next(iter(runs.values())).spec
    out = arguments.out or Path(f"{spec.name}-{'sweep' if arguments.sweep else 'run'}")
    with output_folder(out, [p for run in runs.values() for p in _inputs(arguments.file, run)]) as new:
        options = options_of(arguments, Path.cwd())
        usual = 6 + seconds_of(spec.id) / options.jobs
        with Bar([seconds for _ in runs for seconds in (usual, 0.0 if arguments.no_page else 8.0)]) as bar:
            for place, (name, run) in enumerate(runs.items()):
                _execute(run, new / name, options, bar, 2 * place, pages=not arguments.no_page)
        if arguments.sweep:
            table = _table_of(runs, new, [text.partition("=")[0] for text in arguments.assignments])
            table.to_csv(new / _TABLE, index=False, lineterminator="\n", float_format="%.10g")
    if arguments.sweep:
        say(f"{len(runs)} runs: {', '.join(str(out / name) for name in runs)}\nAll results: {out / _TABLE}")
        return
    say(f"Executed notebook: {out / 'notebook.ipynb'}")
    if not arguments.no_page:
        say(f"Page: {out / 'html' / 'notebooks' / f'{spec.id}.html'}")
    say(f"Tables and figures: {out / 'artifacts'}")


def _execute(run: Run, folder: Path, options: Options, bar: Bar, step: int, *, pages: bool) -> None:
    """Execute a notebook and lay out its results in a folder."""
    from compendium.book.runs import execute

    bar.say(f"{run.spec.id} {folder.name}" if step else run.spec.id)
    execute(run, options, lambda share: bar.report(step, share))
    folder.mkdir(exist_ok=True)
    for name in run.files():
        if name.startswith(("notebook.ipynb", "artifacts/")):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(run.read(name))
    if pages:
        from compendium.book.site import build_page

        bar.say("writing the page")
        build_page(run, folder / "html")
    bar.report(step + 1, 1.0)


def _inputs(file: Path | None, run: Run) -> list[str | Path]:
    """List what a run may read: its parameter file, and every text among the parameters, which may be a path."""
    values = [v if isinstance(v, list) else [v] for v in run.parameters.model_dump().values()]
    return [*([file] if file else []), *(v for several in values for v in several if isinstance(v, str))]


def _swept(assignments: Sequence[str]) -> dict[str, list[str]]:
    """Return the name of the folder of each run of a sweep, with its assignments."""
    each = [
        [f"{name}{equals}{one}" for one in _values_of(value)]
        for name, equals, value in (text.partition("=") for text in assignments)
    ]
    several = [place for place, values in enumerate(each) if len(values) > 1]
    if not several:
        raise UsageError(
            "no parameter has several values",
            'write them with commas, as in -p samples=10,20,50, and lists in brackets: -p "sizes=[10],[20]"',
        )
    results: dict[str, list[str]] = {}
    for chosen in itertools.product(*each):
        name = _UNSAFE.sub("-", " ".join(chosen[place] for place in several)).strip("-")
        if name in results:
            raise UsageError(f"'{name}' would be run twice", "name each value once")
        results[name] = list(chosen)
    return results


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
    """Join the rows of all runs, with the parameters that differ in front."""
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
