"""Which cases of the suite a run is about, and why the others are not."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NamedTuple

from mqconform.harness.records.iut_description import IutDescription
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.requirement import covers
from mqconform.harness.records.scope import NO_ROLE, NOT_OFFERED, OPTION
from mqconform.harness.suite.catalogue import Catalogue, load_catalogue
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.naming import values_of
from mqconform.harness.suite.telling import failed_in

MAX_SHOWN = 200
"""Longest expression that a message repeats, in characters."""

CLOCKS = frozenset({"virtual-clock", "real-clock"})
"""Capabilities of which either will do for a case that needs a clock."""


OPTIONS: Final = frozenset({"ipx", "ipx-client"})
"""Capabilities that the text makes optional: IPX is a MAY (MS-MQSD 2.1)."""


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
        cases: ids of cases, or names of scenarios or features all of whose cases are meant; none means all.
    """

    requirements: tuple[str, ...] = ()
    expression: str = ""
    cases: tuple[str, ...] = ()

    def wants(self, requirements: tuple[str, ...]) -> bool:
        """Tell whether a case that bears on ``requirements`` is asked for."""
        if not self.requirements:
            return True
        return any(covers(asked, requirement) for asked in self.requirements for requirement in requirements)

    def wants_scenario(self, scenario: str, requirements: tuple[str, ...]) -> bool:
        """Tell whether a scenario is asked for: it names one of ``requirements``, or is known to fail one."""
        return self.wants(requirements) or self.wants(failed_in(scenario))

    def wants_some_case_of(self, scenario: str) -> bool:
        """Tell whether a case of a scenario, of any row, may be asked for."""
        return self.wants_case(scenario) or any(case.startswith(f"{scenario}/") for case in self.cases)

    def wants_some_case_in(self, feature: str) -> bool:
        """Tell whether a case of a feature may be asked for."""
        return not self.cases or any(case == feature or case.startswith(f"{feature}/") for case in self.cases)

    def wants_case(self, case: str) -> bool:
        """Tell whether a case is asked for by its id, or by the name of its scenario or feature."""
        return not self.cases or any(case == asked or case.startswith(f"{asked}/") for asked in self.cases)


def of_other_role(reason: str) -> bool:
    """Tell whether a case was not judged because it is for a role that the implementation does not declare."""
    return reason.startswith(NO_ROLE)


def excuse(
    tags: tuple[str, ...], requirements: tuple[str, ...], iut: IutDescription, profile: Profile, catalogue: Catalogue
) -> Excuse | None:
    """Return why a case cannot or need not be judged on this IUT, or None when it is to run."""
    roles = values_of(tags, "role")
    if roles and not iut.roles.intersection(roles):
        return Excuse("not-applicable", f"{NO_ROLE} {' or '.join(roles)}")
    offered = iut.capabilities | ({"clock"} if iut.capabilities & CLOCKS else set())
    missing = [need for need in values_of(tags, "needs") if need not in offered]
    if missing and OPTIONS.issuperset(missing):
        return Excuse("not-applicable", f"{OPTION}: {', '.join(missing)}")
    if missing:
        return Excuse("unsupported", f"{NOT_OFFERED}{', '.join(missing)}")
    if requirements and all(requirement in iut.declined for requirement in requirements):
        return Excuse("unsupported", "the implementation declares that it does not implement this")
    binding = binding_levels(profile)
    if requirements and all(catalogue[requirement].level not in binding for requirement in requirements):
        return Excuse("not-applicable", f"does not bind in profile {profile.value}")
    return None


def judged_in(requirements: Iterable[str], catalogue: Catalogue, profile: Profile) -> tuple[str, ...]:
    """Return the requirements that a witness may name: judged ones that bind in the profile.

    Optional behaviour binds an implementation only if it shows it; a scenario that judges it has observed it.
    """
    levels = binding_levels(profile) | {"may"}
    candidates = map(catalogue.__getitem__, requirements)
    return tuple(requirement.id for requirement in candidates if requirement.is_judged and requirement.level in levels)


def clock_excuse(tags: tuple[str, ...], *, real_clock: bool) -> Excuse | None:
    """Return why the case of a role with a real clock is not judged with that clock, None if it is."""
    roles = {"role:discovery_client", "role:queue_manager"}
    if real_clock and roles.intersection(tags) and "needs:virtual-clock" in tags:
        return Excuse("not-applicable", "it needs a virtual clock, and the clock of this run is real")
    return None


def checked_selection(selection: Selection, *, added: bool = False) -> Selection:
    """Return the selection if everything in it can match.

    Args:
        selection: what the user asked for.
        added: whether there are features that the suite does not have, with cases that are not in the index.

    Raises:
        ConfigurationError: an id that no catalogue has, an expression that ``-k`` cannot read or that matches no case.
    """
    if selection.expression:
        matches = _readable(selection.expression)
        if not added and not any(
            matches(case.id) for scenario in load_suite_index().scenarios for case in scenario.cases
        ):
            raise ConfigurationError(
                f"-k {selection.expression[:MAX_SHOWN]}: no case has an id that matches; "
                "`mqconform list --cases` has the ids"
            )
    catalogue = load_catalogue()
    for asked in selection.requirements:
        if not any(covers(asked, requirement) for requirement in catalogue):
            upper = asked.upper()
            is_selector = any(covers(upper, requirement) for requirement in catalogue)
            near = [upper] if is_selector else get_close_matches(upper, catalogue, n=3)
            hint = f"; did you mean {', '.join(near)}?" if near else "; `mqconform list` shows all"
            raise ConfigurationError(f"--req {asked}: no requirement has that id or prefix{hint}")
    return selection


def _readable(expression: str) -> Callable[[str], bool]:
    """Return what tells whether the id of a case matches, as pytest's ``-k`` does.

    Raises:
        ConfigurationError: pytest would refuse the expression; nothing has been started yet.
    """
    from _pytest.mark.expression import Expression  # noqa: PLC0415 - pytest offers this nowhere else; slow to load

    try:
        compiled = Expression.compile(expression)
    except Exception as error:  # SyntaxError in pytest 9, an error of its own in pytest 8, RecursionError in both
        remedy = "join parts of case ids with and, or, not and brackets; `mqconform list --cases` has the ids"
        wrong = getattr(error, "msg", error)
        raise ConfigurationError(f"-k {expression[:MAX_SHOWN]}: {wrong}; {remedy}") from error

    def matches(case: str) -> bool:
        def holds(part: str, /, **_: str | int | bool | None) -> bool:
            return part.lower() in case

        return compiled.evaluate(holds)

    return matches
