"""What a capture shows of a discovery client, put to the explainer of the reference (MS-MQSD 3.1).

A capture shows what arrived and what was sent, not which led to which: where several datagrams arrived shortly before
the client acted, each of them may have been the cause, and so may the end of a wait. All are tried.
"""

from collections.abc import Iterable, Iterator, Mapping

from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.reference.mqsd import client


def seen_of_client(datagrams: Iterable[CapturedDatagram], networks: Mapping[str, str]) -> tuple[Arrived | Done, ...]:
    """Return what passed to and from a client in order of time, beginning with its start at the first request.

    Args:
        datagrams: of a capture with times.
        networks: by the client's own IP address on a network, the network's name to the client.

    Raises:
        ValueError: no request of the client was captured, or a datagram has no time or is not whole.
    """
    traffic: list[Arrived | Done] = []
    for datagram in datagrams:
        if datagram.time_ns is None or not datagram.complete:
            raise ValueError(f"frame {datagram.frame}: has no time or is not whole; capture again")
        if datagram.source in networks:
            traffic.append(Done(datagram.time_ns, client.Send(networks[datagram.source], datagram.octets)))
        elif datagram.destination in networks:
            event = client.DatagramReceived(networks[datagram.destination], datagram.octets)
            traffic.append(Arrived(datagram.time_ns, event))
    traffic.sort(key=lambda item: item.at)
    start = next((item.at for item in traffic if isinstance(item, Done)), None)
    if start is None:
        raise ValueError(f"no datagram from {', '.join(networks)} was captured; capture on the client's networks")
    return (Arrived(start, client.GetDirectoryServerList()), *(item for item in traffic if item.at >= start))


MOST_CAUSES = 20
"""How many of the arrivals shortly before an effect are tried as its cause, the latest first."""
MOST_AT_ONCE = 3
"""How many things that a client does with one cause: a search ends, and the next begins."""
MOST_DEEDS = 200
"""A client sends one request on each network."""


def explain_seen(explanation: client.Explanation, items: Iterable[Arrived | Done]) -> client.Explanation:
    """Return an explanation of what was seen; where none holds, the one by the latest possible causes.

    Args:
        explanation: of a client before its start; its tolerance has to cover the client's clock, and the time that
            the client takes to act on what has arrived.
        items: from ``seen_of_client``, with what else is known.

    Raises:
        ValueError: the client did more than any search takes.
    """
    every = tuple(sorted(items, key=lambda item: item.at))
    needed = _without_repetitions(every)
    deeds = _deeds(needed)
    if deeds > MOST_DEEDS:
        raise ValueError(f"{deeds} actions of the client are more than {MOST_DEEDS}; capture a single search")
    whole = _explained(explanation, (), needed)
    if whole.holds or needed == every or _deeds(every) > MOST_DEEDS:
        return whole
    # A network that is listed twice gets the same request twice by right.
    by_right = _explained(explanation, (), every)
    return by_right if by_right.holds else whole


def _deeds(items: Iterable[Arrived | Done]) -> int:
    return sum(isinstance(item, Done) for item in items)


def _without_repetitions(items: Iterable[Arrived | Done]) -> tuple[Arrived | Done, ...]:
    """Leave out requests that repeat the one before, which a client may do at any time (register SD-08)."""
    fresh: list[Arrived | Done] = []
    latest: client.Effect | None = None
    for item in items:
        if isinstance(item, Done):
            if isinstance(item.effect, client.Send) and item.effect == latest:
                continue
            latest = item.effect
        fresh.append(item)
    return tuple(fresh)


def _explained(
    explanation: client.Explanation, waiting: tuple[Arrived, ...], items: tuple[Arrived | Done, ...]
) -> client.Explanation:
    """Explain what is seen from here on; ``waiting`` has arrived, and what the client did about it is still open."""
    arrived = len(items)
    for number, item in enumerate(items):
        if isinstance(item, Done):
            arrived = number
            break
    waiting += tuple(item for item in items[:arrived] if isinstance(item, Arrived))
    if arrived == len(items):
        return _after(explanation, map(_idle, waiting))
    latest: client.Explanation | None = None
    for done in _together(items[arrived:], explanation.tolerance):
        for before, left in _causes(waiting, done, explanation.tolerance):
            tried = _after(explanation, before)
            whole = _explained(tried, left, items[arrived + len(done) :]) if tried.holds else tried
            if whole.holds:
                return whole
            latest = latest or whole
    assert latest is not None, "the end of a wait can always be the cause"
    return latest


def _together(items: tuple[Arrived | Done, ...], reaction: int) -> Iterator[tuple[Done, ...]]:
    """Yield the deeds that may have one cause: the first alone, then with those that follow at once."""
    done: list[Done] = []
    for item in items[:MOST_AT_ONCE]:
        if not isinstance(item, Done) or (done and item.at - done[0].at > reaction):
            return
        done.append(item)
        yield tuple(done)


def _causes(
    waiting: tuple[Arrived, ...], done: tuple[Done, ...], reaction: int
) -> Iterator[tuple[tuple[client.Observation, ...], tuple[Arrived, ...]]]:
    """Yield what may have happened up to some deeds, the cause last, and what the client had not taken in by then."""
    first, effects, state = done[0], tuple(item.effect for item in done), done[-1].shown
    for number in reversed(range(max(0, len(waiting) - MOST_CAUSES), len(waiting))):
        cause = waiting[number]
        if first.at - cause.at > reaction:
            break
        idle = tuple(map(_idle, waiting[:number]))
        yield (*idle, client.Observation(cause.event, cause.at, effects, state)), waiting[number + 1 :]
    # The end of a wait that was due long before would be no cause: until now, nothing had happened.
    idle = (*map(_idle, waiting), client.Observation(client.ClockAdvanced(), first.at - 1))
    yield (*idle, client.Observation(client.ClockAdvanced(), first.at, effects, state)), ()


def _idle(arrival: Arrived) -> client.Observation:
    return client.Observation(arrival.event, arrival.at, (), arrival.shown)


def _after(explanation: client.Explanation, observations: Iterable[client.Observation]) -> client.Explanation:
    for observation in observations:
        explanation = explanation.after(observation)
    return explanation
