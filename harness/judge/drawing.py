"""Draws by Hypothesis that depend on the seed alone."""

from typing import Final

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider
from hypothesis.internal.constants_ast import Constants


class SeedAlone(HypothesisProvider):
    """Draws no constants from source files, which Hypothesis reads where a project is not installed among packages.

    A checkout and an installed package would try different inputs with the same seed, and so might differ in a verdict.
    It would also leave a folder where the user stands. Hypothesis has no setting for it, but takes other backends.
    """

    _local_constants = Constants()


BY_SEED_ALONE: Final = "mqconform-seed-alone"
"""Name of the backend for the settings of Hypothesis."""
AVAILABLE_PROVIDERS[BY_SEED_ALONE] = f"{SeedAlone.__module__}.{SeedAlone.__qualname__}"
