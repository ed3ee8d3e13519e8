"""Thens of the discovery-client features: what the scenario expects by name, and what the model makes of the whole."""

import re
from collections import Counter

from pytest_bdd import parsers, then

from mqconform.harness.iut import Unsupported
from mqconform.harness.mqsd.client_replies import OWN_SITE, networks_of
from mqconform.harness.mqsd.client_stimuli import address_of, name_of
from mqconform.harness.oracle.mqsd_client_seen import (
    REQUEST_LENGTH,
    Timed,
    completions,
    field_of,
    requests,
    told,
)
from mqconform.harness.steps.client_scene import ClientScene
from mqconform.reference.mqsd.client import Complete, Send, ShownState
from mqconform.reference.mqsd.guid import guid_from_text, guid_text


@then("every step is one that the text allows")
def every_step_is_allowed(discovery: ClientScene) -> None:
    """Judge the whole run by the model."""
    discovery.judge_run()


@then("nothing follows")
def nothing_follows(discovery: ClientScene) -> None:
    """Judge that the last When had no outward effect."""
    effects = discovery.last_effects()
    discovery.says(not effects, "nothing follows", told(effects))


@then(parsers.re(r"a request is broadcast on network (?P<name>\d+)(?: at (?P<seconds>[\d.]+) s)?"))
def request_is_broadcast(discovery: ClientScene, name: str, seconds: str | None) -> None:
    """Judge that the last When led to one request and nothing else, or that one was sent at that time."""
    effects = discovery.effects() if seconds else discovery.last_effects()
    chosen = [one for one in effects if _is_at(discovery, one, seconds)] if seconds else effects
    right = [getattr(one.effect, "network", None) for one in chosen] == [address_of(name)]
    when = f" at {seconds} s" if seconds else ""
    discovery.says(right, f"one request on network {name}{when}", told(effects))


@then(parsers.re(r"requests go out on networks? (?P<names>[\d, and]+), and on no other"))
def requests_go_out(discovery: ClientScene, names: str) -> None:
    """Judge on which networks requests were sent, in order."""
    expected = re.findall(r"\d+", names)
    seen = [name_of(sent.network) for _, sent in requests(discovery.effects())]
    discovery.says(seen == expected, f"requests on networks {', '.join(expected)}", f"on {', '.join(seen) or 'none'}")


@then(parsers.re(r"discovery completes(?: with (?P<result>success|failure))?, once(?:, at (?P<seconds>[\d.]+) s)?"))
def discovery_completes(discovery: ClientScene, result: str | None, seconds: str | None) -> None:
    """Judge how the event ended, and that it ended but once."""
    effects, ends = discovery.effects(), _completions(discovery)
    right = len(ends) == 1 and (not result or ends[0][1].result.value == result)
    right = right and (not seconds or _is_at(discovery, ends[0][0], seconds))
    when = f" at {seconds} s" if seconds else ""
    discovery.says(right, f"the event completes once, with {result or 'any result'}{when}", told(effects))


@then("discovery is not complete")
def discovery_is_not_complete(discovery: ClientScene) -> None:
    """Judge that no completion was reported so far."""
    effects = discovery.effects()
    discovery.says(not _completions(discovery), "the event is not complete", told(effects))


@then(parsers.re(r"the directory servers are (?P<names>.+)"))
def directory_servers_are(discovery: ClientScene, names: str) -> None:
    """Judge the client's list; a name of no characters is left to the register (SD-61)."""
    expected = [] if names == "none" else names.split(", ")
    seen = [one for one in _shown(discovery, "directory_servers") if one]  # type: ignore[attr-defined]  # a tuple
    discovery.says(Counter(seen) == Counter(expected), f"directory servers {names}", ", ".join(map(ascii, seen)))


@then(parsers.re(r"the connected networks are those of (?P<site>its own site|site \w+)"))
def connected_networks_are(discovery: ClientScene, site: str) -> None:
    """Judge the client's list of connected networks."""
    expected = networks_of(OWN_SITE if site == "its own site" else site.removeprefix("site "))
    seen = _shown(discovery, "connected_networks")
    names = ", ".join(guid_text(one) for one in seen)  # type: ignore[attr-defined]  # a tuple of GUIDs
    right = Counter(seen) == Counter(expected)  # type: ignore[call-overload]  # likewise
    discovery.says(right, f"the networks of {site}: {', '.join(map(guid_text, expected))}", names)


