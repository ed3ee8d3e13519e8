"""The link to a broker that can be cut, and what is counted of messages whose connection was cut."""

import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator

import pytest
from sample_iuts import EXAMPLES

sys.path.append(str(EXAMPLES / "iut" / "brokers"))

from brokers.cuts import Tally
from brokers.link import Link


@pytest.fixture
def link() -> Iterator[Link]:
    """A link to a server that sends back what it receives."""
    listener = socket.create_server(("127.0.0.1", 0))

    def echo() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=send_back, args=(connection,), daemon=True).start()

    threading.Thread(target=echo, daemon=True).start()
    made = Link()
    made.target = listener.getsockname()[:2]
    yield made
    made.cut()
    listener.close()


def send_back(connection: socket.socket) -> None:
    """Echo until the connection ends."""
    try:
        while octets := connection.recv(100):
            connection.sendall(octets)
    except OSError:
        pass


def connected(link: Link) -> socket.socket:
    """Return a connection through the link."""
    return socket.create_connection(("127.0.0.1", link.port), timeout=10)


def refused(link: Link) -> bool:
    """Return whether nobody answers."""
    try:
        with connected(link) as connection:
            connection.sendall(b"a")
            return received(connection, 1) == b""
    except OSError:
        return True


def received(connection: socket.socket, count: int) -> bytes:
    """Return so many octets, fewer where the connection ends before."""
    octets = b""
    try:
        while len(octets) < count and (more := connection.recv(count - len(octets))):
            octets += more
    except ConnectionError:
        pass
    return octets


def test_a_link_lets_through_both_directions_and_counts_them(link: Link):
    with connected(link) as connection:
        connection.sendall(b"hello")
        assert received(connection, 5) == b"hello"
    assert link.passed == 10


@pytest.mark.parametrize(("after", "arrives"), [(3, b""), (5, b""), (7, b"he"), (9, b"hell")])
def test_a_link_is_cut_after_so_many_octets(link: Link, after: int, arrives: bytes):
    with connected(link) as connection:
        link.cut(after)
        connection.sendall(b"hello")
        assert received(connection, 5) in {arrives, b""}  # a reset may take away what has not been read
    assert link.passed == after


def test_a_cut_link_ends_connections_and_refuses_others_until_it_is_mended(link: Link):
    with connected(link) as connection:
        connection.sendall(b"a")
        assert received(connection, 1) == b"a"
        link.cut()
        assert received(connection, 1) == b""
    assert refused(link)
    link.mend()
    with connected(link) as connection:
        connection.sendall(b"b")
        assert received(connection, 1) == b"b"


def test_what_was_confirmed_and_never_received_is_lost():
    tally = Tally(confirmed={"a", "b", "c"}, received=Counter("a"), left_open=Counter("b"))
    assert (tally.lost(), tally.doubled(), tally.invented()) == (["c"], [], [])


def test_what_was_never_confirmed_may_arrive_or_not():
    tally = Tally(unanswered={"a", "b"}, received=Counter("a"))
    assert (tally.lost(), tally.doubled(), tally.invented()) == ([], [], [])
    assert tally.found()["unanswered_and_arrived"] == 1


def test_what_two_transactions_have_received_is_doubled():
    tally = Tally(confirmed={"a"}, received=Counter("aa"))
    assert (tally.lost(), tally.doubled(), tally.invented()) == ([], ["a"], [])


def test_what_was_never_sent_is_invented():
    assert Tally(received=Counter("a")).invented() == ["a"]
