"""The book's sources hold together before any build: contents, citations, colours, numbers in prose."""

import re
from pathlib import Path

import pytest

from compendium.book.contents import files_of, read_contents
from compendium.book.look_ups import ROLE, ROLES
from compendium.book.prose_numbers import check, check_files, rewritten, with_headings, without_names
from compendium.evidence.papers import PAPERS
from errorest import determinism

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "book"
PAGES = [page for page in sorted(BOOK.rglob("*.md")) if page.parent.name != "api"]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))


def test_every_page_and_every_notebook_is_in_the_contents_exactly_once() -> None:
    verdicts = [BOOK / f"verdicts-{paper.id}.md" for paper in PAPERS.values() if paper.printed]
    pages = {*PAGES, *NOTEBOOKS, *verdicts}
    assert sorted(files_of(read_contents(ROOT))) == sorted(str(p.relative_to(ROOT).with_suffix("")) for p in pages)


_SIDES = re.compile(
    r"\b(too (?:high|low|good)|positive|negative|pessimistic|optimistic|far (?:more|less)|higher|lower|larger|only"
    r"|clear\w*|exceeds)\b"
)


def test_no_page_types_the_side_of_a_number_with_it() -> None:
    # the word has to come from the value: findings and outcomes choose it
    for page in PAGES:
        text = re.sub(r"\{num\}`[^`]*`", "<ours>", page.read_text(encoding="utf-8"))
        text = ROLE.sub("<told>", text)
        for sentence in re.split(r"(?<=[.:;?!])\s+", text):
            assert not ("<ours>" in sentence and _SIDES.search(sentence)), f"{page.name}: {sentence}"


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_verdict_is_legible_on_its_ground(mode: str) -> None:
    style = (BOOK / "_static" / "errorest.css").read_text(encoding="utf-8")
    block = re.search(rf'html\[data-theme="{mode}"\] \{{(.*?)\}}', style, re.DOTALL)
    assert block
    colours = dict(re.findall(r"--verdict-([\w-]+): (#[0-9a-f]{6});", block[1]))
    words = {name.rsplit("-", 1)[0] for name in colours}
    assert words == {"reproduced", "close", "differs", "no-power", "not-testable", "setting", "none"}
    for word in words:
        dark, light = sorted(luminance(colours[f"{word}-{part}"]) for part in ("ink", "ground"))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, word


def test_every_verdict_has_a_sign_of_its_own() -> None:
    style = (BOOK / "_static" / "errorest.css").read_text(encoding="utf-8")
    signs = re.findall(r'\.verdict\.[\w-]+::before \{\s*content: "(.)"', style)
    assert len(signs) == len(set(signs)) == 7


def test_every_number_of_a_finding_on_the_landing_page_leads_to_its_row() -> None:
    findings = (BOOK / "index.md").read_text().partition("## What was found")[2].partition("## How much of")[0]
    requested = [role for role, _ in ROLE.findall(findings) if role in ROLES]
    assert len(requested) > 10
    assert set(requested) == {"linked", "linked-print", "count"}


# Numbers in prose: named by a comment, written from data/regenerated, held equal to it

HOLDOUT = "kohavi-text-holdout | iris/majority | mean-accuracy-percent"
PRINTED = "kohavi-text-holdout | iris/majority | mean-accuracy-percent"
BIAS = "kohavi-figure-1 | breast-cancer/c4.5 | k=2/bias-percent"
FITS = "guide-own-estimates | two-stage | fits"
ABOVE = "guide-which-estimator | nearest neighbours, k > 1/up to 24 cases: use .632+ | fits"


def test_every_named_number_of_notebooks_and_pages_is_that_of_data_regenerated() -> None:
    assert not check_files()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f"only 27 %<!-- {HOLDOUT} --> right", f"only 28 %<!-- {HOLDOUT} --> right"),
        (f"is 5.21 ± 3.00<!--{HOLDOUT}-->.", f"is 27.88 ± 0.13<!--{HOLDOUT}-->."),
        (
            f"+1.0 ± .3 points<!-- {HOLDOUT} | reading=literal | scale=published -->",
            f"+27.88 ± 0.13 points<!-- {HOLDOUT} | reading=literal | scale=published -->",
        ),
        (f"28<!-- {HOLDOUT} --> (± 3.00<!-- {HOLDOUT} -->)", f"28<!-- {HOLDOUT} --> (± 0.13<!-- {HOLDOUT} -->)"),
        (f"+1.0<!-- {BIAS} -->", f"−1.2<!-- {BIAS} -->"),
        (f"-1.0<!-- {BIAS} -->", f"-1.2<!-- {BIAS} -->"),
        (f"2–1<!-- {HOLDOUT} | reading=literal -->", f"2–28<!-- {HOLDOUT} | reading=literal -->"),
        (f"1,234<!-- {FITS} --> and 5<!-- {ABOVE} -->", f"2,401<!-- {FITS} --> and 201<!-- {ABOVE} -->"),
        (f"9.8<!-- print: {PRINTED} --> points", f"27.68<!-- print: {PRINTED} --> points"),
        (
            "**holds**<!-- outcome: lis-claims | resubstitution -->",
            "**holds**<!-- outcome: lis-claims | resubstitution -->",
        ),
        (
            "it fails<!-- outcome: lis-claims | resubstitution -->",
            "it holds<!-- outcome: lis-claims | resubstitution -->",
        ),
        ("12<!-- cases: shakhnarovich-table-4 | true-error -->", "8<!-- cases: shakhnarovich-table-4 | true-error -->"),
        ("a <!-- comment --> without a number", "a <!-- comment --> without a number"),
    ],
)
def test_a_number_has_decimals_of_the_text_and_with_its_error_those_of_tables(written: str, expected: str) -> None:
    assert rewritten(written) == expected
    assert bool(check(written)) == (written != expected)
    assert not check(expected)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("the bias <!-- kohavi-table-1 | x | y --> is", "no number before"),
        ("5<!-- kohavi-table-1 | x -->", "names no number"),
        ("5<!-- nobody-table-1 | x | y -->", "which no run yields"),
        ("5<!-- kohavi-text-holdout | iris/majority | mean-acuracy-percent -->", "mean-accuracy-percent'?"),
        (f"5<!-- {HOLDOUT} | reading=literal | scale=preview -->", "which no run yields"),
        (f"27<!-- {HOLDOUT} -->", "'27' should be '28'"),
        ("{num}`kohavi-text-holdout | iris/majority | x`", "which no run yields"),
        ("{outcome}`lis-claims | nobody-says-so`", "which no run yields"),
        ("{count}`literal.reproducd`", "reproducd"),
    ],
)
def test_a_name_that_is_wrong_is_reported_in_one_line(text: str, problem: str) -> None:
    (result,) = check(text)
    assert problem in result


def test_readers_do_not_see_the_names() -> None:
    assert without_names(f"27.9 %<!-- {HOLDOUT} -->, <!-- kept -->") == "27.9 %, <!-- kept -->"


def test_a_heading_of_a_notebook_is_the_number_and_title_of_its_artifact() -> None:
    text = "(artifact-x-1)=\n## Table 2: Old\n\nProse.\n\n(artifact-y)=\n## Left\n"
    assert with_headings(text, {"x-1": ("Table 1", "New")}) == text.replace("Table 2: Old", "Table 1: New")


def test_the_settings_of_a_worker_on_the_page_are_those_of_every_run() -> None:
    settings = " ".join(f'{name}="{value}"' for name, value in determinism.ENVIRONMENT.items())
    assert f"$ env {settings} .venv/bin/dask worker" in (BOOK / "rerun.md").read_text(encoding="utf-8")
