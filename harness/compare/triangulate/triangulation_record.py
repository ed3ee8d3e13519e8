"""What a triangulation found, as lines of JSON; shapes: features/schemas/triangulation.schema.json."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final

from mqconform.harness.compare.triangulate.disagreements import Disagreement, Kind
from mqconform.harness.compare.triangulate.participant import Participant
from mqconform.harness.compare.triangulate.triangulation import Found, RoleTally
from mqconform.harness.iut.interface import Json
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.witness import clip
from mqconform.harness.suite.catalogue import load_catalogue

SCHEMA_VERSION: Final = 1


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
