"""Section 2: populations, boundaries and thresholds."""
