"""Learning curves of small samples, extrapolated, against the errors at larger sizes."""
