"""The task that audits pieces of captures: packets to verdicts, rows for conversations, what cannot be read aside.

Through Spark's reader and writer, as ``judge_packets`` does it, 1 M packets take 7.6 s of processors once all is warm;
a whole audit takes 1.8 s, conversations included.
"""

from contextlib import ExitStack
from typing import NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Octets
from mqconform.reference.mqsd.audit.bulk_facts import ServerTable, server_table
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts, new_verdicts
from mqconform.reference.mqsd.audit.bulk_packets import Packets, judge_packets
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams_of
from mqconform.reports.pipeline.captures.bulk_addresses import AddressBook
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams, find_datagrams
from mqconform.reports.pipeline.captures.bulk_fields import COMPLETE, HAS_ID, REPLY, Fields, fields_of
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.columns import (
    VERDICT_OF_WEIGHT,
    Where,
    packet_batch,
)
from mqconform.reports.pipeline.captures.datagrams import datagram_in, may_be_discovery, port_flags
from mqconform.reports.pipeline.captures.exchange import Batch, with_identifiers
from mqconform.reports.pipeline.captures.fragments import (
    Broken,
    Whole,
    fragments_in,
    put_together,
)
from mqconform.reports.pipeline.captures.outputs import Outputs
from mqconform.reports.pipeline.captures.planning import Piece, Split
from mqconform.reports.pipeline.captures.reading import (
    CONTRADICTION,
    Damage,
    Scan,
    link_of,
    read_capture,
    source_of,
    unknown_link,
)
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
from mqconform.reports.pipeline.commit import attempt_name, write_sums
from mqconform.reports.pipeline.storage import Place


class SplitAudit(NamedTuple):
    """What the audit of one split left behind; files are names in the staging folder."""

    number: int
    sums: str
    """Holds a ``Tally``, and sorted hashes of the clients to which replies went."""
    packets: str
    """Empty where there are none."""
    quarantine: str
    fragments: str
    batches: list[Batch]


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
        self._ports = port_flags(settings.ports)
        self._severities = np.frombuffer(settings.severities, np.uint8)
        self._servers = server_table([facts.server for facts in settings.facts])
        self._tally = Tally()
        self._answered = AddressBook()
        self._file, self._file_number = "", 0

    def audit(self, piece: Piece) -> None:
        """Audit one piece; put octets that cannot be read into quarantine."""
        self._file, self._file_number = piece.name, piece.number
        self._tally.files += piece.start == 0
        system, path = piece.file.resolve()
        try:
            with system.open_input_file(path) as file:
                source = source_of(file, piece.end)
                for portion in read_capture(source, piece.start, piece.frame, piece.section):
                    if isinstance(portion, Damage):
                        self.quarantine(portion.offset, portion.length, None, portion.reason)
                    else:
                        self._audit_scan(portion)
        except NotRead as problem:
            self.quarantine(0, piece.octets, None, str(problem))
        except OSError as problem:
            self.quarantine(piece.start, 0, None, f"cannot be read: {problem}"[:200])

    def audit_whole(self, whole: Whole) -> None:
        """Audit a datagram that was put together."""
        kind, (octets, where, room) = datagram_in(whole, self._ports)
        last = whole.last
        self._tally.frames[f"reassembled_{datagrams_of.KINDS[kind]}"] += 1
        self._file, self._file_number = last.file, last.number
        if kind == datagrams_of.MALFORMED:
            self.quarantine(last.offset, 0, last.frame, CONTRADICTION)
        elif kind == datagrams_of.DISCOVERY:
            self.judge(octets, where, room)

    def audit_broken(self, broken: Broken) -> None:
        """Quarantine fragments that make no datagram, unless the ports in the first are not of discovery."""
        if not may_be_discovery(broken, self._ports):
            return
        for fragment in broken.fragments:
            self._file = fragment.file
            self.quarantine(fragment.offset, len(fragment.payload), fragment.frame, broken.reason)

    def quarantine(self, offset: int, length: int, frame: int | None, reason: str) -> None:
        """Put octets aside."""
        self._outputs.quarantine((self._file, offset, length, frame, reason))
        self._tally.quarantined[reason] += 1
        self._tally.quarantined_octets += length

    def result(self) -> SplitAudit:
        """End all outputs and say what they are."""
        self._outputs.close()
        answered = np.unique(np.bitwise_xor.reduce(self._answered.addresses, axis=1))
        names, sums = self._outputs.names, attempt_name(self._number, ".sums")
        write_sums(self._settings.staging / sums, (self._tally, answered))
        batches = self._outputs.exchange.batches
        return SplitAudit(self._number, sums, names["packets"], names["quarantine"], names["fragments"], batches)

    def _audit_scan(self, scan: Scan) -> None:
        frames, count = scan.frames, scan.frame_count
        kinds, room = np.empty(count, np.uint8), datagrams_of.room_for(count)
        datagram_count = find_datagrams(scan.octets, frames, count, scan.links, self._ports, kinds, room)
        self._tally.octets += int(frames.starts[count - 1] + frames.captured[count - 1] - frames.records[0])
        for kind, times in enumerate(np.bincount(kinds, minlength=len(datagrams_of.KINDS)).tolist()):
            self._tally.frames[datagrams_of.KINDS[kind]] += times
        self._put_aside(scan, kinds)
        if datagram_count:
            datagrams = datagrams_of.first(room, datagram_count)
            index = datagrams.frame
            where = Where(
                scan.number + index.astype(np.int64), scan.offset + frames.records[index], frames.times[index]
            )
            self.judge(scan.octets, where, datagrams)

    def _put_aside(self, scan: Scan, kinds: Octets) -> None:
        for frame in np.flatnonzero(kinds == datagrams_of.MALFORMED).tolist():
            self._quarantine_frame(scan, frame, CONTRADICTION)
        for frame in np.flatnonzero(kinds == datagrams_of.UNKNOWN_LINK).tolist():
            link = link_of(scan, frame)
            self._tally.link_types[link] += 1
            self._quarantine_frame(scan, frame, unknown_link(link))
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
        server_numbers = self._settings.server_of(datagrams.source)
        verdicts, judged = judged_datagrams(octets, datagrams, server_numbers, self._severities, self._servers)
        fields = fields_of(octets, datagrams.start, datagrams.captured, verdicts.message)
        fields.flags[judged] |= COMPLETE
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
            for number, place, count in zip(at_fault.tolist(), first.tolist(), times.tolist(), strict=True):
                key = hosts.octets(number), rule
                self._tally.findings[key] += count
                if examples < EXAMPLES and key not in self._tally.examples:
                    self._tally.examples[key] = self._example(octets, where, datagrams, int(rows[place]))
                    examples += 1
        known_times = where.time[where.time != NO_TIME]
        if len(known_times):
            self._tally.see_times(int(known_times.min()), int(known_times.max()))

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
        file = np.full(len(where.time), self._file_number, np.int32)
        self._outputs.exchange.write(with_identifiers(datagrams, fields, verdicts.message, times, file))
        replies = (verdicts.message == REPLY) & (fields.flags & HAS_ID != 0)
        self._answered.numbers(datagrams.destination[replies])


