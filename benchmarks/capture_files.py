"""Captures to measure on: discoveries of many clients, the same for the same seed, written by the million."""

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

EXCHANGES_TOGETHER = 200_000
"""Exchanges that are made in memory at a time."""
CLIENTS = 50_000

Octets = NDArray[np.uint8]

_LIST = "10PSC01,10BSC02\0".encode("utf-16-le")


def write_capture(path: Path, packets: int, faults: int, seed: int) -> None:
    """Write a pcap of about as many packets: requests of clients, each with a reply, every second one with a list.

    Args:
        path: the file.
        packets: how many frames; rounded down to a multiple of four.
        faults: in how many replies a bit of the mask is set.
        seed: of identifiers and of which replies are wrong.
    """
    random = np.random.default_rng(seed)
    pairs = packets // 4
    wrong = np.zeros(pairs, np.bool_)
    wrong[random.choice(pairs, min(faults, pairs), replace=False)] = True
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for first in range(0, pairs, EXCHANGES_TOGETHER):
            numbers = np.arange(first, min(first + EXCHANGES_TOGETHER, pairs))
            file.write(_exchanges(numbers, wrong[numbers], random).tobytes())


def _exchanges(numbers: NDArray[np.int64], wrong: NDArray[np.bool_], random: np.random.Generator) -> Octets:
    """Return two discoveries for each number: request, reply, request, reply with a list."""
    frames = [_request(), _reply(b""), _request(), _reply(_LIST)]
    sizes = [len(frame) for frame in frames]
    rows = np.tile(np.frombuffer(b"".join(frames), np.uint8), (len(numbers), 1))
    starts = np.cumsum([0, *sizes[:-1]])
    for place, start in enumerate(starts.tolist()):
        time = 4 * numbers + place
        rows[:, start : start + 8] = _words(1_600_000_000 + time // 10_000, time % 10_000 * 100)
        client = (2 * numbers + place // 2) % CLIENTS
        is_reply = place % 2
        address = start + 16 + (30 if is_reply else 26)
        rows[:, address : address + 4] = np.stack(
            [np.full(len(numbers), 10), client >> 16, client >> 8 & 255, client & 255], 1
        )
        rows[:, start + 34 : start + 36] = (time & 0xFFFF).astype(">u2").view(np.uint8).reshape(-1, 2)
    for request, reply in ((starts[0], starts[1]), (starts[2], starts[3])):
        identifiers = np.frombuffer(random.bytes(16 * len(numbers)), np.uint8).reshape(-1, 16)
        rows[:, request + 58 + 20 : request + 58 + 36] = identifiers
        rows[:, reply + 58 + 4 : reply + 58 + 20] = identifiers
    rows[wrong, starts[1] + 58 + 24] = 1
    return rows


def _words(*columns: NDArray[np.int64]) -> Octets:
    return np.stack(columns, 1).astype("<u4").view(np.uint8)


def _request() -> bytes:
    return _frame(b"\0\1\0\0" + b"E" * 16 + bytes(16) + b"S" * 16, bytes(4), b"\xff" * 4, (4000, 1801))


def _reply(listed: bytes) -> bytes:
    fixed = struct.pack("<III", 1, 0, len(listed))
    payload = b"\0\2\0\0" + bytes(16) + fixed + b"N" * 16 + (b"O" * 16 + listed if listed else b"")
    return _frame(payload, bytes([11, 0, 0, 1]), bytes(4), (1801, 4000))


def _frame(payload: bytes, source: bytes, destination: bytes, ports: tuple[int, int]) -> bytes:
    udp = struct.pack(">HHHH", *ports, 8 + len(payload), 0) + payload
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, source, destination)
    frame = b"\xff" * 12 + b"\x08\x00" + ip + udp
    return struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame
