"""The interactive chart: the calculator's numbers, no network, and a page that works without scripts."""

import json
import re

import pytest

from compendium.book.tuning_chart import SCENARIOS, Grid, bias_grid, write_chart
from compendium.methods.tuning_bias import tuning_bias

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


def test_the_script_is_given_the_whole_grid(page):
    text = (page[0] / "tuning-bias" / "data.js").read_text()
    data = json.loads(re.fullmatch(r"window.errorestTuning = (\{.*\});\n", text)[1])
    assert data["bias"] == bias_grid(SMALL)
    assert data["trials"] == list(SMALL.trials)
    assert data["spec"]["data"] == {"name": "points"}


def test_every_slider_has_a_label_and_stops_on_the_grid(page):
    labels = re.findall(r'<label for="([^"]+)"', page[1])
    sliders = re.findall(r'<input id="([^"]+)" type="range" min="0" max="(\d+)" step="1" value="(\d+)"', page[1])
    assert [name for name, _, _ in sliders] == labels
    assert [int(last) + 1 for _, last, _ in sliders] == [len(values) for values in SMALL[:3]]
    assert tuple(int(at) for _, _, at in sliders) == SMALL.start


def test_without_scripts_there_is_a_described_picture_and_the_same_numbers(page):
    extra, html = page
    shown = bias_grid(SMALL)[1][0]
    alt = re.search(r'<img [^>]*alt="([^"]+)"', html)[1]
    assert all(f"{bias:.2f}" in alt for bias in shown[2])
    assert (extra / "tuning-bias" / "chart.svg").read_text().startswith("<svg")
    cells = [float(text) for text in re.findall(r"<td>([^<]+)</td>", html)]
    assert cells == pytest.approx([bias for row in shown for bias in row], abs=6e-3)
    assert all(f'<th scope="col">{name}</th>' in html for name in SCENARIOS)
    # controls that do nothing are not shown
    assert " hidden>" in html


def test_writing_twice_gives_the_same_bytes(page, tmp_path):
    extra, html = page
    assert write_chart(tmp_path, SMALL) == html
    for name in ("data.js", "chart.svg", "vega.js"):
        again = tmp_path / "extra" / "tuning-bias" / name
        assert again.read_bytes() == (extra / "tuning-bias" / name).read_bytes()
