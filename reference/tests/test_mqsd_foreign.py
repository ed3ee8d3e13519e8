from mqconform.reference.mqsd.foreign import foreign_packet

PING = bytes.fromhex("0100485501000000") + b"\x11" * 16
SESSION = bytes.fromhex("10c00b004c494f523c020000ffffffff") + b"\0" * 556
JUNK = (
    b"",
    b"\0" * 8,
    b"GET / HTTP/1.0\r\n\r\n",
    b"\xff" * 51,
    b"HELP\r\n",
    bytes(range(40)),
    b"\x07\x09\0\0" + b"\x11" * 60,
)
FAULTY = (
    b"\0\x03\0\0" + b"\x11" * 48,  # a Type that is no message
    b"\x01\0\0\0" + b"\x11" * 48,  # Version and Type exchanged
    b"\x01\x01\0\0" + b"\x11" * 48,  # a Version in a whole request
    b"\0\x01\0\0" + b"\x11" * 20,  # a request that is cut off
    b"\x07\x02\0\0" + b"\x11" * 20,  # a reply to a server
    b"\0\x09\0\0" + b"\x11" * 60,  # no known Type, longer than a request, Version and Reserved as they should be
    b"\x07\x01\x01\0" + b"\x11" * 60,  # a request, longer than the shortest, with all else of its header wrong
)
SOUND = (b"\0\x01\0\0" + b"\x11" * 48, b"\0\x01\0\0" + b"\x11" * 48 + b"\x01\0\0\0" + b"\x11" * 4)


def test_other_protocols_of_msmq_are_named():
    for to_server in (True, False):
        assert foreign_packet(PING, to_server=to_server) == "a ping between queue managers (MS-MQQB, UDP 3527)"
        assert foreign_packet(SESSION, to_server=to_server).endswith("(MS-MQQB, TCP 1801)")


def test_junk_is_named_where_no_server_can_have_sent_it():
    assert {foreign_packet(octets, to_server=True) for octets in JUNK} == {"no packet of MSMQ, such as scanners send"}
    assert {foreign_packet(octets, to_server=False) for octets in JUNK} == {""}


def test_what_a_faulty_implementation_sends_is_not_foreign():
    assert {foreign_packet(octets, to_server=True) for octets in (*SOUND, *FAULTY)} == {""}
