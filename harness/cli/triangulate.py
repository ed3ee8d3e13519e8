"""``mqconform triangulate``: implementations against each other, with the reference as the third vote."""

from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import click

from mqconform.harness.cli import options as shared
from mqconform.harness.cli.console import SafeConsole, counting
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.explore.inputs.role_inputs import INPUTS
from mqconform.harness.explore.saved_case import code_of_case, read_case
from mqconform.harness.explore.subjects import all_reached
from mqconform.harness.explore.terminal import print_lines
from mqconform.harness.explore.triangulate import CODES, RESULTS, Plan, compared
from mqconform.harness.explore.triangulate_text import case_lines, lines
from mqconform.harness.iut.connect import commands_of
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.judge.independent.routing_graph import rustworkx
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import run_directory


@click.command("triangulate", epilog=f"Exit codes: {CODES}.")
@click.option(
    "--iut", "targets", multiple=True, metavar="KIND:ID", help=f"An implementation, twice or more: {shared.FORMS}."
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice([*INPUTS]),
    help="Only this role; repeatable. Unless given, every role that two of them have.",
)
@click.option("--inputs", type=click.IntRange(1, 100_000), default=200, help="Inputs to generate for a role.")
@shared.seed_option("The same seed generates the same inputs.")
@shared.profile_option
@click.option(
    "--replay",
    type=FilePath(),
    metavar="FILE",
    help="Replay a saved disagreement on the implementations that it names, or on those of --iut.",
)
@click.option("--facts", type=FilePath(), help="TOML: how udp: servers are configured, all alike.")
@shared.allow_commands_option
@shared.deadline_option
@shared.reply_timeout_option
@shared.out_option("mqconform-triangulation")
def command(  # noqa: PLR0913, PLR0917 - one parameter for each documented option
    targets: tuple[str, ...],
    roles: tuple[str, ...],
    inputs: int,
    seed: int,
    profile: str,
    replay: Path | None,
    facts: Path | None,
    deadline: float,
    reply_timeout: float,
    out: Path,
) -> ExitCode:
    """Put generated inputs to implementations and report which disagree, with the reference as the third vote.

    Each disagreement is one of four things: an implementation leaves the set of allowed outcomes; all of them leave
    it in the same way, so that the reference stands alone; a choice that the text leaves open; or the reference
    and an independent oracle disagree, which is an error of this harness. The smallest input of each is saved.
    """
    _check_second_opinions()
    options = shared.options_from(facts, deadline, reply_timeout)
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
            plan = Plan(roles, inputs, seed, Profile.of(profile), options.facts, counter.each)
            tallies, code = compared(subjects, plan, folder)
    print_lines(lines(tallies, subjects, code, plan, out / RESULTS), console)
    return code


def _check_second_opinions() -> None:
    rustworkx()
    if find_spec("scapy") is None:
        raise ConfigurationError(
            "the second codec needs scapy; run in a checkout of mqconform: pip install '.[second-opinion]'"
        )
