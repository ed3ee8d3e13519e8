"""``mqconform directory diff``: what differs between two versions of an enterprise, and between their routes."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.enterprise_options import say
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.tools.enterprise.changes import change_lines, changes_since
from mqconform.harness.tools.enterprise.file import EnterpriseFile
from mqconform.harness.tools.enterprise.source import SourceOptions, open_enterprise
from mqconform.reference.directory import Directory
from mqconform.reference.directory.check import check_directory

if TYPE_CHECKING:
    from mqconform.harness.tools.enterprise.route_diff import RouteDiff


@click.command("diff")
@click.argument("before", metavar="OLD")
@click.argument("after", metavar="NEW")
@click.option("--routes", "with_routes", is_flag=True, help="Compare the routing tables of all sites as well.")
@click.option(
    "--pairs",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Pairs of sites that --routes shows of each kind of change.",
)
@click.option("--strict", is_flag=True, help="End with exit code 1 on a difference; with --routes, of routes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object (directory_diff.schema.json) instead of text.")
@source_options
def command(  # noqa: PLR0913 - one parameter for each option
    before: str,
    after: str,
    pairs: int,
    options: SourceOptions,
    *,
    with_routes: bool,
    strict: bool,
    as_json: bool,
) -> ExitCode:
    """List the differences between two versions of an enterprise.

    OLD and NEW are snapshots, enterprise files or directories. With --routes, also the pairs of sites between which a
    router of the first one may use other next sites. New faults go to standard error.

    Exit code 0: compared; 1 with --strict: something differs; 4: a version cannot be used.
    """
    old, new = open_enterprise(before, options), open_enterprise(after, options)
    for problem in _new_problems(old, new):
        echo(f"{after}: {problem}", err=True)
    changes = changes_since(old, new)
    diff = _route_diff(old.directory, new.directory, pairs) if with_routes else None
    if as_json:
        record = {"before": old.name, "after": new.name, "changes": [change.record() for change in changes]}
        echo(json.dumps(record | ({"routes": diff.record()} if diff else {})))
    else:
        say([*change_lines(changes), *(diff.lines() if diff else ())])
    differs = any(diff.counts.values()) if diff else bool(changes)
    return ExitCode.FAIL if strict and differs else ExitCode.OK


def _route_diff(old: Directory, new: Directory, pairs: int) -> "RouteDiff":
    try:
        # the compiled loops are an extra, and load slowly
        from mqconform.harness.tools.enterprise.route_diff import route_diff  # noqa: PLC0415
    except ImportError as absent:
        raise ConfigurationError(
            f"--routes needs {absent.name or absent}, which is not installed; "
            "run in a checkout of mqconform: pip install '.[bulk]'"
        ) from absent
    return route_diff(old, new, pairs)


def _new_problems(old: EnterpriseFile, new: EnterpriseFile) -> Iterator[str]:
    """Yield what `directory check` says of the second version and not of the first; places in lists may move."""
    before = {(finding.severity, finding.text) for finding in check_directory(old.directory)}
    findings = check_directory(new.directory)
    return (str(finding) for finding in findings if (finding.severity, finding.text) not in before)
