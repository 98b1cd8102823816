"""Coverage of intervals for scores of probabilities, against analytic truth."""
