"""Section 2: holdout and leave-one-out on iris, the .632 bootstrap for a memorizer, equation 3."""
