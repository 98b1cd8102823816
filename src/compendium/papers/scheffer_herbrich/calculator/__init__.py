"""Beyond the paper: what trials on one test set buy, calculated."""
