"""``bundle.json``: which case failed, on which implementation, and all that running it again takes."""

import json
from pathlib import Path
from typing import Any

import msgspec

from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError, ServerFacts
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_octets

MANIFEST = "bundle.json"
SCHEMA = "bundle"
MAX_MANIFEST = 16 * 1024 * 1024
_WHERE_SET = ("client", "clock", "tolerance")
"""Fields that the file has only where they say something."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle says of itself: the fields of its schema.

    Attributes:
        case: id of the failed case; ``feature`` names its file.
        violated: requirements that it found violated.
        iut: KIND:ID.
        features: feature files within the bundle that a run needs beside the published ones.
        counterexamples: those of them that hold shrunk input.
    """

    schema: int = 1
    case: str
    feature: str
    scenario: str
    violated: tuple[str, ...]
    reason: str
    iut: str
    implementation: str
    profile: str
    seed: int
    harness: str
    deadline: float
    reply_timeout: float
    facts: ServerFacts | None
    client: ClientFacts | None = None
    clock: str = ""
    tolerance: float | None = None
    second_opinion: bool
    thorough: int = 1
    features: tuple[str, ...]
    counterexamples: tuple[str, ...]

    @property
    def options(self) -> AdapterOptions:
        """How the implementation was reached."""
        return AdapterOptions(
            self.deadline, self.reply_timeout, self.facts, self.client, clock=self.clock, tolerance=self.tolerance
        )

    def record(self) -> dict[str, Any]:
        """Return the manifest as its schema has it."""
        record: dict[str, Any] = msgspec.to_builtins(self)
        return {name: value for name, value in record.items() if value or name not in _WHERE_SET}


def read_manifest(bundle: Path) -> Manifest:
    """Return the manifest of the bundle in a folder.

    Raises:
        ConfigurationError: it is not a bundle; the message names file and field.
    """
    path = bundle / MANIFEST if bundle.is_dir() else bundle
    try:
        document = json.loads(read_octets(path, MAX_MANIFEST, "a bundle"))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is not JSON: {error}; give a bundle of a run") from error
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{path}: {wrong}; give a bundle of a run")
    try:
        return msgspec.convert(document, Manifest)
    except msgspec.ValidationError as error:  # a number with hundreds of digits is one to the schema
        raise ConfigurationError(f"{path}: {error}; give a bundle of a run") from error