def judged_datagrams(
    octets: Octets, datagrams: Datagrams, server_numbers: Int32s, severities: Octets, servers: ServerTable
) -> tuple[Verdicts, Flags]:
    """Return verdicts, and which datagrams were judged; of one of which a part is missing, just what message it is.

    Args:
        octets: what the payloads lie in.
        datagrams: the datagrams.
        server_numbers: for each datagram the number of the server whose configuration is known, -1 for none.
        severities: what each rule weighs.
        servers: the configurations.
    """
    severities = np.frombuffer(severities.tobytes(), np.uint8)  # read-only: for other arrays numba compiles anew
    judged = datagrams.captured == datagrams.length
    packets = Packets(octets, datagrams.start, datagrams.length, datagrams.direction, server_numbers)
    if judged.all():
        return judge_packets(packets, severities, servers), judged
    some = Packets(
        octets, packets.starts[judged], packets.lengths[judged], packets.directions[judged], packets.servers[judged]
    )
    whole, verdicts = judge_packets(some, severities, servers), new_verdicts(len(judged))
    for name in Verdicts._fields:
        getattr(verdicts, name)[judged] = getattr(whole, name)
    cut = np.flatnonzero(~judged & (datagrams.captured >= 2))
    kinds = octets[datagrams.start[cut] + 1]
    verdicts.message[cut] = np.where(kinds <= REPLY, kinds, 0)
    return verdicts, judged


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
            for datagram in put_together(fragments_in(job.files, bucket)):
                if isinstance(datagram, Whole):
                    auditor.audit_whole(datagram)
                else:
                    auditor.audit_broken(datagram)
        return auditor.result()
