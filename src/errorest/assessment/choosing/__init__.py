"""Choosing among classifiers on shared resamples, and what the choice itself adds to the winner's good looks."""
