"""``mqconform directory``: enterprises checked, compared, converted, drawn, and imported from Active Directory."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo, say, write_out
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.cli.source_options import file_argument, machine_option, source_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise import import_report
from mqconform.harness.tools.enterprise.diagram import dot_of, mermaid_of, svg_of
from mqconform.harness.tools.enterprise.file import SUFFIXES, Format, UnreadableEnterprise, read_enterprise
from mqconform.harness.tools.enterprise.findings import report_on, report_on_unreadable
from mqconform.harness.tools.enterprise.import_report import (
    change_lines,
    changes_since,
    new_problems,
    snapshot_of,
    snapshot_text,
)
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.routes import find_routes
from mqconform.harness.tools.enterprise.source import SourceOptions, is_source, open_enterprise, read_source
from mqconform.harness.tools.enterprise.writing import Naming, converted
from mqconform.reference.directory.findings import Severity

_LANGUAGES = {"dot": dot_of, "mermaid": mermaid_of, "svg": svg_of}
_ENDINGS = {".dot": "dot", ".gv": "dot", "": "dot", ".mmd": "mermaid", ".mermaid": "mermaid", ".svg": "svg"}


@click.group(name="directory")
def command() -> None:
    """Import, check, compare, convert or draw an enterprise: its sites, routing links and queue managers.

    FILE is JSON or YAML, a snapshot, or a directory: ldaps://HOST, ldap://HOST or ldif:FILE.
    """


@command.command()
@file_argument
@click.option("--strict", is_flag=True, help="Take warnings for errors.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
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
@click.option(
    "--to", "form", required=True, type=click.Choice([form.value for form in Format]), help="Format to write."
)
@click.option("--out", type=FilePath(), help="File to write; standard output without it.")
@click.option(
    "--ids-to-names/--names-to-ids",
    "to_names",
    default=None,
    help="Refer to other objects by names or by GUIDs; unchanged without this option.",
)
@source_options
def convert(file: str, form: str, out: Path | None, options: SourceOptions, *, to_names: bool | None) -> None:
    """Write FILE as JSON or YAML. The enterprise is the same; comments are lost."""
    naming = {None: Naming.AS_WRITTEN, True: Naming.NAMES, False: Naming.IDS}[to_names]
    write_out(converted(open_enterprise(file, options), Format(form), naming), out)


@command.command()
@file_argument
@machine_option("--from", "source", "Queue manager from which the allowed paths are shown: name or GUID.")
@machine_option("--to", "destination", "Queue manager to which they are shown: name or GUID.")
@click.option(
    "--format", "form", type=click.Choice(list(_LANGUAGES)), help="dot, unless the name after --out implies another."
)
@click.option("--out", type=FilePath(), help="File to write: .dot, .mmd or .svg; standard output without it.")
@source_options
def draw(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: str, source: str | None, destination: str | None, form: str | None, out: Path | None, options: SourceOptions
) -> None:
    """Draw the sites and routing links in FILE, and with --from and --to the allowed paths over them.

    DOT is the language of Graphviz, mermaid that of Mermaid; svg is drawn by Graphviz where it is installed.
    """
    if (source is None) is not (destination is None):
        raise click.UsageError("--from and --to belong together; give both or neither")
    language = form or ("dot" if out is None else _ENDINGS.get(out.suffix.lower()))
    if language is None:
        raise ConfigurationError(
            f"--out {out}: no picture is known by this ending; use .dot, .mmd or .svg, or give --format"
        )
    directory = open_enterprise(file, options).directory
    ends = [find_machine(directory, name) for name in (source, destination) if name is not None]
    write_out(_LANGUAGES[language](directory, find_routes(directory, *ends) if ends else None), out)


@command.command("import")
@click.argument("source", metavar="SOURCE")
@click.option("--out", type=FilePath(), help="Enterprise file to write, JSON or YAML by its name.")
@click.option("--snapshot", type=FilePath(), help="Snapshot to write: all objects read, and findings.")
@click.option("--since", metavar="SNAPSHOT", help="Earlier snapshot or enterprise file: report the changes.")
@click.option("--queues", is_flag=True, help="Read public queues, lists and aliases too, for the snapshot.")
@click.option("--strict", is_flag=True, help="End with exit code 1 if there are findings.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead of text.")
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
    state = snapshot_of(imported, read_at)
    changes = changes_since(earlier, import_report.imported_file(imported, state)) if earlier else None
    if snapshot is not None:
        write_out(snapshot_text(state), snapshot, "--snapshot")
    if out is not None:
        write_out(import_report.enterprise_text(imported, SUFFIXES.get(out.suffix.lower(), Format.YAML)), out)
    say(
        [json.dumps(import_report.import_record(imported, read_at, changes))]
        if as_json
        else import_report.import_lines(imported, changes)
    )
    return ExitCode.FAIL if strict and imported.findings else ExitCode.OK


@command.command("diff")
@click.argument("before", metavar="OLD")
@click.argument("after", metavar="NEW")
@click.option("--routes", "with_routes", is_flag=True, help="Compare the routing tables of all sites as well.")
@click.option(
    "--pairs", type=click.IntRange(min=0), default=20, help="Pairs of sites that --routes shows of each kind of change."
)
@click.option("--strict", is_flag=True, help="End with exit code 1 on a difference; with --routes, of routes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object (directory_diff.schema.json) instead of text.")
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
    for problem in new_problems(old, new):
        echo(f"{after}: {problem}", err=True)
    changes = changes_since(old, new)
    routes = None
    if with_routes:
        try:
            # the compiled loops are an extra, and load slowly
            from mqconform.harness.tools.enterprise.route_diff import route_diff  # noqa: PLC0415
        except ImportError as absent:
            raise ConfigurationError(
                f"--routes needs {absent.name or absent}, which is not installed; "
                "run in a checkout of mqconform: pip install '.[bulk]'"
            ) from absent
        routes = route_diff(old.directory, new.directory, pairs)
    if as_json:
        record = {"before": old.name, "after": new.name, "changes": [change.record() for change in changes]}
        echo(json.dumps(record | ({"routes": routes.record()} if routes else {})))
    else:
        say([*change_lines(changes), *(routes.lines() if routes else ())])
    differs = any(routes.counts.values()) if routes else bool(changes)
    return ExitCode.FAIL if strict and differs else ExitCode.OK
