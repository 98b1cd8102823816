"""As good as equal: the correlated Bayesian t by hand, by scipy, in a comparison and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import t

from errorest import compare
from errorest.assessment.equality import practical_equality
from errorest.cli.main import main
from errorest.errors import UsageError

RNG = np.random.default_rng(3)
Y = np.repeat([0, 1], 20)
X = RNG.normal(size=(40, 2)) + Y[:, None]
# differences of ten folds of ten cases, and of three repetitions of four folds
TEN = np.array([0.1, 0.0, -0.1, 0.2, 0.1, 0.0, 0.0, 0.1, -0.1, 0.1])


def test_a_case_by_hand() -> None:
    # with 1 degree of freedom the posterior is Cauchy's: 1/2 + arctan(x) / pi
    result = practical_equality(0.0, 0.1, 2, 0.1)
    assert (result.a_better, result.equal, result.b_better) == pytest.approx((0.25, 0.5, 0.25), abs=1e-14)
    # with 2, F(x) = 1/2 + x / (2 sqrt(2 + x**2))
    result = practical_equality(0.1, 0.1, 3, 0.0)
    assert result.a_better == pytest.approx(0.5 - 1 / (2 * np.sqrt(3)), abs=1e-14)
    assert result.equal == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("r", [0.0, 0.01, 0.05])
def test_it_is_the_correlated_t_of_corani_and_benavoli(r: float) -> None:
    # folds of ten cases of a hundred: correlation 1/10, scale (1/10 + rho / (1 - rho)) s**2
    rho, n = 0.1, TEN.size
    scale = np.sqrt(TEN.var(ddof=1) * (1 / n + rho / (1 - rho)))
    result = practical_equality(TEN.mean(), scale, n, r)
    posterior = t(n - 1, TEN.mean(), scale)
    expected = (posterior.cdf(-r), posterior.cdf(r) - posterior.cdf(-r), posterior.sf(r))
    assert (result.a_better, result.equal, result.b_better) == pytest.approx(expected, abs=1e-12)
    assert integrate.quad(posterior.pdf, -r, r)[0] == pytest.approx(result.equal, abs=1e-9)


@pytest.mark.parametrize(
    ("r", "probabilities"),
    [
        (0.01, (0.1445648288799496, 0.11349886098143869, 0.7419363101386117)),
        (0.05, (0.036612673377798007, 0.5499911925715343, 0.41339613405066766)),
    ],
)
def test_it_is_what_baycomp_says(r: float, probabilities: tuple[float, float, float]) -> None:
    # two_on_single of baycomp 1.0.3, of accuracies that differ by these
    result = practical_equality(TEN.mean(), np.sqrt(TEN.var(ddof=1) * (1 / 10 + 1 / 9)), 10, r)
    assert (result.a_better, result.equal, result.b_better) == pytest.approx(probabilities, abs=1e-12)


def test_a_comparison_has_the_test_share_for_correlation() -> None:
    result = compare("knn", "naive-bayes", X, Y, method="cv(k=10, repeats=3)", rope=0.02, rng=1)
    d = result.splits["difference"]
    posterior = t(29, d.mean(), np.sqrt(d.var(ddof=1) * (1 / 30 + 1 / 9)))
    assert result.practical is not None
    assert result.practical.a_better == pytest.approx(posterior.cdf(-0.02), abs=1e-12)
    assert result.practical.b_better == pytest.approx(posterior.sf(0.02), abs=1e-12)
    # the interval is the posterior's
    assert posterior.ppf([0.025, 0.975]) == pytest.approx([result.interval.low, result.interval.high])
    other = compare("naive-bayes", "knn", X, Y, method="cv(k=10, repeats=3)", rope=0.02, rng=1).practical
    assert other is not None
    assert other.a_better == pytest.approx(result.practical.b_better)
    assert "equal within 2.0 points with probability" in dict(result.lines())["as good as"]
    assert compare("knn", "majority", X, Y, rng=1).practical is None


def test_differences_without_spread_are_certain() -> None:
    for difference, r, likeliest in ((0.0, 0.0, "equal"), (0.2, 0.1, "b_better"), (-0.2, 0.1, "a_better")):
        result = practical_equality(difference, 0.0, 10, r)
        assert result.likeliest == likeliest
        assert getattr(result, likeliest) == 1.0


@pytest.mark.parametrize("r", [-0.01, float("nan"), "0.1"])
def test_what_is_no_margin_is_refused(r: object) -> None:
    with pytest.raises(UsageError, match="expected a number from 0, the difference of two errors"):
        compare("knn", "majority", X, Y, rope=r, rng=0)  # type: ignore[arg-type]


def test_the_command_takes_a_margin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data.csv"
    data.write_text("x,z,class\n" + "".join(f"{a:.3f},{b:.3f},c{c}\n" for (a, b), c in zip(X, Y, strict=True)))
    command = ["compare", str(data), "--a", "knn", "--b", "naive-bayes", "--rope"]
    assert main([*command, "0.02", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["practical"]["r"] == 0.02
    assert main([*command, "-1"]) == 2
    assert "rope = -1.0 was given" in capsys.readouterr().err
