"""Givens and Whens of the discovery-client features: the client's configuration, and what happens to it."""

from pytest_bdd import given, parsers, when

from mqconform.harness.iut import Unsupported
from mqconform.harness.mqsd.client_replies import OWN_SITE, ReplyDraft
from mqconform.harness.mqsd.client_stimuli import Brings, NetworksBecome, Passes, Starts, networks_named
from mqconform.harness.mqsd.client_under_test import ClientUnderTest
from mqconform.harness.steps.client_scene import ClientScene
from mqconform.harness.steps.client_scene import discovery as discovery  # noqa: PLC0414 - pytest finds the fixture so
from mqconform.reference.mqsd.guid import guid_from_text

BRINGS = (
    r"network (?P<network>\d+) brings a reply from (?P<site>its own site|site \w+)"
    r"(?: listing (?P<listing>[^;]+))?(?:; (?P<flaw>.+))?"
)


@given(parsers.re(r"a client on networks? (?P<names>.+)"))
def client_on_networks(discovery: ClientScene, names: str) -> None:
    """Configure a client whose computer is connected to these networks."""
    discovery.use(ClientUnderTest(discovery.run, networks_named(names)))


@given(parsers.parse("a client of enterprise {enterprise} and site {site} on networks {names}"))
def client_of(discovery: ClientScene, enterprise: str, site: str, names: str) -> None:
    """Configure a client with identifiers of its own."""
    ids = guid_from_text(enterprise), guid_from_text(site)
    discovery.use(ClientUnderTest(discovery.run, networks_named(names), *ids))


@given("a client on an IPX network")
def client_on_ipx(discovery: ClientScene) -> None:
    """Say that there is no way to configure one."""
    del discovery
    raise Unsupported("the protocol names no IPX network numbers, so that a client over IPX cannot be configured")


@when("the client starts discovery")
@when("the client starts discovery again")
def discovery_starts(discovery: ClientScene) -> None:
    """Trigger Get Directory Server List."""
    discovery.meet(Starts())


@when(parsers.re(r"(?P<seconds>\d+(?:\.\d)?) seconds pass"))
def seconds_pass(discovery: ClientScene, seconds: str) -> None:
    """Let virtual time pass."""
    discovery.meet(Passes(round(float(seconds) * 10)))


@when(parsers.re(BRINGS))
def network_brings(discovery: ClientScene, network: str, site: str, listing: str | None, flaw: str | None) -> None:
    """Let a datagram arrive."""
    sender = OWN_SITE if site == "its own site" else site.removeprefix("site ")
    entries = tuple(listing.split(", ")) if listing else ()
    discovery.meet(Brings(network, ReplyDraft(sender, entries), flaw or ""))


@when(parsers.re(r"the networks become (?P<names>.+)"))
def networks_become(discovery: ClientScene, names: str) -> None:
    """Connect the computer to other networks."""
    discovery.meet(NetworksBecome(networks_named(names)))
