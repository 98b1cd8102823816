"""Figures 1 to 4 and what is said around them: cross-validation and the .632 bootstrap on samples of the data sets."""
