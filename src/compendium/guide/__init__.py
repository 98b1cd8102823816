"""Studies beyond the papers: coverage of intervals, estimators compared, other packages.

No paper printed these numbers: they have no verdicts.
"""
