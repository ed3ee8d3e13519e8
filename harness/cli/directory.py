"""``mqconform directory``: enterprises checked, compared, converted, drawn, and imported from Active Directory."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo, needing, say, write_out
from mqconform.harness.cli.parameters import FILE, flag, json_option, option
from mqconform.harness.cli.source_options import SourceCommand, file_argument, machine_option, source_options
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise import import_report
from mqconform.harness.tools.enterprise.diagram import LANGUAGES, picture_for
from mqconform.harness.tools.enterprise.file import SUFFIXES, Format, UnreadableEnterprise, read_enterprise
from mqconform.harness.tools.enterprise.findings import report_on, report_on_unreadable
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.routes import find_routes
from mqconform.harness.tools.enterprise.source import SourceOptions, is_source, open_enterprise, read_source
from mqconform.harness.tools.enterprise.writing import Naming, converted
from mqconform.reference.directory.findings import Severity


@click.group(name="directory")
def command() -> None:
    """Import, check, compare, convert or draw an enterprise: its sites, routing links and queue managers.

    FILE is JSON or YAML, a snapshot, or a directory: ldaps://HOST, ldap://HOST or ldif:FILE.
    """


command.command_class = SourceCommand


@command.command()
@file_argument
@flag("--strict", "Take warnings for errors.")
@json_option("One JSON object instead of text.")
@source_options
def check(file: str, options: SourceOptions, *, strict: bool, as_json: bool) -> ExitCode:
    """Report ambiguous routing in FILE, and answers that depend on the reading of the specification.

    Exit code 0: no error, though there may be warnings; 1: errors, or warnings with --strict; 4: FILE cannot be read.
    """
    try:
        report = report_on(open_enterprise(file, options))
    except UnreadableEnterprise as problem:
        if not as_json:
            raise
        report = report_on_unreadable(problem)
    if as_json:
        echo(json.dumps(report.record()))
    else:
        say(report.lines())
    if not report.readable:
        return ExitCode.USAGE
    wrong = report.number(Severity.ERROR) + (report.number(Severity.WARNING) if strict else 0)
    return ExitCode.FAIL if wrong else ExitCode.OK


@command.command()
@file_argument
@option("--to form", "Format to write.", [form.value for form in Format], required=True)
@option("--out", "File to write; standard output without it.", FILE)
@option("--ids-to-names/--names-to-ids to_names", "Refer to objects by names or GUIDs; else as they are.", default=None)
@source_options
def convert(file: str, form: str, out: Path | None, options: SourceOptions, *, to_names: bool | None) -> None:
    """Write FILE as JSON or YAML. The enterprise is the same; comments are lost."""
    naming = {None: Naming.AS_WRITTEN, True: Naming.NAMES, False: Naming.IDS}[to_names]
    write_out(converted(open_enterprise(file, options), Format(form), naming), out)


@command.command()
@file_argument
@machine_option("--from", "source", "Queue manager from which the allowed paths are shown: name or GUID.")
@machine_option("--to", "destination", "Queue manager to which they are shown: name or GUID.")
@option("--format form", "dot, unless the name after --out implies another.", [*LANGUAGES])
@option("--out", "File to write: .dot, .mmd or .svg; standard output without it.", FILE)
@source_options
def draw(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: str, source: str | None, destination: str | None, form: str | None, out: Path | None, options: SourceOptions
) -> None:
    """Draw the sites and routing links in FILE, and with --from and --to the allowed paths over them.

    DOT is the language of Graphviz, mermaid that of Mermaid; svg is drawn by Graphviz where it is installed.
    """
    if (source is None) is not (destination is None):
        raise click.UsageError("--from and --to belong together; give both or neither")
    picture = picture_for(form, out)
    directory = open_enterprise(file, options).directory
    ends = [find_machine(directory, name) for name in (source, destination) if name is not None]
    write_out(picture(directory, find_routes(directory, *ends) if ends else None), out)


@command.command("import", cls=SourceCommand, rare="strict")
@click.argument("source", metavar="SOURCE")
@option("--out", "Enterprise file to write, JSON or YAML by its name.", FILE)
@option("--snapshot", "Snapshot to write: all objects read, and findings.", FILE)
@option("--since", "Earlier snapshot or enterprise file: report the changes.", metavar="SNAPSHOT")
@flag("--queues", "Read public queues, lists and aliases too, for the snapshot.")
@flag("--strict", "End with exit code 1 if there are findings.")
@json_option("Print the report as JSON instead of text.")
@source_options
def import_(  # noqa: PLR0913 - one parameter for each option
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
    state = import_report.snapshot_of(imported, read_at)
    changes = import_report.changes_since(earlier, import_report.imported_file(imported, state)) if earlier else None
    if snapshot is not None:
        write_out(import_report.snapshot_text(state), snapshot, "--snapshot")
    if out is not None:
        write_out(import_report.enterprise_text(imported, SUFFIXES.get(out.suffix.lower(), Format.YAML)), out)
    record = import_report.import_record(imported, read_at, changes)
    say([json.dumps(record)] if as_json else import_report.import_lines(imported, changes))
    return ExitCode.FAIL if strict and imported.findings else ExitCode.OK


@command.command("diff")
@click.argument("before", metavar="OLD")
@click.argument("after", metavar="NEW")
@flag("--routes with_routes", "Compare the routing tables of all sites as well.")
@option("--pairs", "Pairs of sites that --routes shows of each kind of change.", click.IntRange(min=0), default=20)
@flag("--strict", "End with exit code 1 on a difference; with --routes, of routes.")
@json_option("One JSON object (directory_diff.schema.json) instead of text.")
@source_options
def diff(  # noqa: PLR0913 - one parameter for each option
    before: str, after: str, pairs: int, options: SourceOptions, *, with_routes: bool, strict: bool, as_json: bool
) -> ExitCode:
    """List the differences between two versions of an enterprise.

    OLD and NEW are snapshots, enterprise files or directories. With --routes, also the pairs of sites between which a
    router of the first one may use other next sites. New faults go to standard error.

    Exit code 0: compared; 1 with --strict: something differs; 4: a version cannot be used.
    """
    old, new = open_enterprise(before, options), open_enterprise(after, options)
    for problem in import_report.new_problems(old, new):
        echo(f"{after}: {problem}", err=True)
    changes = import_report.changes_since(old, new)
    routes = None
    if with_routes:
        with needing("bulk", "--routes"):  # the compiled loops are an extra, and load slowly
            from mqconform.harness.tools.enterprise.route_diff import route_diff  # noqa: PLC0415
        routes = route_diff(old.directory, new.directory, pairs)
    if as_json:
        record = {"before": old.name, "after": new.name, "changes": [change.record() for change in changes]}
        echo(json.dumps(record | ({"routes": routes.record()} if routes else {})))
    else:
        say([*import_report.change_lines(changes), *(routes.lines() if routes else ())])
    differs = any(routes.counts.values()) if routes else bool(changes)
    return ExitCode.FAIL if strict and differs else ExitCode.OK
