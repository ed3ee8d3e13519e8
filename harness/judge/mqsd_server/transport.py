"""Transport: the port of the server, its datagrams, and clients on ports of their own (MS-MQSD 2.1, 2.2, 3.2.3)."""

from collections.abc import Sequence
from dataclasses import replace

from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import connect, innermost
from mqconform.harness.iut.drivers.discovery_server.port import Answers
from mqconform.harness.iut.drivers.discovery_server.reserved_port import reserved_port
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.judge.mqsd_server.configuration import any_server, server_with_long_lists
from mqconform.harness.judge.mqsd_server.reply_view import CORRELATION_ID, REQUEST_ID
from mqconform.harness.judge.mqsd_server.requests import burst, send_one
from mqconform.harness.judge.mqsd_server.scene import (
    Scene,
    pick,
    silence,
    then_answers,
    then_exchanges,
    witness,
)
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.mqsd.messages import REPLY
from mqconform.reference.mqsd.specification import FACTS

CLIENTS = 2
"""How many clients take turns."""
BURSTS = 2
"""How often a burst is sent before missing replies are the server's."""
LOOPBACK = "127.0.0.1"


@given("a discovery server that listens on UDP")
def server_on_udp(scene: Scene) -> None:
    """Go through a real socket: the IUT's own address, or a loopback port that it opens on request."""
    any_server(scene)
    _listen(scene)


@given("a discovery server configured to listen on UDP")
def server_told_to_listen(scene: Scene) -> None:
    """Go through a loopback port that the IUT opens on request, so that silence there is its own.

    Raises:
        Unsupported: it is reached by datagrams alone: its start is not seen, and one that is never heard is not there.
    """
    if isinstance(scene.run.iut, interface.DatagramCarrier):
        raise interface.Unsupported("it is reached over UDP only, so its start cannot be observed")
    server_on_udp(scene)


@given("a discovery server whose long reply Ethernet carries at once listens on UDP")
def server_of_long_lists_on_udp(scene: Scene) -> None:
    """Go through a real socket with a reply of some 1,350 octets: 32 networks and 33 names."""
    server_with_long_lists(scene, [f"server-{number:02}" for number in range(33)])
    _listen(scene)


def _listen(scene: Scene) -> None:
    if isinstance(scene.target, interface.DatagramCarrier):
        return
    address = scene.target.call("discovery_server.listen", {"host": LOOPBACK, "port": 0})
    scene.target = _client_of(scene, f"{address['host']}:{address['port']}")


@given("a discovery server that listens on the UDP port of the text")
def server_on_the_port_of_the_text(scene: Scene) -> None:
    """Go through port 1801 where that is the IUT's own address or a free port of this machine (2.1, SD-02)."""
    any_server(scene)
    port = FACTS.udp_port
    if isinstance(scene.target, interface.DatagramCarrier):
        if not scene.address.endswith(f":{port}"):
            raise interface.NotApplicable(f"the server is reached at {scene.address}; port {port} was not tried")
        return
    if not isinstance(innermost(scene.target), interface.OwnNetwork):
        scene.closing.enter_context(reserved_port(LOOPBACK, port))
        scene.closing.callback(scene.target.call, "reset", {})  # the port is free before another run gets it
    try:
        address = scene.target.call("discovery_server.listen", {"host": LOOPBACK, "port": port})
    except interface.IutFault as fault:
        if fault.kind != "error":
            raise
        scene.judge.reading("SD-02", "configured-port", f"it listens on {port}", f"it refuses this port: {fault}")
        raise interface.NotApplicable(f"the implementation does not listen on {port}: {fault}") from fault
    scene.target = _client_of(scene, f"{address['host']}:{port}")
    scene.judge.reading("SD-02", "port-of-the-text", f"it listens on {port}", "it reports success")


@when("a client of another site asks over UDP")
def client_over_udp(scene: Scene) -> None:
    """Ask through a real socket, where silence is allowed."""
    _listen(scene)
    scene.send(scene.draft().octets(), expected=0 if isinstance(scene.run.iut, interface.DatagramCarrier) else 1)


@when("two clients on ports of their own send topology requests in turn")
def two_clients(scene: Scene) -> None:
    """Ask from two sockets, A B A B; each is to hear its own answers only."""
    for turn, client in enumerate(2 * _clients(scene)):
        scene.target = client
        send_one(scene, scene.draft(own_site=turn >= CLIENTS))


@when("two clients on ports of their own send topology requests with one RequestID")
def two_clients_with_one_id(scene: Scene) -> None:
    """Ask from two sockets with the same identifier, once each; a server that keeps no memory answers both (SD-36)."""
    draft = scene.draft()
    for client in _clients(scene):
        scene.target = client
        send_one(scene, draft)


@when("{n:d} topology requests with distinct ids arrive at once, again where replies are missing")
def burst_twice(scene: Scene, n: int) -> None:
    """Ask many times without waiting, and once more where replies are missing: a busy machine may lose datagrams."""
    for _ in range(BURSTS):
        burst(scene, n)
        if len(scene.answers.replies) >= n:
            return


