"""The UDP adapter against real sockets on loopback: servers that are right, wrong, silent, flooding and rogue."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from itertools import count
from time import monotonic

import pytest
from mqconform.adapters import udp_arrivals
from mqconform.adapters.udp import UdpIut, open_iut
from mqconform.harness.iut import (
    AdapterOptions,
    ConfigurationError,
    DatagramCarrier,
    DirectoryServerFact,
    IutFault,
    NotApplicable,
    ServerFacts,
    Unreachable,
    Unsupported,
)

FACTS = ServerFacts(
    "e6eaba61-d1c6-11db-baac-0003ff4e2d22",
    "e6eaba60-d1c6-11db-baac-0003ff4e2d22",
    ("e6eaba62-d1c6-11db-baac-0003ff4e2d22", "e6eaba63-d1c6-11db-baac-0003ff4e2d22"),
    (DirectoryServerFact("nt4pec", ip=True, ipx=False), DirectoryServerFact("other", ip=True, ipx=True)),
)
PATIENT, SHORT = 10.0, 0.3
HEADER = bytes.fromhex("00010000")
IDENTITIES = count(1)

Address = tuple[str, int]
Handler = Callable[["Server", bytes, Address], None]


def request(body: bytes = bytes(16)) -> bytes:
    """A request with a RequestID of its own."""
    return HEADER + bytes(16) + next(IDENTITIES).to_bytes(16, "big") + body


def identity(datagram: bytes) -> bytes:
    return datagram[20:36]


def answer_to(datagram: bytes, filling: bytes = bytes(28)) -> bytes:
    return b"\0\2\0\0" + identity(datagram) + filling


class Server:
    """A UDP server in a thread; ``handler`` sees each datagram."""

    def __init__(self, handler: Handler, host: str = "127.0.0.1") -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.bind((host, 0))
        self.address = self.socket.getsockname()
        self.seen: list[bytes] = []
        self._handler = handler
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(OSError):
                datagram, source = self.socket.recvfrom(65_536)
                if datagram != b"wake up":
                    self.seen.append(datagram)
                    self._handler(self, datagram, source)

    def reply(self, octets: bytes, destination: Address) -> None:
        self.socket.sendto(octets, destination)

    def die(self) -> None:
        """Close the port, from the server's own thread."""
        self._stopping.set()
        self.socket.close()

    def stop(self) -> None:
        self._stopping.set()
        with contextlib.suppress(OSError), socket.socket(self.socket.family, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"wake up", self.address)
        self._thread.join(5)
        self.socket.close()


Serve = Callable[..., Server]
Open = Callable[..., UdpIut]


@pytest.fixture
def serve() -> Iterator[Serve]:
    started: list[Server] = []

    def starter(handler: Handler, host: str = "127.0.0.1") -> Server:
        started.append(Server(handler, host))
        return started[-1]

    yield starter
    for server in started:
        server.stop()


@pytest.fixture
def connect() -> Iterator[Open]:
    opened: list[UdpIut] = []

    def opener(server: Server, reply_timeout: float = PATIENT) -> UdpIut:
        host, port = server.address[:2]
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        opened.append(open_iut(target, AdapterOptions(reply_timeout=reply_timeout, facts=FACTS)))
        return opened[-1]

    yield opener
    for iut in opened:
        iut.close()


def polite(server: Server, datagram: bytes, source: Address) -> None:
    server.reply(answer_to(datagram), source)


def silent(server: Server, datagram: bytes, source: Address) -> None:
    pass


def closed_port() -> Address:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
        return host, port


def test_replies_come_back_in_order_with_their_source_and_without_the_fences(serve: Serve, connect: Open):
    server = serve(polite)
    iut = connect(server)
    requests = [request(), request(), request()]
    began = monotonic()
    got = iut.exchange(requests, request(), expected=3)
    assert [one.octets for one in got.replies] == [answer_to(one) for one in requests]
    assert {one.source for one in got.replies} == {f"127.0.0.1:{server.address[1]}"}
    assert (got.alive, got.foreign, got.overflow) == (True, (), False)
    assert monotonic() - began < PATIENT / 2


