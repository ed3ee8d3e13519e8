"""``bundle.json``: which case failed, on which implementation, and all that running it again takes."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_octets
from mqconform.harness.run.bundles.discovery import facts_from

MANIFEST = "bundle.json"
SCHEMA = "bundle"
SCHEMA_VERSION = 1
MAX_MANIFEST = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle says of itself.

    Attributes:
        case: id of the failed case; ``feature`` names its file.
        violated: requirements that it found violated.
        iut: KIND:ID.
        features: feature files within the bundle that a run needs beside the published ones.
        counterexamples: those of them that hold shrunk input.
    """

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
    options: AdapterOptions = field(default_factory=AdapterOptions)
    second_opinion: bool = False
    features: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the manifest as its schema has it."""
        facts, client = self.options.facts, self.options.client
        line = {
            "schema": SCHEMA_VERSION,
            "harness": self.harness,
            "case": self.case,
            "feature": self.feature,
            "scenario": self.scenario,
            "violated": list(self.violated),
            "reason": self.reason,
            "iut": self.iut,
            "implementation": self.implementation,
            "profile": self.profile,
            "seed": self.seed,
            "deadline": self.options.deadline,
            "reply_timeout": self.options.reply_timeout,
            "facts": facts.params() if facts else None,
            "second_opinion": self.second_opinion,
            "features": list(self.features),
            "counterexamples": list(self.counterexamples),
        }
        live: dict[str, Any] = {"client": asdict(client) if client else None, "clock": self.options.clock}
        live["tolerance"] = self.options.tolerance
        return line | {name: value for name, value in live.items() if value}


def read_manifest(bundle: Path) -> Manifest:
    """Return the manifest of the bundle in a folder.

    Raises:
        ConfigurationError: it is no bundle; the message names file and field.
    """
    path = bundle / MANIFEST if bundle.is_dir() else bundle
    document = _parsed(path)
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{path}: {wrong}; give a bundle that a run has left")
    options = _options(document)
    return Manifest(
        case=document["case"],
        feature=document["feature"],
        scenario=document["scenario"],
        violated=tuple(document["violated"]),
        reason=document["reason"],
        iut=document["iut"],
        implementation=document["implementation"],
        profile=document["profile"],
        seed=document["seed"],
        harness=document["harness"],
        options=options,
        second_opinion=document["second_opinion"],
        features=tuple(document["features"]),
        counterexamples=tuple(document["counterexamples"]),
    )


def _options(document: dict[str, Any]) -> AdapterOptions:
    facts, client = document["facts"], document.get("client")
    return AdapterOptions(
        deadline=document["deadline"],
        reply_timeout=document["reply_timeout"],
        facts=facts_from(facts) if facts else None,
        client=_client(client) if client else None,
        clock=document.get("clock", ""),
        tolerance=document.get("tolerance"),
    )


def _client(record: dict[str, Any]) -> ClientFacts:
    commands = {name: tuple(record[name]) for name in ("start", "service", "network")}
    return ClientFacts(**{**record, **commands})


def _parsed(path: Path) -> Any:
    octets = read_octets(path, MAX_MANIFEST, "a bundle")
    try:
        return json.loads(octets)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is not JSON: {error}; give a bundle that a run has left") from error
