"""Tests run under the settings that keep equal bits, set before numpy is imported."""

from errorest import bits

bits.apply()
