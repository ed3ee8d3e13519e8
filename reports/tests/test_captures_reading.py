"""Captures are read whole, in every form; where they are damaged, the damage is told and the rest read."""

import gzip
import io
import shutil
import struct
import subprocess
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from long_tier import long

from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.reading import GZIP_CHUNK, Damage, NotRead, Scan, read_capture, source_of
from mqconform.reports.pipeline.captures.source import captures_in, divided
from mqconform.reports.pipeline.storage import in_splits, place_of

TIME = 1_600_000_000
FRAMES = [bytes([number % 256]) * (20 + number % 40) for number in range(200)]


def pcap(frames: Sequence[bytes], order: str = "<", *, nano: bool = False, link: int = 1) -> bytes:
    head = struct.pack(f"{order}IHHiIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    records = (
        struct.pack(f"{order}IIII", TIME + number, number, len(frame), len(frame)) + frame
        for number, frame in enumerate(frames)
    )
    return head + b"".join(records)


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + length + body + length


def section(order: str = "<") -> bytes:
    return block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def interface(order: str = "<", link: int = 1, snap: int = 0, options: bytes = b"") -> bytes:
    return block(1, struct.pack(f"{order}HHI", link, 0, snap) + options, order)


def enhanced(frame: bytes, ticks: int, order: str = "<", number: int = 0) -> bytes:
    head = struct.pack(f"{order}IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame))
    return block(6, head + frame + bytes(-len(frame) % 4), order)


def pcapng(frames: Sequence[bytes], order: str = "<") -> bytes:
    blocks = (enhanced(frame, (TIME + number) * 10**6, order) for number, frame in enumerate(frames))
    return section(order) + interface(order) + b"".join(blocks)


def read(octets: bytes, window: int = 300_000) -> tuple[list[tuple[int, int, bytes]], list[Damage]]:
    """Return number, time and octets of each frame, and the damage."""
    frames, damage = [], []
    for found in read_capture(source_of(pa.BufferReader(octets)), window=window):
        if isinstance(found, Damage):
            damage.append(found)
        else:
            frames.extend(frames_of(found))
    return frames, damage


def frames_of(scan: Scan) -> list[tuple[int, int, bytes]]:
    rows = scan.frames
    return [
        (
            scan.number + row,
            int(rows.times[row]),
            scan.octets[rows.starts[row] : rows.starts[row] + rows.captured[row]].tobytes(),
        )
        for row in range(scan.frame_count)
    ]


FORMS = {
    "pcap": pcap(FRAMES),
    "pcap, high octet first": pcap(FRAMES, ">"),
    "pcap of nanoseconds": pcap(FRAMES, nano=True),
    "pcap of nanoseconds, high octet first": pcap(FRAMES, ">", nano=True),
    "pcapng": pcapng(FRAMES),
    "pcapng, high octet first": pcapng(FRAMES, ">"),
}


def test_every_form_gives_the_same_frames():
    for form, octets in FORMS.items():
        for packed in (octets, gzip.compress(octets)):
            frames, damage = read(packed)
            assert [one for _, _, one in frames] == FRAMES, form
            assert [number for number, _, _ in frames] == list(range(1, 201)), form
            assert damage == [], form
            fraction = 0 if "pcapng" in form else 7 if "nano" in form else 7_000
            assert frames[7][1] == (TIME + 7) * 10**9 + fraction, form


def test_several_gzip_members_are_one_capture():
    octets = FORMS["pcap"]
    frames, damage = read(gzip.compress(octets[:1000]) + gzip.compress(octets[1000:]))
    assert (len(frames), damage) == (200, [])


def test_a_block_longer_than_a_window_is_read():
    long = enhanced(b"l" * 700_000, 0)
    frames, damage = read(pcapng(FRAMES[:2]) + long + enhanced(FRAMES[2], 0))
    assert [len(one) for _, _, one in frames] == [len(FRAMES[0]), len(FRAMES[1]), 700_000, len(FRAMES[2])]
    assert damage == []


def test_clocks_of_interfaces():
    for resolution, ticks, time in (
        (6, 1_500_000, 1_500_000_000),
        (9, 1_500_000_001, 1_500_000_001),
        (3, 1_500, 1_500_000_000),
        (12, 1_500_000_000_999, 1_500_000_000),
        (0x80 | 10, 1536, 1_500_000_000),
        (0x80 | 40, 3 << 39, 1_500_000_000),
        (0, 2, 2_000_000_000),
    ):
        option = struct.pack("<HHB3x", 9, 1, resolution) + struct.pack("<HHq", 14, 8, 100)
        frames, damage = read(section() + interface(options=option) + enhanced(b"x" * 20, ticks))
        assert (frames[0][1], damage) == (time + 100 * 10**9, []), resolution


def test_simple_packets_have_no_time_and_end_at_the_snap_length():
    simple = block(3, struct.pack("<I", 100) + b"y" * 40)
    frames, damage = read(section() + interface(snap=40) + simple)
    assert frames == [(1, NO_TIME, b"y" * 40)]
    assert damage == []


def test_sections_of_different_octet_orders_follow_one_another():
    frames, damage = read(pcapng(FRAMES[:3]) + pcapng(FRAMES[3:5], ">") + pcapng(FRAMES[5:6]))
    assert [one for _, _, one in frames] == FRAMES[:6]
    assert damage == []


def test_a_frame_of_an_interface_that_nobody_described_is_there_without_one():
    frames, damage = read(section() + interface() + enhanced(b"z" * 20, 0, number=3))
    assert [one for _, _, one in frames] == [b"z" * 20]
    assert damage == []


class TestDamage:
    def test_a_cut_file_loses_the_frame_that_is_cut(self):
        for form in ("pcap", "pcapng, high octet first"):
            for cut in (1, 15, 17, 30):
                octets = FORMS[form][:-cut]
                frames, damage = read(octets)
                assert [one for _, _, one in frames] == FRAMES[:199], (form, cut)
                assert damage[0].offset + damage[0].length == len(octets), (form, cut)
                assert "ends within a record" in damage[0].reason, (form, cut)

    def test_reading_ends_at_octets_that_make_no_sense(self):
        for form, octets in FORMS.items():
            at = self.record(form, 50)
            for packed in (bytes, gzip.compress):
                frames, damage = read(packed(octets[:at] + b"\xee" * 90 + octets[at + 90 :]))
                assert [one for _, _, one in frames] == FRAMES[:50], form
                assert [(one.offset, one.length) for one in damage] == [(at, len(octets) - at)], form

    def test_a_gzip_stream_that_ends_early_gives_what_it_has(self):
        whole = FORMS["pcap"]
        compressor = zlib.compressobj(wbits=31)
        begun = compressor.compress(whole[:5000]) + compressor.flush(zlib.Z_SYNC_FLUSH)
        frames, damage = read(begun)
        assert sum(16 + len(one) for _, _, one in frames) + 24 + damage[0].length == 5000
        assert damage[1].reason == "the file ends within compressed data"

    def test_a_gzip_stream_that_breaks_gives_what_precedes_the_break(self):
        whole = FORMS["pcap"]
        compressor = zlib.compressobj(0, wbits=31)
        begun = compressor.compress(whole[:5000]) + compressor.flush(zlib.Z_SYNC_FLUSH)
        frames, damage = read(begun + b"\xff" * 50)
        assert sum(16 + len(one) for _, _, one in frames) + 24 + damage[0].length >= 5000 - GZIP_CHUNK
        assert "decompressed" in damage[-1].reason

    def test_what_is_no_capture_is_refused(self):
        for octets in (b"", b"\xd4\xc3\xb2\xa1", b"no capture at all", b"\x1f\x8b" + bytes(40)):
            with pytest.raises(NotRead):
                read(octets)

    def test_no_damage_is_passed_over(self):
        for seed in range(30):
            random = np.random.default_rng(seed)
            octets = bytearray(FORMS[list(FORMS)[seed % len(FORMS)]])
            for _ in range(5):
                octets[int(random.integers(40, len(octets)))] = int(random.integers(256))
            frames, damage = read(bytes(octets))
            assert len(damage) <= 1, seed
            assert all(one.length > 0 for one in damage), seed
            assert damage or len(frames) >= 190, seed

    def record(self, form: str, place: int) -> int:
        if "pcapng" in form:
            return len(pcapng(FRAMES[:place]))
        return 24 + sum(16 + len(one) for one in FRAMES[:place])


class TestPieces:
    def test_pieces_of_a_file_hold_its_frames_once_each(self, tmp_path: Path):
        for form in FORMS:
            self.divide(form, tmp_path)

    def divide(self, form: str, tmp_path: Path) -> None:
        (tmp_path / "capture").write_bytes(FORMS[form])
        pieces = divided(captures_in(place_of(str(tmp_path)))[0], 1_000)
        assert len(pieces) > 4
        system, path = pieces[0].file.resolve()
        frames = []
        for piece in pieces:
            with system.open_input_file(path) as file:
                source = source_of(file, piece.end)
                for found in read_capture(source, piece.start, piece.frame, piece.section):
                    assert isinstance(found, Scan)
                    frames.extend(frames_of(found))
        assert [one for _, _, one in frames] == FRAMES
        assert [number for number, _, _ in frames] == list(range(1, 201))

    def test_a_gzipped_file_stays_whole(self, tmp_path: Path):
        (tmp_path / "capture.gz").write_bytes(gzip.compress(FORMS["pcap"]))
        assert len(divided(captures_in(place_of(str(tmp_path)))[0], 1_000)) == 1

    def test_files_are_grouped_by_size_and_none_is_left_out(self, tmp_path: Path):
        for number in range(30):
            (tmp_path / f"{number:02}").write_bytes(bytes(number + 1))
        pieces = captures_in(place_of(str(tmp_path)))
        splits = in_splits(pieces, [piece.octets for piece in pieces], 8)
        assert [piece.name for split in splits for piece in split] == [f"{number:02}" for number in range(30)]
        assert 2 <= len(splits) <= 9


@long
@pytest.mark.browser  # the part that has tshark
@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
@pytest.mark.parametrize("form", FORMS)
def test_wireshark_sees_the_same_frames(form: str, tmp_path: Path):
    file = tmp_path / "capture"
    file.write_bytes(FORMS[form])
    fields: list[Any] = ["-T", "fields", "-e", "frame.time_epoch", "-e", "frame.cap_len"]
    ran = subprocess.run(["tshark", "-r", file, *fields], capture_output=True, check=True, text=True)
    seen = [line.split("\t") for line in io.StringIO(ran.stdout)]
    frames, _ = read(FORMS[form])
    shown = [(int(time.replace(".", "")), int(length)) for time, length in seen]
    assert shown == [(time, len(octets)) for _, time, octets in frames]