def test_nothing_is_sent_but_the_datagrams_and_the_fence_each_once(serve: Serve, connect: Open):
    server = serve(polite)
    iut = connect(server)
    iut.call("initialize", {})
    iut.call("reset", {})
    sent, fence = [b"", b"short", request(bytes(3_000))], request()
    iut.exchange(sent, fence)
    iut.call("shutdown", {})
    assert server.seen == [*sent, fence]


def test_only_the_fence_can_be_sent(serve: Serve, connect: Open):
    got = connect(serve(polite)).exchange([], request())
    assert (got.alive, got.replies) == (True, ())


def test_a_datagram_that_need_not_be_answered_costs_a_short_grace_only(serve: Serve, connect: Open):
    def tolerant(server: Server, datagram: bytes, source: Address) -> None:
        if len(datagram) >= 52:
            polite(server, datagram, source)

    began = monotonic()
    got = connect(serve(tolerant)).exchange([b"malformed"], request())
    assert (got.alive, got.replies) == (True, ())
    assert monotonic() - began < PATIENT / 2


def test_a_reply_that_is_due_is_waited_for_after_the_fence_was_answered(serve: Serve, connect: Open):
    held: list[bytes] = []

    def last_first(server: Server, datagram: bytes, source: Address) -> None:
        """Answer the fence at once and the request well after the grace."""
        if not held:
            held.append(datagram)
            return
        polite(server, datagram, source)
        threading.Timer(0.6, server.reply, (answer_to(held[0]), source)).start()

    first = request()
    got = connect(serve(last_first)).exchange([first], request(), expected=1)
    assert [one.octets for one in got.replies] == [answer_to(first)]
    assert got.alive is True


def test_a_reply_that_is_due_and_missing_is_given_up_after_the_reply_timeout(serve: Serve, connect: Open):
    def deaf_to_first(server: Server, datagram: bytes, source: Address) -> None:
        if len(server.seen) > 1:
            polite(server, datagram, source)

    got = connect(serve(deaf_to_first), SHORT).exchange([request()], request(), expected=1)
    assert (got.alive, got.replies) == (True, ())


def test_replies_out_of_order_are_all_kept(serve: Serve, connect: Open):
    held: list[bytes] = []

    def backwards(server: Server, datagram: bytes, source: Address) -> None:
        held.append(datagram)
        if len(held) == 4:
            for one in reversed(held):
                polite(server, one, source)

    requests = [request(), request(), request()]
    got = connect(serve(backwards)).exchange(requests, request(), expected=3)
    assert [one.octets for one in got.replies] == [answer_to(one) for one in reversed(requests)]


def test_a_reply_as_large_as_udp_allows_arrives_whole(serve: Serve, connect: Open):
    def verbose(server: Server, datagram: bytes, source: Address) -> None:
        server.reply(answer_to(datagram, bytes(65_507 - 20)), source)

    got = connect(serve(verbose)).exchange([request()], request(), expected=1)
    assert len(got.replies[0].octets) == 65_507


def test_a_reply_of_no_octets_is_a_reply(serve: Serve, connect: Open):
    def terse(server: Server, datagram: bytes, source: Address) -> None:
        server.reply(b"" if len(server.seen) == 1 else answer_to(datagram), source)

    got = connect(serve(terse)).exchange([request()], request(), expected=1)
    assert [one.octets for one in got.replies] == [b""]


def test_a_reply_from_another_port_of_the_host_is_a_reply(serve: Serve, connect: Open):
    def from_elsewhere(_: Server, datagram: bytes, source: Address) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            other.sendto(answer_to(datagram), source)

    server = serve(from_elsewhere)
    got = connect(server).exchange([request()], request(), expected=1)
    assert (got.alive, len(got.replies), got.foreign) == (True, 1, ())
    assert got.replies[0].source != f"127.0.0.1:{server.address[1]}"


