"""Chapter 3: every estimator on every paper's samples."""
