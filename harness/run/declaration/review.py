"""The static review of a declaration: what in it cannot be, contradicts itself, or gives away more than it may."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from mqconform.harness.iut.interface import IutDescription, excerpt
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, ROLES
from mqconform.harness.records.results import Remark
from mqconform.harness.suite.catalogue import Catalogue

MOST = 20
"""Remarks of one kind; an implementation may declare anything any number of times."""
BINDING = ("must", "must-not")


def review(said: IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    """Yield what is to be said about a declaration, without asking the implementation anything."""
    for check in (_roles, _capabilities, _specifications):
        yield from list(check(said, catalogue))[:MOST]
    yield from list(_declined(said, catalogue))[:MOST]


def _roles(said: IutDescription, _: Catalogue) -> Iterator[Remark]:
    if not said.roles.intersection(ROLES):
        told = f"no role that this version knows is declared, so nothing can be judged; declare one of {_named(ROLES)}"
        yield Remark("contradiction", "roles", told)
    for role in sorted(said.roles.difference(ROLES)):
        yield Remark("unknown", excerpt(role), f"is no role of this protocol version; known are {_near(role, ROLES)}")


def _capabilities(said: IutDescription, _: Catalogue) -> Iterator[Remark]:
    for name in sorted(said.capabilities):
        roles = CAPABILITIES.get(name)
        if roles is None:
            told = f"is no capability of this protocol version and has no effect; known are {_near(name, CAPABILITIES)}"
            yield Remark("unknown", excerpt(name), told)
        elif not said.roles.intersection(roles):
            told = f"is declared, and no role that it is for; declare {_any(roles)} as well, or leave it out"
            yield Remark("contradiction", name, told)
    if said.capabilities.issuperset(CLOCKS):
        told = "virtual-clock and real-clock are both declared; declare the one by which the timers run"
        yield Remark("contradiction", "real-clock", told)
    if "discovery_client" in said.roles and not said.capabilities.intersection(CLOCKS):
        told = "neither virtual-clock nor real-clock is declared, so nothing that waits is judged; declare either"
        yield Remark("contradiction", "discovery_client", told)


def _specifications(said: IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    known = {one.id: one.revision for one in catalogue.specifications}
    for name, revision in sorted(said.specs.items()):
        if name not in known:
            told = f"is no specification that is judged here; known are {_near(name, known)}"
            yield Remark("unknown", excerpt(name), told)
        elif revision != known[name]:
            told = f"revision {excerpt(revision)} is declared, the catalogue is of {known[name]}"
            told += "; `mqconform spec diff` tells what differs"
            yield Remark("unknown", name, told)


def _declined(said: IutDescription, catalogue: Catalogue) -> Iterator[Remark]:
    for name in sorted(said.declined):
        known = catalogue.get(name)
        if known is None:
            near = get_close_matches(name[:80], [*catalogue], n=3)
            meant = f"meant may be {_named(near)}" if near else "`mqconform list` shows all"
            told = f"is declined, and no requirement has that id; {meant}"
            yield Remark("unknown", excerpt(name), told)
        elif not said.roles.intersection(known.roles):
            told = f"is declined, and binds {_any(sorted(known.roles))} alone, which is not declared; leave it out"
            yield Remark("contradiction", name, told)
        elif not known.is_judged:
            yield Remark("contradiction", name, "is declined, and is not judged anyway; leave it out")
        elif known.level in BINDING:
            told = f"binds by {known.level}: declined it stays unsupported, and the rest is not full conformance"
            yield Remark("declined", name, told)
        else:
            yield Remark("declined", name, f"is declined, and reported as unsupported; its level is {known.level}")


def _near(name: str, known: Iterable[str]) -> str:
    """Return names like this one, or the first there are."""
    names = [*known]
    return _named(get_close_matches(name[:80], names, n=3) or names[:6])


def _named(names: Iterable[str]) -> str:
    return ", ".join(names)


def _any(roles: Iterable[str]) -> str:
    return " or ".join(roles)
