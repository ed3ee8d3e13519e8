"""Measure the audit of captures against scapy, dpkt and tshark on one generated file, in one run.

``python benchmarks/audit_captures.py`` prints medians and ratios; ``--json FILE`` writes them as well. The peers take
packets apart and judge nothing; the slow ones do so with the first packets of the file only, as the table says. Only
ratios within one run mean anything.
"""

import argparse
import itertools
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from capture_files import write_capture
from processors import processor_seconds, used_since
from timing import medians

from mqconform.reference.mqsd.audit.bulk_packets import Packets, judge_packets
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES
from mqconform.reports.pipeline.captures import bulk_datagrams
from mqconform.reports.pipeline.captures import conversation_frames as conversing
from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.captures.judging import Settings, weights_of
from mqconform.reports.pipeline.captures.reading import Scan, read_capture, source_of
from mqconform.reports.pipeline.captures.source import FORMAT, Captures, captures_in, divided
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, spark_session
from mqconform.reports.pipeline.storage import place_of

SEED = 2_718
ROW = "{:<58}{:>12}{:>16}{:>12}"
DPKT_PACKETS, TSHARK_PACKETS, SCAPY_PACKETS = 200_000, 100_000, 5_000
"""Packets that the peers get, unless the file has fewer."""


def judge_file(path: Path) -> int:
    """Read a capture with one core and judge every packet by all rules of the wire; return how many there were."""
    weights, ports = weights_of(WIRE_RULES, "default"), np.zeros(2**16, np.bool_)
    ports[1801] = True
    system, name = place_of(str(path)).resolve()
    packets = 0
    with system.open_input_file(name) as file:
        for scan in read_capture(source_of(file)):
            assert isinstance(scan, Scan), "the file is whole"
            packets += _judge_scan(scan, ports, weights)
    return packets


def _judge_scan(scan: Scan, ports: Any, weights: Any) -> int:
    kinds, room = np.empty(scan.frame_count, np.uint8), bulk_datagrams.room_for(scan.frame_count)
    found = bulk_datagrams.find_datagrams(scan.octets, scan.frames, scan.frame_count, scan.links, ports, kinds, room)
    unknown = np.full(found, -1, np.int32)
    directions = Settings().directions(room.source_port[:found], room.destination_port[:found])
    packets = Packets(scan.octets, room.start[:found], room.length[:found], directions, unknown)
    judge_packets(packets, weights)
    return found


def dpkt_fields(path: Path, packets: int) -> None:
    """Take packets apart with dpkt and read their fields with struct."""
    import dpkt  # noqa: PLC0415 - a peer, which may be missing

    with path.open("rb") as file:
        for _, octets in itertools.islice(dpkt.pcap.Reader(file), packets):
            payload = dpkt.ethernet.Ethernet(octets).data.data.data
            struct.unpack_from("<BBH16s16s16s" if payload[1] == 1 else "<BBH16sIII", payload)


def scapy_packets(path: Path, packets: int) -> None:
    """Take packets apart with scapy, and their payloads with the second codec of discovery."""
    from scapy.layers.inet import UDP  # noqa: PLC0415 - takes a second
    from scapy.utils import PcapReader  # noqa: PLC0415

    from mqconform.harness.judge.independent.mqsd_messages import decode  # noqa: PLC0415

    with PcapReader(str(path)) as reader:
        for packet in itertools.islice(reader, packets):
            decode(bytes(packet[UDP].payload))


def tshark_fields(path: Path, packets: int) -> None:
    """Let tshark write addresses, ports and payloads."""
    names = ("ip.src", "ip.dst", "udp.srcport", "udp.dstport", "udp.payload")
    fields = [part for name in names for part in ("-e", name)]
    command = ["tshark", "-n", "-r", str(path), "-c", str(packets), "-T", "fields", *fields]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)  # noqa: S603 - ours


