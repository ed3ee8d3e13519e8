"""``mqconform directory what-if``: what a change of the topology does to routes."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mqconform.harness.cli.enterprise_options import say, write_out
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.drawing import svg_of
from mqconform.harness.tools.enterprise.file import EnterpriseFile
from mqconform.harness.tools.enterprise.picture import TooManySites
from mqconform.harness.tools.enterprise.planned import open_change
from mqconform.harness.tools.enterprise.source import SourceOptions, open_enterprise
from mqconform.reference.directory.check import check_directory
from mqconform.reference.directory.findings import Finding

MOST_SITES = 4_000
"""Sites of a version; the tables of all pairs take half a gigabyte then."""

if TYPE_CHECKING:
    from mqconform.harness.tools.enterprise.what_if import PairChange

PAIRS = 5
"""Pairs of sites shown for each kind of change unless the user asks for more."""


@click.command("what-if")
@click.argument("before", metavar="SNAPSHOT")
@click.argument("after", metavar="CHANGE")
@click.option(
    "--pairs",
    type=click.IntRange(min=0),
    default=PAIRS,
    show_default=True,
    help="Pairs of sites that are shown of each kind of change.",
)
@click.option("--pictures", type=FilePath(), help="Folder for two SVG files of each shown pair.")
@click.option("--strict", is_flag=True, help="End with exit code 1 if the route of any pair changes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object (what_if.schema.json) instead of text.")
@source_options
def command(  # noqa: PLR0913 - one parameter for each option
    before: str,
    after: str,
    pairs: int,
    pictures: Path | None,
    options: SourceOptions,
    *,
    strict: bool,
    as_json: bool,
) -> ExitCode:
    """Tell which routes between sites a change of the topology changes, before it is made.

    SNAPSHOT is how things are, CHANGE how they would be: snapshots, enterprise files or directories; CHANGE may also
    list steps, such as {changes: [{link: [Oslo, Rome], cost: 3}]}. The routes of all pairs of sites are compared, and
    both routes of some pairs shown.

    Exit code 0: compared; 1 with --strict: some route changes; 4: what was given cannot be used.
    """
    try:
        # the compiled loops are an extra, and load slowly
        from mqconform.harness.tools.enterprise.what_if import WhatIf  # noqa: PLC0415
    except ImportError as absent:
        raise ConfigurationError(
            f"what-if needs {absent.name or absent}, which is not installed; "
            "run in a checkout of mqconform: pip install '.[bulk]'"
        ) from absent
    now = _fitting(open_enterprise(before, options))
    planned = _fitting(open_change(after, now, options))
    for finding in _new_findings(now, planned):
        click.echo(visible(f"{after}: {finding}"), err=True)
    compared = WhatIf(now, planned, pairs)
    if pictures is not None:
        for name, text in _drawn(compared.pairs):
            write_out(text, _folder(pictures) / name)
    say([json.dumps(compared.record())] if as_json else compared.lines())
    return ExitCode.FAIL if strict and any(map(len, compared.routes.by_kind.values())) else ExitCode.OK


def _fitting(file: EnterpriseFile) -> EnterpriseFile:
    """Return an enterprise whose pairs of sites fit into memory.

    Raises:
        ConfigurationError: they do not.
    """
    sites = len(file.directory.sites)
    if sites > MOST_SITES:
        raise ConfigurationError(f"{file.name}: has {sites} sites; what-if compares the routes of {MOST_SITES} at most")
    return file


def _new_findings(before: EnterpriseFile, after: EnterpriseFile) -> Iterator[Finding]:
    """Yield what `directory check` would say of the change and not of the snapshot; places in lists may move."""
    old = {(finding.severity, finding.text) for finding in check_directory(before.directory)}
    return (finding for finding in check_directory(after.directory) if (finding.severity, finding.text) not in old)


def _drawn(pairs: "Iterable[PairChange]") -> Iterator[tuple[str, str]]:
    """Yield file name and SVG of both versions of each pair.

    Raises:
        ConfigurationError: a route cannot be drawn.
    """
    for number, pair in enumerate(pairs, start=1):
        try:
            for version, picture in zip(("before", "after"), pair.pictures(), strict=True):
                yield f"{number:03}-{version}.svg", svg_of(picture)
        except TooManySites as problem:
            raise ConfigurationError(f"--pictures: {problem}") from problem


def _folder(pictures: Path) -> Path:
    try:
        pictures.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"--pictures {pictures}: {error.strerror or error}; name a folder") from error
    return pictures
