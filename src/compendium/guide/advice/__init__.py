"""Which estimator to use when."""
