"""What a picture of an enterprise shows: sites as boxes, routing links as lines, the allowed paths over them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from typing import Final

from mqconform.harness.tools.enterprise.crossings import Crossing, Crossings
from mqconform.harness.tools.enterprise.machine_names import machine_label, site_label
from mqconform.harness.tools.enterprise.routes import MOST_PATHS, Ending, Path, Routes
from mqconform.reference.directory import Directory, QueueManagerId, RoutingLinkId, Site, SiteId

MOST_SITES: Final = 150
"""Sites of which a picture is still readable."""

LISTED: Final = 5
"""Ways through the sites that are listed one by one."""

_ENDINGS: Final = {
    Ending.DELIVERED: "",
    Ending.NO_ROUTE: ", then no route",
    Ending.LOOP: ", then back again",
    Ending.UNEXPLORED: ", then not followed further",
}


class TooManySites(Exception):
    """The enterprise is too large for a picture; the message says what to do."""


@dataclass(frozen=True, slots=True)
class SiteBox:
    """A site as the picture shows it."""

    identifier: SiteId
    name: str
    """Its name, or its GUID where it has none."""
    queue_managers: int
    gates: tuple[str, ...]
    """Names of its gates, or their GUIDs."""
    foreign: bool = False
    on_path: bool = False
    sender: str = ""
    """Name of the queue manager in it that the shown paths start from; empty for none."""
    receiver: str = ""
    """Name of the queue manager in it that the shown paths lead to; empty for none."""
    answered: tuple[str, ...] = ()
    """Names of the queue managers in it that an implementation gave as next hops, right or wrong."""


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A routing link, a hop that goes from site to site without one, or a hop of an answer that no path allows."""

    ends: tuple[SiteId, SiteId]
    cost: int | None
    """ActualCost; None for a hop without a link and for a hop of an answer."""
    left_from: frozenset[SiteId] = frozenset()
    """Ends that a shown path leaves by; empty where no path uses it."""
    wrong: bool = False
    """Whether it is a hop of an answer, from the first site to the second, that is on no shown path."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn."""

    title: str
    subtitle: str
    sites: tuple[SiteBox, ...]
    lines: tuple[LinkLine, ...]
    paths: tuple[str, ...]
    """The shown paths in words, one line each; empty where none were asked for."""
    notes: tuple[str, ...]
    """What is left out, one line each."""


def picture_of(
    directory: Directory, routes: Routes | None = None, answered: tuple[QueueManagerId, ...] = ()
) -> Picture:
    """Return what a picture shows of an enterprise, of the allowed paths through it, and of an answer to be judged.

    Args:
        directory: the enterprise.
        routes: the allowed paths to draw over it.
        answered: next hops that an implementation gave.

    Raises:
        TooManySites: if there are more than a picture holds.
    """
    crossed = _crossed(routes)
    sites, reason = _shown_sites(directory, crossed)
    lines, loose = _lines(directory, sites, crossed)
    boxes = tuple(_with_answer(directory, box, answered) for box in _boxes(directory, sites, crossed, routes))
    return Picture(
        title=directory.enterprise.name or f"Enterprise {directory.enterprise.identifier}",
        subtitle=_census(directory),
        sites=boxes,
        lines=(*lines, *_wrong_hops(boxes, crossed)),
        paths=_path_lines(directory, routes) if routes else (),
        notes=tuple(note for note in (reason, _drawn_as_one(directory), loose) if note),
    )


def picture_of_way(directory: Directory, way: Sequence[SiteId], beside: Sequence[SiteId], text: str) -> Picture:
    """Return what a picture shows of one way through the sites.

    Args:
        directory: the enterprise.
        way: the sites that a message passes, in its order; empty for none.
        beside: further sites that are to be in the picture, as far as they are in the enterprise.
        text: the way in words.

    Raises:
        TooManySites: if there are more than a picture holds.
    """
    crossings = Crossings(directory)
    crossed = tuple(crossings.over(*hop) for hop in pairwise(way))
    stays = tuple(Crossing(site, site, None) for site in (*way, *beside))
    sites, reason = _shown_sites(directory, (*crossed, *stays))
    lines, loose = _lines(directory, sites, crossed)
    boxes = _boxes(directory, sites, crossed, None)
    return Picture(
        title=directory.enterprise.name or f"Enterprise {directory.enterprise.identifier}",
        subtitle=_census(directory),
        sites=boxes,
        lines=lines,
        paths=(text,),
        notes=tuple(note for note in (reason, _drawn_as_one(directory), loose) if note),
    )


def _crossed(routes: Routes | None) -> tuple[Crossing, ...]:
    return tuple(routes.crossings.between(*hop) for hop in routes.hops()) if routes else ()


def _census(directory: Directory) -> str:
    counts = (
        (len(directory.sites), "site"),
        (len(directory.routing_links), "routing link"),
        (len(directory.queue_managers), "queue manager"),
    )
    return ", ".join(f"{number} {what}{'' if number == 1 else 's'}" for number, what in counts)


def _drawn_as_one(directory: Directory) -> str:
    doubled = len(directory.sites) - len(directory.sites_by_identifier)
    return f"Sites that repeat the id of another one are drawn as that one: {doubled}." if doubled else ""


def _boxes(
    directory: Directory, sites: Mapping[SiteId, Site], crossed: tuple[Crossing, ...], routes: Routes | None
) -> tuple[SiteBox, ...]:
    members = Counter(
        site for queue_manager in directory.queue_managers for site in dict.fromkeys(queue_manager.site_identifier_list)
    )
    on_path = {site for crossing in crossed for site in (crossing.from_site, crossing.to_site)}
    sender, receiver = (routes.source, routes.destination) if routes else (None, None)
    return tuple(
        SiteBox(
            identifier=identifier,
            name=site.name or identifier,
            queue_managers=members[identifier],
            gates=tuple(machine_label(directory, gate) for gate in dict.fromkeys(site.site_gate_collection)),
            foreign=site.foreign_site,
            on_path=identifier in on_path,
            sender=_if_member(directory, sender, identifier),
            receiver=_if_member(directory, receiver, identifier),
        )
        for identifier, site in sites.items()
    )