def rogue(datagram: bytes, source: Address) -> None:
    """Answer from another address of the loopback network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.2", 0))
        other.sendto(answer_to(datagram), source)


def test_who_answers_from_another_host_is_foreign(serve: Serve, connect: Open):
    def both(server: Server, datagram: bytes, source: Address) -> None:
        rogue(datagram, source)
        polite(server, datagram, source)

    got = connect(serve(both)).exchange([request()], request(), expected=1)
    assert (got.alive, len(got.replies)) == (True, 1)
    assert len(got.foreign) >= 1
    assert got.foreign[0].source.startswith("127.0.0.2:")


def test_a_foreign_answer_does_not_stand_for_a_silent_server(serve: Serve, connect: Open):
    def only_rogue(_: Server, datagram: bytes, source: Address) -> None:
        rogue(datagram, source)

    with pytest.raises(Unreachable, match=r"nothing heard within .*127\.0\.0\.2:\d+.* answered instead"):
        connect(serve(only_rogue), SHORT).exchange([request()], request(), expected=1)


def test_a_server_that_garbles_the_correlation_is_not_called_dead(serve: Serve, connect: Open):
    def garbled(server: Server, datagram: bytes, source: Address) -> None:
        server.reply(b"\0\2\0\0" + identity(datagram)[::-1] + bytes(28), source)

    began = monotonic()
    got = connect(serve(garbled)).exchange([request()], request(), expected=1)
    assert (got.alive, len(got.replies)) == (None, 2)
    assert monotonic() - began < PATIENT / 2


def test_a_port_where_nobody_listens_is_unreachable_at_once():
    host, port = closed_port()
    iut = open_iut(f"{host}:{port}", AdapterOptions(reply_timeout=PATIENT, facts=FACTS))
    began = monotonic()
    with pytest.raises(Unreachable, match="Connection refused"):
        iut.exchange([request(), request()], request(), expected=2)
    assert monotonic() - began < PATIENT / 2
    iut.close()


def test_a_server_that_never_says_anything_is_unreachable(serve: Serve, connect: Open):
    with pytest.raises(Unreachable, match="nothing heard within"):
        connect(serve(silent), SHORT).exchange([request()], request(), expected=1)


def test_a_server_that_dies_is_dead_at_once_and_stays_so(serve: Serve, connect: Open):
    def mortal(server: Server, datagram: bytes, source: Address) -> None:
        polite(server, datagram, source)
        if len(server.seen) == 2:
            server.die()

    iut = connect(serve(mortal))
    assert iut.exchange([request()], request(), expected=1).alive is True
    began = monotonic()
    for _ in range(3):
        got = iut.exchange([request()], request(), expected=1)
        assert (got.alive, got.replies) == (False, ())
    assert monotonic() - began < PATIENT / 2


def test_a_server_that_dies_of_a_datagram_leaves_the_replies_before_it(serve: Serve, connect: Open):
    def fragile(server: Server, datagram: bytes, source: Address) -> None:
        if len(datagram) < 52:
            server.die()
        else:
            polite(server, datagram, source)

    iut = connect(serve(fragile), 2.0)
    got = iut.exchange([request(), b"poison"], request(), expected=1)
    assert (got.alive, len(got.replies)) == (False, 1)
    assert iut.exchange([request()], request(), expected=1).alive is False


def test_silence_counts_as_death_only_when_it_lasts_and_a_sign_of_life_ends_it(serve: Serve, connect: Open):
    asleep = threading.Event()
    answered = threading.Event()

    def moody(server: Server, datagram: bytes, source: Address) -> None:
        if not asleep.is_set():
            polite(server, datagram, source)
            answered.set()

    iut = connect(serve(moody), SHORT)
    assert iut.exchange([request()], request(), expected=1).alive is True
    asleep.set()
    for _ in range(3):
        began = monotonic()
        assert iut.exchange([request()], request(), expected=1).alive is False
        assert monotonic() - began >= SHORT
    began = monotonic()
    assert iut.exchange([request()], request(), expected=1).alive is False
    assert monotonic() - began < SHORT
    asleep.clear()
    answered.clear()
    assert iut.exchange([request()], request(), expected=1).alive is False
    assert answered.wait(PATIENT)
    assert iut.exchange([request()], request(), expected=1).alive is True


def test_a_server_silent_to_one_kind_of_request_is_not_given_up(serve: Serve, connect: Open):
    def choosy(server: Server, datagram: bytes, source: Address) -> None:
        if datagram.endswith(b"liked"):
            polite(server, datagram, source)

    iut = connect(serve(choosy), SHORT)
    assert iut.exchange([request(b"liked")], request(b"liked"), expected=1).alive is True
    for _ in range(2):
        assert iut.exchange([request()], request(), expected=1).alive is False
    assert iut.exchange([request(b"liked")], request(b"liked"), expected=1).alive is True


def test_a_flood_is_cut_off(serve: Serve, connect: Open, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(udp_arrivals, "MAX_DATAGRAMS", 200)
    flooding = threading.Event()

    def flood(server: Server, datagram: bytes, source: Address) -> None:
        while not flooding.is_set():
            server.reply(answer_to(datagram[::-1]), source)

    iut = connect(serve(flood))
    got = iut.exchange([request()], request(), expected=1)
    flooding.set()
    assert (got.overflow, got.alive, len(got.replies)) == (True, None, 200)


def test_a_slow_flood_does_not_stretch_the_reply_timeout(serve: Serve, connect: Open):
    enough = threading.Event()

    def trickle(server: Server, _: bytes, source: Address) -> None:
        while not enough.wait(0.005):
            server.reply(b"noise", source)

    iut = connect(serve(trickle), SHORT)
    began = monotonic()
    got = iut.exchange([request()] * 60, request(), expected=60)
    enough.set()
    assert got.alive is False or got.alive is None
    assert monotonic() - began < PATIENT / 2


def test_datagrams_from_between_exchanges_are_thrown_away_and_counted(serve: Serve, connect: Open):
    clients: list[Address] = []

    def remembering(server: Server, datagram: bytes, source: Address) -> None:
        clients.append(source)
        polite(server, datagram, source)

    server = serve(remembering)
    iut = connect(server)
    iut.exchange([request()], request(), expected=1)
    for _ in range(2):
        server.reply(b"afterthought", clients[0])
    later = iut.exchange([second := request()], request(), expected=1)
    assert [one.octets for one in later.replies] == [answer_to(second)]
    assert "2 datagrams arrived between exchanges" in iut.evidence()[0]


def test_a_late_reply_to_an_earlier_exchange_fills_no_gap(serve: Serve, connect: Open):
    held: list[bytes] = []

    def late(server: Server, datagram: bytes, source: Address) -> None:
        """Answer the very first request only during the second exchange, and that one's own request last."""
        held.append(datagram)
        if len(held) in (1, 3):
            return
        if len(held) == 4:
            server.reply(answer_to(held[0]), source)
            polite(server, datagram, source)
            threading.Timer(0.4, server.reply, (answer_to(held[2]), source)).start()
            return
        polite(server, datagram, source)

    iut = connect(serve(late))
    first, second = request(), request()
    assert iut.exchange([first], request()).replies == ()
    got = iut.exchange([second], request(), expected=1)
    assert [identity(bytes(16) + one.octets) for one in got.replies] == [identity(first), identity(second)]


