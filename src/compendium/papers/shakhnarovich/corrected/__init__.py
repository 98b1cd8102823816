"""The synthetic settings again, with .632+ in its correct form."""
