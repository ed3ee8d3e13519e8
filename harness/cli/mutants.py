"""``mqconform mutants``: does the suite fail faulty implementations, and no conforming one?"""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mqconform.harness.cli.console import counting
from mqconform.harness.cli.echo import echo
from mqconform.harness.cli.options import out_option
from mqconform.harness.cli.parameters import FilePath, Number
from mqconform.harness.explore.mutation.farm import Ledger, chosen, run_farm, tried_quickly
from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.matrix import markdown_of, text_of
from mqconform.harness.explore.mutation.readings import executed, followers_in
from mqconform.harness.explore.mutation.small_faults import lines_of, surviving_share, try_small_faults
from mqconform.harness.explore.mutation.trial import REFERENCE, Progress, Trial
from mqconform.harness.explore.mutation.variants import MINUTE, Account, left_out, sample, shuffle, unshown
from mqconform.harness.iut.configurations import CONFIGURATIONS
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.iut.small_faults import small_faults
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile

LEDGER, MATRIX, PAGE = "trials.ndjson", "kill-matrix.json", "kill-matrix.md"
SEEDS_A_LINE = 10
CODES = (
    f"{ExitCode.OK} no complaint, {ExitCode.FAIL} complaints, {ExitCode.ERROR} harness error, {ExitCode.USAGE} usage"
)
PROCESSES = click.option(
    "-j",
    "processes",
    type=click.IntRange(min=0),
    default=0,
    show_default=False,
    help="Processes; by default as the cores allow.",
)


@click.group(invoke_without_command=True, epilog=f"Exit codes: {CODES}.")
@click.option("--mutant", "names", multiple=True, metavar="NAME", help="Only this mutant; repeatable.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice([name.value for name in ROLES]),
    help="Only mutants of this role; repeatable.",
)
@click.option("-k", "part", default="", show_default=False, metavar="TEXT", help="Only mutants whose name holds this.")
@click.option("--whole", is_flag=True, help="Run every case on every mutant, not only those known to fail on it.")
@click.option(
    "--profile",
    type=click.Choice([profile.value for profile in Profile if profile is not Profile.STRICT]),
    default=Profile.DEFAULT.value,
    help="With another one: every case on those that conform, and on those that follow a reading.",
)
@PROCESSES
@out_option("mqconform-mutants", "Folder for the matrix.")
@click.option("--update-kills", type=FilePath(), help="Write to this file the checks that fail for each mutant.")
@click.pass_context
def command(  # noqa: PLR0913, PLR0917 - one parameter for each documented option
    ctx: click.Context,
    names: tuple[str, ...],
    roles: tuple[str, ...],
    part: str,
    whole: bool,  # noqa: FBT001 - a flag of the command line
    profile: str,
    processes: int,
    out: Path,
    update_kills: Path | None,
) -> None:
    """Run the suite on faulty implementations and show which requirement fails which.

    Trials are kept in the folder as they end: the same command goes on where it was stopped, as long as nothing of
    the package has changed.
    """
    if ctx.invoked_subcommand:
        return
    kills, latitude = Kills.load(), Profile.of(profile)
    specimens = chosen(names, roles, part)
    if latitude is not Profile.DEFAULT:
        if update_kills:
            raise ConfigurationError("--update-kills is for the profile default; leave --profile out")
        specimens, whole, kills = followers_in(latitude, specimens, kills.readings), True, Kills({}, {})
    elif not (whole or names):
        specimens, left = tried_quickly(specimens, kills)
        if left:
            echo(f"{left} conforming mutants that no scenario sets apart are tried with --whole alone", err=True)
    if update_kills and (names or roles or part or not whole):
        raise ConfigurationError("--update-kills needs --whole, and all mutants: leave --mutant, --role and -k out")
    many = f"{len(specimens)} mutants" if len(specimens) > 1 else "one mutant"
    echo(f"trying {many}, and the reference to compare with; trials are kept in {out}", err=True)
    with bar_shown() as progress:
        matrix = run_farm(
            specimens,
            kills,
            whole=whole,
            ledger=Ledger(out / LEDGER),
            profile=latitude,
            processes=processes,
            progress=progress,
        )
    (out / MATRIX).write_text(json.dumps(matrix.document(), indent=1, sort_keys=True) + "\n", "utf-8")
    (out / PAGE).write_text(markdown_of(matrix), "utf-8")
    if update_kills:
        reference, trials = matrix.trials[REFERENCE], [matrix.trials[specimen.name] for specimen in specimens]
        Kills.of(reference, trials, executed(reference, specimens, matrix.trials)).save(update_kills)
    for line in text_of(matrix):
        echo(line)
    echo(f"matrix in {out / MATRIX} and {out / PAGE}")
    ctx.exit(ExitCode.FAIL if matrix.complaints else ExitCode.OK)


