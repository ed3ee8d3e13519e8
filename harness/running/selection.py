"""Which cases of the suite a run is about, and why the others are not."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from mqconform.harness.catalogue import Catalogue, load_catalogue
from mqconform.harness.iut import ConfigurationError, IutDescription
from mqconform.harness.naming import values_of
from mqconform.harness.profile import Profile, binding_levels

CLOCKS = frozenset({"virtual-clock", "real-clock"})
"""Capabilities of which either will do for a case that needs a clock."""


class Excuse(NamedTuple):
    """Why a case is not judged: ``unsupported`` or ``not-applicable``, and the reason in words."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user asked for.

    Attributes:
        requirements: ids or prefixes of ids; none means all.
        expression: pytest's ``-k``; matched against case ids.
        cases: ids of cases, or names of features all of whose cases are meant; none means all.
    """

    requirements: tuple[str, ...] = ()
    expression: str = ""
    cases: tuple[str, ...] = ()

    def wants(self, requirements: tuple[str, ...]) -> bool:
        """Tell whether a case that bears on ``requirements`` is asked for."""
        if not self.requirements:
            return True
        return any(covers(asked, one) for asked in self.requirements for one in requirements)

    def wants_case(self, case: str) -> bool:
        """Tell whether a case is asked for by its id, or by its feature's name."""
        return not self.cases or any(
            case == one or (case.startswith(f"{one}/") and one.count("/") == 1) for one in self.cases
        )


def covers(asked: str, requirement: str) -> bool:
    """Tell whether ``asked`` is the requirement, its section or its specification."""
    return requirement == asked or requirement.startswith((f"{asked}-", f"{asked}."))


def excuse(
    tags: tuple[str, ...], requirements: tuple[str, ...], iut: IutDescription, profile: Profile, catalogue: Catalogue
) -> Excuse | None:
    """Return why a case cannot or need not be judged on this IUT, or None when it is to run."""
    roles = values_of(tags, "role")
    if roles and not iut.roles.intersection(roles):
        return Excuse("not-applicable", f"the implementation has no role {' or '.join(roles)}")
    offered = iut.capabilities | ({"clock"} if iut.capabilities & CLOCKS else set())
    missing = [need for need in values_of(tags, "needs") if need not in offered]
    if missing:
        return Excuse("unsupported", f"the implementation does not offer {', '.join(missing)}")
    if requirements and all(one in iut.declined for one in requirements):
        return Excuse("unsupported", "the implementation declares that it does not implement this")
    binding = binding_levels(profile)
    if requirements and all(catalogue[one].level not in binding for one in requirements):
        return Excuse("not-applicable", f"does not bind in profile {profile.value}")
    return None


def checked_selection(selection: Selection) -> Selection:
    """Return the selection if everything in it can match.

    Raises:
        ConfigurationError: an id that no catalogue has.
    """
    known = load_catalogue()
    for asked in selection.requirements:
        if not any(covers(asked, one) for one in known):
            near = get_close_matches(asked, known, n=3)
            hint = f"; did you mean {', '.join(near)}?" if near else "; `mqconform list` shows all"
            raise ConfigurationError(f"--req {asked}: no requirement has that id or prefix{hint}")
    return selection