def test_ipv6_works_alike(serve: Serve, connect: Open):
    try:
        server = serve(polite, "::1")
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    iut = connect(server)
    got = iut.exchange([request()], request(), expected=1)
    assert got.replies[0].source == f"[::1]:{server.address[1]}"
    assert iut.lossless


def test_a_closed_ipv6_port_is_refused_too():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
            port = probe.getsockname()[1]
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    iut = open_iut(f"[::1]:{port}", AdapterOptions(reply_timeout=PATIENT, facts=FACTS))
    with pytest.raises(Unreachable, match="Connection refused"):
        iut.exchange([request()], request(), expected=1)
    iut.close()


def test_a_datagram_too_large_for_udp_is_not_applicable(serve: Serve, connect: Open):
    with pytest.raises(NotApplicable, match="65508 octets do not fit"):
        connect(serve(polite)).exchange([bytes(65_508)], request())


def test_a_fence_that_could_not_be_told_apart_is_the_harness_s_mistake(serve: Serve, connect: Open):
    iut = connect(serve(polite))
    with pytest.raises(ValueError, match="too few for a RequestID"):
        iut.exchange([], bytes(35))
    with pytest.raises(ValueError, match="could not be told apart"):
        iut.exchange([fence := request()], fence)


def test_the_connection_is_a_carrier_of_datagrams_and_loopback_loses_none(serve: Serve, connect: Open):
    iut = connect(serve(polite))
    assert isinstance(iut, DatagramCarrier)
    assert iut.lossless


