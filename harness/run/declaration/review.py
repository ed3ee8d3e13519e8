"""The static review of a declaration: what in it cannot be, contradicts itself, or gives away more than it may."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import islice

from mqconform.harness.iut.interface import IutDescription, excerpt
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, ROLES
from mqconform.harness.records.results import Remark
from mqconform.harness.suite.catalogue import Catalogue

MOST = 20
"""Remarks of one kind."""
BINDING = ("must", "must-not")


def review(description: IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    """Yield what is to be said about a declaration, without asking the implementation anything."""
    for check in (_roles, _capabilities, _specifications, _declined):
        yield from islice(check(description, catalogue), MOST)  # no more is looked at: suggestions take long


def _roles(description: IutDescription, _: Catalogue) -> Iterator[Remark]:
    if not description.roles.intersection(ROLES):
        text = f"no known role is declared, so nothing can be judged; declare one of {_named(ROLES)}"
        yield Remark("contradiction", "roles", text)
    for role in sorted(description.roles.difference(ROLES)):
        yield Remark(
            "unknown", excerpt(role), f"is not a role of this protocol version; known are {_near(role, ROLES)}"
        )


def _capabilities(description: IutDescription, _: Catalogue) -> Iterator[Remark]:
    for name in sorted(description.capabilities):
        roles = CAPABILITIES.get(name)
        if roles is None:
            text = (
                f"is not a capability of this protocol version and has no effect; known are {_near(name, CAPABILITIES)}"
            )
            yield Remark("unknown", excerpt(name), text)
        elif not description.roles.intersection(roles):
            text = f"is declared without its role; declare {_any(roles)} as well, or remove it"
            yield Remark("contradiction", name, text)
    if description.capabilities.issuperset(CLOCKS):
        text = "virtual-clock and real-clock are both declared; declare only the clock of the timers"
        yield Remark("contradiction", "real-clock", text)
    for role in ("discovery_client", "queue_manager"):
        if role in description.roles and not description.capabilities.intersection(CLOCKS):
            text = "no clock is declared, so waits are not judged; declare virtual-clock or real-clock"
            yield Remark("contradiction", role, text)


def _specifications(description: IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    revisions = {specification.id: specification.revision for specification in catalogue.specifications}
    for name, revision in sorted(description.specs.items()):
        if name not in revisions:
            text = f"is an unknown specification; known are {_near(name, revisions)}"
            yield Remark("unknown", excerpt(name), text)
        elif revision != revisions[name]:
            text = f"revision {excerpt(revision)} is declared, the catalogue is of {revisions[name]}"
            text += "; `mqconform spec diff` lists the differences"
            yield Remark("unknown", name, text)


def _declined(description: IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    for name in sorted(description.declined):
        requirement = catalogue.get(name)
        if requirement is None:
            near = get_close_matches(name[:80], [*catalogue], n=3)
            meant = f"meant may be {_named(near)}" if near else "`mqconform list` shows all"
            text = f"is declined, but is not a requirement; {meant}"
            yield Remark("unknown", excerpt(name), text)
        elif not description.roles.intersection(requirement.roles):
            text = f"is declined, and binds {_any(sorted(requirement.roles))} alone, which is not declared; remove it"
            yield Remark("contradiction", name, text)
        elif not requirement.is_judged:
            yield Remark("contradiction", name, "is declined, but is never judged; remove it")
        elif requirement.level in BINDING:
            text = f"has level {requirement.level}: declined, it is unsupported, and conformance is not complete"
            yield Remark("declined", name, text)
        else:
            yield Remark(
                "declined", name, f"is declined, and reported as unsupported; its level is {requirement.level}"
            )


def _near(name: str, candidates: Iterable[str]) -> str:
    """Return names like this one, or the first there are."""
    names = [*candidates]
    return _named(get_close_matches(name[:80], names, n=3) or names[:6])


def _named(names: Iterable[str]) -> str:
    return ", ".join(names)


def _any(roles: Iterable[str]) -> str:
    return " or ".join(roles)
