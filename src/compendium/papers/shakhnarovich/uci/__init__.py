"""Section 7: data sets of the repository."""
