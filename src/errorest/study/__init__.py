"""Any grid of cells and replicates, computed by workers and kept in a store."""

from errorest.study.replicates import each_replicate
from errorest.study.store import Store
from errorest.study.study import Study, run_study

__all__ = ["Store", "Study", "each_replicate", "run_study"]
