"""What the model allowed a discovery server to answer, out of its configuration and the requests that failed."""

from collections.abc import Iterable, Sequence
from typing import Any

from mqconform.harness.iut.conversation import Call, Entry
from mqconform.harness.iut.interface import DirectoryServerFact, Json, ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness
from mqconform.harness.tools.packets.packet import dissect
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS


def facts_of(entries: Iterable[Entry], stated: ServerFacts | None) -> ServerFacts | None:
    """Return what the server was configured with last; what is stated where the harness cannot configure it."""
    for entry in reversed(list(entries)):
        if isinstance(entry, Call) and entry.method == "discovery_server.configure":
            return facts_from(entry.params)
    return stated


def facts_from(params: Json) -> ServerFacts:
    """Return the configuration in the parameters of ``discovery_server.configure``."""
    servers = tuple(DirectoryServerFact(**server) for server in params["directory_servers"])
    return ServerFacts(params["enterprise"], params["site"], tuple(params["connected_networks"]), servers)


def allowed_replies(facts: ServerFacts, witnesses: Iterable[Witness]) -> list[dict[str, Any]]:
    """Return what any conforming reply to each request that failed has in common (MS-MQSD 3.2.5.1)."""
    asked = dict.fromkeys(
        (witness.traffic.request, witness.traffic.network)
        for witness in witnesses
        if witness.judgement.verdict is Verdict.FAIL and len(witness.traffic.request) >= FACTS.request_size
    )
    model = model_of(facts)
    return [_record(request, network, expected_reply(model, Network(network), request)) for request, network in asked]


def _record(request: bytes, network: str, expected: ExpectedReply) -> dict[str, Any]:
    site = expected.responding_site_id
    return {
        "request": request.hex(),
        "network": network,
        "correlation_id": guid_text(expected.correlation_id),
        "connected_networks": [guid_text(network_id) for network_id in expected.connected_networks],
        "mask_bits_set": expected.mask_ones,
        "responding_site_id": None if site is None else guid_text(site),
        "names": [name.decode("utf-16-le", "replace") for name in expected.names],
        "derivation": list(expected.derivation),
    }


def decoded_packets(witnesses: Sequence[Witness]) -> list[dict[str, Any]]:
    """Return the packets that witnesses are about, each field with its range of octets, and who convicts which."""
    packets: dict[tuple[str, bytes, str], list[dict[str, Any]]] = {}
    for witness in witnesses:
        traffic = witness.traffic
        for direction, octets in (("request", traffic.request), ("reply", traffic.reply)):
            if octets:
                judgements = packets.setdefault((direction, octets, traffic.network), [])
                if direction == "reply" or not traffic.reply:
                    judgements.append(_about(witness))
    return [
        {"direction": direction, "network": network, "octets": octets.hex()}
        | dissect(octets, over_ip=network == "ip").record()
        | {"judged": judgements}
        for (direction, octets, network), judgements in packets.items()
    ]


def _about(witness: Witness) -> dict[str, Any]:
    line: dict[str, Any] = {"requirement": witness.requirement, "verdict": witness.judgement.verdict.word}
    if witness.judgement.span:
        span = witness.judgement.span
        line["octets"] = [span.offset, span.offset + max(span.length, 1) - 1]
        line["field"] = span.field
    return line
