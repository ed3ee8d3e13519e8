"""Disagreements as files that one command replays."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mqconform.harness.iut import ConfigurationError, Json
from mqconform.harness.profile import Profile
from mqconform.harness.schema_text import complaint, validator
from mqconform.harness.triangulation.participant import Participant
from mqconform.harness.triangulation.record import SCHEMA_VERSION

FOLDER: Final = "cases"
SCHEMA: Final = "triangulation"
LARGEST: Final = 16 * 1024 * 1024


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
    targets = tuple(one["target"] for one in record["implementations"])
    return SavedCase(path, record["role"], record["kind"], Profile.of(record["profile"]), targets, record["input"])
