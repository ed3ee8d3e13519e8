"""What is wrong with the suite or with the mutants, as far as a farm shows it: each kind a rule of its own."""

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.readings import is_as_registered, verdicts_of, wanted
from mqconform.harness.explore.mutation.trial import REFERENCE, Trial, altered
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import ROLES, all_mutants
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import OVER_CASES, Place, scenario_of

SHOWN = 6
WITHOUT_MUTANT: Final = "without_mutant.toml"
Exemptions = Mapping[tuple[str, str], str]
"""Why a requirement that is judged has no mutant, by role and requirement."""

KINDS = {
    "survivor": "a faulty mutant fails no scenario",
    "unobservable": "all answers of a mutant are the reference's",
    "unrelated": "a mutant fails only requirements that it does not break",
    "besides": "a mutant fails requirements that it did not fail before: the scenario may judge too much",
    "not played": "a mutant fails a requirement where `run --req` of it plays nothing",
    "convicted": "a conforming mutant fails",
    "verdict": "a conforming mutant ends with an exit code other than 0",
    "failed": "a run did not end normally",
    "without mutant": "a judged requirement has no mutant that breaks and fails it",
    "needless exemption": "an exemption is no longer needed",
    "lost assertion": "a scenario asserts less than before",
    "lost kill": "an assertion no longer fails for a mutant",
    "lost reading": "a reading of the ambiguity register is no longer followed by an implementation",
    "reading verdict": "a followed reading got another verdict than in the register",
    "lost distinction": "an assertion no longer distinguishes a mutant from the reference",
}


def load_exemptions() -> Exemptions:
    """Return the list that the package ships."""
    exempt = tomllib.loads(files(__package__).joinpath(WITHOUT_MUTANT).read_text("utf-8"))["exempt"]
    return {(entry["role"], name): entry["reason"] for entry in exempt for name in entry["requirements"]}


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing to correct: a key of ``KINDS``, what it is about, and what was observed."""

    kind: str
    subject: str
    text: str


def complaints_about(  # noqa: PLR0913 - what was tried, and what is known of it
    specimens: Sequence[Mutant],
    trials: Mapping[str, Trial],
    kills: Kills,
    exempt: Exemptions,
    *,
    whole: bool,
    asked: Collection[str] = (),
    profile: Profile = Profile.DEFAULT,
) -> Iterator[Complaint]:
    """Yield all complaints; those about requirements only if every mutant of a role was tried.

    Args:
        specimens: who was tried.
        trials: by name, with that of the reference.
        kills: what was known before.
        exempt: requirements without a mutant, each with its reason.
        whole: whether faulty mutants ran every case.
        asked: the scenarios that the reference ran; none means all.
        profile: by which they were judged.
    """
    for specimen in specimens:
        trial = trials[specimen.name]
        if trial.ended != "run" or trial.errors:
            yield Complaint("failed", specimen.name, f"{trial.ended}: {'; '.join(trial.errors)[:2000]}")
        elif specimen.kind is Kind.FAULTY:
            yield from _about_faulty(specimen, trial, kills, whole=whole, profile=profile)
        else:
            yield from _about_innocent(specimen, trial, whole=whole)
        # What lies where nothing binds cannot show.
        if whole and profile is Profile.DEFAULT and _behaves_like(trial, trials[REFERENCE]):
            yield Complaint("unobservable", specimen.name, "every answer in every case is the reference's")
    yield from _about_requirements(specimens, trials, exempt)
    yield from _about_losses(specimens, trials, kills, asked)
    yield from _about_readings(specimens, trials, kills, profile, whole=not asked)


def _about_faulty(mutant: Mutant, trial: Trial, kills: Kills, *, whole: bool, profile: Profile) -> Iterator[Complaint]:
    if not trial.convictions:
        yield Complaint("survivor", mutant.name, f"breaks {', '.join(mutant.breaks)}, and fails no scenario")
        return
    if whole and set(mutant.breaks).isdisjoint(trial.violated):  # the list of kills names some of its convictions
        violated = _listed(trial.violated)
        yield Complaint("unrelated", mutant.name, f"breaks {', '.join(mutant.breaks)} and fails {violated}")
    if whole:
        yield from _not_played(mutant, trial)
    if profile is not Profile.DEFAULT:
        return  # the list of kills is of the default profile
    listed = {requirement for (*_, requirement), names in kills.convicts.items() if mutant.name in names}
    convicted = {conviction.requirement for conviction in trial.convictions if not conviction.generated}
    if unlisted := sorted(convicted - listed - {*mutant.breaks}):
        cases = _listed([f"{requirement} in {trial.cases_against(requirement)[0]}" for requirement in unlisted])
        yield Complaint("besides", mutant.name, f"fails {cases}, which the list of kills does not have")


def _not_played(mutant: Mutant, trial: Trial) -> Iterator[Complaint]:
    tags = {scenario.id: scenario.requirements for scenario in load_suite_index().scenarios}
    failed = {(scenario_of(each.case), each.requirement) for each in trial.convictions if each.check != OVER_CASES}
    for scenario, requirement in sorted(failed):
        if scenario in tags and not Selection((requirement,)).wants_scenario(scenario, tags[scenario]):
            text = f"fails {requirement} in {scenario}, which `run --req {requirement}` leaves out: --update-kills"
            yield Complaint("not played", mutant.name, text)


def _about_innocent(mutant: Mutant, trial: Trial, *, whole: bool) -> Iterator[Complaint]:
    for case, requirement, *_ in trial.convictions[:1]:
        yield Complaint("convicted", mutant.name, f"{mutant.kind}, and fails {requirement} in {case}")
        return
    in_part = not whole and trial.exit_code == ExitCode.INCOMPLETE  # some scenarios alone verify little
    if trial.exit_code != ExitCode.OK and not in_part:
        yield Complaint("verdict", mutant.name, f"conforms, and exit code {trial.exit_code} instead of {ExitCode.OK:d}")


def _behaves_like(trial: Trial, reference: Trial) -> bool:
    """Tell whether every answer and verdict was the reference's; what passes over sockets shows in verdicts alone."""
    says_no_more = {*trial.statements, *trial.followed} <= {*reference.statements, *reference.followed}
    return bool(trial.behaviour) and not trial.convictions and says_no_more and not altered(trial, reference)


