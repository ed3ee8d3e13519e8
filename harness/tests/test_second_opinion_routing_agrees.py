"""The two routing oracles, written apart, allow the same next hops in every enterprise that is made up here."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mqconform.harness.judge.independent.routing_opinion import RoutingOpinion
from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.elements import QueueManagerId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops

SHAPES = ("hub", "ring", "line", "mesh", "island")
STRANGER = str(UUID(int=0xFFFF))
BY_THE_BOOK = (1, 1, 2, 3)
NOT_FOLLOWED = {
    readings.BAD_OBJECT_SKIPPED,
    readings.OUTSIDE_GATE_LEFT_OUT,
    readings.OWN_ROW_DECIDES,
    readings.ROWS_OF_SEVERAL_ROOTS,
    readings.SELF_HOP,
    readings.COST_FORCED,
    readings.COSTLY_LINK_LEFT_OUT,
    readings.SOME_COMBINATION,
    readings.STRAY_LINK_COUNTS,
    readings.TABLE_FILLED,
    readings.SELF_LEFT_OUT,
    readings.IN_LIST_WITHOUT_SELF,
    readings.IN_SERVER_SENDS_DIRECTLY,
}
"""Readings under which the reference has outcomes that are none of the second oracle."""
WILD = (0, 0, 1, 2, 3, 999_999, 1_000_000)


@dataclass
class Choices:
    """Draws small numbers from one large one, so that a shrunk integer is a simpler enterprise."""

    left: int

    def one_of(self, count: int) -> int:
        """Return a number below ``count``, zero when all is drawn."""
        self.left, drawn = divmod(self.left, count)
        return drawn

    def rarely(self) -> bool:
        return self.one_of(6) == 5


def site(number: int) -> str:
    return str(UUID(int=0x5_0000 + number))


def manager(number: int) -> str:
    return str(UUID(int=0x9_0000 + number))


def pairs_of(shape: str, count: int) -> list[tuple[int, int]]:
    """The linked sites of an enterprise of one shape, site 0 first."""
    following = [(number, number + 1) for number in range(count - 1)]
    match shape:
        case "hub":
            return [(0, number) for number in range(1, count)]
        case "ring":
            return [*following, (count - 1, 0)] if count > 2 else following
        case "mesh":
            return [(one, other) for one in range(count) for other in range(one + 1, count)]
        case "island":
            return following[:-1]
        case _:
            return following


def links(draw: Choices, count: int, *, wild: bool) -> Iterator[dict[str, Any]]:
    # not both at once: under both, the first oracle need not say which of the two an outcome rests on
    strays = wild and draw.one_of(2) == 1
    costs = WILD if wild and not strays else BY_THE_BOOK
    for one, other in pairs_of(SHAPES[draw.one_of(len(SHAPES))], count):
        ends = [(one, other)] * (2 if draw.rarely() else 1)
        if strays and draw.rarely():
            ends.append((one, count))  # a site that only this link names
        for first, second in ends:
            yield {"site1": site(first), "site2": site(second), "cost": costs[draw.one_of(len(costs))]}


def machines(draw: Choices, count: int, *, wild: bool) -> Iterator[dict[str, Any]]:
    total = count + 1 + draw.one_of(4)
    for number in range(total):
        sites = [number % count, *([draw.one_of(count)] if draw.rarely() else [])]
        row: dict[str, Any] = {"id": manager(number), "sites": [site(one) for one in dict.fromkeys(sites)]}
        row["routing_server"] = number < count or draw.one_of(2) == 1
        for name in ("in_routing_servers", "out_routing_servers"):
            size = max(0, draw.one_of(4) - 1)
            row[name] = [manager(draw.one_of(total)) for _ in range(size)]
        if wild and draw.rarely():
            row["sites"] = [[], [site(count)]][draw.one_of(2)]
        if wild and draw.rarely():
            row["routing_server"] = False
        if wild and draw.rarely():
            row["in_routing_servers"].append(STRANGER)
        yield row


def enterprise_from(number: int, *, wild: bool) -> dict[str, Any]:
    """Decode an enterprise; by the book it keeps what MS-MQBR 1.5 presupposes of costs, members and gates."""
    draw = Choices(number)
    count = 2 + draw.one_of(5)
    rows = list(machines(draw, count, wild=wild))
    sites = []
    for place in range(count):
        members = [row["id"] for row in rows if site(place) in row["sites"] and row["routing_server"]]
        gates = members[: 1 + draw.one_of(2)]
        if wild and draw.rarely():
            gates = [[], [manager(draw.one_of(len(rows)))], [STRANGER, *gates]][draw.one_of(3)]
        sites.append({"id": site(place), "site_gates": gates, "foreign_site": draw.one_of(12) == 11})
    routing_links = [{**link, "id": str(UUID(int=place))} for place, link in enumerate(links(draw, count, wild=wild))]
    return {
        "enterprise": {"id": str(UUID(int=1))},
        "sites": sites,
        "routing_links": routing_links,
        "queue_managers": rows,
    }


def differences(document: dict[str, Any]) -> Iterator[str]:
    """Ask both oracles every question of an enterprise and yield where they part."""
    second = RoutingOpinion(document)
    view = DirectoryView(directory_from_document(document))
    guids = [*(row["id"] for row in document["queue_managers"]), STRANGER]
    for source in guids:
        state = initialize(view, QueueManagerId(source))
        for destination in guids:
            allowed = decide_next_hops(state, QueueManagerId(destination)).allowed
            sets = second.allowed_next_hops(source, destination)
            literal = {frozenset(one.outcome) for one in allowed.alternatives if NOT_FOLLOWED.isdisjoint(one.readings)}
            if sets != literal:
                yield f"{source} to {destination}: {sets} but {literal}"


# from octets: a wide range of integers is drawn mostly from its low end
numbers = st.binary(min_size=96, max_size=96).map(int.from_bytes)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(numbers)
def test_they_allow_the_same_in_enterprises_by_the_book_and_against_it(number: int):
    for wild in (False, True):
        assert list(differences(enterprise_from(number, wild=wild))) == []
