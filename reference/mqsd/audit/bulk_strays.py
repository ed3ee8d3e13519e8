"""Replies without a captured request: whether their clients had another request under way (MS-MQSD 2.2.3, 3.2.5.1).

A reply with an identifier of no captured request may answer one that was not captured. Where its client had a request
under way that the same server left unanswered, it is that server's answer with the wrong identifier.
"""

from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, compiled_reader
from mqconform.reference.mqsd.audit.bulk_conversation_rows import WAIT

_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


def client_keys(high: Masks, low: Masks, port: Int32s) -> Masks:
    """Return a number for each client's address and port."""
    mixed: Masks = ((high * _MIX) ^ low ^ (port.astype(np.uint64) << np.uint64(48))) * _MIX
    return mixed ^ (mixed >> np.uint64(29))


def exchange_keys(clients: Masks, high: Masks, low: Masks) -> Masks:
    """Return a number for each client and server."""
    mixed: Masks = (clients ^ ((high * _MIX) ^ low)) * _MIX
    return mixed ^ (mixed >> np.uint64(31))


def other_ids(
    strays: tuple[Masks, Masks, Int64s], requests: tuple[Masks, Int64s], replies: tuple[Masks, Int64s]
) -> Flags:
    """Tell which stray replies are answers with the wrong identifier.

    Args:
        strays: client, client and server, and time of each stray reply.
        requests: client and time of requests.
        replies: client and server, and time of replies that answer a captured request.
    """
    wrong_id = np.zeros(len(strays[2]), np.bool_)
    asked, answered = np.lexsort(requests[::-1]), np.lexsort(replies[::-1])
    _judge(*strays, requests[0][asked], requests[1][asked], replies[0][answered], replies[1][answered], wrong_id)
    return wrong_id


@compiled_reader
def _judge(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    clients: Masks,
    exchanges: Masks,
    times: Int64s,
    request_clients: Masks,
    request_times: Int64s,
    reply_exchanges: Masks,
    reply_times: Int64s,
    wrong_id: Flags,
) -> None:
    for row in range(len(clients)):
        request = _last(request_clients, request_times, clients[row], times[row])
        if request < 0 or times[row] - request_times[request] > WAIT:
            continue
        sent = request_times[request]
        reply = _last(reply_exchanges, reply_times, exchanges[row], sent + WAIT)
        wrong_id[row] = reply < 0 or reply_times[reply] < sent


@compiled_reader
def _last(keys: Masks, times: Int64s, key: int, until: int) -> int:
    """Return the last entry of a key with a time up to ``until``, -1 where there is none."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key or (keys[middle] == key and times[middle] <= until):
            low = middle + 1
        else:
            high = middle
    return low - 1 if low and keys[low - 1] == key else -1
