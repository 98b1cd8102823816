"""From parameters to the book: catalogue, runs, records, pages, releases."""
