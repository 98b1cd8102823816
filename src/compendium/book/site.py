"""Building the pages as ``jupyter-book build .`` does, with warnings as errors; and the page of a single run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from compendium.book.manifests import RUN_VARIABLE, SCALE_VARIABLE
from compendium.book.places import build_folder, refuse_foreign, root, site_folder, write_whole
from compendium.book.runs import Run, environment
from compendium.folders import working_folder
from errorest.errors import UsageError, lacking_in

# Pages to which the text of every notebook leads
_COMPANIONS = ("glossary", "bibliography")
# Processes that Sphinx starts, for each worker: pages are dealt out by their number, and a few take most time
_BATCHES = 3


def build_site(scale: str, jobs: int = 1, *, afresh: bool) -> None:
    """Build the pages of the book from the last runs at a scale: those that have changed, or all of them afresh.

    Afresh, every page names the present commit, and the new site takes the place of the old one whole.
    """
    site = site_folder(scale)
    refuse_foreign(site)
    if not afresh:
        _run_sphinx(root(), site, {SCALE_VARIABLE: scale}, jobs)
        return
    shutil.rmtree(site.with_name(".doctrees"), ignore_errors=True)
    try:
        with working_folder(site) as work:
            _run_sphinx(root(), work / "html", {SCALE_VARIABLE: scale}, jobs, site.with_name(".doctrees"))
            refuse_foreign(site)
            if os.path.lexists(site):
                # in one step: half a site would not be known as ours
                os.rename(site, work / "before")
            os.rename(work / "html", site)
    except OSError as exc:
        raise UsageError(
            f"the pages could not be put into {site} ({exc.strerror})", "run the same command again"
        ) from None


def build_page(run: Run, folder: Path) -> None:
    """Build the page of a run and of its artifacts, as a book of its own, into a new folder."""
    place = build_folder() / "stage"
    try:
        with working_folder(place / "page") as work:
            # the executed notebook, and the pages to which it leads
            source = work / "source"
            notebook = json.loads(run.read("notebook.ipynb"))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = without_other_pages("".join(cell["source"]))
            write_whole(source / run.spec.path, json.dumps(notebook))
            shutil.copyfile(root() / "_config.yml", source / "_config.yml")
            for name in ("_static", "_templates"):
                shutil.copytree(root() / "book" / name, source / "book" / name)
            for name in ("references.bib", *(f"{page}.md" for page in _COMPANIONS)):
                shutil.copyfile(root() / "book" / name, source / "book" / name)
            pages = [*(f"artifacts/{one.id}" for one in run.spec.artifacts), *(f"book/{page}" for page in _COMPANIONS)]
            chapters = [{"file": page} for page in pages]
            toc = {"format": "jb-book", "root": f"notebooks/{run.spec.id}", "chapters": chapters}
            write_whole(source / "_toc.yml", yaml.safe_dump(toc))
            variables = {SCALE_VARIABLE: run.scale, RUN_VARIABLE: str(run.folder)}
            # notes of what the pages were made of belong to this build alone
            variables["ERROREST_BUILD"] = str(work)
            _run_sphinx(source, work / "html", variables)
            shutil.copytree(work / "html", folder)
    except OSError as exc:
        raise UsageError(
            f"the page could not be built in {place} ({exc.strerror})", "set ERROREST_BUILD to another folder"
        ) from None


def without_other_pages(text: str) -> str:
    """Turn links to other pages of the book into plain words, for a page that stands alone."""
    text = re.sub(r"\{doc\}`([^`<]+?)\s*<[^`>]+>`", r"\1", text)
    return re.sub(r"\{doc\}`([^`]+)`", lambda m: f'"{m[1].rpartition("/")[2].replace("-", " ")}" in the book', text)


def _run_sphinx(
    source: Path, out: Path, variables: dict[str, str], jobs: int = 1, doctrees: Path | None = None
) -> None:
    """Run Sphinx as ``jupyter-book build`` does, with warnings as errors, in a process of its own."""
    trees = doctrees or out.with_name(".doctrees")
    command = [sys.executable, "-m", "compendium.book.site", str(source), str(out), str(trees), str(jobs)]
    fixed = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run(
        command,
        env=environment() | fixed | variables,
        capture_output=True,
        text=True,
        cwd=source,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode == 0 and (out / "index.html").is_file():
        return
    messages = done.stderr + done.stdout
    why = f"messages of Sphinx, which gives no warning otherwise:\n{messages[-4000:]}"
    if lacking := lacking_in(messages, str(build_folder())):
        why = f"{lacking}, and run the same command again"
    elif done.returncode < 0:
        why = (
            f"Sphinx was ended by a signal ({-done.returncode}), perhaps for want of memory; end other programs; "
            "run the same command again"
        )
    raise UsageError(f"the pages could not be built: {why}")


def main(source: str, out: str, doctrees: str, jobs: str) -> int:
    """Build pages with the settings of ``jupyter-book build``; the same bytes with any number of processes."""
    from jupyter_book.sphinx import build_sphinx

    done = build_sphinx(
        source,
        out,
        noconfig=True,
        path_config=f"{source}/_config.yml",
        confoverrides={"external_toc_path": f"{source}/_toc.yml", "latex_individualpages": False},
        doctreedir=doctrees,
        quiet=True,
        warningiserror=True,
        keep_going=True,
        jobs=_BATCHES * int(jobs) if int(jobs) > 1 else 1,
    )
    # an exception was printed by Sphinx already
    return 1 if isinstance(done, BaseException) else int(done)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
