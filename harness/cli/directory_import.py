"""``mqconform directory import``: Active Directory as an enterprise file."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from mqconform.harness.cli.enterprise_options import say, write_out
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import one_line, visible
from mqconform.harness.tools.enterprise.changes import change_lines, changes_since
from mqconform.harness.tools.enterprise.file import SUFFIXES, EnterpriseFile, Format, read_enterprise
from mqconform.harness.tools.enterprise.snapshot import snapshot_of, snapshot_text, source_record
from mqconform.harness.tools.enterprise.source import ImportedSource, SourceOptions, is_source, read_source
from mqconform.harness.tools.enterprise.writing import written
from mqconform.reference.directory.changes import Change
from mqconform.reference.directory.findings import Severity

MOST_SHOWN: Final = 100
"""Findings that a text names; of more, the number is given."""


@click.command("import")
@click.argument("source", metavar="SOURCE")
@click.option("--out", type=FilePath(), help="Enterprise file to write, JSON or YAML by its name.")
@click.option("--snapshot", type=FilePath(), help="Snapshot to write: all that was read, and findings.")
@click.option("--since", metavar="SNAPSHOT", help="Earlier snapshot or enterprise file: tell what changed.")
@click.option("--queues", is_flag=True, help="Read public queues, lists and aliases too, for the snapshot.")
@click.option("--strict", is_flag=True, help="End with exit code 1 if there are findings.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead of text.")
@source_options
def command(  # noqa: PLR0913 - one parameter for each option
    source: str,
    out: Path | None,
    snapshot: Path | None,
    since: str | None,
    options: SourceOptions,
    *,
    queues: bool,
    strict: bool,
    as_json: bool,
) -> ExitCode:
    """Read the routing topology of a directory: sites, links, gates and queue managers.

    SOURCE is ldaps://HOST, ldap://HOST or ldif:FILE, where FILE is what ldifde, ldapsearch or ldbsearch wrote. Nothing
    is written to a server, and no file is written unless all was read.

    Exit code 0: it was read; 1 with --strict: there are findings; 4: it cannot be read.
    """
    if not is_source(source):
        raise click.UsageError(f"SOURCE {source!r:.80}: is no directory; write ldaps://HOST, ldap://HOST or ldif:FILE")
    if out is not None and snapshot is not None and os.path.realpath(out) == os.path.realpath(snapshot):
        raise click.UsageError(f"--snapshot {snapshot}: is the file that --out names; name another")
    earlier = read_enterprise(since, options.max_size) if since is not None else None
    imported = read_source(source, replace(options, queues=queues))
    read_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    state = snapshot_of(imported, read_at)
    changes = changes_since(earlier, _as_file(imported, state)) if earlier else None
    if snapshot is not None:
        write_out(snapshot_text(state), snapshot, "--snapshot")
    if out is not None:
        write_out(enterprise_text(imported, SUFFIXES.get(out.suffix.lower(), Format.YAML)), out)
    say([json.dumps(_report(imported, read_at, changes))] if as_json else _lines(imported, changes))
    return ExitCode.FAIL if strict and imported.findings else ExitCode.OK


def enterprise_text(imported: ImportedSource, form: Format) -> str:
    """Return the enterprise file; in YAML a comment says how gates were found. The same directory, the same octets."""
    text = written(imported.document, form)
    if form is Format.JSON:
        return text
    return (
        f"# Gates of sites by the policy {imported.gates.policy}: no attribute of a directory has them (BR-27).\n{text}"
    )


def _as_file(imported: ImportedSource, snapshot: dict[str, Any]) -> EnterpriseFile:
    directory = imported.imported.directory
    return EnterpriseFile(imported.name, Format.JSON, "", imported.document, directory, snapshot)


def _report(imported: ImportedSource, read_at: str, changes: Sequence[Change] | None) -> dict[str, Any]:
    diff = {} if changes is None else {"changes": [change.record() for change in changes]}
    return diff | {
        "source": source_record(imported, read_at),
        "counts": _counts(imported),
        "findings": [finding.record() for finding in imported.findings],
    }


def _counts(imported: ImportedSource) -> dict[str, int]:
    directory = imported.imported.directory
    return {
        "sites": len(directory.sites),
        "foreign_sites": sum(site.foreign_site for site in directory.sites),
        "routing_links": len(directory.routing_links),
        "gates": len({gate for site in directory.sites for gate in site.site_gate_collection}),
        "queue_managers": len(directory.queue_managers),
        "routing_servers": sum(machine.routing_server for machine in directory.queue_managers),
    }


def _lines(imported: ImportedSource, changes: Sequence[Change] | None) -> Iterator[str]:
    """Yield the report for a person."""
    if changes is not None:
        yield from change_lines(changes)
    for finding in imported.findings[:MOST_SHOWN]:
        yield f"{finding.code} {finding.severity}: {one_line(finding.name) or 'directory'}: {one_line(finding.text)}"
    if len(imported.findings) > MOST_SHOWN:
        yield f"and {len(imported.findings) - MOST_SHOWN} more findings; --json tells all"
    errors = sum(finding.severity is Severity.ERROR for finding in imported.findings)
    counted = ", ".join(f"{number:,} {what.replace('_', ' ')}" for what, number in _counts(imported).items())
    yield f"{visible(imported.name)}: {counted}; {errors} errors, {len(imported.findings) - errors} warnings"
    yield f"gates of sites by policy {imported.gates.policy}; `mqconform directory check` reports faults of routing"
