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

from mqconform.harness.explore.inputs.role_inputs import INPUTS
from mqconform.harness.explore.triangulation import Example, Participant, RoleTally, asked_of
from mqconform.harness.explore.triangulation_text import (
    disagreement_lines,
    heading,
    participant_lines,
    short,
)
from mqconform.harness.explore.votes import Disagreement, Kind, disagreements
from mqconform.harness.iut.interface import ConfigurationError, Json, ServerFacts
from mqconform.harness.iut.protocol import InvalidParams
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.witness import clip
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.reference.errors import ModelError

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
        "specifications": {
            specification.id: specification.revision for specification in load_catalogue().specifications
        },
        "profile": profile.value,
        "seed": seed,
        "inputs": inputs,
        "implementations": [_implementation(participant) for participant in participants],
    }


def role_record(tally: RoleTally) -> Json:
    """Return the counts of one role."""
    return {
        "record": "role",
        "role": tally.source.role,
        "took_part": list(tally.labels),
        "unsupported": {label: clip(reason) for label, reason in tally.unsupported.items()},
        "inputs": tally.inputs,
        "questions": tally.questions,
        "agreed": tally.agreed,
        "kinds": {kind.value: tally.kinds[kind] for kind in Kind},
    }


def disagreement_records(tally: RoleTally) -> Iterator[tuple[Example, Json]]:
    """Yield each disagreement of a role with its record, the gravest first."""
    order = list(Kind)
    for example in sorted(
        tally.examples.values(), key=lambda example: (order.index(example.disagreement.kind), -example.times)
    ):
        record = disagreement_record(tally.source.role, example.disagreement)
        input_record = tally.source.record(example.role_input)
        named = f"{tally.source.role}-{example.disagreement.kind.value}-{_digest([record, input_record])}"
        yield example, record | {"id": named, "times": example.times, "input": input_record}


def disagreement_record(role: str, disagreement: Disagreement) -> Json:
    """Return one disagreement without its input."""
    record: Json = {
        "record": "disagreement",
        "role": role,
        "kind": disagreement.kind.value,
        "place": disagreement.place,
        "blamed": list(disagreement.blamed),
        "requirements": list(disagreement.requirements),
        "register": list(disagreement.register),
        "answers": [
            {"label": label, "says": clip(says), "vote": disagreement.votes[label].value}
            for label, says in disagreement.says.items()
        ],
        "expected": clip(disagreement.expected),
    }
    return record | ({"objection": clip(disagreement.objection)} if disagreement.objection else {})


def footer(tallies: Iterable[RoleTally], participants: Iterable[Participant], exit_code: int) -> Json:
    """Return the last record; a file without it is of a triangulation that did not end."""
    kinds: Counter[Kind] = sum((tally.kinds for tally in tallies), Counter())
    return {
        "record": "footer",
        "exit_code": exit_code,
        "kinds": {kind.value: kinds[kind] for kind in Kind},
        "gone": {participant.label: clip(participant.gone) for participant in participants if participant.gone},
    }


def line(record: Json) -> str:
    """Return a record as one line of the file."""
    return json.dumps(record, sort_keys=True, separators=(",", ":")) + "\n"


def _implementation(participant: Participant) -> Json:
    description = participant.iut.description
    return {
        "label": participant.label,
        "target": participant.target,
        "name": description.name,
        "version": description.version,
        "vendor": description.vendor,
        "roles": sorted(description.roles),
        "capabilities": sorted(description.capabilities),
    }


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class SavedCase:
    """One input with who disagreed on it.

    Attributes:
        targets: ``KIND:ID`` of the implementations, in the order of their labels.
        input_record: the input, as the source of the role reads it.
    """

    path: Path
    role: str
    kind: str
    profile: Profile
    targets: tuple[str, ...]
    input_record: Json


def save(directory: Path, record: Json, participants: Sequence[Participant], profile: Profile) -> Path:
    """Write a disagreement as a case of its own and return its file; the same one always has the same name."""
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{record['id']}.json"
    implementations = [{"label": participant.label, "target": participant.target} for participant in participants]
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
    if record["role"] not in INPUTS:
        raise ConfigurationError(f"{path}: role: is {record['role']!r}; expected one of {', '.join(INPUTS)}; {remedy}")
    targets = tuple(implementation["target"] for implementation in record["implementations"])
    return SavedCase(path, record["role"], record["kind"], Profile.of(record["profile"]), targets, record["input"])


def replayed(case: SavedCase, participants: Sequence[Participant], facts: ServerFacts | None, console: Console) -> int:
    """Put a saved input to the implementations, print what comes of it, and return the exit code.

    Raises:
        ConfigurationError: the input is none of its role.
    """
    source = INPUTS[case.role](case.profile, facts)
    try:
        role_input = source.read(case.input_record)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, ModelError) as error:
        raise _bad_input(case, f"{type(error).__name__}: {error}") from error
    for participant_line in participant_lines(participants):
        console.print(participant_line, soft_wrap=True)
    try:
        votes = asked_of(participants, source, role_input)
    except InvalidParams as error:  # what the harness generates fits the protocol; what stands in a file may not
        raise _bad_input(case, str(error)) from error
    for participant in participants:
        if reason := participant.gone or participant.lacks.get(case.role, ""):
            console.print(Text(f"  {participant.label} was not asked: {short(reason)}", "dim"), soft_wrap=True)
    all_disagreements = list(
        disagreements(votes, {participant.label for participant in participants if participant.is_reference})
    )
    for disagreement in all_disagreements:
        console.print(heading(case.role, disagreement), soft_wrap=True)
        for disagreement_line in disagreement_lines(disagreement):
            console.print(disagreement_line, soft_wrap=True)
    if not votes:
        console.print(Text("NOTHING WAS COMPARED", "bold yellow"))
        return ExitCode.INCOMPLETE
    if not all_disagreements:
        console.print(Text.assemble(("AGREED", "bold green"), f": one allowed answer of {', '.join(votes)}"))
        return ExitCode.OK
    order = list(Kind)
    return EXIT[min((disagreement.kind for disagreement in all_disagreements), key=order.index)]


def _bad_input(case: SavedCase, wrong: str) -> ConfigurationError:
    return ConfigurationError(f"{case.path}: input: {clip(wrong)}; replay the file as it was saved")
