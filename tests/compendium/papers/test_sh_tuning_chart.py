"""The interactive chart: the calculator's numbers, no network, and a page that works without scripts."""

import json
import re

import pytest

from compendium.book.templating import fill
from compendium.methods.tuning_bias import tuning_bias
from compendium.papers.scheffer_herbrich.tuning_chart import AREA, SCENARIOS, Grid, bias_grid, chart, top_of

SMALL = Grid((100, 1000), (0.75, 0.85), (1, 10, 100), (1, 0, 2))


@pytest.fixture(scope="module")
def html():
    return fill("tuning-chart.html", **chart({}, None, SMALL))


@pytest.mark.parametrize(("i", "j", "k"), [(0, 0, 1), (1, 0, 0), (1, 1, 2)])
def test_a_point_of_the_grid_is_the_calculators_answer(i, j, k):
    m, accuracy, t = SMALL.sizes[i], SMALL.accuracies[j], SMALL.trials[k]
    answer = tuning_bias(m, accuracy=accuracy, classes=2, trials=t)
    expected = [100 * answer[name].expected_bias for name in ("greedy", "independent", "listed", "adaptive")]
    assert bias_grid(SMALL)[i][j][k] == pytest.approx(expected, abs=6e-4)


def test_the_script_is_given_the_whole_grid(html):
    data = json.loads(re.search(r'<script id="tuning-numbers" type="application/json">(.*?)</script>', html)[1])
    assert data["bias"] == bias_grid(SMALL)
    assert data["trials"] == list(SMALL.trials)


def test_every_slider_has_a_label_and_stops_on_the_grid(html):
    labels = re.findall(r'<label for="([^"]+)"', html)
    sliders = re.findall(r'<input id="([^"]+)" type="range" min="0" max="(\d+)" step="1" value="(\d+)"', html)
    assert [name for name, _, _ in sliders] == labels
    assert [int(last) + 1 for _, last, _ in sliders] == [len(values) for values in SMALL[:3]]
    assert tuple(int(at) for _, _, at in sliders) == SMALL.start


def test_without_scripts_there_is_a_described_picture_and_the_same_numbers(html):
    shown = bias_grid(SMALL)[1][0]
    alt = re.search(r'<svg [^>]*aria-label="([^"]+)"', html)[1]
    assert all(f"{bias:.2f}" in alt for bias in shown[2])
    cells = [float(text) for text in re.findall(r"<td>([^<]+)</td>", html)]
    assert cells == pytest.approx([bias for row in shown for bias in row], abs=6e-3)
    assert all(f'<th scope="col">{name}</th>' in html for name in SCENARIOS)
    # controls that do nothing are not shown
    assert " hidden>" in html


def test_lines_end_at_the_bias_of_their_scenario(html):
    left, right, top, bottom = AREA
    shown = bias_grid(SMALL)[1][0]
    end = top_of(max(map(max, shown)))
    lines = [text.split() for text in re.findall(r'<polyline [^>]*points="([^"]+)"', html)]
    assert len(lines) == len(SCENARIOS)
    for n, points in enumerate(lines):
        x, y = map(float, points[-1].split(","))
        assert x == right
        assert (bottom - y) / (bottom - top) * end == pytest.approx(shown[-1][n], abs=0.05 * end)
        assert float(points[0].split(",")[0]) == left


@pytest.mark.parametrize(("highest", "end"), [(0.0, 0.01), (0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (23.0, 50.0)])
def test_the_axis_ends_at_a_round_number(highest, end):
    assert top_of(highest) == pytest.approx(end)
