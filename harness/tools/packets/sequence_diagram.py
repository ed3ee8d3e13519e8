"""Who sent what to whom, as the text of a Mermaid sequence diagram: read as it is, or drawn by what shows Markdown."""

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv4Interface

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.packet import packet_summary
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram

LIMITED_BROADCAST = IPv4Address("255.255.255.255")


def sequence_diagram(datagrams: Iterable[CapturedDatagram], hosts: Mapping[str, str]) -> str:
    """Return the datagrams of a capture as a diagram, in order of time: seconds since the first, and what it is.

    Args:
        datagrams: from ``read_datagrams``; an address that is no host's stands for itself.
        hosts: by IPv4 address with prefix length, ``192.0.2.10/24``, the name of the host; one host may have several.
            Their order is that of the columns. A broadcast goes to all other hosts of the sender's subnet.
    """
    interfaces = {IPv4Interface(address): name for address, name in hosts.items()}
    names = {str(interface.ip): name for interface, name in interfaces.items()}
    ordered = sorted(datagrams, key=lambda datagram: datagram.time_ns or 0)
    lines = ["sequenceDiagram", *(f"    participant {_named(name)}" for name in dict.fromkeys(hosts.values()))]
    for packet in ordered:
        seconds = ((packet.time_ns or 0) - (ordered[0].time_ns or 0)) / 10**9
        text = visible(packet_summary(packet.octets).partition(":")[0])
        for receiver in _receivers(packet, interfaces) or (names.get(packet.destination, packet.destination),):
            ends = f"{_named(names.get(packet.source, packet.source))}->>{_named(receiver)}"
            lines.append(f"    {ends}: {seconds:.6f} s {text}")
    return "".join(f"{line}\n" for line in lines)


def _named(host: str) -> str:
    """Return a name that Mermaid takes for one: the colons of an IPv6 address would end it."""
    return visible(host).replace(":", ".")


def _receivers(datagram: CapturedDatagram, interfaces: Mapping[IPv4Interface, str]) -> tuple[str, ...]:
    """Return the hosts that a broadcast reaches; none where it is not a broadcast, or its sender is unknown."""
    for sender in interfaces:
        subnet = sender.network
        if str(sender.ip) == datagram.source:
            broadcasts = {str(LIMITED_BROADCAST), str(subnet.broadcast_address)}
            if datagram.destination not in broadcasts:
                return ()
            others = (name for other, name in interfaces.items() if other.network == subnet and other != sender)
            return tuple(dict.fromkeys(others))
    return ()
