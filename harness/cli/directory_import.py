"""``mqconform directory import``: Active Directory as an enterprise file."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from mqconform.harness.cli.enterprise_options import say, write_out
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise.changes import changes_since
from mqconform.harness.tools.enterprise.file import SUFFIXES, Format, read_enterprise
from mqconform.harness.tools.enterprise.import_report import enterprise_text, import_lines, import_record, imported_file
from mqconform.harness.tools.enterprise.snapshot import snapshot_of, snapshot_text
from mqconform.harness.tools.enterprise.source import SourceOptions, is_source, read_source


@click.command("import")
@click.argument("source", metavar="SOURCE")
@click.option("--out", type=FilePath(), help="Enterprise file to write, JSON or YAML by its name.")
@click.option("--snapshot", type=FilePath(), help="Snapshot to write: all objects read, and findings.")
@click.option("--since", metavar="SNAPSHOT", help="Earlier snapshot or enterprise file: report the changes.")
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
        raise click.UsageError(
            f"SOURCE {source!r:.80}: is not a directory; write ldaps://HOST, ldap://HOST or ldif:FILE"
        )
    if out is not None and snapshot is not None and os.path.realpath(out) == os.path.realpath(snapshot):
        raise click.UsageError(f"--snapshot {snapshot}: is the file that --out names; name another")
    earlier = read_enterprise(since, options.max_size) if since is not None else None
    imported = read_source(source, replace(options, queues=queues))
    read_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    state = snapshot_of(imported, read_at)
    changes = changes_since(earlier, imported_file(imported, state)) if earlier else None
    if snapshot is not None:
        write_out(snapshot_text(state), snapshot, "--snapshot")
    if out is not None:
        write_out(enterprise_text(imported, SUFFIXES.get(out.suffix.lower(), Format.YAML)), out)
    say([json.dumps(import_record(imported, read_at, changes))] if as_json else import_lines(imported, changes))
    return ExitCode.FAIL if strict and imported.findings else ExitCode.OK
