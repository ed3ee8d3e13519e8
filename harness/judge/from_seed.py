"""Steps whose stimuli derive from the seed of the run."""

from collections.abc import Callable
from typing import TypeVar

Step = TypeVar("Step", bound=Callable[..., object])
_ATTRIBUTE = "__from_seed__"


def from_seed(step: Step) -> Step:
    """Mark a step that searches with what derives from the seed."""
    setattr(step, _ATTRIBUTE, True)
    return step


def is_from_seed(step: object) -> bool:
    """Tell whether what a step asks derives from the seed."""
    return getattr(step, _ATTRIBUTE, False) is True
