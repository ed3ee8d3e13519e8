"""Which requirements a check bears on, said at the check.

A scenario judges what its tags name. Where it names several and makes several assertions, the checks say which belongs
to which; a check that says nothing bears on all tags, and one that none of the tags claims on its own main
requirement: a wrong count must not count against the requirement on Version.
"""

from collections.abc import Callable
from typing import TypeVar

Check = TypeVar("Check", bound=Callable[..., object])
_ATTRIBUTE = "__bears_on__"


def bears_on(*requirements: str) -> Callable[[Check], Check]:
    """Say what a check is about; the first requirement is its main one."""

    def marked(check: Check) -> Check:
        setattr(check, _ATTRIBUTE, requirements)
        return check

    return marked


def own_requirements(check: Callable[..., object] | None) -> tuple[str, ...]:
    """Return what a check says that it is about, nothing where it does not say."""
    requirements: tuple[str, ...] = getattr(check, _ATTRIBUTE, ())
    return requirements


def bearing(check: Callable[..., object] | None, tagged: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that an executed check is a witness for; ``tagged`` are those of the scenario."""
    own = own_requirements(check)
    if not own:
        return tagged
    return tuple(requirement for requirement in tagged if requirement in own) or own[:1]
