"""What a discovery client shows of itself: its lists, and the last successful network (MS-MQSD 3.1.1, 3.1.7)."""

from collections import Counter

from pytest_bdd import parsers, then

from mqconform.harness.iut.drivers.discovery_client.replies import OWN_SITE, networks_of
from mqconform.harness.iut.drivers.discovery_client.stimuli import address_of
from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqsd_client.client_scene import ClientScene
from mqconform.reference.mqsd.guid import guid_text


@then(parsers.re(r"the directory servers are (?P<names>.+)"))
def directory_servers_are(discovery: ClientScene, names: str) -> None:
    """Judge the client's list; a name of no characters is left to the register (SD-61)."""
    expected = [] if names == "none" else names.split(", ")
    servers = [name for name in _shown(discovery, "directory_servers") if name]  # type: ignore[attr-defined]  # a tuple
    right = Counter(servers) == Counter(expected)
    discovery.says(right, f"directory servers {names}", ", ".join(map(ascii, servers)))


@then(parsers.re(r"the connected networks are those of (?P<site>its own site|site \w+)"))
def connected_networks_are(discovery: ClientScene, site: str) -> None:
    """Judge the client's list of connected networks."""
    expected = networks_of(OWN_SITE if site == "its own site" else site.removeprefix("site "))
    networks = _shown(discovery, "connected_networks")
    names = ", ".join(guid_text(network) for network in networks)  # type: ignore[attr-defined]  # a tuple of GUIDs
    right = Counter(networks) == Counter(expected)  # type: ignore[call-overload]  # likewise
    discovery.says(right, f"the networks of {site}: {', '.join(map(guid_text, expected))}", names)


@then(parsers.parse("the client shows {element}"))
def client_shows(discovery: ClientScene, element: str) -> None:
    """Make sure that the model's verdict rests on what it is about; without it there is none."""
    _shown(discovery, element)


@then(parsers.re(r"the last successful network is (?P<name>\d+)"))
def last_successful_network_is(discovery: ClientScene, name: str) -> None:
    """Judge the address that the client shows."""
    address = _shown(discovery, "last_successful_network_address")
    discovery.says(address == address_of(name), f"the last successful network is {address_of(name)}", f"{address}")


@then("a last successful network is known")
def last_successful_network_is_known(discovery: ClientScene) -> None:
    """Judge the flag that the client shows."""
    valid = _shown(discovery, "valid_last_successful_network_address")
    discovery.says(valid is True, "a last successful network is known", f"{valid}")


@then("no last successful network is known")
def last_successful_network_is_unknown(discovery: ClientScene) -> None:
    """Judge the flag that the client shows."""
    valid = _shown(discovery, "valid_last_successful_network_address")
    discovery.says(valid is False, "no last successful network is known", f"{valid}")


def _shown(discovery: ClientScene, element: str) -> object:
    shown = discovery.current.shown or {}
    if element not in shown:
        raise Unsupported(f"the implementation does not show {element} in discovery_client.state")
    return shown[element]  # type: ignore[literal-required]  # one of its keys, as was just seen
