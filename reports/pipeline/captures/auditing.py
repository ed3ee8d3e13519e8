"""The task that audits pieces of captures: packets to verdicts, rows for conversations, what cannot be read aside."""

from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Octets
from mqconform.reference.mqsd.audit.bulk_facts import ServerTable, server_table
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts, new_verdicts
from mqconform.reference.mqsd.audit.bulk_packets import Packets, judge_packets
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams_of
from mqconform.reports.pipeline.captures.bulk_addresses import AddressBook
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams, find_datagrams
from mqconform.reports.pipeline.captures.bulk_exchange import packed
from mqconform.reports.pipeline.captures.bulk_fields import COMPLETE, HAS_ID, REPLY, Fields, fields_of
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.columns import (
    VERDICT_OF_WEIGHT,
    Where,
    packet_batch,
)
from mqconform.reports.pipeline.captures.exchange import (
    Part,
)
from mqconform.reports.pipeline.captures.fragments import (
    IPV4_KEY,
    Broken,
    Whole,
    fragments_in,
    put_together,
)
from mqconform.reports.pipeline.captures.outputs import Outputs
from mqconform.reports.pipeline.captures.planning import Piece, Split
from mqconform.reports.pipeline.captures.reading import Damage, Scan, read_capture, source_of
from mqconform.reports.pipeline.captures.section import NotRead
from mqconform.reports.pipeline.captures.settings import AuditSettings
from mqconform.reports.pipeline.captures.tally import (
    EXAMPLE_OCTETS,
    EXAMPLES,
    Example,
    Tally,
    column_of,
    rows_by_rule,
)
from mqconform.reports.pipeline.storage import Place


class SplitAudit(NamedTuple):
    """What the audit of one split left behind; files are names in the staging folder."""

    number: int
    tally: Tally
    packets: str
    """Empty where there are none."""
    quarantine: str
    fragments: str
    parts: list[Part]
    answered: Any
    """Hashes of the clients to which replies went, sorted."""


def audit_split(settings: AuditSettings, split: Split) -> SplitAudit:
    """Audit some pieces of captures (MS-MQSD 2.2)."""
    with ExitStack() as open_files:
        auditor = Auditor(settings, split.number, open_files)
        for piece in split.pieces:
            auditor.audit(piece)
        return auditor.result()


