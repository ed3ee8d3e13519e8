"""``mqconform mutants``: does the suite fail faulty implementations, and no conforming one?"""

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from mqconform.harness.cli.console import counting
from mqconform.harness.cli.echo import echo, say, say_apart
from mqconform.harness.cli.options import out_option
from mqconform.harness.cli.parameters import FILE, Number, UsualFirst, UsualGroup, flag, option
from mqconform.harness.explore.mutation.farm import MATRIX, PAGE, tried_round
from mqconform.harness.explore.mutation.matrix import text_of
from mqconform.harness.explore.mutation.small_faults import chosen, lines_of, surviving_share, try_small_faults
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.explore.mutation.variants import MINUTE, Line, configured, sampled, shuffled
from mqconform.harness.iut.configurations import CONFIGURATIONS
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile

LENIENT = [profile.value for profile in Profile if profile is not Profile.STRICT]
How = dict[str, Any]
"""See ``trying``."""
EPILOG = (
    f"Exit codes: {ExitCode.OK} no complaint, {ExitCode.FAIL} complaints, {ExitCode.ERROR} harness error, "
    f"{ExitCode.USAGE} usage."
)


def trying(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add -j; the command gets ``how``: in how many processes trials are made, and what shows each as it ends."""

    @wraps(function)
    def command(*, processes: int, **asked: Any) -> Any:
        with counting("the reference") as counter:

            def show(trial: Trial, done: int, total: int) -> None:
                counter.so_far(done, total)
                counter.now(f"{trial.name}: {len(trial.convictions)} failed")

            return function(how={"processes": processes, "progress": show}, **asked)

    text, range_ = "Processes; by default as the cores allow.", click.IntRange(min=0)
    return option("-j processes", text, range_, default=0, show_default=False)(command)


@click.group(cls=UsualGroup, rare="names profile update_kills", invoke_without_command=True, epilog=EPILOG)
@option("--mutant names", "Only this mutant; repeatable.", multiple=True, metavar="NAME")
@option("--role roles", "Only mutants of this role; repeatable.", [name.value for name in ROLES], multiple=True)
@option("-k part", "Only mutants whose name holds this.", default="", show_default=False, metavar="TEXT")
@flag("--whole", "Run every case on every mutant, not only those known to fail on it.")
@option("--profile", "Others: every case on those that conform or follow one.", LENIENT, default=Profile.DEFAULT.value)
@out_option("mqconform-mutants", "Folder for the matrix.")
@option("--update-kills", "Write to this file the checks that fail for each mutant.", FILE)
@trying
@click.pass_context
def command(ctx: click.Context, /, *, profile: str, out: Path, how: How, **asked: Any) -> None:
    """Run the suite on faulty implementations and show which requirement fails which.

    Trials are kept in the folder as they end: the same command goes on where it was stopped, as long as nothing of
    the package has changed.
    """
    if ctx.invoked_subcommand:
        return
    matrix = tried_round(**asked, **how, profile=Profile.of(profile), out=out, note=say_apart)
    say((*text_of(matrix), f"matrix in {out / MATRIX} and {out / PAGE}"))
    ctx.exit(ExitCode.FAIL if matrix.complaints else ExitCode.OK)


def _reported(lines: Iterable[Line]) -> ExitCode:
    """Print lines as they come, and return whether one of them is of something to correct."""
    wrong = False
    for line in lines:
        echo(line.text)
        wrong |= line.wrong
    return ExitCode.FAIL if wrong else ExitCode.OK


@command.command("shuffled", epilog=EPILOG)
@option("--seeds", "How many seeds.", click.IntRange(min=1), default=20)
@option("--first", "The lowest seed.", click.IntRange(min=0), default=0)
@trying
def shuffled_command(seeds: int, first: int, how: How) -> ExitCode:
    """Judge the reference with its orders, ties and gates shuffled: no verdict may change.

    A single one is judged by `mqconform run --iut ref:shuffled?seed=N`.
    """
    return _reported(shuffled(seeds, first, **how))


@command.command("sampled", epilog=EPILOG)
@option("--seeds", "How many seeds.", click.IntRange(min=1), default=10)
@option("--first", "The lowest seed.", click.IntRange(min=0), default=0)
@option("-k cases", "Only cases whose id holds this; repeatable.", multiple=True, metavar="TEXT")
@trying
def sampled_command(seeds: int, first: int, cases: tuple[str, ...], how: How) -> ExitCode:
    """Judge random conforming variants of the reference: none may fail or be inconclusive.

    A line now and then says how far it came; a round that was stopped goes on with --first. A single one is judged
    by `mqconform run --iut ref:sampled?seed=N`.
    """
    return _reported(sampled(seeds, first, cases=cases, **how))


@command.command("configurations", epilog=EPILOG)
@click.argument("names", nargs=-1, type=click.Choice([*CONFIGURATIONS]))
@trying
@option(
    "--longest", "Seconds; cases that wait as long with the real clock are left out.", Number(min=1), default=MINUTE
)
def configurations_command(names: tuple[str, ...], how: How, longest: float) -> ExitCode:
    """Judge implementations that offer less: each verified requirement must fail a mutant there.

    Without NAMES all configurations are tried.
    """
    return _reported(configured(names or tuple(CONFIGURATIONS), longest=longest, **how))


@command.command("small-faults", cls=UsualFirst, epilog=EPILOG)
@option("-k part", "Only faults whose name holds this.", default="", show_default=False, metavar="TEXT")
@option("--budget", "Seconds after which no new fault is started.", Number(min=0), default=0.0)
@option("--seed", "Decides the order in which faults are tried.", int, default=0)
@flag("--states", "Small faults in the memory of a role, instead of those at its interface.")
@option("--at-most", "Share that may survive.", Number(0, 1), default=0.0)
@trying
def small_faults_command(  # noqa: PLR0913 - one parameter for each documented option
    part: str, budget: float, seed: int, at_most: float, how: How, *, states: bool
) -> ExitCode:
    """Judge the reference with one small fault each, in every field, list, number, flag, time and key it has."""
    outcomes = try_small_faults(chosen(part, seed, states=states), budget, **how)
    say(lines_of(outcomes))
    return ExitCode.FAIL if surviving_share(outcomes) > at_most else ExitCode.OK