def _with_answer(directory: Directory, box: SiteBox, answered: tuple[QueueManagerId, ...]) -> SiteBox:
    names = (_if_member(directory, machine, box.identifier) for machine in answered)
    return replace(box, answered=tuple(name for name in names if name)) if answered else box


def _wrong_hops(boxes: Sequence[SiteBox], crossed: Iterable[Crossing]) -> Iterator[LinkLine]:
    """Yield the hops of the answer that no shown path takes, between the sites of the sender and of the answer."""
    allowed = {(crossing.from_site, crossing.to_site) for crossing in crossed}
    for sender, answer in product(boxes, boxes):
        hop = (sender.identifier, answer.identifier)
        if sender.sender and answer.answered and sender is not answer and hop not in allowed:
            yield LinkLine(hop, None, wrong=True)


def _if_member(directory: Directory, machine: QueueManagerId | None, site: SiteId) -> str:
    queue_managers = directory.queue_managers_by_identifier.get(machine, ()) if machine else ()
    return (
        (queue_managers[0].name or queue_managers[0].identifier)
        if queue_managers and site in queue_managers[0].site_identifier_list
        else ""
    )


def _lines(
    directory: Directory, sites: Mapping[SiteId, Site], crossed: tuple[Crossing, ...]
) -> tuple[tuple[LinkLine, ...], str]:
    """Return the lines, and a note about links that cannot be drawn."""
    used: defaultdict[RoutingLinkId, set[SiteId]] = defaultdict(set)
    unlinked: defaultdict[tuple[SiteId, SiteId], set[SiteId]] = defaultdict(set)
    for crossing in crossed:
        if crossing.from_site is None or crossing.to_site is None or crossing.within_a_site:
            continue
        if crossing.link:
            used[crossing.link.identifier].add(crossing.from_site)
        else:
            first, second = sorted((crossing.from_site, crossing.to_site))
            unlinked[first, second].add(crossing.from_site)
    drawn, loose = [], 0
    for link in directory.routing_links:
        ends = (link.site1_identifier, link.site2_identifier)
        if ends[0] != ends[1] and ends[0] in sites and ends[1] in sites:
            drawn.append(LinkLine(ends, link.actual_cost, frozenset(used[link.identifier])))
        elif ends[0] == ends[1] or not directory.sites_by_identifier.keys() >= set(ends):
            loose += 1
    drawn += [LinkLine(ends, None, frozenset(left)) for ends, left in unlinked.items() if sites.keys() >= set(ends)]
    note = f"Not drawn, as they join no two sites of the enterprise: {loose} of the routing links." if loose else ""
    return tuple(drawn), note


def _shown_sites(directory: Directory, crossed: Iterable[Crossing]) -> tuple[Mapping[SiteId, Site], str]:
    """Return the sites to be drawn in the order of the directory, and a note if that is not all of them.

    Of an enterprise too large for a picture, the sites on the paths are shown, with their neighbours if these fit.

    Args:
        directory: the enterprise.
        crossed: the hops of all shown paths.

    Raises:
        TooManySites: if the sites on the paths are too many as well, or there are no paths.
    """
    sites = {identifier: namesakes[0] for identifier, namesakes in directory.sites_by_identifier.items()}
    if len(sites) <= MOST_SITES:
        return sites, ""
    on_path = {site for crossing in crossed for site in (crossing.from_site, crossing.to_site) if site in sites}
    near = on_path | _neighbours(directory, on_path)
    for chosen, what in ((near, "the sites on the paths and their neighbours"), (on_path, "the sites on the paths")):
        if 0 < len(chosen & sites.keys()) <= MOST_SITES:
            selection = {identifier: site for identifier, site in sites.items() if identifier in chosen}
            return selection, f"Shown are {what}: {len(selection)} of {len(sites)} sites."
    remedy = "the paths pass too many of them" if on_path else "name two queue managers with --from and --to"
    raise TooManySites(f"{len(sites)} sites do not fit into a picture, which holds {MOST_SITES}; {remedy}")


def _neighbours(directory: Directory, sites: set[SiteId]) -> set[SiteId]:
    ends = ({link.site1_identifier, link.site2_identifier} for link in directory.routing_links)
    return {site for pair in ends if pair & sites for site in pair}


def _path_lines(directory: Directory, routes: Routes) -> tuple[str, ...]:
    """Return what the paths are: source and destination, then each way through the sites with its cost."""
    paths = list(islice(routes.paths(), MOST_PATHS + 1))
    more = len(paths) > MOST_PATHS
    ways = list(dict.fromkeys(_way(directory, path) for path in paths[:MOST_PATHS]))
    heading = f"From {machine_label(directory, routes.source)} to {machine_label(directory, routes.destination)}:"
    rest = [f"and {len(ways) - LISTED} more ways"] if len(ways) > LISTED else []
    if more:
        rest = ["and more ways; equal costs multiply"]
    return (heading, *ways[:LISTED], *rest)


def _way(directory: Directory, path: Path) -> str:
    """Return the sites of a path with what it costs."""
    names = " → ".join(site_label(directory, site) for site in path.sites)
    if path.ending is Ending.NO_ROUTE and not path.crossings:
        return "no route"
    cost = "without a routing link" if path.cost is None else f"cost {path.cost}"
    return f"{names or 'no site'} ({cost}){_ENDINGS[path.ending]}"
