"""Counterexamples kept as named cases: a feature that a later run can include, and the enterprise."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from mqconform.harness.judge.mqbr.enterprise_description import givens
from mqconform.harness.judge.mqbr.named_enterprise import NamedEnterprise
from mqconform.harness.judge.saved_cases import FOLDER


@dataclass(frozen=True, slots=True)
class CounterexampleCase:
    """One enterprise and one question that an implementation answered wrongly.

    Attributes:
        title: name of the scenario.
        steps: its When and Then lines.
        seed: of the run that found it.
    """

    requirement: str
    title: str
    enterprise: NamedEnterprise
    steps: Sequence[str]
    seed: int

    @property
    def stem(self) -> str:
        """File name without ending; the same counterexample always has the same."""
        digest = sha256("\n".join([*givens(self.enterprise), *self.steps]).encode()).hexdigest()[:10]
        return f"{self.requirement}-{digest}"

    def feature(self) -> str:
        """Return the feature file."""
        lines = [
            "@role:router",
            f"Feature: Cases that a run of seed {self.seed} found",
            "",
            f"  @req:{self.requirement}",
            f"  Scenario: {self.title} {self.stem.rpartition('-')[2]}",
        ]
        return "\n".join([*lines, *(f"    {step}" for step in [*givens(self.enterprise), *self.steps]), ""])

    def save(self, directory: Path) -> Path:
        """Write the feature and the enterprise document into the folder of cases, and return the feature's path."""
        folder = directory / FOLDER
        folder.mkdir(exist_ok=True)
        path = folder / f"{self.stem}.feature"
        path.write_text(self.feature(), encoding="utf-8")
        document = json.dumps(self.enterprise.document, indent=2)
        path.with_suffix(".enterprise.json").write_text(f"{document}\n", encoding="utf-8")
        return path
