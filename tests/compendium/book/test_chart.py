"""The interactive chart: the calculator's numbers, no network, and a page that works without scripts."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from compendium.book.chart import GRID, SCENARIOS, Grid, bias_grid, chart_spec, write_chart
from errorest.tuning_bias import tuning_bias

SMALL = Grid((100, 1000), (0.75, 0.85), (1, 10, 100), (1, 0, 2))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    stage = tmp_path_factory.mktemp("stage")
    return stage / "extra", write_chart(stage, SMALL)


@pytest.mark.parametrize(("i", "j", "k"), [(0, 0, 1), (1, 0, 0), (1, 1, 2)])
def test_a_point_of_the_grid_is_the_calculators_answer(i, j, k):
    m, accuracy, t = SMALL.sizes[i], SMALL.accuracies[j], SMALL.trials[k]
    answer = tuning_bias(m, accuracy=accuracy, classes=2, trials=t)
    expected = [100 * answer[name].expected_bias for name in ("greedy", "independent", "listed", "adaptive")]
    assert bias_grid(SMALL)[i][j][k] == pytest.approx(expected, abs=6e-4)


def test_the_books_grid_rises_and_its_sliders_start_on_it():
    for values in GRID[:3]:
        assert list(values) == sorted(set(values))
    assert all(0 <= at < len(values) for at, values in zip(GRID.start, GRID[:3], strict=True))


def test_nothing_is_loaded_from_elsewhere(page):
    extra, html = page
    assert not re.search(r'(?:src|href)="(?!\.\./)', html)
    for source in re.findall(r'src="\.\./([^"]+)"', html):
        assert (extra / source).is_file(), source
    assert "fetch(" not in (extra / "tuning-bias" / "chart.js").read_text()


def test_the_script_holds_the_whole_grid(page):
    extra, _ = page
    text = (extra / "tuning-bias" / "chart.js").read_text()
    data = json.loads(re.search(r"const data = (\{.*\});", text)[1])
    assert data["bias"] == bias_grid(SMALL)
    assert data["trials"] == list(SMALL.trials)
    assert data["spec"]["data"] == {"name": "points"}


def test_the_block_has_no_blank_line_for_markdown_to_break_it_at(page):
    assert "\n\n" not in page[1]
    assert page[1].startswith("<div")


class Elements(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.open = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("img", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("img", "input", "br"):
            assert self.open.pop() == tag


def test_every_slider_has_a_label_and_stops_on_the_grid(page):
    elements = Elements(page[1])
    assert not elements.open
    labels = {a["for"] for tag, a in elements.found if tag == "label"}
    sliders = [a for tag, a in elements.found if tag == "input"]
    assert {a["id"] for a in sliders} == labels
    assert [int(a["max"]) + 1 for a in sliders] == [len(SMALL.sizes), len(SMALL.accuracies), len(SMALL.trials)]
    assert [int(a["value"]) for a in sliders] == list(SMALL.start)


def test_without_scripts_there_is_a_described_picture_and_the_same_numbers(page):
    extra, html = page
    image = next(a for tag, a in Elements(html).found if tag == "img")
    shown = bias_grid(SMALL)[1][0]
    assert all(f"{bias:.2f}" in image["alt"] for bias in shown[2])
    assert (extra / "tuning-bias" / "chart.svg").read_text().startswith("<svg")
    cells = [float(text) for text in re.findall(r"<td>([^<]+)</td>", html)]
    assert cells == pytest.approx([bias for row in shown for bias in row], abs=6e-3)
    assert all(f'<th scope="col">{name}</th>' in html for name in SCENARIOS)
    # controls that do nothing are not shown
    assert " hidden>" in html


def test_writing_twice_gives_the_same_bytes(page, tmp_path):
    extra, html = page
    assert write_chart(tmp_path, SMALL) == html
    for name in ("chart.js", "chart.svg", "vega.js"):
        again = tmp_path / "extra" / "tuning-bias" / name
        assert again.read_bytes() == (extra / "tuning-bias" / name).read_bytes()


def test_in_the_dark_the_drawing_has_no_white_ground_of_its_own(page):
    _, html = page
    # the drawing's own stands in a style of the element, which only an important rule overrides
    assert 'data-theme="dark"] .tuning-frame svg{background-color:transparent!important}' in html
    for colour in set(re.findall(r"#[0-9A-F]{6}", json.dumps(chart_spec([], 1, "x")["encoding"]))):
        assert f'[stroke="{colour}"]{{stroke:#' in html, "every line is lightened"
