"""Any grid of cells and replicates, computed by workers and kept in a store; the one experiment on samples."""

from compendium.studies.experiment import Experiment, wide
from compendium.studies.populations import NormalClasses, TwoNormals
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import (
    DataAsPopulation,
    DrawnSample,
    Fixed,
    FromPopulation,
    PartOfData,
    Source,
    WithTestSet,
)
from compendium.studies.store import Store
from compendium.studies.study import Study, run_study

__all__ = [
    "DataAsPopulation",
    "DrawnSample",
    "Experiment",
    "Fixed",
    "FromPopulation",
    "NormalClasses",
    "PartOfData",
    "Source",
    "Store",
    "Study",
    "TwoNormals",
    "WithTestSet",
    "each_replicate",
    "run_study",
    "wide",
]
