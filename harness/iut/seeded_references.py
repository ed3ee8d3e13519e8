"""References that differ by a seed: ``ref:shuffled?seed=N`` and ``ref:sampled?seed=N``."""

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.sampled import SampledReference
from mqconform.harness.iut.shuffled import ShuffledReference
from mqconform.harness.records.printable import shortened
from mqconform.harness.records.problem import ConfigurationError

KINDS: Final = MappingProxyType({"shuffled": ShuffledReference, "sampled": SampledReference})


def target_of(kind: str, seed: int) -> str:
    """Return the ``module:callable`` of a reference of one of the kinds, by its seed."""
    return f"{__name__}:{kind}_{seed}"


def target_named(text: str) -> str:
    """Return the ``module:callable`` of ``KIND?seed=N``.

    Raises:
        ConfigurationError: it says something else.
    """
    kind, _, seed = text.partition("?seed=")
    if kind not in KINDS or not re.fullmatch(r"[0-9]{1,19}", seed):
        forms = " or ".join(f"{kind}?seed=N" for kind in KINDS)
        expected = f"ref: takes nothing after the colon, or {forms}, N from 0 up, of at most 19 digits"
        raise ConfigurationError(f"--iut ref:{shortened(text, 80)}: {expected}")
    return target_of(kind, int(seed))


def __getattr__(attribute: str) -> Callable[[], ReferenceIut]:
    """Return the factory of ``KIND_N``: what ``ref:KIND?seed=N`` is resolved to."""
    kind, _, seed = attribute.rpartition("_")
    if kind not in KINDS or not seed.isdecimal():
        raise AttributeError(attribute)
    return lambda: KINDS[kind](int(seed))
