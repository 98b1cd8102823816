"""What this project measured beyond the papers: intervals, estimators set against one another, other packages.

No paper printed these numbers, so that none of them has a verdict.
"""
