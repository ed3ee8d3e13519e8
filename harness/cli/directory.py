"""``mqconform directory``: enterprises checked, compared, converted, drawn, and imported from Active Directory."""

import json
from pathlib import Path

import click

from mqconform.harness.cli.directory_diff import command as diff_command
from mqconform.harness.cli.directory_import import command as import_command
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.enterprise_options import file_argument, machine_option, say, write_out
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise.diagram import dot_of, mermaid_of, svg_of
from mqconform.harness.tools.enterprise.file import EnterpriseFile, Format, UnreadableEnterprise
from mqconform.harness.tools.enterprise.findings import Report, report_on, report_on_unreadable
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.routes import Routes, find_routes
from mqconform.harness.tools.enterprise.source import SourceOptions, open_enterprise
from mqconform.harness.tools.enterprise.writing import Naming, converted
from mqconform.reference.directory.findings import Severity

_LANGUAGES = {"dot": dot_of, "mermaid": mermaid_of, "svg": svg_of}
_ENDINGS = {".dot": "dot", ".gv": "dot", "": "dot", ".mmd": "mermaid", ".mermaid": "mermaid", ".svg": "svg"}


class CannotDraw(click.ClickException):
    """The picture cannot be made as asked for."""

    exit_code = ExitCode.USAGE


@click.group(name="directory")
def command() -> None:
    """Import, check, compare, convert or draw an enterprise: its sites, routing links and queue managers.

    FILE is JSON or YAML, a snapshot, or a directory: ldaps://HOST, ldap://HOST or ldif:FILE.
    """


command.add_command(import_command)
command.add_command(diff_command)


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
    return _exit_code(report, strict=strict)


def _exit_code(report: Report, *, strict: bool) -> ExitCode:
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
        raise CannotDraw(f"--out {out}: no picture is known by this ending; use .dot, .mmd or .svg, or give --format")
    enterprise = open_enterprise(file, options)
    write_out(_LANGUAGES[language](enterprise.directory, _routes(enterprise, source, destination)), out)


def _routes(file: EnterpriseFile, source: str | None, destination: str | None) -> Routes | None:
    if source is None or destination is None:
        return None
    return find_routes(file.directory, find_machine(file.directory, source), find_machine(file.directory, destination))