@pytest.mark.parametrize(
    "target",
    ["", "host", "127.0.0.1", "127.0.0.1:", ":1801", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:18x", "::1:1801",
     "[::1]", "[]:1801", "no-such-host.invalid:1801", "[127.0.0.1]:1801", "[::zz]:1801", "a" * 300 + ":1801",
     "255.255.255.255:1801", "224.0.0.1:1801", "[ff02::1]:1801", "0.0.0.0:1801", "[::]:1801", "127.255.255.255:1801"],
)  # fmt: skip
def test_what_is_not_the_address_of_one_host_is_a_matter_of_configuration(target: str):
    with pytest.raises(ConfigurationError, match=r"^udp:"):
        open_iut(target, AdapterOptions(facts=FACTS))


def test_a_server_without_facts_is_refused_with_an_example_to_copy():
    with pytest.raises(ConfigurationError, match=r"(?s)--facts FILE.*\[discovery_server\].*directory_servers"):
        open_iut("127.0.0.1:1801", AdapterOptions())


def other(**changed: object) -> dict[str, object]:
    return FACTS.params() | changed


def test_the_stated_configuration_is_accepted_in_any_order_and_case(serve: Serve, connect: Open):
    iut = connect(serve(polite))
    assert iut.call("discovery_server.configure", FACTS.params()) == {}
    same = other(
        enterprise=FACTS.enterprise.upper(),
        connected_networks=[one.upper() for one in reversed(FACTS.connected_networks)],
        directory_servers=[{"name": "other", "ip": False, "ipx": False}, {"name": "nt4pec", "ip": False, "ipx": True}],
    )
    assert iut.call("discovery_server.configure", same) == {}
    assert iut.facts == FACTS


@pytest.mark.parametrize(
    "changed",
    [
        {"enterprise": FACTS.site},
        {"site": FACTS.enterprise},
        {"connected_networks": list(FACTS.connected_networks[:1])},
        {"connected_networks": []},
        {"directory_servers": [{"name": "nt4pec", "ip": True, "ipx": False}]},
        {"directory_servers": []},
    ],
)
def test_another_configuration_is_not_applicable_and_the_difference_is_named(
    serve: Serve, connect: Open, changed: dict[str, object]
):
    with pytest.raises(NotApplicable, match=f"configured otherwise: its {next(iter(changed))} is"):
        connect(serve(polite)).call("discovery_server.configure", other(**changed))


@pytest.mark.parametrize(
    ("method", "params", "problem"),
    [
        ("discovery_server.receive", {"network": "ipx", "datagram": ""}, NotApplicable),
        ("discovery_server.receive", {"network": "ip", "datagram": ""}, NotApplicable),
        ("discovery_server.listen", {"host": "", "port": 0}, NotApplicable),
        ("discovery_server.state", {}, NotApplicable),
        ("router.routing_table", {}, Unsupported),
        ("mqconform.no_such_method", {}, Unsupported),
    ],
)
def test_what_needs_control_is_refused_with_its_reason(
    serve: Serve, connect: Open, method: str, params: dict[str, object], problem: type[Exception]
):
    with pytest.raises(problem, match=r"datagrams|IPX"):
        connect(serve(polite)).call(method, params)


def test_the_introduction_is_made_up_and_sends_nothing(serve: Serve, connect: Open):
    server = serve(polite)
    iut = connect(server)
    said = iut.call("initialize", {"protocol": 1, "harness": "test"})
    assert said["name"] == f"udp 127.0.0.1:{server.address[1]}" == iut.description.name
    assert (said["roles"], said["capabilities"], server.seen) == (["discovery_server"], ["udp"], [])


def test_a_closed_connection_says_so(serve: Serve, connect: Open):
    iut = connect(serve(polite))
    iut.close()
    iut.close()
    with pytest.raises(IutFault, match="closed"):
        iut.exchange([], request())
    assert iut.evidence()
