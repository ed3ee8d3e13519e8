"""The kill matrix for people: a summary for the terminal, and Markdown for a pull request or a page."""

from collections.abc import Iterator

from mqconform.harness.explore.mutation.complaints import KINDS, Complaint
from mqconform.harness.explore.mutation.matrix import Matrix
from mqconform.harness.iut.mutants.mutant import Kind
from mqconform.harness.iut.roles import ROLES

NAMED = 3
"""How many mutants of a requirement are named in a table."""


def text_of(matrix: Matrix) -> Iterator[str]:
    """Yield the lines of the summary."""
    for role in ROLES:
        if line := _of_role(matrix, role):
            yield line
    conforming = len(matrix.of_kind(Kind.CONFORMING))
    yield f"conforming: {conforming - len(matrix.convicted(Kind.CONFORMING))} of {conforming} left alone"
    yield from _complaints(matrix.complaints)
    yield f"{len(matrix.complaints)} complaints" if matrix.complaints else "no complaints"


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


def _complaints(complaints: tuple[Complaint, ...]) -> Iterator[str]:
    for kind, meaning in KINDS.items():
        of_kind = [complaint for complaint in complaints if complaint.kind == kind]
        if of_kind:
            yield f"\n{kind.upper()}: {meaning}"
            yield from (f"  {complaint.subject}: {complaint.text}" for complaint in of_kind)
    if complaints:
        yield ""


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