class Auditor:
    """One task's outputs, each made when there is something to write."""

    def __init__(self, settings: AuditSettings, number: int, open_files: ExitStack) -> None:
        self._settings, self._number = settings, number
        self._outputs = Outputs(settings, number, open_files)
        self._ports = np.zeros(2**16, np.bool_)
        self._ports[list(settings.ports)] = True
        self._severities = np.frombuffer(settings.severities, np.uint8)
        self._servers = server_table([facts.server for facts in settings.facts])
        self._tally = Tally()
        self._answered = AddressBook()
        self._file, self._file_number = "", 0

    def audit(self, piece: Piece) -> None:
        """Audit one piece; whatever is wrong with it is put aside and told."""
        self._file, self._file_number = piece.name, piece.number
        self._tally.files += piece.start == 0
        system, path = piece.file.resolve()
        try:
            with system.open_input_file(path) as file:
                source = source_of(file, piece.end)
                for found in read_capture(source, piece.start, piece.frame, piece.section):
                    if isinstance(found, Damage):
                        self.quarantine(found.offset, found.length, None, found.reason)
                    else:
                        self._audit_scan(found)
        except NotRead as problem:
            self.quarantine(0, piece.octets, None, str(problem))
        except OSError as problem:
            self.quarantine(piece.start, 0, None, f"cannot be read: {problem}"[:200])

    def audit_whole(self, whole: Whole) -> None:
        """Audit a datagram that was put together."""
        octets, last = np.frombuffer(whole.payload + bytes(8), np.uint8), whole.last
        room, address = datagrams_of.room_for(1), np.frombuffer(whole.key[:32], ">u8").astype(np.uint64)
        room.source[0], room.destination[0], room.frame[0] = address[:2], address[2:], 0
        room.identification[0] = int.from_bytes(whole.key[32:34], "big") if len(whole.key) == IPV4_KEY else -1
        end = len(whole.payload)
        kind = datagrams_of.read_udp(octets, 0, end, end, self._ports, room, 0)
        self._tally.frames[f"reassembled_{datagrams_of.KINDS[kind]}"] += 1
        self._file, self._file_number = last.file, last.number
        if kind == datagrams_of.MALFORMED:
            self.quarantine(last.offset, 0, last.frame, "headers of IP or UDP contradict themselves")
        elif kind == datagrams_of.DISCOVERY:
            where = Where(*(np.array([one], np.int64) for one in (last.frame, last.offset, last.time or NO_TIME)))
            self.judge(octets, where, room)

    def audit_broken(self, broken: Broken) -> None:
        """Put fragments aside that make no datagram, unless the first of them says that it is none of discovery."""
        first = next((one.payload for one in broken.fragments if one.at == 0 and len(one.payload) >= 4), b"")
        ports = int.from_bytes(first[0:2], "big"), int.from_bytes(first[2:4], "big")
        if first and not any(self._ports[port] for port in ports):
            return
        for one in broken.fragments:
            self._file = one.file
            self.quarantine(one.offset, len(one.payload), one.frame, broken.reason)

    def quarantine(self, offset: int, length: int, frame: int | None, reason: str) -> None:
        """Put octets aside."""
        self._outputs.quarantine((self._file, offset, length, frame, reason))
        self._tally.quarantined[reason] += 1
        self._tally.quarantined_octets += length

    def result(self) -> SplitAudit:
        """End all outputs and say what they are."""
        self._outputs.close()
        answered = np.bitwise_xor.reduce(self._answered.addresses, axis=1)
        names = self._outputs.names
        return SplitAudit(
            self._number,
            self._tally,
            names["packets"],
            names["quarantine"],
            names["fragments"],
            self._outputs.exchange.parts,
            np.unique(answered),
        )

    def _audit_scan(self, scan: Scan) -> None:
        frames, count = scan.frames, scan.frame_count
        kinds, room = np.empty(count, np.uint8), datagrams_of.room_for(count)
        found = find_datagrams(scan.octets, frames, count, scan.links, self._ports, kinds, room)
        self._tally.octets += int(frames.starts[count - 1] + frames.captured[count - 1] - frames.records[0])
        for kind, times in enumerate(np.bincount(kinds, minlength=len(datagrams_of.KINDS)).tolist()):
            self._tally.frames[datagrams_of.KINDS[kind]] += times
        self._put_aside(scan, kinds)
        if found:
            datagrams = datagrams_of.first(room, found)
            index = datagrams.frame
            where = Where(
                scan.number + index.astype(np.int64), scan.offset + frames.records[index], frames.times[index]
            )
            self.judge(scan.octets, where, datagrams)

    def _put_aside(self, scan: Scan, kinds: Octets) -> None:
        frames = scan.frames
        for frame in np.flatnonzero(kinds == datagrams_of.MALFORMED).tolist():
            self._quarantine_frame(scan, frame, "headers of IP or UDP contradict themselves")
        for frame in np.flatnonzero(kinds == datagrams_of.UNKNOWN_LINK).tolist():
            interface = int(frames.interfaces[frame])
            link = int(scan.links[interface]) if interface >= 0 else -1
            self._tally.link_types[link] += 1
            reason = f"link type {link} is not known" if link >= 0 else "no interface is described for this frame"
            self._quarantine_frame(scan, frame, reason)
        fragments = np.flatnonzero(kinds == datagrams_of.FRAGMENT)
        if len(fragments):
            self._outputs.fragments().write(scan, fragments, self._file, self._file_number)

    def _quarantine_frame(self, scan: Scan, frame: int, reason: str) -> None:
        frames = scan.frames
        at = scan.offset + int(frames.records[frame])
        length = int(frames.starts[frame] + frames.captured[frame] - frames.records[frame])
        self.quarantine(at, length, scan.number + frame, reason)

    def judge(self, octets: Octets, where: Where, datagrams: Datagrams) -> None:
        """Judge datagrams of discovery, write them down and hand them on."""
        judged = datagrams.captured == datagrams.length
        known = self._settings.server_of(datagrams.source)
        verdicts = _judged(octets, datagrams, judged, known, self._severities, self._servers)
        fields = fields_of(octets, datagrams.start, datagrams.captured, verdicts.message)
        fields.shown[judged] |= COMPLETE
        book, file = self._outputs.book, self._outputs.file_number(self._file)
        self._outputs.packets(packet_batch(file, where, datagrams, fields, verdicts, judged, book))
        self._count(octets, where, datagrams, verdicts, judged)
        self._hand_on(where, datagrams, fields, verdicts)

    def _count(self, octets: Octets, where: Where, datagrams: Datagrams, verdicts: Verdicts, judged: Flags) -> None:
        decided = np.where(judged, VERDICT_OF_WEIGHT[verdicts.weight], 0)
        hosts = self._tally.messages
        host = hosts.count(datagrams.source, column_of(verdicts.message.astype(np.int64), decided))
        for rule, rows in rows_by_rule(verdicts.rules, judged):
            examples = sum(1 for _, other in self._tally.examples if other == rule)
            at_fault, first, times = np.unique(host[rows], return_index=True, return_counts=True)
            for one, place, count in zip(at_fault.tolist(), first.tolist(), times.tolist(), strict=True):
                key = hosts.octets(one), rule
                self._tally.findings[key] += count
                if examples < EXAMPLES and key not in self._tally.examples:
                    self._tally.examples[key] = self._example(octets, where, datagrams, int(rows[place]))
                    examples += 1
        seen = where.time[where.time != NO_TIME]
        if len(seen):
            self._tally.see_times(int(seen.min()), int(seen.max()))

    def _example(self, octets: Octets, where: Where, datagrams: Datagrams, row: int) -> Example:
        start, length = int(datagrams.start[row]), int(datagrams.captured[row])
        return Example(
            self._file,
            int(where.offset[row]),
            int(where.frame[row]),
            octets[start : start + min(length, EXAMPLE_OCTETS)].tobytes(),
            length,
            int(datagrams.direction[row]),
        )

    def _hand_on(self, where: Where, datagrams: Datagrams, fields: Fields, verdicts: Verdicts) -> None:
        times = where.time, where.offset
        rows = packed(datagrams, fields, verdicts, times, self._file_number, self._settings.buckets)
        self._outputs.exchange.write(rows)
        replies = (verdicts.message == REPLY) & (fields.shown & HAS_ID != 0)
        self._answered.numbers(datagrams.destination[replies])


