"""What a scenario writes out of a discovery client: its requests, its end, and what it shows (MS-MQSD 2.2, 3.1).

Whether the text allows everything that was seen is weighed in ``whole_history``.
"""

import re
from collections import Counter

from mqconform.harness.iut.drivers.discovery_client.observations import Timed
from mqconform.harness.iut.drivers.discovery_client.script import OWN_SITE, address_of, name_of, names_of, networks_of
from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqsd_client.client_scene import ClientScene, effects_text
from mqconform.harness.records.scope import UNSEEN
from mqconform.harness.suite.steps import then
from mqconform.reference.mqsd.client import Complete, Send
from mqconform.reference.mqsd.client.readings import ListBetweenEvents
from mqconform.reference.mqsd.client.step import transition
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.messages import REQUEST, Kind
from mqconform.reference.mqsd.specification import FACTS


@then("the specification allows every step")
def every_step_is_allowed(discovery: ClientScene) -> None:
    discovery.judge_run()


@then("datagrams are seen on the networks themselves")
def datagrams_are_seen(discovery: ClientScene) -> None:
    """Make sure that a network shows what is judged: over the protocol a client only names what it sends, and where."""
    if not discovery.current.on_networks:
        raise Unsupported(f"{UNSEEN}: a called client lists its packets instead of sending them")


@then("nothing follows")
def nothing_follows(discovery: ClientScene) -> None:
    """Judge that the last When had no outward effect, neither a request nor an end."""
    effects = discovery.last_effects()
    discovery.says(not effects, "nothing follows", effects_text(effects))


@then(r"a request is broadcast on network (?P<name>\d+)(?: at (?P<seconds>[\d.]+) s)?")
def request_is_broadcast(discovery: ClientScene, name: str, seconds: str | None) -> None:
    """Judge that the last When led to one request and nothing else, or that one was sent at that time."""
    effects = discovery.effects() if seconds else discovery.last_effects()
    chosen = [timed for timed in effects if discovery.is_at(timed, seconds)] if seconds else effects
    right = [getattr(timed.effect, "network", None) for timed in chosen] == [address_of(name)]
    when = f" at {seconds} s" if seconds else ""
    discovery.says(right, f"one request on network {name}{when}", effects_text(effects))


@then(r"requests go out on networks? (?P<names>[\d, and]+), and on no other")
def requests_go_out(discovery: ClientScene, names: str) -> None:
    expected = re.findall(r"\d+", names)
    networks = [name_of(request.network) for request in _requests(discovery)]
    observed = f"on {', '.join(networks) or 'none'}"
    discovery.says(networks == expected, f"requests on networks {', '.join(expected)}", observed)


@then(r"each request has (?P<name>Version|Type|Reserved) (?P<value>\d+)")
def each_request_has_number(discovery: ClientScene, name: str, value: str) -> None:
    numbers = [field_of(request.datagram, name) for request in _requests(discovery)]
    right = set(numbers) == {int(value)}
    discovery.says(right, f"{name} {value} in each request", f"{numbers}", timed=not numbers)


@then(r"each request has (?P<name>EnterpriseID|SiteID) (?P<value>[0-9a-f-]{36})")
def each_request_has_guid(discovery: ClientScene, name: str, value: str) -> None:
    expected = guid_from_text(value)
    guids = [field_of(request.datagram, name) for request in _requests(discovery)]
    observed = ", ".join(guid.hex() if isinstance(guid, bytes) else "absent" for guid in guids)
    discovery.says(set(guids) == {expected}, f"{name} {expected.hex()} in each request", observed, timed=not guids)


@then("each request is one datagram of {length:d} octets")
def each_request_is_as_long(discovery: ClientScene, length: int) -> None:
    """Judge that a request is whole and that nothing follows SiteID."""
    lengths = [len(request.datagram) for request in _requests(discovery)]
    assert length == FACTS.request_size, "over IP a request has 52 octets"
    discovery.says(set(lengths) == {length}, f"datagrams of {length} octets", f"{lengths}", timed=not lengths)


@then("no RequestID is used by two events")
def no_request_id_twice(discovery: ClientScene) -> None:
    """Judge that the requests before a completion and those after it share no RequestID."""
    completions(discovery)  # where none is shown, the requests of two events cannot be told apart
    events: list[set[object]] = [set()]
    for timed in discovery.effects():
        if isinstance(timed.effect, Send):
            events[-1].add(field_of(timed.effect.datagram, "RequestID"))
        else:
            events.append(set())
    used = [ids for ids in events if ids]
    every = Counter(request_id for ids in used for request_id in ids)
    right = len(used) > 1 and None not in every and set(every.values()) == {1}
    discovery.says(right, "different RequestIDs for each event", f"{len(used)} events with {len(every)} RequestIDs")