def peers(path: Path, packets: int) -> dict[str, tuple[int, Callable[[], object]]]:
    """Return the peers that are installed, with how many packets each gets."""
    known = {
        "dpkt, and struct for the fields": (DPKT_PACKETS, dpkt_fields, find_spec("dpkt")),
        "tshark -T fields": (TSHARK_PACKETS, tshark_fields, shutil.which("tshark")),
        "scapy, with its packet classes": (SCAPY_PACKETS, scapy_packets, find_spec("scapy")),
    }
    return {
        name: (min(most, packets), lambda run=run, most=most: run(path, min(most, packets)))
        for name, (most, run, there) in known.items()
        if there
    }


def measure(path: Path, packets: int, faults: int, runs: int) -> dict[str, Any]:
    """Measure everything once in each round, and print packets a second."""
    others = peers(path, packets)
    candidates: dict[str, Callable[[], object]] = {
        "parse and judge, one core, file included": lambda: judge_file(path),
        "record index of the file, for dividing it": lambda: divided(captures_in(place_of(str(path)))[0]),
        **{name: run for name, (_, run) in others.items()},
    }
    amounts = dict.fromkeys(candidates, packets) | {name: most for name, (most, _) in others.items()}
    seconds = medians(candidates, runs)
    seconds |= _on_spark(path, faults, runs)
    rates = {name: amounts.get(name, packets) / taken for name, taken in seconds.items()}
    ours = next(iter(rates.values()))
    print(ROW.format("", "packets", "packets/s", "we are"))
    for name, rate in rates.items():
        print(ROW.format(f"  {name}", f"{amounts.get(name, packets):,}", f"{rate:,.0f}", f"{ours / rate:,.1f} x"))
    return {"packets": amounts, "median_seconds": seconds, "packets_per_second": rates}


def _on_spark(path: Path, faults: int, runs: int) -> dict[str, float]:
    """Measure whole audits and DataFrame functions, files included, and see that they find what was made wrong."""
    cores = os.cpu_count() or 1

    def audit(spark: Any) -> None:
        with tempfile.TemporaryDirectory(dir=path.parent) as out:
            summary = audit_captures(spark, str(path), f"{out}/out")
        assert summary["packets"]["verdicts"]["fail"] == faults, "no miss and no false alarm"

    def packets(spark: Any) -> None:
        failures = _rows(spark, path).where("verdict = 'fail'").count()
        assert failures == faults, "no miss and no false alarm"

    def conversations(spark: Any) -> None:
        conversing.judge_conversations(_rows(spark, path)).write.format("noop").mode("overwrite").save()

    with spark_session(SessionSettings("local[*]", ROWS_IN_SPARK)) as spark:
        works = {
            f"whole audit on Spark, {cores} cores, JVM running": audit,
            "packets by the data source": packets,
            "judge_conversations on a DataFrame": conversations,
        }
        return medians({name: partial(_told, name, work, spark) for name, work in works.items()}, runs)


def _rows(spark: Any, path: Path) -> Any:
    spark.dataSource.register(Captures)
    return spark.read.format(FORMAT).load(str(path))


def _told(name: str, work: Callable[[Any], None], spark: Any) -> None:
    before = processor_seconds()
    work(spark)
    print(f"{name}: {used_since(before):.1f} s of processors", file=sys.stderr, flush=True)


def main() -> None:
    """Run everything that the arguments ask for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--packets", type=int, default=10_000_000, help="packets in the file")
    options.add_argument("--faults", type=int, default=1_000, help="replies that are wrong")
    options.add_argument("--runs", type=int, default=3, help="runs that count; their median is shown")
    options.add_argument("--folder", type=Path, help="where the file is made, and removed again")
    options.add_argument("--json", type=Path, help="file to write the figures to")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "discoveries.pcap"
        write_capture(path, given.packets // 4 * 4, given.faults, SEED)
        octets = path.stat().st_size
        print(f"{given.packets:,} packets, {octets:,} octets, median of {given.runs} runs")
        figures = measure(path, given.packets // 4 * 4, given.faults, given.runs)
    largest = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"largest process: {largest // 1024:,} MiB")
    if given.json:
        facts = {"octets": octets, "runs": given.runs, "cores": os.cpu_count(), "largest_process_mib": largest // 1024}
        given.json.write_text(json.dumps(facts | figures, indent=1))


if __name__ == "__main__":
    main()
