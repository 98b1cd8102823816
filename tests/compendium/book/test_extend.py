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
FENCE = re.compile(r"^```(?:\{code-block\} )?(\w+)\n(?::caption: ([^\n]+)\n)?(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Language, caption and text of each code block of a page."""
    return FENCE.findall((PAGES / f"{page}.md").read_text(encoding="utf-8"))


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


def test_the_paper_of_the_page_is_listed_its_cell_written_and_its_numbers_judged(tmp_path: Path) -> None:
    for name in ("src", "data", "notebooks", "benchmarks", "pyproject.toml", "requirements.lock"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    entered = []
    for language, caption, text in blocks("paper"):
        path = tmp_path / caption
        if language == "diff":
            context, added = (line[1:] for line in text.splitlines())
            before = path.read_text(encoding="utf-8")
            assert before.count(f"{context}\n") == 1, f"{caption} has no line {context!r}, or several"
            path.write_text(before.replace(f"{context}\n", f"{context}\n{added}\n"), encoding="utf-8")
        elif language == "python" and "/" not in caption:
            entered.append(text)
        elif caption:
            path.parent.mkdir(parents=True, exist_ok=True)
            (path.parent / "__init__.py").touch() if path.suffix == ".py" else None
            path.write_text(text, encoding="utf-8")
    (command,) = [
        text.split("$ .venv/bin/compendium ")[1].split() for _, _, text in blocks("paper") if "--write" in text
    ]
    entered += ["from compendium.cli.main import main", f"main({command})", "main(['list'])"]
    entered += ["from compendium import open_notebook", "open_notebook('doe/01-leave-one-out', {}).show('doe-table-1')"]
    variables = dict(determinism.apply(dict(os.environ))) | {"PYTHONPATH": str(tmp_path / "src"), "MPLBACKEND": "agg"}
    variables["NUMBA_CACHE_DIR"] = os.environ.get("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    started = [sys.executable, "-c", "\n".join(entered)]
    done = subprocess.run(started, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "written" in done.stdout
    assert "doe-table-1" in done.stdout
    notebook = json.loads((tmp_path / "notebooks" / "doe" / "01-leave-one-out.ipynb").read_text())
    assert "".join(notebook["cells"][1]["source"]).splitlines() == [
        "sizes: list[int] = [10, 20]  # sample sizes N",
        "samples: int = 400  # samples of each size",
        "seed: int = 1996  # seed of every random stream",
    ]
    manifest = json.loads(next((tmp_path / "_build" / "interactive").rglob("doe-table-1.json")).read_text())
    assert [c["verdict"] for c in manifest["comparison"]] == ["no power", "no power"]
    assert "medians" in manifest["figure"]["alt"]
