"""Tests run under the settings that keep equal bits, set before numpy is imported, and repeat exactly."""

from hypothesis import settings

from errorest import bits

bits.apply()
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
