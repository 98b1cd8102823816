"""The pages on extending the project are followed to the letter: their code runs, and does what they say."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from errorest import determinism

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "book" / "extend"
FENCE = re.compile(r"^(`{3,})(?:\{code-block\} )?(\w+)\n(?::caption: ([^\n]+)\n)?(.*?)^\1$", re.DOTALL | re.MULTILINE)


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Language, caption and text of each code block of a page."""
    return [found[1:] for found in FENCE.findall((PAGES / f"{page}.md").read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", sorted(p.stem for p in PAGES.glob("*.md") if p.stem != "paper"))
def test_the_code_of_a_page_runs_from_top_to_bottom(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType(f"page_{page}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    results = [text for language, caption, text in blocks(page) if language == "python" and not caption]
    assert results
    for text in results:
        exec(compile(text, f"{page}.md", "exec"), module.__dict__)
    assert capsys.readouterr().out


def test_every_file_that_a_page_names_exists() -> None:
    for page in PAGES.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:src|tests|book|benchmarks|data)/[^`<\s]+)`", text):
            made = [caption for _, caption, _ in blocks(page.stem)]
            assert (ROOT / name).exists() or name in made, f"{page.name} names {name}"


# A new paper, and a table more


def follow(page: str, project: Path) -> list[str]:
    """Do what a page says in a copy of the project; return the files that its blocks name."""
    files = []
    for _, caption, text in blocks(page):
        if caption.startswith("in a shell of Python"):
            subprocess.run([sys.executable, "-c", text], cwd=project, check=True)
            files += re.findall(r'"(notebooks/[^"]+)"', text)
        elif caption:
            path = project / (name := caption.removeprefix("at the end of "))
            path.parent.mkdir(parents=True, exist_ok=True)
            before = path.read_text(encoding="utf-8") if name != caption else ""
            path.write_text(before + text, encoding="utf-8")
            files.append(name)
    return files


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], list[str]]:
    """A copy of the project in which both pages were followed, and the files that each took."""
    project = tmp_path_factory.mktemp("project")
    for name in ("src", "data", "book", "notebooks", "benchmarks", "tests", "_toc.yml", "_config.yml",
                 "pyproject.toml", "requirements.lock", "CITATION.cff"):  # fmt: skip
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__", "api"))
        else:
            shutil.copy(ROOT / name, project / name)
    return project, follow("paper", project), follow("table", project)


def run_in(project: Path, *command: str) -> str:
    """Run Python in the project; a classifier of ten cases needs nothing compiled."""
    variables = dict(determinism.apply(dict(os.environ))) | {"PYTHONPATH": str(project / "src"), "MPLBACKEND": "agg"}
    variables |= {"NUMBA_DISABLE_JIT": "1", "ERROREST_BUILD": str(project / "_build")}
    variables.pop("ERROREST_STORE", None)
    done = subprocess.run(
        [sys.executable, *command], cwd=project, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_a_paper_and_a_table_are_added_by_the_book_through_to_their_pages(
    followed: tuple[Path, list[str], list[str]],
) -> None:
    project, of_paper, of_table = followed
    assert len(of_paper) <= 5, of_paper
    assert len(of_table) <= 3, of_table
    assert {f"src/compendium/papers/doe/{name}" for name in ("table_1.py", "paper.yaml")} <= {*of_paper}
    commands = [line.removeprefix("$ compendium ").split() for _, _, text in blocks("paper")
                for line in text.splitlines() if line.startswith("$ compendium ")]  # fmt: skip
    written, preview, published = commands
    assert "written" in run_in(project, "-m", "compendium.cli.main", *written)
    run_in(project, "-m", "compendium.cli.main", *preview)
    assert (project / "doe" / "html" / "artifacts" / "doe-spread.html").is_file()
    run_in(project, "-m", "compendium.cli.main", *published, "--out", "doe-published")
    manifest = json.loads((project / "doe-published" / "artifacts" / "doe-table-1.json").read_text())
    assert [one["verdict"] for one in manifest["comparison"]] == ["no power", "no power"]
    assert [(one["name"], one["outcome"]) for one in manifest["checks"]] == [("unbiased", "not decided")]
    assert "medians" in manifest["figure"]["alt"]
    # the pages of the paper alone, as jupyter-book builds all of them
    book = project / "doe-book"
    for name in ("_config.yml", "book/_static", "book/_templates", "book/references.bib",
                 *(one for one in of_paper if one.startswith(("book", "notebooks")))):  # fmt: skip
        (book / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (project / name).is_dir() else shutil.copy)(project / name, book / name)
    pages = ["notebooks/doe/01-leave-one-out", "book/verdicts-doe"]
    parts = [{"caption": "All", "chapters": [{"file": page} for page in pages]}]
    (book / "_toc.yml").write_text(json.dumps({"format": "jb-book", "root": "book/papers/doe", "parts": parts}))
    run_in(project, str(Path(sys.executable).with_name("jupyter-book")), "build", str(book), "-q")
    html = {name: (book / "_build" / "html" / f"{name}.html").read_text(encoding="utf-8")
            for name in (*pages, "book/papers/doe", "artifacts/doe-table-1", "artifacts/doe-spread")}  # fmt: skip
    assert "Of 2 judged numbers, 2 have no power" in html["book/verdicts-doe"]
    source = "source/compendium/papers/doe/table_1.html"
    assert source in html["notebooks/doe/01-leave-one-out"]
    assert "FromPopulation" in (book / "_build" / "html" / source).read_text(encoding="utf-8")
    assert "Printed numbers: 2 judged" in html["book/papers/doe"]
    assert "Leave-one-out is almost unbiased" in html["artifacts/doe-table-1"]


def test_a_paper_that_was_added_by_the_book_passes_the_checks_of_sources(
    followed: tuple[Path, list[str], list[str]],
) -> None:
    project, *_ = followed
    run_in(project, "-m", "compendium.cli.main", "params", "doe/01-leave-one-out", "--write")
    listing = (
        "from compendium.book.contents import *; from pathlib import Path; print(*files_of(read_contents(Path())))"
    )
    (project / "listing.py").write_text(listing)
    listed = run_in(project, "listing.py").split()
    place = listed.index("book/papers/doe")
    assert listed[place + 1] == "notebooks/doe/01-leave-one-out"
    assert listed.index("book/verdicts-doe") > place
    tests = [f"tests/compendium/{name}.py" for name in ("book/test_book_sources", "book/test_pages",
             "book/test_notebooks", "evidence/test_published", "evidence/test_keys", "evidence/test_claim_texts",
             "papers/test_paper_designs")]  # fmt: skip
    chosen = "doe or every_page_and or no_page_is or every_declared or every_artifact_of"
    assert "passed" in run_in(project, "-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts=", *tests, "-k", chosen)