@then("no RequestID of an earlier start comes again")
def no_request_id_of_earlier_start(discovery: ClientScene) -> None:
    """Judge that what was sent since the last start has RequestIDs of its own."""
    now = {request.datagram[FACTS.request_id] for request in _requests(discovery)}
    again = now & discovery.used_before
    right = bool(now) and bool(discovery.used_before) and not again
    observed = ", ".join(request_id.hex() for request_id in sorted(again)) or f"{len(now)} new ones"
    discovery.says(right, "RequestIDs of no earlier start", observed)


def field_of(datagram: bytes, name: str) -> int | bytes | None:
    """Return a field of a request that stands in every one; None where the datagram ends before the last of them."""
    if len(datagram) < FACTS.request_size:
        return None
    field = REQUEST[name]
    return field.number(datagram) if field.kind is Kind.NUMBER else datagram[field.place]


def _requests(discovery: ClientScene) -> list[Send]:
    return [timed.effect for timed in discovery.effects() if isinstance(timed.effect, Send)]


@then(r"discovery completes(?: with (?P<result>success|failure))?, once(?:, at (?P<seconds>[\d.]+) s)?")
def discovery_completes(discovery: ClientScene, result: str | None, seconds: str | None) -> None:
    effects, ends = discovery.effects(), completions(discovery)
    right = len(ends) == 1 and (not result or ends[0][1].result.value == result)
    right = right and (not seconds or discovery.is_at(ends[0][0], seconds))
    when = f" at {seconds} s" if seconds else ""
    discovery.says(right, f"the event completes once, with {result or 'any result'}{when}", effects_text(effects))


@then("discovery is not complete")
def discovery_is_not_complete(discovery: ClientScene) -> None:
    effects = discovery.effects()
    discovery.says(not completions(discovery), "the event is not complete", effects_text(effects))


def completions(discovery: ClientScene) -> list[tuple[Timed, Complete]]:
    """Return the completions that the client reported.

    Raises:
        Unsupported: it reports none.
    """
    if not discovery.current.shows_completion:
        raise Unsupported("the implementation does not report the end of a discovery")
    return [(timed, timed.effect) for timed in discovery.effects() if isinstance(timed.effect, Complete)]


@then(r"the directory servers are (?P<names>.+)")
def directory_servers_are(discovery: ClientScene, names: str) -> None:
    """Judge the list; a name of no characters, and one of another protocol, is the register's (SD-61, SD-75)."""
    expected = () if names == "none" else names_of(names)
    servers = [name for name in _state_element(discovery, "directory_servers") if name]  # type: ignore[attr-defined]  # a tuple
    right = Counter(servers) == Counter(expected)
    if not right:
        run = discovery.current.explained_by((transition,))
        if run.best and ListBetweenEvents.CHANGED.reading in run.best.needed:
            right = Counter(name for name in servers if name in run.heard_names) == Counter(expected)
    discovery.says(right, f"directory servers {names}", ", ".join(map(ascii, servers)))


@then(r"the connected networks are those of (?P<site>its own site|site \w+)")
def connected_networks_are(discovery: ClientScene, site: str) -> None:
    expected = networks_of(OWN_SITE if site == "its own site" else site.removeprefix("site "))
    networks = _state_element(discovery, "connected_networks")
    names = ", ".join(guid_text(network) for network in networks)  # type: ignore[attr-defined]  # a tuple of GUIDs
    right = Counter(networks) == Counter(expected)  # type: ignore[call-overload]  # likewise
    discovery.says(right, f"the networks of {site}: {', '.join(map(guid_text, expected))}", names)


@then("the client shows {element}")
def client_shows(discovery: ClientScene, element: str) -> None:
    """Make sure that the model's verdict rests on what it is about; without it there is none."""
    _state_element(discovery, element)


@then(r"the last successful network is (?P<name>\d+)")
def last_successful_network_is(discovery: ClientScene, name: str) -> None:
    address = _state_element(discovery, "last_successful_network_address")
    discovery.says(address == address_of(name), f"the last successful network is {address_of(name)}", f"{address}")


@then("a last successful network is known")
def last_successful_network_is_known(discovery: ClientScene) -> None:
    valid = _state_element(discovery, "valid_last_successful_network_address")
    discovery.says(valid is True, "a last successful network is known", f"{valid}")


@then("no last successful network is known")
def last_successful_network_is_unknown(discovery: ClientScene) -> None:
    valid = _state_element(discovery, "valid_last_successful_network_address")
    discovery.says(valid is False, "no last successful network is known", f"{valid}")


def _state_element(discovery: ClientScene, element: str) -> object:
    state = discovery.current.shown or {}
    if element not in state:
        raise Unsupported(f"the implementation does not show {element} in discovery_client.state")
    return state[element]  # type: ignore[literal-required]  # one of its keys, as just checked
