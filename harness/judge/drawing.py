"""Draws by Hypothesis that depend on the seed alone."""

from typing import Final

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider


class SeedAlone(HypothesisProvider):
    """A backend of Hypothesis that draws no constants.

    Hypothesis reads them from source files where a project is not installed among packages: a checkout and an installed
    package would try different inputs with the same seed, and so might differ in a verdict. It has no setting for that.
    """

    def _maybe_draw_constant(self, *_: object, **__: object) -> None:
        return None


BY_SEED_ALONE: Final = "mqconform-seed-alone"
"""Name of the backend, for the settings of Hypothesis."""
AVAILABLE_PROVIDERS[BY_SEED_ALONE] = f"{SeedAlone.__module__}.{SeedAlone.__qualname__}"
