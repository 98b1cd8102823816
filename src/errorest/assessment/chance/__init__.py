"""Better than chance? The same estimate on permuted labels, for any classifier and estimator."""
