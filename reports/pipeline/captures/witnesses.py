"""Packets needed to judge stray replies: the requests of their clients, and the replies to those."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int64s, Masks
from mqconform.reference.mqsd.audit.bulk_conversation_rows import NO_TIME, REPLY, REQUEST
from mqconform.reference.mqsd.audit.bulk_strays import client_keys, exchange_keys
from mqconform.reports.pipeline.captures.conversing import Bucket, read_bucket
from mqconform.reports.pipeline.captures.settings import AuditSettings


class Witnesses(NamedTuple):
    """Packets of clients to whom stray replies went: requests by client, matched replies by client and server."""

    requests: tuple[Masks, Int64s]
    replies: tuple[Masks, Int64s]


def witnesses_in(settings: AuditSettings, bucket: Bucket, clients: Masks) -> Witnesses:
    """Return the packets of a bucket that are needed to judge stray replies to some clients.

    Args:
        settings: of the audit.
        bucket: which packets.
        clients: sorted keys of the clients.
    """
    packets = read_bucket(settings, bucket)
    exchange = packets.exchange
    keys = client_keys(exchange.client_high, exchange.client_low, exchange.client_port)
    concerned = np.isin(keys, clients) & (exchange.time != NO_TIME)
    exchange, keys = packets.taken(concerned).exchange, keys[concerned]
    asks, replies = exchange.message == REQUEST, exchange.message == REPLY
    identifiers = np.stack([exchange.id_high, exchange.id_low], 1).view("V16").ravel()
    replies &= np.isin(identifiers, identifiers[asks])
    exchanges = exchange_keys(keys[replies], exchange.server_high[replies], exchange.server_low[replies])
    return Witnesses((keys[asks], exchange.time[asks]), (exchanges, exchange.time[replies]))


def joined(witnesses: Sequence[Witnesses]) -> Witnesses:
    """Return several witnesses as one."""
    requests, replies = [part.requests for part in witnesses], [part.replies for part in witnesses]
    return Witnesses(_joined(requests), _joined(replies))


def _joined(pairs: Sequence[tuple[Masks, Int64s]]) -> tuple[Masks, Int64s]:
    nothing = np.empty(0, np.uint64), np.empty(0, np.int64)
    keys, times = zip(nothing, *pairs, strict=True)
    return np.concatenate(keys), np.concatenate(times)
