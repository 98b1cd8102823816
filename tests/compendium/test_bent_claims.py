"""Claims and errata come out as recorded under twelve bends of the studies' results."""

from itertools import zip_longest

import pandas as pd
import pytest

from bent_claims import LINE, outcomes, recorded
from compendium.book import catalogue
from compendium.book.notebook import Notebook

AGAIN = "if that is meant, record anew: python tests/bent_claims.py {}"


@pytest.mark.parametrize("spec", catalogue.notebooks(), ids=lambda spec: spec.id)
def test_claims_come_out_as_recorded_however_results_are_bent(spec: Notebook) -> None:
    before = pd.read_csv(recorded(spec), dtype=str, keep_default_na=False)
    told = differences(before, outcomes(spec))
    assert not told, "\n".join([f"{spec.id}: {AGAIN.format(spec.id)}", *told])


def differences(before: pd.DataFrame, after: pd.DataFrame) -> list[str]:
    """Name each claim and erratum whose letters differ, with the bends, the old letter and the new one."""
    old, new = (
        dict(zip(f[LINE].itertuples(index=False, name=None), f["outcomes"], strict=True)) for f in (before, after)
    )
    told = []
    for line in dict.fromkeys([*old, *new]):
        pairs = zip_longest(old.get(line, ""), new.get(line, ""), fillvalue="-")
        flips = [f"bend {number}: {was} -> {now}" for number, (was, now) in enumerate(pairs) if was != now]
        told += [f"{', '.join(filter(None, line))}: {'; '.join(flips)}"] if flips else []
    return told
