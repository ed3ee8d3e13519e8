"""The kill matrix: which mutant each requirement's scenarios convict, as one document."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mqconform.harness.explore.mutation.complaints import Complaint, complete_roles
from mqconform.harness.explore.mutation.exemptions import Exemptions
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.suite.catalogue import load_catalogue

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Matrix:
    """What a farm came to.

    Attributes:
        trials: by name of the mutant, with that of the reference.
        whole: whether every faulty mutant ran all cases.
    """

    specimens: Sequence[Mutant]
    trials: Mapping[str, Trial]
    exempt: Exemptions
    complaints: tuple[Complaint, ...]
    whole: bool

    def convicted(self, kind: Kind) -> list[str]:
        """Return the names of convicted mutants of a kind."""
        return [
            specimen.name
            for specimen in self.specimens
            if specimen.kind is kind and self.trials[specimen.name].convictions
        ]

    def of_kind(self, kind: Kind) -> list[Mutant]:
        """Return the mutants of a kind."""
        return [specimen for specimen in self.specimens if specimen.kind is kind]

    def rows(self) -> dict[str, dict[str, list[str]]]:
        """Return, for each judged requirement of the roles that were tried, its mutants by role."""
        rows: dict[str, dict[str, list[str]]] = {}
        roles = [role for role in ROLES if any(specimen.role == role for specimen in self.specimens)]
        for requirement in load_catalogue().values():
            if requirement.is_judged and (judged := [role for role in roles if role in requirement.roles]):
                rows[requirement.id] = {role: self._killed_by(requirement.id, role) for role in judged}
        return rows

    def aimed(self, requirement: str) -> list[str]:
        """Return the convicted mutants that are there to break a requirement."""
        return [
            specimen.name
            for specimen in self.specimens
            if requirement in specimen.breaks and requirement in self.trials[specimen.name].violated
        ]

    def document(self) -> dict[str, Any]:
        """Return the matrix as ``kill_matrix.schema.json`` has it."""
        return {
            "schema": SCHEMA_VERSION,
            "harness": harness_name(),
            "whole": self.whole,
            "complete_roles": [*complete_roles(self.specimens)],
            "mutants": {specimen.name: self._mutant(specimen) for specimen in self.specimens},
            "requirements": {
                requirement: {"killed_by": by_role, "aimed": self.aimed(requirement)} | self._reasons(requirement)
                for requirement, by_role in self.rows().items()
            },
            "complaints": [asdict(complaint) for complaint in self.complaints],
        }

    def _killed_by(self, requirement: str, role: str) -> list[str]:
        return [
            specimen.name
            for specimen in self.specimens
            if specimen.role == role and requirement in self.trials[specimen.name].violated
        ]

    def _reasons(self, requirement: str) -> dict[str, Any]:
        reason_by_role = {role: reason for (role, exempted), reason in self.exempt.items() if exempted == requirement}
        return {"exempt": reason_by_role} if reason_by_role else {}

    def _mutant(self, mutant: Mutant) -> dict[str, Any]:
        trial = self.trials[mutant.name]
        cases: dict[str, set[str]] = defaultdict(set)
        for conviction in trial.convictions:
            cases[conviction.requirement].add(conviction.case)
        return {
            "role": mutant.role,
            "kind": mutant.kind.value,
            "says": mutant.says,
            "breaks": [*mutant.breaks],
            "ended": trial.ended,
            "exit_code": trial.exit_code,
            "killed_by": {requirement: sorted(ids) for requirement, ids in sorted(cases.items())},
            "undecided": [*trial.undecided],
        }
