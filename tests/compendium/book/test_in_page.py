"""What pages load to run the library: listed with SHA-256, from one address or from beside the pages."""

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from batteries import assert_refused
from compendium.book import in_page
from compendium.book.places import root

FILES = in_page.page_parts()["files"]
# What Pyodide's parts do not have
ABSENT = {"yaml", "jinja2", "pydantic", "papermill", "nbformat", "sphinx", "numba", "tqdm", "distributed"}


def lock_of(files: dict[str, bytes]) -> dict[str, dict]:
    return json.loads(files["_static/page/pyodide-lock.json"])


def test_every_package_is_a_listed_file_with_its_dependencies_and_sha256() -> None:
    packages = in_page.page_parts()["packages"]
    for name, package in packages.items():
        assert FILES[package["file_name"]]["sha256"] == package["sha256"], name
        assert set(package["depends"]) <= set(packages), name
    core = {name for name, file in FILES.items() if file["folder"] == "core"}
    assert core == {"pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"}
    assert set(FILES) == core | {package["file_name"] for package in packages.values()}


def test_pages_name_one_address_outside_the_book_and_a_self_contained_book_none() -> None:
    addresses = {name: file["address"] for name, file in lock_of(in_page.in_page_files())["files"].items()}
    assert set(addresses) == set(FILES)
    assert all(address.startswith(in_page.CDN) and address.endswith(f"/{name}") for name, address in addresses.items())
    scripts = "".join(path.read_text() for path in (root() / "book" / "_static" / "page").glob("*.js"))
    assert not re.search(r"https?://(?!localhost|x\b)", scripts)


def test_a_self_contained_book_takes_files_of_a_folder_by_their_sha256(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = {name: name.encode() for name in FILES}
    files = {name: {**FILES[name], "sha256": hashlib.sha256(text).hexdigest()} for name, text in content.items()}
    monkeypatch.setattr(in_page, "page_parts", lambda: {"info": {"version": "1"}, "packages": {}, "files": files})
    for name, text in content.items():
        (tmp_path / name).write_bytes(text)
    laid = in_page.self_contained_files(tmp_path)
    assert {name.rpartition("/parts/")[2]: text for name, text in laid.items() if "/parts/" in name} == content
    assert {file["address"] for file in lock_of(laid)["files"].values()} == {f"parts/{name}" for name in FILES}
    (tmp_path / "pyodide.mjs").write_bytes(b"something else")
    assert_refused("is not the file with the SHA-256", in_page.self_contained_files, tmp_path)
    (tmp_path / "pyodide.mjs").unlink()
    assert_refused("cannot be read", in_page.self_contained_files, tmp_path)


def test_the_packed_library_has_the_same_bytes_and_what_a_page_calls() -> None:
    packed = in_page.library()
    in_page.library.cache_clear()
    assert in_page.library() == packed
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = archive.namelist()
    assert {"errorest/cli/commands.toml", "compendium/page/own_data.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("compendium/cli")]


def test_the_packed_library_answers_without_the_rest_of_the_project(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(in_page.library())) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "wine.csv").write_bytes((root() / "data" / "examples" / "wine.csv").read_bytes())
    code = f"""
import sys
sys.path[:0] = [{str(tmp_path)!r}]
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {ABSENT!r} else super().find_spec(name, path, target)

sys.meta_path = [Without if found is PathFinder else found for found in sys.meta_path]
from compendium import page
page.start({str(tmp_path)!r}, {str(tmp_path)!r})
import errorest, json
assert errorest.__file__.startswith({str(tmp_path)!r})
asked = {{"task": "estimate", "name": "wine.csv", "learners": ["sklearn-bayes"], "method": "cv(k=3)"}}
answer = json.loads(page.answer("compendium.page.own_data:assess", json.dumps(asked)))
print(answer.get("problem") or answer["answer"]["command"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == (
        "errorest estimate wine.csv --model sklearn.naive_bayes.GaussianNB --method 'cv(k=3)'"
    ), done.stderr
