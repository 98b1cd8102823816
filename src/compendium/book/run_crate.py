"""The crate of one run: the folder that ``compendium run`` hands over, described for machines."""

from __future__ import annotations

import hashlib
from pathlib import Path

from compendium.book.citing.citation import read_work
from compendium.book.citing.crate import CC_BY, DATA_TERMS, Action, Input, crate_json
from compendium.book.citing.identity import commit_of, tree_id
from compendium.book.places import root
from compendium.book.runner import Run

__all__ = ["run_crate"]


def run_crate(run: Run, folder: Path) -> str:
    """Describe a run's folder."""
    notebook = Input(
        str(run.spec.path),
        "The notebook that was executed; the digest is the file's.",
        hashlib.sha256((root() / run.spec.path).read_bytes()).hexdigest(),
        CC_BY,
    )
    read = [
        Input(name, "Data that the notebook read; the digest is that of the sample.", digest, DATA_TERMS)
        for name, digest in run.parts["data"].items()
    ]
    action = Action(
        f"errorest: {run.spec.title}",
        f"Execution of the notebook {run.spec.id} with the parameters that are listed.",
        [notebook, *read],
        run.parts["parameters"],
        run.parts["versions"],
        commit_of(root()),
    )
    made = [p.relative_to(folder).as_posix() for p in sorted((folder / "artifacts").iterdir())]
    work = read_work(root(), tree_id(root()))
    page = {"html/": "The run as a page to read"} if (folder / "html").is_dir() else {}
    return crate_json(folder, work, action, ["notebook.ipynb", *made], page)
