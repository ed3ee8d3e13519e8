"""Whens of the router features: starting, asking, changes of the directory, and time."""

from dataclasses import replace

from pytest_bdd import parsers, when

from mqconform.harness.mqbr.enterprise import MACHINE, SITE, NamedEnterprise, guid_of
from mqconform.harness.mqbr.gherkin import gates_of, links_of, named
from mqconform.harness.oracle.mqbr_refresh import PERIOD, Sighting
from mqconform.harness.steps.routing_scene import RoutingScene
from mqconform.reference.allowed import Standing
from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr import clock
from mqconform.reference.mqbr.decision import decide_next_hops


@when(parsers.re(r"(?P<source>\w+) starts"))
def starts(routing: RoutingScene, source: str) -> None:
    """Initialise the router as a queue manager."""
    routing.start(source)


@when(parsers.re(r"(?P<source>\w+) asks for the way to (?P<destination>\w+)"))
def asks(routing: RoutingScene, source: str, destination: str) -> None:
    """Ask for the next hops; the router is initialised as the source if it is not."""
    routing.ask(source, destination)


@when(parsers.re(r"(?P<source>\w+) asks for the way to the identifier of site (?P<site>\w+)"))
def asks_for_a_site(routing: RoutingScene, source: str, site: str) -> None:
    """Ask for the next hops to something that is no queue manager."""
    routing.ask_by_guid(source, f"site {site}", guid_of(SITE, site))


@when(parsers.re(r"the routing links become (?P<links>.+)"))
def links_become(routing: RoutingScene, links: str) -> None:
    """Replace all routing links while the router runs."""
    routing.change(replace(routing.enterprise, links=links_of(links)))


@when(parsers.re(r"the site gates become (?P<gates>.+)"))
def gates_become(routing: RoutingScene, gates: str) -> None:
    """Replace the gates of all sites while the router runs."""
    routing.change(replace(routing.enterprise, gates=gates_of(gates)))


@when(parsers.re(r"the sites become (?P<names>.+)"))
def sites_become(routing: RoutingScene, names: str) -> None:
    """Replace the sites while the router runs; what refers to one that is gone refers to nothing."""
    routing.change(replace(routing.enterprise, sites=named(names)))


@when(parsers.re(r"readings of (?P<object_type>\w+) begin to fail at (?P<at>begin|next)"))
def readings_begin_to_fail(routing: RoutingScene, object_type: str, at: str) -> None:
    """Let readings of one type fail while the router runs."""
    routing.fail(object_type, at)


@when(parsers.re(r"the router runs for (?P<seconds>\d+) seconds"))
def time_passes(routing: RoutingScene, seconds: str) -> None:
    """Advance the virtual clock."""
    routing.wait(int(seconds))


@when(
    parsers.re(
        r"(?P<source>\w+) is asked for the way to (?P<destination>\w+) (?P<moments>[\d, and]+) seconds after its start"
    )
)
def asked_again_and_again(routing: RoutingScene, source: str, destination: str, moments: str) -> None:
    """Ask the same at several moments, and keep which content of the directory each answer follows from."""
    for moment in map(int, named(moments)):
        routing.wait(moment - routing.started.now)
        asked = routing.ask(source, destination)
        due = _content_at(routing, (moment // PERIOD) * PERIOD)
        version = _version_of(routing, source, destination, asked.hops)
        routing.series.append(Sighting(moment, version, len(routing.contents) - 1, due))


def _content_at(routing: RoutingScene, moment: float) -> int:
    """Return the number of the content that the directory had when a refresh at ``moment`` read it.

    A change and a refresh at the same moment do not occur: features keep them apart.
    """
    return sum(1 for change in routing.changes[1:] if change < moment)


def _version_of(routing: RoutingScene, source: str, destination: str, hops: tuple[str, ...] | None) -> int | None:
    found = frozenset(hop.lower() for hop in hops or ())
    answers = [_answers(content, source, destination) for content in routing.contents]
    shared = [one for place, one in enumerate(answers) if one in answers[:place]]
    assert not shared, "two contents of the directory give the same answer: the feature cannot tell them apart"
    return next((place for place, one in enumerate(answers) if found in one), None)


def _answers(content: NamedEnterprise, source: str, destination: str) -> frozenset[frozenset[str]]:
    """Return the answers of a router that has started with this content."""
    state = clock.initialize(DirectoryView(content.directory), QueueManagerId(guid_of(MACHINE, source)))
    decision = decide_next_hops(state, QueueManagerId(guid_of(MACHINE, destination)))
    return frozenset(frozenset(one) for one in decision.allowed.outcomes(Standing.PERMITTED))