def _about_requirements(
    specimens: Sequence[Mutant], trials: Mapping[str, Trial], exempt: Exemptions
) -> Iterator[Complaint]:
    killed = {
        (each.role, requirement) for each in specimens for requirement in {*trials[each.name].violated} & {*each.breaks}
    }
    for role in complete_roles(specimens):
        for requirement in load_catalogue().values():
            if role not in requirement.roles or not requirement.is_judged:
                continue
            has_mutant, reason = (role, requirement.id) in killed, exempt.get((role, requirement.id))
            if not has_mutant and reason is None:
                yield Complaint("without mutant", requirement.id, f"{role}: no mutant that breaks it fails it")
            if has_mutant and reason is not None:
                yield Complaint("needless exemption", requirement.id, f"{role}: remove it from the list of exemptions")


def complete_roles(specimens: Sequence[Mutant]) -> tuple[str, ...]:
    """Return the roles of which every faulty mutant is there."""
    faulty = (mutant for mutant in all_mutants().values() if mutant.kind is Kind.FAULTY)
    incomplete = {mutant.role for mutant in faulty if mutant not in specimens}
    return tuple(role for role in ROLES if role not in incomplete)


def _about_losses(
    specimens: Sequence[Mutant], trials: Mapping[str, Trial], kills: Kills, asked: Collection[str]
) -> Iterator[Complaint]:
    for scenario, text in kills.lost_assertions(trials[REFERENCE]):
        if not asked or scenario in asked:
            yield Complaint("lost assertion", scenario, text)
    tried = {specimen.name: trials[specimen.name] for specimen in specimens}
    apart = kills.lost_distinctions(trials[REFERENCE], tried)
    for kind, lost, says in (
        ("lost kill", kills.lost_kills(tried), "`{}` does not fail for {} on {}"),
        ("lost distinction", apart, "`{}` does not distinguish {} from the reference on {}"),
    ):
        names_by_place: dict[Place, list[str]] = defaultdict(list)
        for place, name in lost:
            names_by_place[place].append(name)
        for (scenario, check, requirement), names in names_by_place.items():
            yield Complaint(kind, scenario, says.format(check, _listed(names), requirement))


def _about_readings(
    specimens: Sequence[Mutant], trials: Mapping[str, Trial], kills: Kills, profile: Profile, *, whole: bool
) -> Iterator[Complaint]:
    followed = {specimen.name: verdicts_of(trials[specimen.name], specimen) for specimen in specimens}
    followed[REFERENCE] = verdicts_of(trials[REFERENCE])
    for name, readings in followed.items():
        for reading, words in readings.items():
            only_noted = words == {Verdict.NONE.word} and trials[name].convictions  # something else decided
            if not only_noted and not is_as_registered(reading, words, profile):
                verdicts = " and ".join(sorted(words))
                text = f"{name} follows it: {verdicts} instead of {wanted(reading, profile)}"
                yield Complaint("reading verdict", reading, text)
    for reading, name in kills.readings.items():
        if whole and name in followed and reading not in followed[name]:
            yield Complaint("lost reading", reading, f"{name} followed it, and no longer does")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
