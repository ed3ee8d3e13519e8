"""Givens of the router features: the enterprise, described by name."""

from dataclasses import replace

from pytest_bdd import given, parsers

from mqconform.harness.mqbr.gherkin import gates_of, links_of, machines_of, named
from mqconform.harness.steps.routing_scene import RoutingScene
from mqconform.harness.steps.routing_scene import routing as routing  # noqa: PLC0414 - pytest finds the fixture by this name


@given(parsers.re(r"sites? (?P<names>[A-Z].*)"))
def sites(routing: RoutingScene, names: str) -> None:
    """Let the directory hold these sites, in this order."""
    routing.enterprise = replace(routing.enterprise, sites=named(names))


@given("no sites")
def no_sites(routing: RoutingScene) -> None:
    """Let the directory hold no site at all."""
    routing.enterprise = replace(routing.enterprise, sites=())


@given(parsers.re(r"routing links? (?P<links>.+)"))
def routing_links(routing: RoutingScene, links: str) -> None:
    """Let the directory hold these links, ``A-B 3`` being one of cost 3."""
    routing.enterprise = replace(routing.enterprise, links=links_of(links))


@given("queue managers")
def queue_managers(routing: RoutingScene, datatable: list[list[str]]) -> None:
    """Let the directory hold these queue managers."""
    routing.enterprise = replace(routing.enterprise, machines=machines_of(datatable))


@given(parsers.re(r"site gates (?P<gates>.+)"))
def site_gates(routing: RoutingScene, gates: str) -> None:
    """Let sites have these gates, ``A: ga; B: gb1, gb2``."""
    routing.enterprise = replace(routing.enterprise, gates=gates_of(gates))


@given(parsers.re(r"readings of (?P<object_type>Site|RoutingLink|QueueManager) fail at (?P<at>begin|next)"))
def readings_fail(routing: RoutingScene, object_type: str, at: str) -> None:
    """Let the directory be loaded and its readings of one type fail."""
    routing.fail(object_type, at)
