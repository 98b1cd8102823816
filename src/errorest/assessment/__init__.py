"""The public functions of :mod:`errorest`, each in the module of its name, over problem, resamples and predictions."""
