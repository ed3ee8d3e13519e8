"""A disagreement as a file of its own, which one command puts to the same implementations or to others."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mqconform.harness.explore.inputs.role_inputs import INPUTS
from mqconform.harness.explore.subjects import Subject, asked_of
from mqconform.harness.explore.votes import Disagreement, Kind, disagreements
from mqconform.harness.iut.interface import ConfigurationError, Json, ServerFacts
from mqconform.harness.iut.protocol import InvalidParams
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_text
from mqconform.harness.records.witness import clip
from mqconform.reference.errors import ModelError

SCHEMA_VERSION: Final = 1
FOLDER: Final = "cases"
LARGEST: Final = 16 * 1024 * 1024
GRAVEST_FIRST: Final = [*Kind]
EXIT: Final = {
    Kind.ORACLES: ExitCode.ERROR,
    Kind.IUT: ExitCode.FAIL,
    Kind.REFERENCE_ALONE: ExitCode.INCONCLUSIVE,
    Kind.OPEN: ExitCode.OK,
}


def save(folder: Path, record: Json, subjects: Sequence[Subject], profile: Profile) -> Path:
    """Write a disagreement as a case of its own and return its file."""
    path = folder / FOLDER / f"{record['id']}.json"
    path.parent.mkdir(exist_ok=True)
    case = {key: value for key, value in record.items() if key not in ("record", "times")}
    case |= {"schema": SCHEMA_VERSION, "profile": profile.value}
    case["implementations"] = [{"label": subject.label, "target": subject.target} for subject in subjects]
    path.write_text(json.dumps(case, indent=2, sort_keys=True) + "\n", encoding="ascii")
    return path


@dataclass(frozen=True, slots=True)
class SavedCase:
    """One input with who disagreed on it.

    Attributes:
        targets: ``KIND:ID`` of the implementations, in the order of their labels.
        input_record: the input, as the inputs of the role read it.
    """

    path: Path
    role: str
    profile: Profile
    targets: tuple[str, ...]
    input_record: Json

    def put_to(
        self, subjects: Sequence[Subject], facts: ServerFacts | None
    ) -> tuple[tuple[str, ...], list[Disagreement]]:
        """Put the input to implementations; return who answered, and on what they disagree.

        Raises:
            ConfigurationError: the input is none of its role.
        """
        source = INPUTS[self.role](self.profile, facts)
        try:
            role_input = source.read(self.input_record)
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, ModelError) as error:
            raise self._bad_input(f"{type(error).__name__}: {error}") from error
        try:
            votes = asked_of(subjects, source, role_input)
        except InvalidParams as error:  # what the harness generates fits the protocol; what stands in a file may not
            raise self._bad_input(str(error)) from error
        ours = {subject.label for subject in subjects if subject.is_reference}
        return tuple(votes), list(disagreements(votes, ours))

    def _bad_input(self, wrong: str) -> ConfigurationError:
        return ConfigurationError(f"{self.path}: input: {clip(wrong)}; replay the file as it was saved")


def code_of_case(answered: Collection[str], parted: Sequence[Disagreement]) -> ExitCode:
    """Return the exit code of a saved case that was put again."""
    if not answered:
        return ExitCode.INCOMPLETE
    return EXIT[min((each.kind for each in parted), key=GRAVEST_FIRST.index)] if parted else ExitCode.OK


def read_case(path: Path) -> SavedCase:
    """Return a saved case.

    Raises:
        ConfigurationError: it cannot be read or is none; the message names file, field and remedy.
    """
    what = "a file that `mqconform triangulate` saved"
    text = read_text(path, LARGEST, what)
    try:
        record: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is not JSON ({str(error)[:120]}); name {what}") from error
    judge = validator("triangulation", "case")
    wrong = complaint(judge, record, "") if judge else ""
    if not wrong and record["role"] not in INPUTS:
        wrong = f"role: is {record['role']!r}; expected one of {', '.join(INPUTS)}"
    if wrong:
        raise ConfigurationError(f"{path}: {wrong}; name {what}")
    targets = tuple(implementation["target"] for implementation in record["implementations"])
    return SavedCase(path, record["role"], Profile.of(record["profile"]), targets, record["input"])
