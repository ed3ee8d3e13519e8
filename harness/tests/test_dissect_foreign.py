from pathlib import Path

from test_dissect import capture, run, udp_frame

JUNK = [b"\0" * 8, b"GET / HTTP/1.0\r\n\r\n", b"\xff" * 51, b"HELP\r\n", bytes(range(40))]


def test_five_junk_packets_are_one_line(tmp_path: Path):
    path = capture(tmp_path / "a.pcap", *(udp_frame(octets, port=1801) for octets in JUNK))
    done = run(str(path))
    assert done.exit_code == 0
    assert done.output.count("\n") == 1
    assert done.output.startswith("5 x not MS-MQSD")
    assert "MQSD-" not in done.output.removeprefix("5 x not MS-MQSD")


def test_a_ping_of_queue_managers_is_named():
    done = run("01004855 01000000", "11" * 16)
    assert done.exit_code == 0
    assert done.output == "1 x not MS-MQSD: a ping between queue managers (MS-MQQB, UDP 3527)\n"
