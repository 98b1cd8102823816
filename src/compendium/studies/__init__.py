"""Any grid of cells and replicates, computed by workers and kept in a store; the one experiment on samples."""
