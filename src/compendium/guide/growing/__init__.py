"""What learning curves of small samples expect of larger ones, beside what larger ones bring."""
