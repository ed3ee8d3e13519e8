"""What a check or a step says of itself: the requirements that it bears on, and whether it draws from the seed.

A scenario judges what its tags name. Where it names several and makes several assertions, the checks say which belongs
to which; a check that says nothing bears on all tags, and one that none of the tags claims on its own main
requirement: a wrong count must not count against the requirement on Version.
"""

from collections.abc import Callable
from typing import TypeVar

Check = TypeVar("Check", bound=Callable[..., object])
_BEARS_ON = "__bears_on__"


def bears_on(*requirements: str) -> Callable[[Check], Check]:
    """Say what a check is about; the first requirement is its main one."""

    def marked(check: Check) -> Check:
        setattr(check, _BEARS_ON, requirements)
        return check

    return marked


def own_requirements(check: Callable[..., object] | None) -> tuple[str, ...]:
    """Return what a check says that it is about, nothing where it does not say."""
    requirements: tuple[str, ...] = getattr(check, _BEARS_ON, ())
    return requirements


def bearing(check: Callable[..., object] | None, tagged: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that an executed check is a witness for; ``tagged`` are those of the scenario."""
    own = own_requirements(check)
    if not own:
        return tagged
    return tuple(requirement for requirement in tagged if requirement in own) or own[:1]


Step = TypeVar("Step", bound=Callable[..., object])
_FROM_SEED = "__from_seed__"


def from_seed(step: Step) -> Step:
    """Mark a step that searches with what derives from the seed."""
    setattr(step, _FROM_SEED, True)
    return step


def is_from_seed(step: object) -> bool:
    """Tell whether what a step asks derives from the seed."""
    return getattr(step, _FROM_SEED, False) is True
