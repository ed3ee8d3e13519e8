"""Who sent what to whom, drawn as text: a column for each host, an arrow for each datagram, as in MS-MQSD 4."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.harness.tools.packets.summary import packet_summary

WIDTH = 16
"""Characters from one column to the next, at least."""
LIMITED_BROADCAST = IPv4Address("255.255.255.255")
CLOCK = len(" 15.000000 s ")


@dataclass(frozen=True, slots=True)
class Message:
    """One arrow."""

    seconds: float
    """Since the first message."""
    sender: str
    receivers: tuple[str, ...]
    text: str


def sequence_diagram(datagrams: Iterable[CapturedDatagram], hosts: Mapping[str, str]) -> str:
    """Return the datagrams of a capture as lines of text, in order of time.

    Args:
        datagrams: from ``read_datagrams``; addresses that are no host's get a column of their own.
        hosts: by IPv4 address with prefix length, ``192.0.2.10/24``, the name of the host; one host may have several.
            Their order is that of the columns. A broadcast goes to all other hosts of the sender's subnet.
    """
    messages = messages_of(datagrams, hosts)
    ends = (end for message in messages for end in (message.sender, *message.receivers))
    return drawn(messages, tuple(dict.fromkeys((*hosts.values(), *ends))))


def messages_of(datagrams: Iterable[CapturedDatagram], hosts: Mapping[str, str]) -> tuple[Message, ...]:
    """Return the messages that datagrams make among hosts; see ``sequence_diagram``."""
    interfaces = {IPv4Interface(address): name for address, name in hosts.items()}
    names = {str(interface.ip): name for interface, name in interfaces.items()}
    ordered = sorted(datagrams, key=lambda one: one.time_ns or 0)
    start = ordered[0].time_ns or 0 if ordered else 0
    return tuple(
        Message(
            ((one.time_ns or 0) - start) / 10**9,
            names.get(one.source, one.source),
            _receivers(one, interfaces) or (names.get(one.destination, one.destination),),
            packet_summary(one.octets).partition(":")[0],
        )
        for one in ordered
    )


def drawn(messages: Iterable[Message], participants: Sequence[str]) -> str:
    """Return a diagram: a head with the participants' names, then one line for each message with its time and text."""
    width = max(WIDTH, *(len(visible(name)) + 2 for name in participants)) if participants else WIDTH
    at = {name: CLOCK + width // 2 + width * number for number, name in enumerate(participants)}
    lines = [" " * CLOCK + "".join(visible(name).center(width) for name in participants)]
    for message in messages:
        arrow = _arrow(at, message)
        lines.append(f"{message.seconds:{CLOCK - 3}.6f} s {arrow[CLOCK:]}  {visible(message.text)}")
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _arrow(at: Mapping[str, int], message: Message) -> str:
    """Return the lifelines with an arrow from the sender to each receiver; a line that is merely crossed is a +."""
    row = [" "] * (max(at.values()) + 1)
    for column in at.values():
        row[column] = "|"
    start = at[message.sender]
    for end in (at[receiver] for receiver in message.receivers):
        step = 1 if end > start else -1
        for column in range(start + step, end, step):
            if row[column] not in "<>":
                row[column] = "+" if row[column] in "|+" else "-"
    for end in (at[receiver] for receiver in message.receivers):
        if end != start:
            row[end] = "|"
            row[end - 1 if end > start else end + 1] = ">" if end > start else "<"
    return "".join(row)


def _receivers(datagram: CapturedDatagram, interfaces: Mapping[IPv4Interface, str]) -> tuple[str, ...]:
    """Return the hosts that a broadcast reaches; none where it is no broadcast, or its sender is unknown."""
    for sender in interfaces:
        subnet = sender.network
        if str(sender.ip) == datagram.source:
            broadcasts = {str(LIMITED_BROADCAST), str(subnet.broadcast_address)}
            if datagram.destination not in broadcasts:
                return ()
            others = (name for other, name in interfaces.items() if other.network == subnet and other != sender)
            return tuple(dict.fromkeys(others))
    return ()
