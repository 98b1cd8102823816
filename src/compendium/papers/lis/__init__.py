"""The LIS course page on resampling (Rudjer Boskovic Institute, 2001)."""
