"""The cross-examination: every paper's estimators on samples of every paper's settings."""
