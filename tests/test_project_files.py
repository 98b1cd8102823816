"""The files around the code: dependencies, licences, citation, and what must never be committed."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from functools import cache
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from conftest import LONGEST, pytest_collection_modifyitems

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


@cache
def files_of_the_project() -> list[Path]:
    """Files that are tracked, or would be with the next `git add`."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    named = {ROOT / name for name in subprocess.check_output(command, cwd=ROOT, text=True).split("\0") if name}
    return sorted(path for path in named if path.is_file())


@cache
def texts() -> dict[str, str]:
    results = {}
    for path in files_of_the_project():
        data = path.read_bytes()
        if b"\0" not in data:
            results[path.relative_to(ROOT).as_posix()] = data.decode("utf-8", errors="replace")
    return results


def modules() -> dict[str, Path]:
    return {path.relative_to(ROOT / "src").as_posix(): path for path in (ROOT / "src").rglob("*.py")}


# Dependencies


def locked() -> dict[str, list[tuple[str, int]]]:
    """Versions and numbers of hashes in the lock, by canonical name."""
    pinned: dict[str, list[tuple[str, int]]] = {}
    for block in re.split(r"\n(?=[A-Za-z])", LOCK):
        name, version = re.match(r"([\w.-]+)==([^\s;\\]+)", block).groups()  # type: ignore[union-attr]
        pinned.setdefault(canonicalize_name(name), []).append((version, block.count("--hash=sha256:")))
    return pinned


def wanted() -> list[Requirement]:
    project = PROJECT["project"]
    locked_extras = project["optional-dependencies"].keys() - {"lab"}  # JupyterLab stands beside .venv
    extras = (line for extra in sorted(locked_extras) for line in project["optional-dependencies"][extra])
    return [Requirement(line) for line in [*project["dependencies"], *extras, *PROJECT["build-system"]["requires"]]]


def test_every_locked_package_is_pinned_with_hashes() -> None:
    assert len(locked()) > len(wanted())
    for name, pins in locked().items():
        assert all(hashes >= 1 for _, hashes in pins), name


def test_the_lock_holds_no_address_and_no_option() -> None:
    assert "://" not in LOCK
    assert not re.search(r"^-", LOCK, flags=re.MULTILINE)


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_every_dependency_is_locked_at_a_version_it_allows(requirement: Requirement) -> None:
    pins = locked()[canonicalize_name(requirement.name)]
    assert all(requirement.specifier.contains(version) for version, _ in pins)


def test_environment_yml_is_what_the_generator_prints() -> None:
    printed = subprocess.check_output([sys.executable, ROOT / ".ci" / "environment.py"], text=True)
    assert (ROOT / "environment.yml").read_text(encoding="utf-8") == printed


def test_environments_take_supported_pythons_and_the_extras_of_the_project() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["name"] == PROJECT["project"]["name"]
    assert f"python{PROJECT['project']['requires-python']}" in environment["dependencies"]
    for name in ("environment.yml", "Dockerfile", ".binder/postBuild"):
        text = (ROOT / name).read_text(encoding="utf-8")
        (extras,) = re.findall(r"-e '?\.\[([\w,]+)\]", text)
        assert {*extras.split(",")} <= {*PROJECT["project"]["optional-dependencies"]}, name
        assert "book" in extras.split(","), name
    for name in ("Dockerfile", ".binder/runtime.txt"):
        (python,) = re.findall(
            r"^(?:FROM )?python[:-](3\.\d+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE
        )
        assert f"Programming Language :: Python :: {python}" in PROJECT["project"]["classifiers"], name


@pytest.mark.slow
def test_what_binder_runs_installs_the_project(tmp_path: Path) -> None:
    clone, fresh = tmp_path / "clone", tmp_path / "fresh"
    for path in files_of_the_project():
        copy = clone / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    venv.create(fresh, symlinks=True)
    (packages,) = fresh.glob("lib/*/site-packages")
    # what the extras ask for is there, but for the project: nothing is fetched
    (packages / "installed.pth").write_text(sysconfig.get_path("purelib"))
    variables = {**os.environ, "PATH": f"{fresh / 'bin'}:{os.environ['PATH']}", "PIP_NO_INDEX": "1"}
    variables |= {"PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": ""}
    subprocess.run([clone / ".binder" / "postBuild"], cwd=clone, env=variables, check=True)
    code = "import compendium, errorest; print(compendium.__file__)"
    where = subprocess.check_output([fresh / "bin" / "python", "-P", "-c", code], env=variables, text=True)
    assert Path(where.strip()).is_relative_to(clone)


def test_page_checks_are_pinned_exactly_and_without_addresses() -> None:
    pages = ROOT / ".ci" / "pages"
    package = json.loads((pages / "package.json").read_text(encoding="utf-8"))
    lock = (pages / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in lock
    packages = {name: entry for name, entry in json.loads(lock)["packages"].items() if name}
    requested = {f"node_modules/{name}": version for kind in ("dependencies", "optionalDependencies")
             for name, version in package[kind].items()}  # fmt: skip
    assert {name: entry["version"] for name, entry in packages.items()} == requested
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())


# Version and citation


def test_the_version_is_the_same_everywhere() -> None:
    version = PROJECT["project"]["version"]
    assert metadata.version("errorest") == version
    assert importlib.import_module("errorest").__version__ == version
    assert citation()["version"] == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def citation() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def keys(*required: str, **properties: Any) -> dict[str, Any]:
    """Make the schema of a mapping that has no other keys."""
    return {"type": "object", "additionalProperties": False, "required": [*required], "properties": properties}


