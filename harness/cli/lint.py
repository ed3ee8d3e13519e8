"""``mqconform lint``: what makes a scenario say less than it seems to."""

from pathlib import Path

import click

from mqconform.harness.cli.console import progress_shown
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.iut.roles import all_mutants, step_modules
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.run.assertion_lint import check_assertions
from mqconform.harness.suite.feature_text import Finding
from mqconform.harness.suite.lint.check import (
    LIST,
    RULES,
    check_features,
    check_suite,
    published,
    read_features,
    record_cases,
)
from mqconform.harness.suite.lint.coverage import cases_of, read_list, unlisted


@click.command("lint", epilog="Exit codes: 0 nothing found, 1 something, 4 usage.")
@click.argument("paths", nargs=-1, type=FilePath(), metavar="[PATH]...")
@click.option("--run", "asserting", is_flag=True, help="Run the cases against the reference too: each must assert.")
@click.option("--record", is_flag=True, help="Rewrite the list of the suite's cases; review what it removes.")
@click.option("--rules", is_flag=True, help="List the rules instead.")
def command(paths: tuple[Path, ...], *, asserting: bool, record: bool, rules: bool) -> ExitCode:
    """Check feature files: tags, names, tables, steps, twins.

    Without PATH the suite of the package is checked, and that it lost no requirement and no case.
    """
    if rules:
        widest = max(map(len, RULES))
        for name, asks in RULES.items():
            echo(f"{name.ljust(widest)}  {asks}")
        return ExitCode.OK
    if record and paths:
        raise click.UsageError("--record is about the suite of the package; leave the paths out")
    if record:
        record_cases()
    findings = _findings(paths, asserting=asserting)
    for finding in sorted(findings):
        echo(visible(str(finding)))
    echo(f"{len(findings)} finding{'s' if len(findings) > 1 else ''}" if findings else "no findings")
    return ExitCode.FAIL if findings else ExitCode.OK


def _findings(paths: tuple[Path, ...], *, asserting: bool) -> list[Finding]:
    features, findings = read_features(paths or (published(),))
    findings += check_features(features, step_modules())
    if not paths:
        case_list = published() / LIST
        findings += check_suite(features, case_list, {mutant.name: mutant.breaks for mutant in all_mutants().values()})
        more = unlisted(read_list(case_list), cases_of(features))
        if more:
            echo(f"{more} cases are not in {LIST} yet; `mqconform lint --record` writes them there", err=True)
    if asserting and not findings:
        with progress_shown() as progress:
            names = tuple(feature.name for feature in features)
            findings += check_assertions(tuple(path.resolve() for path in paths), names, progress)
    return findings
