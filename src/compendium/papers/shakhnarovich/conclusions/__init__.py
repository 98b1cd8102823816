"""What the paper concludes, weighed over all its tables."""
