"""Coverage of intervals of AUC, Brier score and average precision, whose true values are known."""
