"""Selection among classifiers: optimism of the best, tests against chance, posteriors of differences."""
