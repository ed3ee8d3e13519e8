"""What a discovery client answers over the IUT protocol, in the terms of the model."""

from collections.abc import Iterable

from mqconform.harness.iut.interface import IutFault, Json
from mqconform.reference.errors import MalformedGuid
from mqconform.reference.mqsd.client import Complete, Effect, Result, Send, ShownState
from mqconform.reference.mqsd.guid import GUID_SIZE, guid_from_text
from mqconform.reference.mqsd.specification import FACTS


def effect_from(effect: Json) -> Effect:
    """Return one of the ``effects`` of an answer.

    Raises:
        IutFault: it is none.
    """
    try:
        if "send" in effect:
            return Send(effect["send"]["network"], bytes.fromhex(effect["send"]["datagram"]))
        return Complete(Result(effect["complete"]["result"]))
    except (KeyError, ValueError, TypeError) as error:
        raise IutFault("schema", f"effects: {error}; expected a send or a complete, see the protocol") from None


def shown_from(answer: Json) -> ShownState:
    """Return what ``discovery_client.state`` answered.

    Raises:
        IutFault: an element of it is not what it should be.
    """
    shown: ShownState = {}
    try:
        if "directory_servers" in answer:
            shown["directory_servers"] = tuple(answer["directory_servers"])
        if "connected_networks" in answer:
            shown["connected_networks"] = tuple(guid_from_text(one) for one in answer["connected_networks"])
        if "request_id" in answer:
            request_id = answer["request_id"]
            shown["request_id"] = None if request_id is None else guid_from_text(request_id)
    except (MalformedGuid, TypeError) as error:
        raise IutFault("schema", f"discovery_client.state: {error}") from None
    if "valid_last_successful_network_address" in answer:
        shown["valid_last_successful_network_address"] = answer["valid_last_successful_network_address"]
    if "last_successful_network_address" in answer:
        shown["last_successful_network_address"] = answer["last_successful_network_address"]
    if "current_network_index" in answer:
        shown["current_network_index"] = answer["current_network_index"]
    return shown


def request_ids_of(effects: Iterable[Effect]) -> tuple[bytes, ...]:
    """Return the RequestIDs of what was sent, each once and in order, padded where a request is cut."""
    sent = (one for one in effects if isinstance(one, Send))
    return tuple(dict.fromkeys(one.datagram[FACTS.request_id].ljust(GUID_SIZE, b"\0") for one in sent))
