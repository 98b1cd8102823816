"""Chapter 2: how often the intervals hold the truth."""
