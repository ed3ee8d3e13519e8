"""What a triangulation found, as lines of JSON, and disagreements as files that one command replays.

Shapes: features/schemas/triangulation.schema.json.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from mqconform.harness.compare.triangulate.subjects import SUBJECTS
from mqconform.harness.compare.triangulate.triangulation import Found, Participant, RoleTally, asked_of
from mqconform.harness.compare.triangulate.triangulation_text import (
    disagreement_lines,
    heading,
    participant_lines,
    short,
)
from mqconform.harness.compare.triangulate.votes import Disagreement, Kind, disagreements
from mqconform.harness.iut.interface import ConfigurationError, Json, ServerFacts
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.witness import clip
from mqconform.harness.suite.catalogue import load_catalogue

SCHEMA_VERSION: Final = 1
FOLDER: Final = "cases"
SCHEMA: Final = "triangulation"
LARGEST: Final = 16 * 1024 * 1024
EXIT = {
    Kind.ORACLES: ExitCode.ERROR,
    Kind.IUT: ExitCode.FAIL,
    Kind.REFERENCE_ALONE: ExitCode.INCONCLUSIVE,
    Kind.OPEN: ExitCode.OK,
}


def header(participants: Sequence[Participant], profile: Profile, seed: int, inputs: int) -> Json:
    """Return the first record: who is compared, and on what."""
    return {
        "record": "header",
        "schema": SCHEMA_VERSION,
        "harness": f"mqconform {version('mqconform')}",
        "specifications": {one.id: one.revision for one in load_catalogue().specifications},
        "profile": profile.value,
        "seed": seed,
        "inputs": inputs,
        "implementations": [_implementation(one) for one in participants],
    }


def role_record(tally: RoleTally) -> Json:
    """Return the counts of one role."""
    return {
        "record": "role",
        "role": tally.subject.role,
        "took_part": list(tally.labels),
        "unsupported": {label: clip(reason) for label, reason in tally.unsupported.items()},
        "inputs": tally.inputs,
        "questions": tally.questions,
        "agreed": tally.agreed,
        "kinds": {kind.value: tally.kinds[kind] for kind in Kind},
    }


def disagreement_records(tally: RoleTally) -> Iterator[tuple[Found, Json]]:
    """Yield each disagreement of a role with its record, the gravest first."""
    order = list(Kind)
    for found in sorted(tally.found.values(), key=lambda one: (order.index(one.disagreement.kind), -one.times)):
        shown = disagreement_record(tally.subject.role, found.disagreement)
        given = tally.subject.record(found.given)
        named = f"{tally.subject.role}-{found.disagreement.kind.value}-{_digest([shown, given])}"
        yield found, shown | {"id": named, "times": found.times, "input": given}


def disagreement_record(role: str, seen: Disagreement) -> Json:
    """Return one disagreement without its input."""
    record: Json = {
        "record": "disagreement",
        "role": role,
        "kind": seen.kind.value,
        "place": seen.place,
        "blamed": list(seen.blamed),
        "requirements": list(seen.requirements),
        "register": list(seen.register),
        "answers": [
            {"label": label, "says": clip(says), "vote": seen.votes[label].value} for label, says in seen.says.items()
        ],
        "expected": clip(seen.expected),
    }
    return record | ({"objection": clip(seen.objection)} if seen.objection else {})


def footer(tallies: Iterable[RoleTally], participants: Iterable[Participant], exit_code: int) -> Json:
    """Return the last record; a file without it is of a triangulation that did not end."""
    kinds: Counter[Kind] = sum((one.kinds for one in tallies), Counter())
    return {
        "record": "footer",
        "exit_code": exit_code,
        "kinds": {kind.value: kinds[kind] for kind in Kind},
        "gone": {one.label: clip(one.gone) for one in participants if one.gone},
    }


def line(record: Json) -> str:
    """Return a record as one line of the file."""
    return json.dumps(record, sort_keys=True, separators=(",", ":")) + "\n"


def _implementation(one: Participant) -> Json:
    known = one.iut.description
    return {
        "label": one.label,
        "target": one.target,
        "name": known.name,
        "version": known.version,
        "vendor": known.vendor,
        "roles": sorted(known.roles),
        "capabilities": sorted(known.capabilities),
    }


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class SavedCase:
    """One input with who disagreed on it.

    Attributes:
        targets: ``KIND:ID`` of the implementations, in the order of their labels.
        given: the input, as the subject of the role reads it.
    """

    path: Path
    role: str
    kind: str
    profile: Profile
    targets: tuple[str, ...]
    given: Json


def save(directory: Path, record: Json, participants: Sequence[Participant], profile: Profile) -> Path:
    """Write a disagreement as a case of its own and return its file; the same one always has the same name."""
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{record['id']}.json"
    implementations = [{"label": one.label, "target": one.target} for one in participants]
    case = {key: value for key, value in record.items() if key not in ("record", "times")}
    case |= {"schema": SCHEMA_VERSION, "profile": profile.value, "implementations": implementations}
    path.write_text(json.dumps(case, indent=2, sort_keys=True) + "\n", encoding="ascii")
    return path


def read_case(path: Path) -> SavedCase:
    """Return a saved case.

    Raises:
        ConfigurationError: it cannot be read or is none; the message names file, field and remedy.
    """
    remedy = "name a file that `mqconform triangulate` saved"
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigurationError(f"{path}: is larger than {LARGEST} octets; {remedy}")
        record: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}; {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is not JSON ({str(error)[:120]}); {remedy}") from error
    judge = validator(SCHEMA, "case")
    assert judge is not None, "the published schema has cases"
    if wrong := complaint(judge, record, ""):
        raise ConfigurationError(f"{path}: {wrong}; {remedy}")
    if record["role"] not in SUBJECTS:
        raise ConfigurationError(
            f"{path}: role: is {record['role']!r}; expected one of {', '.join(SUBJECTS)}; {remedy}"
        )
    targets = tuple(one["target"] for one in record["implementations"])
    return SavedCase(path, record["role"], record["kind"], Profile.of(record["profile"]), targets, record["input"])


def replayed(case: SavedCase, participants: Sequence[Participant], facts: ServerFacts | None, console: Console) -> int:
    """Put a saved input to the implementations, print what comes of it, and return the exit code.

    Raises:
        ConfigurationError: the input is none of its role.
    """
    subject = SUBJECTS[case.role](case.profile, facts)
    try:
        given = subject.read(case.given)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(
            f"{case.path}: input: {type(error).__name__}: {error}; replay the file as it was saved"
        ) from error
    for shown in participant_lines(participants):
        console.print(shown, soft_wrap=True)
    votes = asked_of(participants, subject, given)
    for one in participants:
        if reason := one.gone or one.lacks.get(case.role, ""):
            console.print(Text(f"  {one.label} was not asked: {short(reason)}", "dim"), soft_wrap=True)
    found = list(disagreements(votes, {one.label for one in participants if one.is_reference}))
    for seen in found:
        console.print(heading(case.role, seen), soft_wrap=True)
        for shown in disagreement_lines(seen):
            console.print(shown, soft_wrap=True)
    if not votes:
        console.print(Text("NOTHING WAS COMPARED", "bold yellow"))
        return ExitCode.INCOMPLETE
    if not found:
        console.print(Text.assemble(("AGREED", "bold green"), f": one allowed answer of {', '.join(votes)}"))
        return ExitCode.OK
    order = list(Kind)
    return EXIT[min((one.kind for one in found), key=order.index)]