@then(parsers.parse("the client shows {element}"))
def client_shows(discovery: ClientScene, element: str) -> None:
    """Make sure that the model's verdict rests on what it is about; without it there is none."""
    _shown(discovery, element)


@then(parsers.re(r"the last successful network is (?P<name>\d+)"))
def last_successful_network_is(discovery: ClientScene, name: str) -> None:
    """Judge the address that the client shows."""
    seen = _shown(discovery, "last_successful_network_address")
    discovery.says(seen == address_of(name), f"the last successful network is {address_of(name)}", f"{seen}")


@then("a last successful network is known")
def last_successful_network_is_known(discovery: ClientScene) -> None:
    """Judge the flag that the client shows."""
    seen = _shown(discovery, "valid_last_successful_network_address")
    discovery.says(seen is True, "a last successful network is known", f"{seen}")


@then("no last successful network is known")
def last_successful_network_is_unknown(discovery: ClientScene) -> None:
    """Judge the flag that the client shows."""
    seen = _shown(discovery, "valid_last_successful_network_address")
    discovery.says(seen is False, "no last successful network is known", f"{seen}")


@then(parsers.re(r"each request has (?P<name>Version|Type|Reserved) (?P<value>\d+)"))
def each_request_has_number(discovery: ClientScene, name: str, value: str) -> None:
    """Judge a number in every request."""
    seen = [field_of(sent.datagram, name) for sent in _sent(discovery)]
    discovery.says(set(seen) == {int(value)}, f"{name} {value} in each request", f"{seen}", timed=not seen)


@then(parsers.re(r"each request has (?P<name>EnterpriseID|SiteID) (?P<value>[0-9a-f-]{36})"))
def each_request_has_guid(discovery: ClientScene, name: str, value: str) -> None:
    """Judge an identifier in every request, in packet order."""
    expected = guid_from_text(value)
    seen = [field_of(sent.datagram, name) for sent in _sent(discovery)]
    shown = ", ".join(one.hex() if isinstance(one, bytes) else "absent" for one in seen)
    discovery.says(set(seen) == {expected}, f"{name} {expected.hex()} in each request", shown, timed=not seen)


@then(parsers.parse("each request is one datagram of {length:d} octets"))
def each_request_is_as_long(discovery: ClientScene, length: int) -> None:
    """Judge that a request is whole and that nothing follows SiteID."""
    seen = [len(sent.datagram) for sent in _sent(discovery)]
    assert length == REQUEST_LENGTH, "over IP a request has 52 octets"
    discovery.says(set(seen) == {length}, f"datagrams of {length} octets", f"{seen}", timed=not seen)


@then("no RequestID is used by two events")
def no_request_id_twice(discovery: ClientScene) -> None:
    """Judge that the requests before a completion and those after it share no RequestID."""
    _completions(discovery)
    events: list[set[object]] = [set()]
    for one in discovery.effects():
        if isinstance(one.effect, Send):
            events[-1].add(field_of(one.effect.datagram, "RequestID"))
        else:
            events.append(set())
    used = [ids for ids in events if ids]
    every = Counter(one for ids in used for one in ids)
    right = len(used) > 1 and None not in every and set(every.values()) == {1}
    discovery.says(right, "each event has RequestIDs of its own", f"{len(used)} events with {len(every)} RequestIDs")


def _completions(discovery: ClientScene) -> list[tuple[Timed, Complete]]:
    if not discovery.known.shows_completion:
        raise Unsupported("the implementation does not tell that a discovery is over")
    return completions(discovery.effects())


def _sent(discovery: ClientScene) -> list[Send]:
    return [sent for _, sent in requests(discovery.effects())]


def _is_at(discovery: ClientScene, one: Timed, seconds: str) -> bool:
    return discovery.known.is_at(one, round(float(seconds) * 10))


def _shown(discovery: ClientScene, element: str) -> object:
    shown: ShownState = discovery.known.shown or {}
    if element not in shown:
        raise Unsupported(f"the implementation does not show {element} in discovery_client.state")
    return shown[element]  # type: ignore[literal-required]  # one of its keys, as was just seen
