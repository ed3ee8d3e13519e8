"""From a capture to what was seen of one discovery client."""

from collections.abc import Iterable, Mapping

from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.reference.mqsd.client import DatagramReceived, GetDirectoryServerList, Send


def seen_of_client(datagrams: Iterable[CapturedDatagram], networks: Mapping[str, str]) -> tuple[Arrived | Done, ...]:
    """Return what passed to and from a client in order of time, beginning with its start at the first request.

    Args:
        datagrams: of a capture with times.
        networks: by the client's own IP address on a network, the network's name to the client.

    Raises:
        ValueError: no request of the client was captured, or a datagram has no time or is not whole.
    """
    seen: list[Arrived | Done] = []
    for datagram in datagrams:
        if datagram.time_ns is None or not datagram.complete:
            raise ValueError(f"frame {datagram.frame}: has no time or is not whole; capture again")
        if datagram.source in networks:
            seen.append(Done(datagram.time_ns, Send(networks[datagram.source], datagram.octets)))
        elif datagram.destination in networks:
            event = DatagramReceived(networks[datagram.destination], datagram.octets)
            seen.append(Arrived(datagram.time_ns, event))
    seen.sort(key=lambda one: one.at)
    start = next((one.at for one in seen if isinstance(one, Done)), None)
    if start is None:
        raise ValueError(f"no datagram from {', '.join(networks)} was captured; capture on the client's networks")
    return (Arrived(start, GetDirectoryServerList()), *(one for one in seen if one.at >= start))
