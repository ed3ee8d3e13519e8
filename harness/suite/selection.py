"""Which cases of the suite a run is about, and why the others are not."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from mqconform.harness.records.iut_description import IutDescription
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.requirement import covers
from mqconform.harness.suite.catalogue import Catalogue, load_catalogue
from mqconform.harness.suite.naming import values_of

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

    def wants_some_case_of(self, scenario: str) -> bool:
        """Tell whether a case of a scenario may be asked for, whatever its row."""
        return self.wants_case(scenario) or any(one.startswith(f"{scenario}/") for one in self.cases)

    def wants_case(self, case: str) -> bool:
        """Tell whether a case is asked for by its id, or by its feature's name."""
        return not self.cases or any(
            case == one or (case.startswith(f"{one}/") and one.count("/") == 1) for one in self.cases
        )


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


def judged_in(requirements: Iterable[str], catalogue: Catalogue, profile: Profile) -> tuple[str, ...]:
    """Return the requirements that a witness may speak of: those that are judged and bind in the profile.

    Optional behaviour binds nobody who does not show it; a scenario that judges it has seen it.
    """
    levels = binding_levels(profile) | {"may"}
    known = map(catalogue.__getitem__, requirements)
    return tuple(one.id for one in known if one.is_judged and one.level in levels)


def clock_excuse(tags: tuple[str, ...], *, real_clock: bool) -> Excuse | None:
    """Return why a case about discovery clients is not judged with the real clock, None where it is."""
    if real_clock and "role:discovery_client" in tags and "needs:virtual-clock" in tags:
        return Excuse("not-applicable", "it takes a virtual clock, and the clock of this run is real")
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
