"""Several tasks divide a capture as one would: every frame in one part, under its own number, or not at all."""

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from mqconform.reports.pipeline.captures import dividing
from mqconform.reports.pipeline.captures.dividing import indexed, pieces_of, stretches
from mqconform.reports.pipeline.captures.planning import Piece, captures_in, divided
from mqconform.reports.pipeline.captures.reading import Damage, read_capture, source_of
from mqconform.reports.pipeline.storage import place_of

HEAD = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
SECONDS = 1_700_000_000
Frame = tuple[int, int, bytes]


def record(octets: bytes, second: int = SECONDS) -> bytes:
    return struct.pack("<IIII", second, 5, len(octets), len(octets)) + octets


def frames_of(piece: Piece) -> list[Frame]:
    """Offset, number and octets of the frames in a piece."""
    system, path = piece.file.resolve()
    found = []
    with system.open_input_file(path) as file:
        for scan in read_capture(source_of(file, piece.end), piece.start, piece.frame, piece.section):
            assert not isinstance(scan, Damage)
            for frame in range(scan.frame_count):
                start, length = int(scan.frames.starts[frame]), int(scan.frames.captured[frame])
                at = scan.offset + int(scan.frames.records[frame])
                found.append((at, scan.number + frame, np.array(scan.octets[start : start + length]).tobytes()))
    return found


def capture(folder: Path, records: list[bytes]) -> Piece:
    (folder / "capture").write_bytes(HEAD + b"".join(records))
    (piece,) = captures_in(place_of(str(folder / "capture")))
    return piece


@pytest.mark.parametrize("count", [2, 3, 7, 64])
@pytest.mark.parametrize("octets", [500, 4_000, 10**9])
def test_parts_hold_each_frame_once_under_its_number(tmp_path: Path, count: int, octets: int):
    generator = random.Random(count)
    piece = capture(tmp_path, [record(generator.randbytes(generator.randrange(14, 200))) for _ in range(300)])
    found = stretches(piece, count)
    assert len(found) == count
    parts = pieces_of([indexed(one, octets) for one in found])
    assert [frame for part in parts for frame in frames_of(part)] == frames_of(piece)
    assert sum(part.octets for part in parts) == piece.octets
    assert len(parts) >= max(count, piece.octets // (octets + 300))
    assert [part.start for part in parts] == sorted({part.start for part in parts})


def test_a_capture_within_frames_leads_a_guess_astray_and_is_found_out(tmp_path: Path):
    inner = b"".join(record(bytes(30)) for _ in range(400))
    piece = capture(tmp_path, [record(bytes(40)), record(inner), record(bytes(50))])
    found = stretches(piece, 2)
    assert len(found) == 2, "the guess is a record of the inner capture"
    assert pieces_of([indexed(one) for one in found]) == []
    assert len(frames_of(divided(piece)[0])) == 3


@pytest.mark.parametrize("place", range(0, 100, 9))
def test_a_damaged_capture_is_left_to_one_task(tmp_path: Path, place: int):
    records = [record(bytes([number]) * 60) for number in range(100)]
    records[place] = records[place][:8] + b"\xff" * 4 + records[place][12:]
    found = stretches(capture(tmp_path, records), 4)
    assert pieces_of([indexed(one) for one in found]) == []
    records[place] = record(bytes(60))
    records[-1] = records[-1][:-1]
    assert pieces_of([indexed(one) for one in stretches(capture(tmp_path, records), 4)]) == []


def test_what_is_no_pcap_or_has_no_place_to_begin_is_one_stretch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    alone = [capture(tmp_path, []), capture(tmp_path, [record(bytes(5_000))])]
    assert [len(stretches(one, 4)) for one in alone] == [1, 1]
    days = [record(bytes(60), SECONDS + 86_400 * number) for number in range(200)]
    assert len(stretches(capture(tmp_path, days), 4)) == 1
    monkeypatch.setattr(dividing, "LOOKED_AT", 100)
    assert len(stretches(capture(tmp_path, [record(bytes(60))] * 100), 4)) == 1
    for octets in (b"", b"no capture", bytes.fromhex("0a0d0d0a"), bytes.fromhex("1f8b") + bytes(100)):
        (tmp_path / "other").write_bytes(octets)
        assert len(stretches(Piece(place_of(str(tmp_path / "other")), "other", 0, len(octets)), 4)) == 1