def _judged(  # noqa: PLR0913, PLR0917 - what is judged, and by what
    octets: Octets, datagrams: Datagrams, judged: Flags, known: Int32s, severities: Octets, servers: ServerTable
) -> Verdicts:
    """Return verdicts; of a packet of which a part is missing just what message it is."""
    packets = Packets(octets, datagrams.start, datagrams.length, datagrams.direction, known)
    if judged.all():
        return judge_packets(packets, severities, servers)
    some = Packets(
        octets, packets.starts[judged], packets.lengths[judged], packets.directions[judged], packets.servers[judged]
    )
    whole, verdicts = judge_packets(some, severities, servers), new_verdicts(len(judged))
    for name in Verdicts._fields:
        getattr(verdicts, name)[judged] = getattr(whole, name)
    cut = np.flatnonzero(~judged & (datagrams.captured >= 2))
    kinds = octets[datagrams.start[cut] + 1]
    verdicts.message[cut] = np.where(kinds <= REPLY, kinds, 0)
    return verdicts


class FragmentJob(NamedTuple):
    """Buckets of fragments that one task puts together."""

    number: int
    buckets: tuple[int, ...]
    files: tuple[Place, ...]


def audit_fragments(settings: AuditSettings, job: FragmentJob) -> SplitAudit:
    """Put fragments together and audit the datagrams that come of it."""
    with ExitStack() as open_files:
        auditor = Auditor(settings, job.number, open_files)
        for bucket in job.buckets:
            for found in put_together(fragments_in(job.files, bucket)):
                if isinstance(found, Whole):
                    auditor.audit_whole(found)
                else:
                    auditor.audit_broken(found)
        return auditor.result()
