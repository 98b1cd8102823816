"""Where samples come from, what knows a classifier's true error, and the one experiment on them."""

from errorest.experiment.experiment import Experiment, wide
from errorest.experiment.populations import NormalClasses, TwoNormals
from errorest.experiment.sources import (
    DataAsPopulation,
    DrawnSample,
    Fixed,
    FromPopulation,
    PartOfData,
    Source,
    WithTestSet,
)

__all__ = [
    "DataAsPopulation",
    "DrawnSample",
    "Experiment",
    "Fixed",
    "FromPopulation",
    "NormalClasses",
    "PartOfData",
    "Source",
    "TwoNormals",
    "WithTestSet",
    "wide",
]
