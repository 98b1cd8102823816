"""Where samples come from, what knows a classifier's true error, and the one experiment on them."""

from errorest.experiment.experiment import Experiment
from errorest.experiment.populations import NormalClasses, TwoNormals
from errorest.experiment.results import wide
from errorest.experiment.sources import DataAsPopulation, Drawn, Fixed, FromPopulation, PartOfData, Source, WithTestSet

__all__ = [
    "DataAsPopulation",
    "Drawn",
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
