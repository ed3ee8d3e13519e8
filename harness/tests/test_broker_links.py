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
                while octets := connection.recv(100):
                    connection.sendall(octets)
            except ConnectionError:
                pass
            except OSError:
                return

    threading.Thread(target=echo, daemon=True).start()
    made = Link()
    made.target = listener.getsockname()[:2]
    yield made
    made.cut()
    listener.close()


def echoed(link: Link, octets: bytes) -> bytes:
    """Return what comes back of some octets."""
    back = b""
    try:
        with socket.create_connection(("127.0.0.1", link.port), timeout=10) as connection:
            connection.sendall(octets)
            while len(back) < len(octets) and (more := connection.recv(len(octets) - len(back))):
                back += more
    except OSError:
        pass
    return back


def test_a_link_is_cut_after_so_many_octets_and_refuses_others_until_it_is_mended(link: Link):
    assert (echoed(link, b"hello"), link.passed) == (b"hello", 10)
    link.cut(7)
    assert echoed(link, b"hello") in {b"he", b""}  # a reset may take away what has not been read
    assert (link.passed, echoed(link, b"a")) == (17, b"")
    link.mend()
    assert echoed(link, b"b") == b"b"


def test_what_was_confirmed_and_never_received_is_lost_and_what_was_never_sent_invented():
    tally = Tally(confirmed={"a", "b", "c"}, unanswered={"d", "e"}, received=Counter("aadf"), left_open=Counter("b"))
    assert (tally.lost(), tally.doubled(), tally.invented()) == (["c"], ["a"], ["f"])
    assert tally.found()["unanswered_and_arrived"] == 1
