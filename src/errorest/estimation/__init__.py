"""From resamples to numbers: running schemes, error-rate estimators and intervals."""
