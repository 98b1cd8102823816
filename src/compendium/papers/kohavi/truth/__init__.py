"""Table 1 and the learning curves: what the data sets are, and how accurate the inducers truly are on them."""
