"""Quantiles of Student's t are the same to rounding, wherever the search of scipy's version ends."""

import numpy as np
import pytest
from scipy import special, stats

from errorest.estimation import quantiles

LEVELS = (0.6, 0.9, 0.975, 0.995, 0.9995)


@pytest.mark.parametrize("df", [1, 2, 3, 5, 9, 29, 177, 1999])
def test_the_quantile_is_the_same_when_the_search_ends_short(df: int, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = [quantiles.t_quantile(df, level) for level in LEVELS]
    np.testing.assert_allclose(exact, stats.t.isf([1 - level for level in LEVELS], df), rtol=1e-13)
    search = special.stdtrit
    for off in (4e-11, -4e-11):
        monkeypatch.setattr(special, "stdtrit", lambda df, level, off=off: search(df, level) * (1 + off))
        np.testing.assert_allclose([quantiles.t_quantile(df, level) for level in LEVELS], exact, rtol=2e-14)


def test_the_quantile_of_one_degree_of_freedom_is_cauchys() -> None:
    for level in LEVELS:
        assert quantiles.t_quantile(1, level) == pytest.approx(np.tan(np.pi * (level - 0.5)), rel=1e-13)
