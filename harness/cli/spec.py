"""``mqconform spec``: the requirement catalogue against copies of the specifications."""

from collections.abc import Iterator
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.suite.catalogue import Catalogue, CatalogueFault, Specification, load_catalogue
from mqconform.harness.suite.feature_text import FeatureFault
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.spec.anchor import PlaceFault, anchored, listing
from mqconform.harness.suite.spec.check import check as prove
from mqconform.harness.suite.spec.diff import compare
from mqconform.harness.suite.spec.document import Document, SpecificationFault, read_document
from mqconform.harness.suite.spec.render import comparison_lines, proof_lines

_FILE = FilePath()


class SpecUsage(click.ClickException):
    """What the user gave cannot be worked with."""

    exit_code = ExitCode.USAGE


class HarnessFault(click.ClickException):
    """A file that the package ships is wrong."""

    exit_code = ExitCode.ERROR


@click.group(name="spec")
def command() -> None:
    """Prove the requirement catalogue against a copy of a specification's text."""


@command.command()
@click.argument("file", type=_FILE)
def check(file: Path) -> None:
    """Prove the catalogue against FILE, a copy of a catalogued specification.

    Names every sentence a requirement stands on that FILE does not hold, and every RFC 2119 word of its
    normative sections that belongs to no requirement. Exit code 0 when there is none, 1 otherwise, 4 when FILE cannot
    be read.
    """
    document = _read(file)
    specification = _catalogue().specification(document.id)
    if specification is None:
        catalogued = ", ".join(spec.id for spec in _catalogue().specifications) or "none"
        raise SpecUsage(f"{file}: there is no catalogue of {document.id}; catalogued are: {catalogued}")
    proof = prove(specification, document)
    echo("\n".join(proof_lines(proof)))
    raise click.exceptions.Exit(ExitCode.FAIL if proof.alarms else ExitCode.OK)


@command.command()
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
def diff(old: Path, new: Path) -> None:
    """Compare two revisions of one specification requirement by requirement.

    Exit code 0 when no requirement changed, 1 when one did, came or went, 4 when a file cannot be read.
    """
    before, after = _read(old), _read(new)
    if before.id != after.id:
        raise SpecUsage(f"{old} is {before.id}, {new} is {after.id}; give two revisions of one specification")
    comparison = compare(_catalogue().specification(before.id), before, after)
    try:
        scenarios = load_suite_index().by_requirement()
    except FeatureFault as fault:
        raise HarnessFault(str(fault)) from fault
    echo("\n".join(comparison_lines(comparison, scenarios)))
    raise click.exceptions.Exit(ExitCode.FAIL if comparison.requirements or comparison.strangers else ExitCode.OK)


@command.command(hidden=True)
@click.argument("file", type=_FILE)
@click.option("--section", help="List this section only.")
@click.option("--fill", "draft", type=_FILE, help="Write hashes over the places in this catalogue draft.")
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
    except (OSError, UnicodeDecodeError, PlaceFault) as fault:
        raise SpecUsage(str(fault)) from fault


def _read(file: Path) -> Document:
    try:
        return read_document(file, _specifications())
    except SpecificationFault as fault:
        raise SpecUsage(str(fault)) from fault


def _specifications() -> Iterator[Specification]:
    """Yield what is catalogued; nothing is read before a text without name asks for it."""
    yield from _catalogue().specifications


def _catalogue() -> Catalogue:
    try:
        return load_catalogue()
    except CatalogueFault as fault:
        raise HarnessFault(str(fault)) from fault