def texts_of(*names: str) -> dict[str, Any]:
    return {key: {"type": "string", "minLength": 1} for key in names}


def several(items: Any) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "uniqueItems": True, "items": items}


# What the Citation File Format 1.2.0 asks of the keys used here.
DOI = {"type": "string", "pattern": r"^10\.\d{4,9}(\.\d+)?/\S+$"}
PERSON_NAMES = ("family-names", "given-names")
PERSON = keys(*PERSON_NAMES, **texts_of(*PERSON_NAMES, "affiliation", "orcid", "email", "website"))
ENTITY = keys("name", **texts_of("name", "city", "country", "website", "email"))
AUTHORS = several({"anyOf": [PERSON, ENTITY]})
REFERENCE = keys(
    *("type", "title", "authors"),
    type={"enum": ["article", "book", "conference-paper", "report", "software", "website"]},
    authors=AUTHORS,
    institution=ENTITY,
    year={"type": "integer"},
    doi=DOI,
    **{key: {"type": ["integer", "string"]} for key in ["number", "start", "end"]},
    **texts_of("title", "collection-title", "journal", "url"),
)
CITATION_FILE = keys(
    *("cff-version", "message", "title", "authors"),
    authors=AUTHORS,
    type={"enum": ["software", "dataset"]},
    license={"enum": ["MIT"]},
    doi=DOI,
    keywords=several({"type": "string", "minLength": 1}),
    references=several(REFERENCE),
    **{"cff-version": {"const": "1.2.0"}, "date-released": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}},
    **texts_of("message", "title", "abstract", "version", "url", "repository-code"),
)


def test_the_citation_file_is_valid() -> None:
    jsonschema.Draft202012Validator(CITATION_FILE).validate(citation())


def test_the_citation_file_speaks_for_the_project() -> None:
    project = PROJECT["project"]
    assert citation()["license"] == project["license"]
    assert [author["name"] for author in citation()["authors"]] == [author["name"] for author in project["authors"]]
    assert citation()["keywords"] == project["keywords"]


def test_every_licence_file_says_what_it_covers() -> None:
    written = {name: (ROOT / name).read_text(encoding="utf-8") for name in PROJECT["project"]["license-files"]}
    assert written["LICENSE"].startswith("MIT License\n\nCopyright (c) 2026 The errorest authors\n")
    assert "https://creativecommons.org/licenses/by/4.0/legalcode" in written["LICENSE-text"]
    sets = {
        re.sub(r"-(train|test)?\.csv\.gz$|\.csv\.gz$", "", path.name)
        for path in (ROOT / "src/errorest/data/shipped").glob("*.gz")
    }
    assert sets
    for name in sets:
        assert re.search(rf"^{re.escape(name)} ", written["LICENSE-data"], flags=re.MULTILINE), name


# What must never be committed

HOSTS = [("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("anaconda", "org"),
         ("deb", "debian", "org"), ("crates", "io"), ("proxy", "golang", "org")]  # fmt: skip


def found_in_texts(pattern: str) -> list[str]:
    return [
        f"{name}: {match.group()}"
        for name, text in texts().items()
        for match in re.finditer(pattern, text, re.MULTILINE)
    ]


def test_no_file_names_the_host_of_a_registry() -> None:
    hosts = "|".join(re.escape(".".join(host)) for host in HOSTS)
    assert found_in_texts(rf"\b(?:{hosts})\b") == []


def test_no_file_names_a_folder_of_this_machine_or_next_to_the_project() -> None:
    folders = {str(ROOT), str(Path.home()), "/" + "work"} - {"/"}
    absolute = "|".join(re.escape(folder) for folder in sorted(folders))
    assert found_in_texts(rf"(?<![\w.\-/~*}}$])(?:{absolute})(?=[/\s\"'`,;:)]|$)") == []
    assert found_in_texts(re.escape("../" + "shared")) == []


def test_no_notebook_holds_outputs_or_execution_counts() -> None:
    for path in (path for path in files_of_the_project() if path.suffix == ".ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            assert not cell.get("outputs"), path
            assert cell.get("execution_count") is None, path


def test_every_module_is_short_says_what_it_is_for_and_has_a_name_that_does() -> None:
    vague = {"utils", "util", "helpers", "helper", "misc", "common", "manager"}
    for name, path in modules().items():
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 500, name
        assert text.lstrip().lstrip("r").startswith('"""'), name
        assert not vague & set(re.split(r"[/_.]", name)), name


def test_the_files_of_tests_that_take_longest_come_first_and_others_in_their_order() -> None:
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    names = [path.name for path in paths]
    items: list[Any] = [SimpleNamespace(path=path) for path in paths]
    pytest_collection_modifyitems(items)
    first = [f"test_{name}.py" for name in LONGEST]
    assert [item.path.name for item in items] == [*first, *(name for name in names if name not in first)]


def test_a_plain_installation_from_a_clone_leaves_nothing_that_git_shows() -> None:
    for made in ("build/lib/errorest/__init__.py", "src/errorest.egg-info/PKG-INFO"):
        done = subprocess.run(["git", "check-ignore", "-q", made], cwd=ROOT, check=False)
        assert done.returncode == 0, made


def test_importing_the_package_loads_nothing_but_its_interface():
    code = "import sys; before = {*sys.modules}; import errorest; print(*sorted({*sys.modules} - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names] == ["errorest"]
    # the version of a package is looked for with the readers of e-mail and of archives
    assert not {"importlib.metadata", "email", "zipfile"} & {*loaded}
