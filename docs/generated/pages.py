"""Pages that are made of the project's own data when the site is built: requirements, ambiguities, the command line."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import mkdocs_gen_files

from mqconform.harness.cli import COMMANDS, cli
from mqconform.harness.records.profile import Profile
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import Requirement, load_catalogue

sys.path.insert(0, str(Path(__file__).parent))  # the builder of the site runs this file as a script
from repository_links import write_pages


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


HEAD = """\
Places where a specification says two things, or nothing, and what each reading of them is worth. A reading fails if a
sentence forbids it and no other sentence, definition, glossary entry, example or product note supports it; the entry
names the sentence. If anything supports it, nothing speaks of it, or sentences contradict each other, it passes and is
reported. If it is about a situation that the text excludes, it passes unless the outcome breaks a sentence of its own.

Two permitted readings may be mixed, except where the entry names a sentence that asks for constancy. Only the profile
`strict`, which goes by the letter, leaves a verdict open: [verdicts](../verdicts.md#more-than-one-right-answer)."""


def ambiguities() -> Iterator[str]:
    """Yield the register, entry by entry."""
    yield "# The ambiguities"
    yield ""
    yield HEAD
    for entry in load_register():
        yield f"\n## {entry.id}\n"
        yield f"{cell(entry.problem)} *(section {', '.join(entry.sections)})*\n"
        if entry.constant:
            yield f"`{entry.constant}` asks for one reading throughout.\n"
        yield "| reading | what an implementation does that follows it | " + " | ".join(Profile) + " | because |"
        yield "| --- | --- |" + " --- |" * (len(Profile) + 1)
        for reading in entry.readings:
            verdicts = " | ".join(reading.verdicts[profile].word for profile in Profile)
            literal = " *(literal)*" if reading.literal else ""
            ground = " ".join((cell(reading.because), *(f"`{name}`" for name in reading.breaks)))
            yield f"| `{reading.id}`{literal} | {cell(reading.summary)} | {verdicts} | {ground} |"


def command_line() -> Iterator[str]:
    """Yield a section for each command, with what its ``--help`` says."""
    yield "# Command line"
    yield ""
    yield "Options can stand in a [file](../configuration.md). `mqconform COMMAND --help` says the same as this page."
    top = click.Context(cli, info_name="mqconform", terminal_width=100, show_default=True)
    for name in COMMANDS:
        yield from sections(name, cli.get_command(top, name), top)


def sections(name: str, command: click.Command | None, above: click.Context) -> Iterator[str]:
    """Yield the section of a command and those of the commands below it."""
    assert command is not None
    context = click.Context(command, info_name=name, parent=above, terminal_width=100)
    level = context.command_path.count(" ") + 1
    yield f"\n{'#' * level} {context.command_path}\n"
    yield f"```text\n{context.get_help()}\n```"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            yield from sections(below, command.get_command(context, below), context)


write_pages()
written("reference/requirements.md", requirements())
written("explanation/ambiguities.md", ambiguities())
written("reference/command-line.md", command_line())
