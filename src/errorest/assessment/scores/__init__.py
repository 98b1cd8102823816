"""Scores on one's own data: Brier score, log loss, AUC and others, with intervals and calibration."""
