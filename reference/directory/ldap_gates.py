"""Which queue managers are the gates of a site: no attribute says so, a policy decides (BR-27)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId
from mqconform.reference.errors import ModelError

LinkGates = Iterable[tuple[tuple[SiteId, SiteId], tuple[QueueManagerId, ...]]]
"""The two sites of each routing link, and the queue managers that its mSMQSiteGates names."""


class GatePolicy(StrEnum):
    """Where the gates of a site come from."""

    LINKS_AND_MEMBERS = "links-and-members"
    """The gates of all links that touch the site, as far as they are in the site."""
    LINKS = "links"
    """The gates of all links that touch the site."""
    FILE = "file"
    """The gates that a file lists."""


class UnknownGate(ModelError):
    """A list of gates names a site or a queue manager that is not in the directory; the message says which."""


@dataclass(frozen=True)
class Gates:
    """How gates are found.

    Attributes:
        policy: where they come from.
        listed: with ``FILE``, the gates of each site: names in either case, or GUIDs.
    """

    policy: GatePolicy = GatePolicy.LINKS_AND_MEMBERS
    listed: Mapping[str, Sequence[str]] | None = None


NO_LIST: Final[Mapping[str, Sequence[str]]] = {}


def gates_by_site(
    gates: Gates, links: LinkGates, sites: Mapping[SiteId, str], machines: Sequence[QueueManager]
) -> dict[SiteId, tuple[QueueManagerId, ...]]:
    """Return the gates of each site that has any, sorted by GUID.

    Args:
        gates: the policy.
        links: what the routing links say.
        sites: names by GUID.
        machines: all queue managers.

    Raises:
        UnknownGate: a list names what is not there.
    """
    if gates.policy is GatePolicy.FILE:
        return _listed(gates.listed or NO_LIST, sites, machines)
    members = {machine.identifier: machine.site_identifier_list for machine in machines}
    gates_at_site: dict[SiteId, set[QueueManagerId]] = {}
    for ends, named in links:
        for site in ends:
            everywhere = gates.policy is GatePolicy.LINKS
            gates_at_site.setdefault(site, set()).update(
                gate for gate in named if everywhere or site in members.get(gate, ())
            )
    return {site: tuple(sorted(site_gates)) for site, site_gates in gates_at_site.items()}


def _listed(
    listed: Mapping[str, Sequence[str]], sites: Mapping[SiteId, str], machines: Sequence[QueueManager]
) -> dict[SiteId, tuple[QueueManagerId, ...]]:
    by_site: dict[str, list[SiteId]] = {}
    for identifier, name in sites.items():
        for called in {identifier, name.casefold()}:
            by_site.setdefault(called, []).append(identifier)
    by_machine: dict[str, list[QueueManagerId]] = {}
    for machine in machines:
        for called in {machine.identifier, machine.name.casefold()}:
            by_machine.setdefault(called, []).append(machine.identifier)
    return {
        SiteId(_the_one("site", site, by_site)): tuple(
            QueueManagerId(_the_one("queue manager", gate, by_machine)) for gate in named
        )
        for site, named in listed.items()
    }


def _the_one(kind: str, called: str, identifiers: Mapping[str, Sequence[str]]) -> str:
    matches = identifiers.get(called.casefold(), ())
    if len(matches) != 1:
        count = "no" if not matches else str(len(matches))
        raise UnknownGate(f"{count} {kind} of the directory is called {called!r:.80}; write its name or GUID")
    return matches[0]
