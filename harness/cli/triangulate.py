"""``mqconform triangulate``: implementations against each other, with the reference as the third vote."""

from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import click
from rich.console import Console

from mqconform.harness.cli.consent import allow_commands_option, commands_of_target, require_consent
from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.options import FORMS, deadline_option, options_from, profile_option, reply_timeout_option
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.progress import counting
from mqconform.harness.compare.triangulate import triangulation_text as text
from mqconform.harness.compare.triangulate.subjects import SUBJECTS
from mqconform.harness.compare.triangulate.triangulation import CODES, Participant, RoleTally, exit_code, triangulate
from mqconform.harness.compare.triangulate.triangulation_record import (
    FOLDER,
    disagreement_records,
    footer,
    header,
    line,
    read_case,
    replayed,
    role_record,
    save,
)
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutFault, ServerFacts
from mqconform.harness.judge.independent.routing_graph import SecondOpinionMissing, rustworkx
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import run_directory

DEFAULT_OUT = Path("mqconform-triangulation")
RESULTS = "triangulation.ndjson"
LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@click.command("triangulate", epilog=f"Exit codes: {CODES}.")
@click.option("--iut", "targets", multiple=True, metavar="KIND:ID", help=f"An implementation, twice or more: {FORMS}.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice([*SUBJECTS]),
    help="Only this role; repeatable. Unless given, every role that two of them have.",
)
@click.option(
    "--inputs", type=click.IntRange(1, 100_000), default=200, show_default=True, help="Inputs to generate for a role."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed generates the same inputs.")
@profile_option
@click.option(
    "--replay",
    type=FilePath(),
    metavar="FILE",
    help="Put one saved disagreement to the implementations that it names, or to those of --iut.",
)
@click.option("--facts", type=FilePath(), help="TOML: how udp: servers are configured, all alike.")
@allow_commands_option
@deadline_option
@reply_timeout_option
@click.option("--out", type=FilePath(), default=DEFAULT_OUT, show_default=True, help="Where the results go.")
@click.pass_context
def command(  # noqa: PLR0913, PLR0917 - one parameter for each documented option
    ctx: click.Context,
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
) -> None:
    """Put generated inputs to implementations and report which disagree, with the reference as the third vote.

    Each disagreement is one of four things: an implementation leaves the set of allowed outcomes; all of them leave
    it in the same way, so that the reference stands alone; a choice that the text leaves open; or the reference
    and an independent oracle disagree, which is an error of this harness. The smallest input of each is saved.
    """
    _require_the_second_opinion()
    options = options_from(facts, deadline, reply_timeout)
    console = SafeConsole(highlight=False, emoji=False, markup=False)
    with ExitStack() as reached:
        if replay is not None:
            case = read_case(replay)
            if not targets:
                require_consent(replay, (command for target in case.targets for command in commands_of_target(target)))
            participants = _participants(targets or case.targets, options, reached)
            ctx.exit(replayed(case, participants, options.facts, console))
        if len(targets) < 2:
            raise ConfigurationError("--iut: give two implementations or more to compare, such as --iut ref:")
        participants = _participants(targets, options, reached)
        ctx.exit(_compared(participants, roles, (inputs, seed, Profile.of(profile)), out, options.facts, console))


def _require_the_second_opinion() -> None:
    try:
        rustworkx()
    except SecondOpinionMissing as error:
        raise ConfigurationError(str(error)) from error
    if find_spec("scapy") is None:
        raise ConfigurationError(
            "the second codec needs scapy; run in a checkout of mqconform: pip install '.[second-opinion]'"
        )


def _participants(targets: Sequence[str], options: AdapterOptions, reached: ExitStack) -> list[Participant]:
    if len(targets) > len(LABELS):
        raise ConfigurationError(f"--iut: {len(targets)} are too many; {len(LABELS)} can be compared at once")
    participants = []
    for label, target in zip(LABELS, targets, strict=False):
        try:
            participant = Participant(label, target, options)
        except IutFault as fault:
            raise IutFault(fault.kind, f"{label}, {target}: {fault}") from fault
        reached.callback(participant.close)
        participants.append(participant)
    return participants


def _compared(  # noqa: PLR0913, PLR0917 - who, what, how, and where to
    participants: list[Participant],
    roles: tuple[str, ...],
    drawn: tuple[int, int, Profile],
    out: Path,
    facts: ServerFacts | None,
    console: Console,
) -> ExitCode:
    inputs, seed, profile = drawn
    subjects = [SUBJECTS[role](profile, facts) for role in roles or SUBJECTS]
    tallies: list[RoleTally] = []
    files: dict[int, Path] = {}
    with run_directory(out) as directory, (directory / RESULTS).open("w", encoding="ascii", buffering=1) as results:
        for old in (directory / FOLDER).glob("*.json"):
            old.unlink()
        results.write(line(header(participants, profile, seed, inputs)))
        with counting("inputs", inputs * len(subjects)) as counter:
            for tally in triangulate(subjects, participants, inputs=inputs, seed=seed, each=counter.each):
                tallies.append(tally)
                results.write(line(role_record(tally)))
                for disagreement, record in disagreement_records(tally):
                    results.write(line(record))
                    files[id(disagreement)] = save(directory, record, participants, profile)
        code = exit_code(tallies, participants, roles)
        results.write(line(footer(tallies, participants, code)))
    for renderable in (
        *text.introduction(participants, inputs, seed),
        *text.counts(tallies),
        *text.findings(tallies, files),
        *text.conclusion(tallies, participants, code, out / RESULTS),
    ):
        console.print(renderable, soft_wrap=True)
    return code
