"""Chapter 4: which estimator when."""
