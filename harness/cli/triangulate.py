"""``mqconform triangulate``: implementations against each other, with the reference as the third vote."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli import options as shared
from mqconform.harness.cli.console import SafeConsole, counting
from mqconform.harness.cli.parameters import FILE, UsualFirst, option
from mqconform.harness.explore.inputs.role_inputs import INPUTS
from mqconform.harness.explore.saved_case import code_of_case, read_case
from mqconform.harness.explore.subjects import all_reached
from mqconform.harness.explore.terminal import print_lines
from mqconform.harness.explore.triangulate import CODES, RESULTS, Plan, compared
from mqconform.harness.explore.triangulate_text import case_lines, lines
from mqconform.harness.iut.connect import commands_of
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.judge.independent.routing_graph import rustworkx
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.run_file import run_directory


@click.command("triangulate", cls=UsualFirst, rare="profile facts allow_commands out", epilog=f"Exit codes: {CODES}.")
@option("--iut targets", f"An implementation, twice or more: {shared.FORMS}.", multiple=True, metavar="KIND:ID")
@option("--role roles", "Only this role; repeatable. By default all that two of them have.", [*INPUTS], multiple=True)
@option("--inputs", "Inputs to generate for a role.", click.IntRange(1, 100_000), default=200)
@shared.seed_option("The same seed generates the same inputs.")
@shared.profile_option
@option("--replay", "Replay a saved disagreement on the implementations of --iut, or on its own.", FILE, metavar="FILE")
@shared.reaching
@shared.out_option("mqconform-triangulation")
def command(  # noqa: PLR0913 - what a plan does not take as it is
    *,
    targets: tuple[str, ...],
    roles: tuple[str, ...],
    inputs: int,
    replay: Path | None,
    options: AdapterOptions,
    out: Path,
    **drawn: Any,
) -> ExitCode:
    """Put generated inputs to implementations and report which disagree, with the reference as the third vote.

    Each disagreement is of one of the kinds in docs/how-to/triangulate.md. The smallest input of each is saved.
    """
    rustworkx()  # missing, it is to be missed before anything runs
    console = SafeConsole(highlight=False, emoji=False, markup=False)
    with ExitStack() as reached:
        if replay is not None:
            case = read_case(replay)
            if not targets:
                shared.require_consent(replay, (command for target in case.targets for command in commands_of(target)))
            subjects = all_reached(targets or case.targets, options, reached)
            answered, parted = case.put_to(subjects, options.facts)
            print_lines(case_lines(case.role, subjects, answered, parted), console)
            return code_of_case(answered, parted)
        if len(targets) < 2:
            raise ConfigurationError("--iut: give two implementations or more to compare, such as --iut ref:")
        subjects = all_reached(targets, options, reached)
        with run_directory(out) as folder, counting("inputs", inputs * len(roles or INPUTS)) as counter:
            plan = Plan(roles, inputs, facts=options.facts, each=counter.each, **drawn)
            tallies, code = compared(subjects, plan, folder)
    print_lines(lines(tallies, subjects, code, plan, out / RESULTS), console)
    return code
