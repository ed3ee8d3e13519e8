"""Pages that are made of the project's own data when the site is built: requirements, ambiguities, the command line."""

from collections.abc import Iterator

import mkdocs_gen_files

from mqconform.harness.cli import COMMANDS
from mqconform.harness.records.profile import Profile
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import Requirement, load_catalogue


def written(name: str, lines: Iterator[str]) -> None:
    """Write a page of the site."""
    with mkdocs_gen_files.open(name, "w") as page:
        page.write("\n".join(lines) + "\n")


def cell(text: str) -> str:
    """Return text that stays within a cell of a table and is no markup."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def requirements() -> Iterator[str]:
    """Yield the catalogue, specification by specification."""
    yield "# Requirements"
    yield ""
    yield "Summaries are the project's own words; the text is Microsoft's."
    yield "`mqconform explain ID` shows what hangs on a requirement."
    for specification in load_catalogue().specifications:
        yield f"\n## {specification.id}: {cell(specification.title)}, revision {cell(specification.revision)}\n"
        yield "| id | section | level | judged | summary |"
        yield "| --- | --- | --- | --- | --- |"
        yield from map(row, specification.requirements)


def row(one: Requirement) -> str:
    """Return the row of a requirement."""
    judged = one.judged if one.judged != "no" else f"no: {one.reason}"
    return f"| `{one.id}` | {one.section} | {one.level} | {cell(str(judged))} | {cell(one.summary)} |"


def ambiguities() -> Iterator[str]:
    """Yield the register, entry by entry."""
    yield "# The ambiguities"
    yield ""
    yield "Places where a specification says two things, or nothing. An implementation may follow any reading that its"
    yield "profile lets pass, and has to stay with it for the length of a run."
    for entry in load_register():
        yield f"\n## {entry.id}\n"
        yield f"{cell(entry.problem)} *(section {', '.join(entry.sections)})*\n"
        yield "| reading | what an implementation does that follows it | " + " | ".join(Profile) + " |"
        yield "| --- | --- |" + " --- |" * len(Profile)
        for reading in entry.readings:
            verdicts = " | ".join(reading.verdicts[profile].word for profile in Profile)
            literal = " *(literal)*" if reading.literal else ""
            yield f"| `{reading.id}`{literal} | {cell(reading.summary)} | {verdicts} |"


def command_line() -> Iterator[str]:
    """Yield a section for each command, which mkdocs-click fills."""
    yield "# Command line"
    for name in COMMANDS:
        yield f"\n::: mkdocs-click\n    :module: mqconform.harness.cli.{name.replace('-', '_')}"
        yield f"    :command: command\n    :prog_name: mqconform {name}\n    :depth: 1\n    :style: table"


written("reference/requirements.md", requirements())
written("explanation/ambiguities.md", ambiguities())
written("reference/command-line.md", command_line())
