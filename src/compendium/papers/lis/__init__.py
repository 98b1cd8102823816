"""The LIS course page on resampling (Rudjer Boskovic Institute, 2001).

Its three tables counted from the schemes themselves, and its claims executed.
"""
