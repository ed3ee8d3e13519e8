"""What is wrong with the suite or with the mutants, as far as a farm shows it: each kind a rule of its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mqconform.harness.compare.mutation.exemptions import Exemptions
from mqconform.harness.compare.mutation.jobs import REFERENCE
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.readings import is_as_registered, verdicts_of, wanted
from mqconform.harness.compare.mutation.trial import Trial
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.iut.roles import ROLES, all_mutants
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.catalogue import load_catalogue

SHOWN = 6
LISTED_IN_FULL = frozenset(ROLES)
"""Roles whose mutants name all that they violate; what else is found violated is a scenario that judges too much."""

KINDS = {
    "survivor": "a faulty mutant that no scenario convicts",
    "unobservable": "a mutant whose every answer is the reference's",
    "unrelated": "a mutant that is convicted, but not of what it breaks",
    "besides": "a mutant convicted of what does not follow from its fault",
    "convicted": "a mutant that conforms, or that the text does not settle, and is convicted",
    "verdict": "a mutant that ends with another verdict than its kind has",
    "failed": "a run that did not end as a run ends",
    "without mutant": "a judged requirement that no mutant aimed at it violates",
    "needless exemption": "an exemption for a requirement that has a mutant by now",
    "lost assertion": "a scenario that asserts less than it did",
    "lost kill": "an assertion that acquits what it used to convict",
    "lost reading": "a reading of the ambiguity register that an implementation followed, and no longer does",
    "reading verdict": "a reading that was followed and got another verdict than the register says",
    "lost distinction": "an assertion that says by now the same of a mutant as of the reference",
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that has to be mended: a key of ``KINDS``, what it is about, and what was seen."""

    kind: str
    subject: str
    text: str


def complaints_about(
    specimens: Sequence[Mutant], trials: Mapping[str, Trial], kills: Kills, exempt: Exemptions, *, whole: bool
) -> Iterator[Complaint]:
    """Yield all complaints; those about requirements only if every mutant of a role was tried."""
    for one in specimens:
        trial = trials[one.name]
        if trial.ended != "run" or trial.errors:
            yield Complaint("failed", one.name, f"{trial.ended}: {'; '.join(trial.errors)[:2000]}")
        elif one.kind is Kind.FAULTY:
            yield from _about_faulty(one, trial)
        else:
            yield from _about_innocent(one, trial)
        if (whole or one.kind is not Kind.FAULTY) and _behaves_like(trial, trials[REFERENCE]):
            yield Complaint("unobservable", one.name, "every answer in every case is the reference's")
    yield from _about_requirements(specimens, trials, exempt)
    yield from _about_losses(specimens, trials, kills)


def _about_faulty(one: Mutant, trial: Trial) -> Iterator[Complaint]:
    if not trial.convictions:
        yield Complaint("survivor", one.name, f"breaks {', '.join(one.breaks)}, and no scenario convicts it")
        return
    if set(one.breaks).isdisjoint(trial.violated):
        violated = _listed(trial.violated)
        yield Complaint("unrelated", one.name, f"breaks {', '.join(one.breaks)} and is convicted of {violated}")
    directly = {found.requirement for found in trial.convictions if not found.generated}
    unlisted = sorted(found for found in directly if not one.explains(found))
    if unlisted and one.role in LISTED_IN_FULL:
        cases = _listed([f"{found} in {trial.cases_against(found)[0]}" for found in unlisted])
        yield Complaint("besides", one.name, f"convicted of {cases}, which it does not list")


def _about_innocent(one: Mutant, trial: Trial) -> Iterator[Complaint]:
    if trial.convictions:
        found = trial.convictions[0]
        yield Complaint("convicted", one.name, f"{one.kind}, and convicted of {found.requirement} in {found.case}")
        return
    wanted = ExitCode.OK if one.kind is Kind.CONFORMING else ExitCode.INCONCLUSIVE
    if trial.exit_code != wanted:
        yield Complaint("verdict", one.name, f"{one.kind}: exit code {trial.exit_code} instead of {wanted}")


def _behaves_like(trial: Trial, reference: Trial) -> bool:
    """Tell whether every answer and verdict was the reference's; what passes over sockets shows in verdicts alone."""
    shown = trial.convictions or not set(trial.remarks) <= set(reference.remarks)
    return (
        bool(trial.behaviour)
        and not shown
        and all(page == reference.behaviour.get(case) for case, page in trial.behaviour.items())
    )


def _about_requirements(
    specimens: Sequence[Mutant], trials: Mapping[str, Trial], exempt: Exemptions
) -> Iterator[Complaint]:
    killed = {(one.role, found) for one in specimens for found in trials[one.name].violated if found in one.breaks}
    for role in complete_roles(specimens):
        for known in load_catalogue().values():
            if role not in known.roles or not known.is_judged:
                continue
            has_mutant, reason = (role, known.id) in killed, exempt.get((role, known.id))
            if not has_mutant and reason is None:
                yield Complaint("without mutant", known.id, f"{role}: no mutant that breaks it is convicted of it")
            if has_mutant and reason is not None:
                yield Complaint("needless exemption", known.id, f"{role}: take it out of the list of exemptions")


def complete_roles(specimens: Sequence[Mutant]) -> tuple[str, ...]:
    """Return the roles of which every mutant is there."""
    incomplete = {one.role for one in all_mutants().values() if one not in specimens}
    return tuple(role for role in ROLES if role not in incomplete)


def _about_losses(specimens: Sequence[Mutant], trials: Mapping[str, Trial], kills: Kills) -> Iterator[Complaint]:
    for scenario, text in kills.lost_assertions(trials[REFERENCE]):
        yield Complaint("lost assertion", scenario, text)
    tried = {one.name: trials[one.name] for one in specimens}
    yield from _about_readings(specimens, trials, kills)
    for (scenario, step), names in _by_place(kills.lost_kills(tried)).items():
        yield Complaint("lost kill", scenario, f"`{step}` does not convict {_listed(names)}")
    for (scenario, step), names in _by_place(kills.lost_distinctions(trials[REFERENCE], tried)).items():
        yield Complaint("lost distinction", scenario, f"`{step}` does not tell {_listed(names)} from the reference")


def _about_readings(specimens: Sequence[Mutant], trials: Mapping[str, Trial], kills: Kills) -> Iterator[Complaint]:
    followed = {one.name: verdicts_of(trials[one.name], one) for one in specimens}
    followed[REFERENCE] = verdicts_of(trials[REFERENCE])
    for name, readings in followed.items():
        for reading, words in readings.items():
            only_noted = words == {Verdict.NONE.word} and trials[name].convictions  # something else decided
            if not only_noted and not is_as_registered(reading, words):
                said = " and ".join(sorted(words))
                yield Complaint("reading verdict", reading, f"{name} follows it: {said} instead of {wanted(reading)}")
    for reading, name in kills.readings.items():
        if name in followed and reading not in followed[name]:
            yield Complaint("lost reading", reading, f"{name} followed it, and does not any more")


def _by_place(lost: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for scenario, step, name in lost:
        found.setdefault((scenario, step), []).append(name)
    return found


def _listed(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
