"""Settings of the cross-examination: samples of every paper's designs, and the estimators on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from compendium.papers.kohavi.data import load_set
from compendium.papers.martin_hirschberg.lenses.population import CASES
from compendium.papers.parameters import InherentErrors, NoiseLevels, Parameters, Sizes, parameter, unique
from compendium.papers.shakhnarovich.synthetic.study import SETTINGS, population_of
from compendium.papers.shakhnarovich.uci import data as uci_data
from compendium.papers.validation import field_validator, model_validator
from errorest.data.sets import digest

# Estimators by the name of their columns, and the library's ids for them
ESTIMATORS: Mapping[str, str] = {
    "resubstitution": "resubstitution",
    "cv-10": "cv(k=10)",
    "stratified-cv-10": "cv(k=10, stratified=True)",
    "repeated-stratified-cv-10": "cv(k=10, repeats={as_many}, stratified=True)",
    "loo": "loo",
    "repeated-cv-2": "cv(k=2, repeats={repeats})",
    "bootstrap-632": "632(replicates={bootstrap})",
    "loo-star": "loo*(replicates={bootstrap}, repeats={repeats})",
    "bootstrap-632-plus": "632+(replicates={bootstrap})",
    "cloned-632-plus": "632+(replicates={a_case}, per=nested, variant=zero-outside, cloned=True{bounds})",
    "cloned-632-plus-correct": "632+(replicates={a_case}, per=nested, cloned=True{bounds})",
    "cloned-bscv-5": "bscv(k=5, replicates={clones}, weights=folds, cloned=True{bounds})",
}

# Those that draw clones of the sample
CLONED = ("cloned-632-plus", "cloned-632-plus-correct", "cloned-bscv-5")

# What every estimator is measured against
REFERENCE = "stratified-cv-10"

# Estimators that are compared; the apparent error is shown, but nobody recommends it
CONTENDERS = tuple(name for name in ESTIMATORS if name != "resubstitution")

# Intervals that the library pairs with these estimators; they reduce the same resamples
INTERVALS: Mapping[str, str] = {
    "kohavi": "kohavi(k=10, stratified=True)",
    "cv-wald": "cv-wald(k=10)",
    "loo-kohavi": "loo-kohavi",
    "632-plus": "632+(replicates={bootstrap})",
}


class Effort(NamedTuple):
    """How much an estimate takes: bootstrap samples, repeats of 2-CV, clones of .632+*, clones of BSCV."""

    bootstrap: int
    repeats: int
    left_out_clones: int
    clones: int


class Setting(NamedTuple):
    """One setting: what samples are drawn from, their size, the inducers, and the estimators that are left out.

    ``at`` is the inherent error, the share of wrong labels, the number in Table 1, or the data set.
    """

    family: str
    at: float | int | str
    n: int
    inducers: tuple[str, ...]
    samples: int
    effort: Effort
    without: tuple[str, ...] = ()


_UCI_INDUCERS: Mapping[str, tuple[str, ...]] = {
    "breast-cancer": ("1-nn", "3-nn", "svm-linear"),
    "vehicle": ("1-nn",),
    "pima": ("17-nn",),
}

_KOHAVI_SETS = ["breast-cancer", "chess", "hypothyroid", "mushroom", "soybean-large", "vehicle", "rand"]


class CrossParameters(Parameters, notebook="guide/07-cross-examination"):
    """Parameters of the cross-examination."""

    seed: int = parameter(2026, ge=0)
    sizes: Sizes = parameter([10, 20, 50, 100], min_length=1, preview=[10, 50])
    inherent_errors: InherentErrors = parameter([0.05, 0.25, 0.5], min_length=1, preview=[0.25])
    lens_sizes: Sizes = parameter([24, 96], min_length=1, preview=[24])
    noises: NoiseLevels = parameter([0.1, 0.25], min_length=1, preview=[0.1])
    settings: list[int] = parameter(list(SETTINGS), min_length=1, preview=[1, 2])
    uci_sets: list[str] = parameter(list(uci_data.PUBLISHED), min_length=1, preview=["breast-cancer"])
    data_sets: list[str] = parameter(_KOHAVI_SETS, min_length=1, preview=["breast-cancer"])
    data_sizes: list[int] = parameter([50, 900, 400, 800, 100, 100, 100], min_length=1, preview=[50])
    samples: int = parameter(100, ge=2, preview=12, replication=True)
    lens_samples: int = parameter(60, ge=2, preview=6, replication=True)
    uci_samples: int = parameter(80, ge=2, preview=6, replication=True)
    data_samples: int = parameter(20, ge=2, preview=4, replication=True)
    large_samples: int = parameter(10, ge=2, preview=3, replication=True)
    large: int = parameter(100, ge=2)
    bootstrap_samples: int = parameter(200, ge=2, preview=50)
    cv_repeats: int = parameter(50, ge=1, preview=10)
    left_out_clones: int = parameter(600, ge=1, preview=200)
    clones: int = parameter(50, ge=1, preview=10)
    slow_share: float = parameter(0.5, gt=0, le=1)
    validation: int = parameter(4000, ge=2, preview=1000, replication=True)

    _unique = field_validator("settings", "uci_sets", "data_sets")(unique)

    @field_validator("settings")
    @classmethod
    def _known(cls, value: list[int]) -> list[int]:
        for number in value:
            population_of(number)
        return value

    @field_validator("uci_sets")
    @classmethod
    def _studied(cls, value: list[str]) -> list[str]:
        for name in value:
            if name not in _UCI_INDUCERS:
                raise ValueError(f"unknown data set '{name}'; expected {', '.join(_UCI_INDUCERS)}; choose among these")
        return value

    @model_validator(mode="after")
    def _a_size_each(self) -> CrossParameters:
        if len(self.data_sets) != len(self.data_sizes):
            raise ValueError(f"{len(self.data_sets)} data sets have {len(self.data_sizes)} sizes; expected one each")
        if min((*self.sizes, *self.lens_sizes, *self.data_sizes)) < 10:
            raise ValueError(
                "a sample has fewer than 10 cases; expected at least 10, for ten folds; use larger samples"
            )
        if self.validation % 2:
            raise ValueError(
                f"{self.validation} cases are to measure a true error; expected an even number, half of each class; "
                "change validation by one"
            )
        return self

    def inputs(self) -> dict[str, str]:
        """Return the digest of each data set that is read, by its name."""
        return data_of(settings_of(self), self.seed)


def settings_of(p: CrossParameters) -> list[Setting]:
    """List the settings of a design, in the order of the papers."""
    fast = Effort(p.bootstrap_samples, p.cv_repeats, p.left_out_clones, p.clones)
    share = p.slow_share
    slow = fast._replace(
        left_out_clones=max(1, round(share * p.left_out_clones)), clones=max(1, round(share * p.clones))
    )
    out = [
        Setting("two-normals", e, n, ("threshold", "1-nn", "3-nn"), p.samples, fast)
        for e in p.inherent_errors
        for n in p.sizes
    ]
    out += [
        Setting("lenses", q, n, ("id3", "1-nn-hamming"), p.lens_samples, slow) for q in p.noises for n in p.lens_sizes
    ]
    out += [
        Setting("synthetic", number, population_of(number)[1], ("ldf", "1-nn", "3-nn", "svm-rbf"), p.samples, fast)
        for number in p.settings
    ]
    out += [Setting("uci", s, uci_data.PUBLISHED[s][0], _UCI_INDUCERS[s], p.uci_samples, fast) for s in p.uci_sets]
    for name, n in zip(p.data_sets, p.data_sizes, strict=True):
        big = n > p.large
        samples, without = (p.large_samples, CLONED[:2]) if big else (p.data_samples, ())
        out.append(Setting("data", name, n, ("c4.5", "naive-bayes"), samples, slow, tuple(without)))
    return out


def data_of(settings: Sequence[Setting], seed: int) -> dict[str, str]:
    """Return the digest of each data set that settings read, by its name."""
    results = {}
    for s in settings:
        if s.family == "lenses":
            results[CASES] = digest(CASES)
        elif s.family == "uci":
            results[f"uci/{s.at}"] = uci_data.uci_set(str(s.at)).digest()
        elif s.family == "data":
            results[str(s.at)] = load_set(str(s.at), s.n, None, seed).sample.digest()
    return results


def estimator_ids(n: int, effort: Effort, without: Sequence[str] = (), bounds: str = "") -> dict[str, str]:
    """Write the library's ids of the estimators of a setting."""
    words = {
        "repeats": effort.repeats,
        "bootstrap": effort.bootstrap,
        # as many fits as the bootstrap has samples, for a comparison at equal cost
        "as_many": max(2, round(effort.bootstrap / 10)),
        "a_case": max(1, round(effort.left_out_clones / n)),
        "clones": effort.clones,
        "bounds": f", bounds={bounds}" if bounds else "",
    }
    return {name: text.format(**words) for name, text in ESTIMATORS.items() if name not in without}
