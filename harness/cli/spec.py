"""``mqconform spec``: the requirement catalogue against copies of the specifications."""

from pathlib import Path

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FilePath, option
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.spec.anchor import anchored, listing
from mqconform.harness.suite.spec.check import check as prove
from mqconform.harness.suite.spec.diff import compare
from mqconform.harness.suite.spec.document import Document, read_document
from mqconform.harness.suite.spec.render import comparison_lines, proof_lines

_FILE = FilePath()


@click.group(name="spec")
def command() -> None:
    """Prove the requirement catalogue against a copy of a specification's text."""


@command.command()
@click.argument("file", type=_FILE)
def check(file: Path) -> ExitCode:
    """Prove the catalogue against FILE, a copy of a catalogued specification.

    Names every sentence a requirement stands on that FILE does not hold, and every RFC 2119 word of its
    normative sections that belongs to no requirement. Exit code 0 when there is none, 1 otherwise, 4 when FILE cannot
    be read.
    """
    document = _read(file)
    specification = load_catalogue().specification(document.id)
    if specification is None:
        catalogued = ", ".join(spec.id for spec in load_catalogue().specifications) or "none"
        raise ConfigurationError(f"{file}: there is no catalogue of {document.id}; catalogued are: {catalogued}")
    proof = prove(specification, document)
    echo("\n".join(proof_lines(proof)))
    return ExitCode.FAIL if proof.alarms else ExitCode.OK


@command.command()
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
def diff(old: Path, new: Path) -> ExitCode:
    """Compare two revisions of one specification requirement by requirement.

    Exit code 0 when no requirement changed, 1 when one did, came or went, 4 when a file cannot be read.
    """
    before, after = _read(old), _read(new)
    if before.id != after.id:
        raise ConfigurationError(f"{old} is {before.id}, {new} is {after.id}; give two revisions of one specification")
    comparison = compare(load_catalogue().specification(before.id), before, after)
    echo("\n".join(comparison_lines(comparison, load_suite_index().by_requirement())))
    return ExitCode.FAIL if comparison.requirements or comparison.strangers else ExitCode.OK


@command.command(hidden=True)
@click.argument("file", type=_FILE)
@option("--section", "List this section only.")
@option("--fill draft", "Write hashes over the places in this catalogue draft.", _FILE)
def anchor(file: Path, section: str | None, draft: Path | None) -> None:
    """List the segments of FILE by place, or write their hashes into a catalogue draft."""
    document = _read(file)
    if draft is None:
        for place, segment in listing(document):
            if section in {None, segment.section}:
                echo(f"@{place}  {segment.digest}  {','.join(segment.keywords) or '-'}  {segment.text}")
        return
    try:
        draft.write_text(anchored(draft.read_text(encoding="utf-8"), document), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise ConfigurationError(str(fault)) from fault


def _read(file: Path) -> Document:
    """Return the text; the catalogue is read where it does not name itself."""
    return read_document(file, (specification for specification in load_catalogue().specifications))
