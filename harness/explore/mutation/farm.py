"""A farm from beginning to end: which mutants, which cases each of them runs, and what they come to.

Trials are kept in a file as they end, so that a farm that was stopped goes on where it was.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from mqconform.harness.explore.lines import lines_written, records_in
from mqconform.harness.explore.mutation.complaints import complaints_about, load_exemptions
from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.matrix import Matrix, markdown_of
from mqconform.harness.explore.mutation.readings import executed, followers_in
from mqconform.harness.explore.mutation.trial import REFERENCE, Job, Progress, Trial, silent, tried
from mqconform.harness.iut.connect import REFERENCE_TARGET, mutant_target
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.profile import Profile
from mqconform.harness.suite.index import IndexedScenario, load_suite_index
from mqconform.harness.suite.telling import KILLS, scenario_of

LEDGER, MATRIX, PAGE = "trials.ndjson", "kill-matrix.json", "kill-matrix.md"
FOLDERS = ("features", "reference", "harness", "adapters")
KINDS = (".py", ".feature", ".toml", ".json", ".ini")


def tried_round(  # noqa: PLR0913 - as a user may ask for it
    names: Sequence[str],
    roles: Sequence[str],
    part: str,
    *,
    whole: bool,
    profile: Profile,
    out: Path,
    update_kills: Path | None,
    note: Callable[[str], None],
    processes: int,
    progress: Progress,
) -> Matrix:
    """Try the mutants that ``chosen`` returns, and write the matrix into a folder.

    Args:
        names: see ``chosen``, as the two that follow.
        roles: likewise.
        part: likewise.
        whole: whether each mutant runs every case.
        profile: with another one than the default, whole runs of those that conform or follow a reading.
        out: the folder, in which trials are kept as well.
        update_kills: the file for the checks that fail for each mutant, None where it stays as it is.
        note: takes what is remarkable.
        processes: how many at once; 0 for what the machine has.
        progress: shows each trial.

    Raises:
        ConfigurationError: what is asked for does not go together.
    """
    kills, specimens = Kills.load(), chosen(names, roles, part)
    if profile is not Profile.DEFAULT:
        if update_kills:
            raise ConfigurationError("--update-kills is for the profile default; leave --profile out")
        specimens, whole, kills = followers_in(profile, specimens, kills.readings), True, Kills({}, {})
    elif not (whole or names):
        # Of others, which all conform, a quick round cannot say anything.
        quick = [each for each in specimens if each.kind is Kind.FAULTY or kills.scenarios_against(each.name, ())]
        every, specimens = specimens, tuple(quick)
        if left := len(every) - len(specimens):
            note(f"{left} conforming mutants that no scenario sets apart are tried with --whole alone")
    if update_kills and (names or roles or part or not whole):
        raise ConfigurationError("--update-kills needs --whole, and all mutants: leave --mutant, --role and -k out")
    many = f"{len(specimens)} mutants" if len(specimens) > 1 else "one mutant"
    note(f"trying {many}, and the reference to compare with; trials are kept in {out}")
    how: dict[str, Any] = {"whole": whole, "profile": profile, "processes": processes, "progress": progress}
    matrix = run_farm(specimens, kills, ledger=Ledger(out / LEDGER), **how)
    (out / MATRIX).write_text(json.dumps(matrix.document(), indent=1, sort_keys=True) + "\n", "utf-8")
    (out / PAGE).write_text(markdown_of(matrix), "utf-8")
    if update_kills:
        reference, trials = matrix.trials[REFERENCE], [matrix.trials[specimen.name] for specimen in specimens]
        Kills.of(reference, trials, executed(reference, specimens, matrix.trials)).save(update_kills)
    return matrix


def chosen(names: Sequence[str] = (), roles: Sequence[str] = (), part: str = "") -> tuple[Mutant, ...]:
    """Return the mutants of these names and roles whose name holds ``part``; what is left empty admits all.

    Raises:
        ConfigurationError: a name that no mutant has, or nothing is left.
    """
    unknown = sorted(set(names) - set(all_mutants()))
    if unknown:
        raise ConfigurationError(f"--mutant {unknown[0]}: no mutant has that name; `--iut mutant:?` lists them all")
    left = tuple(
        mutant
        for mutant in all_mutants().values()
        if (not names or mutant.name in names) and (not roles or mutant.role in roles) and part in mutant.name
    )
    if not left:
        raise ConfigurationError("no mutant is left by --mutant, --role and -k together; leave one of them out")
    return left


def _cases_against(specimen: Mutant, kills: Kills, scenarios: Sequence[IndexedScenario]) -> set[str]:
    """Return the scenarios known to tell a mutant from the reference; those of its whole role if none is."""
    role = specimen.role
    of_role = (scenario_of(each.cases[0].id) for each in scenarios if role in (each.roles or {role}))
    return kills.scenarios_against(specimen.name, specimen.breaks) or {*of_role}


class Ledger:
    """The file of one farm: a line that says what was tried by what, then a line for each trial."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            ConfigurationError: it cannot be written.
        """
        self._path, header = path, {"fingerprint": fingerprint()}
        self.earlier = dict(self._kept(header))
        if not self.earlier:
            with lines_written(path, [header]):
                pass

    def done(self, jobs: Iterable[Job]) -> dict[str, Trial]:
        """Return the trials that are there, by name."""
        return {job.name: self.earlier[key_of(job)] for job in jobs if key_of(job) in self.earlier}

    def add(self, job: Job, trial: Trial) -> None:
        """Keep a trial."""
        self.earlier[key_of(job)] = trial
        with self._path.open("a", encoding="ascii") as file:
            file.write(json.dumps({"key": key_of(job), "trial": msgspec.to_builtins(trial)}) + "\n")

    def _kept(self, header: Json) -> Iterator[tuple[str, Trial]]:
        """Yield what an earlier farm of the same code left."""
        records = [record for _, record in records_in(self._path)] if self._path.exists() else []
        for record in records[1:] if records[:1] == [header] else ():
            with suppress(KeyError, msgspec.ValidationError):
                yield record["key"], msgspec.convert(record["trial"], Trial)


def key_of(job: Job) -> str:
    """Return what tells a job from others."""
    return sha256(repr(job).encode()).hexdigest()[:24]


def fingerprint() -> str:
    """Return a digest of everything that decides what a trial comes to."""
    digest = sha256()
    for folder in FOLDERS:
        for path, file in _sources(files(f"mqconform.{folder}"), folder):
            digest.update(f"{path}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> Iterable[tuple[str, Traversable]]:
    for file in sorted(folder.iterdir(), key=lambda child: child.name):
        name = f"{path}/{file.name}"
        if file.is_dir():
            if file.name not in {"tests", "__pycache__", "cli"}:
                yield from _sources(file, name)
        elif file.name.endswith(KINDS) and file.name != KILLS:
            yield name, file


def run_farm(  # noqa: PLR0913 - whom to try, how far, and where to keep it
    specimens: Sequence[Mutant],
    kills: Kills,
    *,
    whole: bool,
    ledger: Ledger,
    profile: Profile = Profile.DEFAULT,
    processes: int = 0,
    progress: Progress = silent,
) -> Matrix:
    """Try the reference and the mutants, those left out that the ledger has; see ``tried_round`` for the arguments."""
    scenarios = load_suite_index().scenarios
    cases = {each.name: set[str]() if whole else _cases_against(each, kills, scenarios) for each in specimens}
    asked = set[str]().union(*cases.values()) if all(cases.values()) else set[str]()
    targets = {REFERENCE: REFERENCE_TARGET} | {each.name: mutant_target(each.name) for each in specimens}
    jobs = [
        Job(name, target, tuple(sorted(cases.get(name, asked))), profile=profile) for name, target in targets.items()
    ]
    trials = ledger.done(jobs)
    left = {job.name: job for job in jobs if job.name not in trials}
    for trial in tried(left.values(), processes, progress):
        trials[trial.name] = trial
        if trial.ended == "run":
            ledger.add(left[trial.name], trial)
    exempt = load_exemptions()
    complaints = complaints_about(specimens, trials, kills, exempt, whole=whole, asked=asked, profile=profile)
    return Matrix(specimens, trials, exempt, tuple(complaints), whole)
