"""The kill matrix: which mutant each requirement's scenarios convict, as one document, and for people.

Those get a summary for the terminal, and Markdown for a pull request or a page.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from mqconform.harness.explore.mutation.complaints import KINDS, Complaint, Exemptions, complete_roles
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.suite.catalogue import load_catalogue

SCHEMA_VERSION = 1
NAMED = 3
"""How many mutants of a requirement are named in a table."""


@dataclass(frozen=True)
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

    def of_kind(self, kind: Kind) -> list[Mutant]:
        """Return the mutants of a kind."""
        return [specimen for specimen in self.specimens if specimen.kind is kind]

    def convicted(self, kind: Kind) -> list[str]:
        """Return the names of convicted mutants of a kind."""
        return [specimen.name for specimen in self.of_kind(kind) if self.trials[specimen.name].convictions]

    @cached_property
    def _violating(self) -> Mapping[str, list[Mutant]]:
        """By requirement the mutants that violate it, found once: a trial has thousands of statements."""
        violating: dict[str, list[Mutant]] = defaultdict(list)
        for specimen in self.specimens:
            for requirement in self.trials[specimen.name].violated:
                violating[requirement].append(specimen)
        return violating

    def rows(self) -> dict[str, dict[str, list[str]]]:
        """Return, for each judged requirement of the roles that were tried, its mutants by role."""
        rows: dict[str, dict[str, list[str]]] = {}
        roles = [role for role in ROLES if any(specimen.role == role for specimen in self.specimens)]
        for requirement in load_catalogue().values():
            if requirement.is_judged and (judged := [role for role in roles if role in requirement.roles]):
                mutants = self._violating.get(requirement.id, [])
                rows[requirement.id] = {role: [each.name for each in mutants if each.role == role] for role in judged}
        return rows

    def aimed(self, requirement: str) -> list[str]:
        """Return the convicted mutants that are there to break a requirement."""
        return [specimen.name for specimen in self._violating.get(requirement, []) if requirement in specimen.breaks]

    def document(self) -> dict[str, Any]:
        """Return the matrix as ``kill_matrix.schema.json`` has it."""
        reasons: dict[str, dict[str, str]] = defaultdict(dict)
        for (role, requirement), reason in self.exempt.items():
            reasons[requirement][role] = reason
        return {
            "schema": SCHEMA_VERSION,
            "harness": harness_name(),
            "whole": self.whole,
            "complete_roles": [*complete_roles(self.specimens)],
            "mutants": {specimen.name: self._mutant(specimen) for specimen in self.specimens},
            "requirements": {
                requirement: {"killed_by": by_role, "aimed": self.aimed(requirement)}
                | ({"exempt": reasons[requirement]} if requirement in reasons else {})
                for requirement, by_role in self.rows().items()
            },
            "complaints": [asdict(complaint) for complaint in self.complaints],
        }

    def _mutant(self, mutant: Mutant) -> dict[str, Any]:
        trial = self.trials[mutant.name]
        return {
            "role": mutant.role,
            "kind": mutant.kind.value,
            "says": mutant.says,
            "breaks": [*mutant.breaks],
            "ended": trial.ended,
            "exit_code": trial.exit_code,
            "killed_by": {requirement: [*trial.cases_against(requirement)] for requirement in trial.violated},
            "undecided": [*trial.undecided],
        }


def text_of(matrix: Matrix) -> Iterator[str]:
    """Yield the lines of the summary."""
    yield from filter(None, (_of_role(matrix, role) for role in ROLES))
    conforming = len(matrix.of_kind(Kind.CONFORMING))
    yield f"conforming: {conforming - len(matrix.convicted(Kind.CONFORMING))} of {conforming} left alone"
    for kind, meaning in KINDS.items():
        of_kind = [complaint for complaint in matrix.complaints if complaint.kind == kind]
        if of_kind:
            yield f"\n{kind.upper()}: {meaning}"
            yield from (f"  {complaint.subject}: {complaint.text}" for complaint in of_kind)
    yield f"\n{len(matrix.complaints)} complaints" if matrix.complaints else "no complaints"


def _of_role(matrix: Matrix, role: str) -> str:
    faulty = [mutant for mutant in matrix.of_kind(Kind.FAULTY) if mutant.role == role]
    if not faulty:
        return ""
    killed = [mutant for mutant in faulty if matrix.trials[mutant.name].killed]
    rows = [by_role[role] for by_role in matrix.rows().values() if role in by_role]
    return (
        f"{role}: {len(killed)} of {len(faulty)} faulty mutants killed; "
        f"{sum(bool(row) for row in rows)} of {len(rows)} judged requirements kill one"
    )


def markdown_of(matrix: Matrix) -> str:
    """Return the matrix as a page: the summary, the complaints, and a row for each requirement."""
    lines = ["# Kill matrix", "", *_rows(matrix.complaints)]
    lines += [f"- {line}" for role in ROLES if (line := _of_role(matrix, role))]
    lines += [
        "",
        "| requirement | role | mutants killed | aimed at it | such as |",
        "| --- | --- | ---: | ---: | --- |",
    ]
    for requirement, by_role in matrix.rows().items():
        aimed = set(matrix.aimed(requirement))
        for role, names in by_role.items():
            own = [name for name in names if name in aimed]
            examples = ", ".join((own or names)[:NAMED])
            lines.append(f"| {requirement} | {role} | {len(names)} | {len(own)} | {examples} |")
    return "\n".join(lines) + "\n"


def _rows(complaints: tuple[Complaint, ...]) -> Iterator[str]:
    if not complaints:
        yield from ("No complaints.", "")
        return
    yield from ("| complaint | about | what was seen |", "| --- | --- | --- |")
    for complaint in complaints:
        yield f"| {complaint.kind} | {complaint.subject} | {' '.join(complaint.text.replace('|', '/').split())} |"
    yield ""
