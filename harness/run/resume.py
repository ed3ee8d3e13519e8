"""Going on with a run that was killed: what it had established is kept to the octet, the rest is made anew.

A case counts as done when its record is on disk. The case that ran when the end came is run again; a violation that it
had reported and does not show again is kept none the less.
"""

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.protocol import NOT_TRIED
from mqconform.harness.judge.session import Session
from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.results import Header, NoRecord, document_of, read_record
from mqconform.harness.records.run_file import CAPTURES, PARTS, RESULTS, ResultWriter, write_environment
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness
from mqconform.harness.run.bundles import writing as bundles


@dataclass(frozen=True)
class EarlierRun:
    """What an earlier run into the same directory left.

    Attributes:
        header: its first record, None where it got nowhere.
        cases: its finished cases with their witnesses, in order.
        size: octets of the result file up to the end of the last finished case.
        cut_short: witnesses behind that.
    """

    header: Header | None = None
    cases: tuple[Case, ...] = ()
    size: int = 0
    cut_short: tuple[Witness, ...] = ()


def read_kept(directory: Path) -> EarlierRun:
    """Return what is to be kept of the result file in a directory; nothing where there is none.

    Raises:
        ConfigurationError: a line that is not the last is not a record of a run.
    """
    path = directory / RESULTS
    try:
        lines = path.read_bytes().split(b"\n")[:-1]  # what stands behind the last line end is torn
    except FileNotFoundError:
        return EarlierRun()
    except OSError as error:
        raise ConfigurationError(f"--resume: {path}: {error.strerror or error}") from error
    header: Header | None = None
    cases: list[Case] = []
    witnesses: list[results.Witness] = []
    at = size = 0
    for number, line in enumerate(lines, start=1):
        at += len(line) + 1
        try:
            record = read_record(line)
        except NoRecord as error:
            raise ConfigurationError(f"--resume: {path}:{number}: {error}; run without --resume") from error
        match record:
            case Header():
                header, size = record, at
            case results.Witness():
                witnesses.append(record)
            case results.Case() if record.reason == NOT_TRIED:
                break
            case results.Case():
                cases.append(Case.of(record, witnesses))
                witnesses, size = [], at
            case _:
                break
    return EarlierRun(header, tuple(cases), size, tuple(map(Witness.of, witnesses)))


def begun(directory: Path, earlier: EarlierRun, header: Header, source: str) -> ResultWriter:
    """Return what writes the results of a run: behind the cases that are kept, or behind the header of a new one.

    Raises:
        ConfigurationError: the run is not the one whose cases are kept.
    """
    if earlier.cases:
        require_same(earlier, header)
    else:
        bundles.clear(directory)
        for name in (CAPTURES, PARTS):
            shutil.rmtree(directory / name, ignore_errors=True)
    write_environment(directory, sys.argv, source=source)
    writer = ResultWriter(directory / RESULTS, earlier.size if earlier.cases else 0)
    if not earlier.cases:
        writer.write(header)
    return writer


def require_same(earlier: EarlierRun, header: Header) -> None:
    """Refuse to go on where the new run is another one.

    Raises:
        ConfigurationError: naming what differs.
    """
    if earlier.header is None:
        return
    before, now = document_of(earlier.header), document_of(header)
    differing = [key for key in sorted({*before, *now}) if before.get(key) != now.get(key)]
    if differing:
        changes = "; ".join(f"{key} was {_short(before.get(key))}, is {_short(now.get(key))}" for key in differing)
        raise ConfigurationError(
            f"--resume: the earlier run differs: {changes}; run without --resume, or into another --out"
        )


def restore(run: Session, earlier: EarlierRun) -> None:
    """Bring a session to where the earlier run was after its last finished case."""
    for case in earlier.cases:
        run.cases.append(case)
        run.patience.restore(case.id, case.restarts, case.patience)
    run.cut_short = tuple(witness for witness in earlier.cut_short if witness.judgement.verdict is Verdict.FAIL)


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) < 200 else f"{text[:200]} ..."