@contextmanager
def bar_shown() -> Iterator[Progress]:
    """Give a function that shows each trial as it ends; nothing in a pipe."""
    with counting("the reference") as counter:

        def show(trial: Trial, done: int, total: int) -> None:
            counter.so_far(done, total)
            counter.now(f"{trial.name}: {len(trial.convictions)} failed")

        yield show


@command.command("shuffled", epilog=f"Exit codes: {CODES}.")
@click.option("--seeds", type=click.IntRange(min=1), default=20, help="How many seeds.")
@click.option("--first", type=click.IntRange(min=0), default=0, help="The lowest seed.")
@PROCESSES
def shuffled_command(seeds: int, first: int, processes: int) -> ExitCode:
    """Judge the reference with its orders, ties and gates shuffled: no verdict may change.

    A single one is judged by `mqconform run --iut ref:shuffled?seed=N`.
    """
    with bar_shown() as progress:
        shuffling = shuffle(seeds, first, processes, progress=progress)
    for seed, text in shuffling.differences:
        echo(f"seed {seed}: {text}")
    echo(f"{seeds} seeds changed answers in {shuffling.altered} of {shuffling.cases} cases", nl=False)
    echo(f", and {len(shuffling.differences)} verdicts" if shuffling.differences else ", and no verdict")
    return ExitCode.FAIL if shuffling.differences else ExitCode.OK


@command.command("sampled", epilog=f"Exit codes: {CODES}.")
@click.option("--seeds", type=click.IntRange(min=1), default=10, help="How many seeds.")
@click.option("--first", type=click.IntRange(min=0), default=0, help="The lowest seed.")
@click.option("-k", "cases", multiple=True, metavar="TEXT", help="Only cases whose id holds this; repeatable.")
@PROCESSES
def sampled_command(seeds: int, first: int, cases: tuple[str, ...], processes: int) -> ExitCode:
    """Judge random conforming variants of the reference: none may fail or be inconclusive.

    A line now and then says how far it came; a round that was stopped goes on with --first. A single one is judged
    by `mqconform run --iut ref:sampled?seed=N`.
    """
    account = Account(first)
    with bar_shown() as progress:
        for trial in sample(seeds, first, processes, cases, progress):
            account.add(trial)
            for text in trial.wrong:
                echo(f"seed {trial.seed}: {text}")
            if len(account.judged) % SEEDS_A_LINE == 0 and len(account.judged) < seeds:
                echo(str(account))
    echo(str(account))
    return ExitCode.FAIL if account.wrong else ExitCode.OK


@command.command("configurations", epilog=f"Exit codes: {CODES}.")
@click.argument("names", nargs=-1, type=click.Choice([*CONFIGURATIONS]))
@PROCESSES
@click.option(
    "--longest",
    type=Number(min=1),
    default=MINUTE,
    help="Seconds; cases that wait as long with the real clock are left out.",
)
def configurations_command(names: tuple[str, ...], processes: int, longest: float) -> ExitCode:
    """Judge implementations that offer less: each verified requirement must fail a mutant there.

    Without NAMES all configurations are tried.
    """
    configurations = names or tuple(CONFIGURATIONS)
    for name in configurations:
        if skipped := left_out(name, longest):
            echo(f"{name}: {skipped} cases that wait for {longest:g} s and more are left out (--longest)")
    with bar_shown() as progress:
        unproven = unshown(configurations, processes, progress, longest)
    for requirement in unproven:
        echo(str(requirement))
    echo(f"{len(configurations)} configurations, {len(unproven) or 'no'} requirements verified that nothing showed")
    return ExitCode.FAIL if unproven else ExitCode.OK


@command.command("small-faults", epilog=f"Exit codes: {CODES}.")
@click.option("-k", "part", default="", show_default=False, metavar="TEXT", help="Only faults whose name holds this.")
@click.option("--budget", type=Number(min=0), default=0.0, help="Seconds after which no new fault is started.")
@click.option("--seed", type=int, default=0, help="Decides the order in which faults are tried.")
@click.option("--states", is_flag=True, help="Small faults in the memory of a role, instead of those at its interface.")
@click.option("--at-most", type=Number(0, 1), default=0.0, help="Share that may survive.")
@PROCESSES
def small_faults_command(  # noqa: PLR0913 - one parameter for each documented option
    part: str, budget: float, seed: int, at_most: float, processes: int, *, states: bool
) -> ExitCode:
    """Judge the reference with one small fault each, in every field, list, number, flag, time and key it has."""
    names = [name for name, fault in small_faults().items() if part in name and (fault.state is not None) is states]
    if not names:
        raise ConfigurationError(f"-k {part}: no fault's name holds that; leave it out, or name a role")
    random.Random(seed).shuffle(names)
    with bar_shown() as progress:
        outcomes = try_small_faults(names, budget, processes, progress)
    for line in lines_of(outcomes):
        echo(line)
    return ExitCode.FAIL if surviving_share(outcomes) > at_most else ExitCode.OK
