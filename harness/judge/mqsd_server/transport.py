"""Transport: the port of the server, its datagrams, and clients on ports of their own (MS-MQSD 2.1, 2.2, 3.2.3)."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_bdd import given, then, when

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.interface import Datagram, DatagramCarrier, Iut
from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.configuration import any_server
from mqconform.harness.judge.mqsd_server.reply_view import (
    CORRELATION_ID,
    COUNT,
    FIXED,
    GUID,
    REQUEST_ID,
    SIZE,
    little_endian,
)
from mqconform.harness.judge.mqsd_server.requests import send_one
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.judge.mqsd_server.witnessing import first_reply, judge_all, pick, silence, witness
from mqconform.harness.records.witness import Judgement

CLIENTS = 2
"""How many clients take turns."""


@given("a discovery server that listens on UDP")
def server_on_udp(scene: Scene) -> None:
    """Go through a real socket: the IUT's own address, or a loopback port that it is told to open."""
    any_server(scene)
    if isinstance(scene.target, DatagramCarrier):
        return
    address = scene.target.call("discovery_server.listen", {"host": "127.0.0.1", "port": 0})
    scene.target = _client_of(scene, f"{address['host']}:{address['port']}")


@when("two clients on ports of their own send topology requests in turn")
def two_clients(scene: Scene) -> None:
    """Ask from two sockets, A B A B; each is to hear its own answers only."""
    assert isinstance(scene.target, DatagramCarrier)
    clients = (scene.target, _client_of(scene, scene.address))
    for turn in range(2 * CLIENTS):
        scene.target = clients[turn % CLIENTS]
        send_one(scene, scene.draft(own_site=turn >= CLIENTS))


@bears_on("MQSD-2.1-01", "MQSD-2.1-04", "MQSD-3.2.3-01")
def heard_over_udp(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that the server answers datagrams on its port at all (2.1, 3.2.3)."""
    answered = any(answers.replies for answers in exchanges)
    return judge.says(answered, "a datagram from the server", "answered" if answered else "silence on its port")


@then("the server is heard on its port")
def server_is_heard(scene: Scene) -> None:
    """Judge that any of the requests was answered over UDP."""
    judge_all(scene, heard_over_udp)


@bears_on("MQSD-2.2-01")
def one_datagram_holds_the_reply(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a reply is not spread over datagrams (2.2).

    A reply that is cut short and not continued is judged as too short, not as spread.
    """
    expected = "one datagram for each reply"
    if not answers.replies:
        return judge.undecided(expected, "no reply")
    request_ids = {request[REQUEST_ID] for request in answers.requests}
    datagrams = [reply.octets for reply in answers.replies]
    for begun in (datagram for datagram in datagrams if datagram[CORRELATION_ID] in request_ids):
        length = _claimed_length(begun)
        if len(begun) < length and any(len(begun) + len(other) == length for other in datagrams):
            return judge.says(False, expected, f"{len(begun)} of {length} octets in one datagram, the rest in another")
    return judge.says(True, expected, f"{len(datagrams)} datagrams")


@then("one datagram holds the reply")
def reply_in_one_datagram(scene: Scene) -> None:
    """Judge that the reply is not spread over several datagrams."""
    answers = scene.answers
    judgement = one_datagram_holds_the_reply(scene.judge, answers)
    witness(scene, one_datagram_holds_the_reply, judgement, answers.requests[0], first_reply(answers))


@bears_on("MQSD-2.1-04")
def comes_from_the_host(judge: Judge, reply: Datagram, address: str) -> Judgement:
    """Judge where a reply comes from: the host that was asked, whatever its port (register SD-05)."""
    expected = f"a reply from {address}"
    reading = "queried-port" if reply.source in ("", address) else "other-port"
    return judge.reading("SD-05", reading, expected, f"a reply from {reply.source or address}")


@then("the reply comes from the host that was asked")
def reply_from_the_host(scene: Scene) -> None:
    """Judge the source of the reply."""
    assert isinstance(scene.target, DatagramCarrier)
    request = scene.answers.requests[0]
    reply = pick(scene.answers.replies, request)
    if reply is None:
        judgement = scene.judge.undecided(f"a reply from {scene.address}", "no reply")
        witness(scene, comes_from_the_host, judgement, request)
        silence(scene, request)
        return
    judgement = comes_from_the_host(scene.judge, reply, scene.address)
    witness(scene, comes_from_the_host, judgement, request, reply)


@bears_on("MQSD-3.2.5.1-15", "MQSD-2.1-03")
def each_client_gets_its_own(judge: Judge, turns: Sequence[Answers]) -> Judgement:
    """Judge that each client hears the replies to its own requests, and no other's (3.2.5.1).

    Args:
        judge: the judge.
        turns: what was sent and came back; the clients took turns in a fixed order.
    """
    expected = "each client gets the replies to its own requests"
    if not any(turn.replies for turn in turns):
        return judge.undecided(expected, "no client got a reply")
    for client in range(CLIENTS):
        own = turns[client::CLIENTS]
        others = {request[REQUEST_ID] for turn in turns if turn not in own for request in turn.requests}
        correlation_ids = [reply.octets[CORRELATION_ID] for turn in own for reply in turn.replies]
        if not correlation_ids:
            return judge.says(False, expected, f"client {client + 1} got no reply, another did")
        if others.intersection(correlation_ids):
            return judge.says(False, expected, f"client {client + 1} got the reply to another's request")
    return judge.says(True, expected, f"{CLIENTS} clients, {len(turns)} requests")


@then("each client gets the replies to its own requests")
def clients_get_their_own(scene: Scene) -> None:
    """Judge what the two clients heard, who took turns."""
    judge_all(scene, each_client_gets_its_own)


def _client_of(scene: Scene, address: str) -> Iut:
    """Return a socket of its own to the UDP server at an address; closed with the scenario."""
    options = replace(scene.run.options, facts=scene.facts)
    client = scene.run.overheard(connect(f"udp:{address}", options, beside=scene.run.iut))
    scene.closing.callback(client.close)
    return client


def _claimed_length(reply: bytes) -> int:
    """Return how long a reply is by its own count and size."""
    size = little_endian(reply[SIZE])
    return FIXED + GUID * little_endian(reply[COUNT]) + (GUID + size if size else 0)
