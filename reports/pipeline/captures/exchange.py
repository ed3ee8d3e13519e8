"""Packets with an identifier: from columns of Arrow to the arrays that conversations are judged by."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME, REPLY, REQUEST, Exchange
from mqconform.reference.mqsd.audit.bulk_strays import client_keys, exchange_keys
from mqconform.reports.pipeline.arrow_columns import integers, octets_of, texts_of
from mqconform.reports.pipeline.captures.addresses import address_numbers
from mqconform.reports.pipeline.captures.judging import MESSAGES, HostFacts, known_servers

GUID: Final = 16
READ: Final = (
    *("file", "offset", "nanoseconds", "source", "source_port", "destination", "destination_port"),
    *("identification", "length", "message", "id", "site", "enterprise", "shown"),
)
"""What matching depends on."""


class Packets(NamedTuple):
    """Packets in the order of captures and places; one entry of each array for one packet."""

    exchange: Exchange
    file: Int32s
    """Number of the capture."""
    offset: Int64s
    files: list[str]
    """Names of the captures by their numbers."""
    rows: Int64s
    """Which row of the table each was."""

    def client(self, rows: Any) -> Masks:
        """Return the clients of some packets, two numbers each."""
        return np.stack([self.exchange.client_high[rows], self.exchange.client_low[rows]], 1)

    def server(self, rows: Any) -> Masks:
        """Return the servers of some packets, two numbers each."""
        return np.stack([self.exchange.server_high[rows], self.exchange.server_low[rows]], 1)

    def id(self, rows: Any) -> Octets:
        """Return the identifiers of some packets, 16 octets each."""
        numbers = np.stack([self.exchange.id_high[rows], self.exchange.id_low[rows]], 1)
        return numbers.astype(">u8").view(np.uint8).reshape(-1, GUID)

    def keys(self) -> tuple[Masks, Masks]:
        """Return a number for the client of each packet, and one for client and server."""
        exchange = self.exchange
        clients = client_keys(exchange.client_high, exchange.client_low, exchange.client_port)
        return clients, exchange_keys(clients, exchange.server_high, exchange.server_low)


def packets_in(table: pa.Table, facts: Sequence[HostFacts]) -> Packets:
    """Return the packets of a table with the columns ``READ``; those of no known address are left out."""
    files, file = texts_of(table["file"])
    ranks = np.empty(len(files) + 1, np.int32)
    ranks[np.argsort(np.array([*files, ""], object), kind="stable")] = np.arange(len(files) + 1)
    offset, _ = integers(table["offset"])
    (source, from_one), (destination, to_one) = (address_numbers(table[end]) for end in ("source", "destination"))
    order = np.lexsort((offset, ranks[file]))
    order = order[(from_one & to_one)[order]]
    messages, message = texts_of(table["message"])
    kinds = np.array([MESSAGES.index(text) if text in MESSAGES else 0 for text in [*messages, ""]], np.uint8)
    kind = kinds[message][order]
    reply, source, destination = kind == REPLY, source[order], destination[order]
    ports = [integers(table[name])[0][order] for name in ("source_port", "destination_port")]
    client, server = np.where(reply[:, None], destination, source), np.where(reply[:, None], source, destination)
    configurations = np.full(len(order), -1, np.int32)
    configurations[reply] = known_servers(facts, server[reply])
    columns: list[Any] = [
        *_guids(table["id"], order),
        kind,
        integers(table["nanoseconds"], NO_TIME)[0][order],
        *client.T,
        np.where(reply, ports[1], ports[0]).astype(np.int32),
        *server.T,
        np.where(reply, ports[0], ports[1]).astype(np.int32),
        integers(table["identification"], -1)[0][order].astype(np.int32),
        integers(table["length"])[0][order].astype(np.int32),
        *_guids(table["site"], order),
        integers(table["enterprise"])[0][order].view(np.uint64),
        integers(table["shown"])[0][order].astype(np.uint8),
        configurations,
    ]
    # copies: for arrays that are read-only numba compiles all loops anew
    exchange = Exchange._make(np.array(column, order="C") for column in columns)
    return Packets(exchange, ranks[file][order], offset[order], _ranked(files, ranks), order)


def _ranked(files: list[str], ranks: Int32s) -> list[str]:
    names = [""] * len(ranks)
    for name, rank in zip(files, ranks.tolist(), strict=False):
        names[rank] = name
    return names


def _guids(column: Any, order: Int64s) -> Masks:
    """Return identifiers as two rows of numbers, zeros where one is absent."""
    runs = octets_of(column)
    starts, there = runs.starts[order], runs.present[order] & (runs.lengths[order] == GUID)
    octets = np.zeros((len(order), GUID), np.uint8)
    octets[there] = runs.octets[starts[there, None] + np.arange(GUID)]
    numbers: Masks = octets.view(">u8").astype(np.uint64)
    return numbers.T


def is_asked(packets: Packets) -> Any:
    """Return which packets have an identifier that a request of the same packets has."""
    exchange = packets.exchange
    identifiers = np.stack([exchange.id_high, exchange.id_low], 1).view("V16").ravel()
    return np.isin(identifiers, identifiers[exchange.message == REQUEST])