@bears_on("MQSD-3.2.5-02")
def a_burst_is_answered(judge: Judge, bursts: Sequence[Answers]) -> Judgement:
    """Judge that each request of a burst is answered; what is lost in one burst alone decides nothing (3.2.5)."""
    expected = f"{len(bursts[0].requests)} requests answered"
    missing = [max(0, len(burst.requests) - len(burst.replies)) for burst in bursts]
    observed = f"unanswered requests in {len(bursts)} bursts: {', '.join(map(str, missing))}"
    if not any(burst.replies for burst in bursts):
        return judge.undecided(expected, observed)
    if min(missing) == 0 < max(missing):
        return judge.undecided(expected, f"{observed}; a datagram was lost or dropped")
    return judge.says(max(missing) == 0, expected, observed)


@then("each request of a burst is answered")
def each_of_a_burst_is_answered(scene: Scene) -> None:
    witness(scene, a_burst_is_answered, a_burst_is_answered(scene.judge, scene.exchanges), scene.sent)
    if not any(answers.replies for answers in scene.exchanges):
        silence(scene, scene.exchanges[0].requests[0])


@then_exchanges("the server is heard on its port")
@bears_on("MQSD-2.1-01", "MQSD-2.1-04", "MQSD-3.2.3-01")
def server_is_heard(judge: Judge, exchanges: Sequence[Answers]) -> Judgement:
    """Judge that the server answers datagrams on its port at all (2.1, 3.2.3)."""
    answered = any(answers.replies for answers in exchanges)
    return judge.says(answered, "a datagram from the server", "answered" if answered else "silence on its port")


@then_answers("one datagram holds the reply")
@bears_on("MQSD-2.2-01")
def reply_in_one_datagram(judge: Judge, answers: Answers) -> Judgement:
    """Judge that a reply is not spread over datagrams (2.2).

    A reply that is cut short and not continued is judged as too short, not as spread: it shows no whole message.
    """
    expected = "one datagram for each reply"
    if not answers.replies:
        return judge.undecided(expected, "no reply")
    request_ids = {request[REQUEST_ID] for request in answers.requests}
    datagrams = [reply.octets for reply in answers.replies]
    for begun in (datagram for datagram in datagrams if datagram[CORRELATION_ID] in request_ids):
        length = REPLY.length(begun)
        if len(begun) < length and any(len(begun) + len(other) == length for other in datagrams):
            return judge.says(False, expected, f"{len(begun)} of {length} octets in one datagram, the rest in another")
        if len(begun) < length:
            return judge.undecided(expected, f"{len(begun)} octets; the reply announces {length}")
    return judge.says(True, expected, f"{len(datagrams)} datagrams")


@bears_on("MQSD-3.2.5.1-15")
def comes_from_the_host(judge: Judge, reply: interface.Datagram, address: str) -> Judgement:
    """Judge where a reply comes from: the host that was asked, whatever its port (register SD-05)."""
    expected = f"a reply from {address}"
    reading = "queried-port" if reply.source in ("", address) else "other-port"
    return judge.reading("SD-05", reading, expected, f"a reply from {reply.source or address}")


@then("the reply comes from the host that was asked")
def reply_from_the_host(scene: Scene) -> None:
    assert isinstance(scene.target, interface.DatagramCarrier)
    request = scene.answers.requests[0]
    reply = pick(scene.answers.replies, request)
    if reply is None:
        judgement = scene.judge.undecided(f"a reply from {scene.address}", "no reply")
        witness(scene, comes_from_the_host, judgement, request)
        silence(scene, request)
        return
    judgement = comes_from_the_host(scene.judge, reply, scene.address)
    witness(scene, comes_from_the_host, judgement, request, reply)


@then_exchanges("each client gets the replies to its own requests")
@bears_on("MQSD-3.2.5.1-15", "MQSD-2.1-03")
def clients_get_their_own(judge: Judge, turns: Sequence[Answers]) -> Judgement:
    """Judge that each client hears the replies to its own requests, and no other's (3.2.5.1)."""
    expected = "each client gets the replies to its own requests"
    if not any(turn.replies for turn in turns):
        return judge.undecided(expected, "no client got a reply")
    unanswered = 0
    for client in range(CLIENTS):
        own = turns[client::CLIENTS]
        asked = {request[REQUEST_ID] for turn in own for request in turn.requests}
        others = {request[REQUEST_ID] for turn in turns if turn not in own for request in turn.requests} - asked
        correlation_ids = {reply.octets[CORRELATION_ID] for turn in own for reply in turn.replies}
        if not correlation_ids:
            return judge.says(False, expected, f"client {client + 1} got no reply, another did")
        if others & correlation_ids:
            return judge.says(False, expected, f"client {client + 1} got the reply to another's request")
        unanswered += len(asked - correlation_ids)
    if unanswered:
        return judge.undecided(expected, f"{unanswered} requests got no reply with their id")
    return judge.says(True, expected, f"{CLIENTS} clients, {len(turns)} requests")


def _clients(scene: Scene) -> tuple[interface.Iut, ...]:
    """Return two sockets to one server."""
    assert isinstance(scene.target, interface.DatagramCarrier)
    return scene.target, _client_of(scene, scene.address)


def _client_of(scene: Scene, address: str) -> interface.Iut:
    """Return a socket of its own to the UDP server at an address; closed with the scenario."""
    options = replace(scene.run.plan.options, facts=scene.facts)
    client = scene.run.overheard(connect(f"udp:{address}", options, beside=scene.run.iut))
    scene.closing.callback(client.close)
    return client
