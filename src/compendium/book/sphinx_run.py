"""Sphinx in a process of its own, as Jupyter Book calls it, with several processes that read and write pages.

Jupyter Book's command knows no number of processes; the function that it calls does.  The pages have the same bytes
whatever the number.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jupyter_book.sphinx import build_sphinx

__all__ = ["main"]

_BATCHES = 3
"""Processes that Sphinx is asked for, of each worker: pages are dealt out by their number, and a few take most time."""


def main(stage: Path, out: Path, jobs: int) -> int:
    """Build the pages of a stage; what Sphinx finds wrong goes to the standard error."""
    done = build_sphinx(
        stage,
        out,
        noconfig=True,
        path_config=str(stage / "_config.yml"),
        confoverrides={
            "external_toc_path": str(stage / "book" / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        freshenv=True,
        quiet=True,
        warningiserror=True,
        keep_going=True,
        jobs=_BATCHES * jobs if jobs > 1 else 1,
    )
    if isinstance(done, BaseException):
        # Sphinx has said what it was
        return 1
    return int(done)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
