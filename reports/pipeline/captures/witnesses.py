"""Packets that can tell about stray replies: what their clients asked, and what was answered."""

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
    """Return the packets of a bucket that can tell about stray replies to some clients.

    Args:
        settings: of the audit.
        bucket: which packets.
        clients: sorted keys of the clients.
    """
    packets = read_bucket(settings, bucket)
    found = packets.exchange
    keys = client_keys(found.client_high, found.client_low, found.client_port)
    concerned = np.isin(keys, clients) & (found.time != NO_TIME)
    found, keys = packets.taken(concerned).exchange, keys[concerned]
    asks, replies = found.message == REQUEST, found.message == REPLY
    identifiers = np.stack([found.id_high, found.id_low], 1).view("V16").ravel()
    replies &= np.isin(identifiers, identifiers[asks])
    exchanges = exchange_keys(keys[replies], found.server_high[replies], found.server_low[replies])
    return Witnesses((keys[asks], found.time[asks]), (exchanges, found.time[replies]))


def joined(witnesses: Sequence[Witnesses]) -> Witnesses:
    """Return several witnesses as one."""
    requests, replies = [one.requests for one in witnesses], [one.replies for one in witnesses]
    return Witnesses(_joined(requests), _joined(replies))


def _joined(pairs: Sequence[tuple[Masks, Int64s]]) -> tuple[Masks, Int64s]:
    nothing = np.empty(0, np.uint64), np.empty(0, np.int64)
    keys, times = zip(nothing, *pairs, strict=True)
    return np.concatenate(keys), np.concatenate(times)
