"""Which cases each mutant runs: all, or those that are known to tell it from the reference."""

from collections.abc import Iterator, Sequence

from mqconform.harness.explore.mutation.job import Job
from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.iut.connect import REFERENCE_TARGET, mutant_target
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.records.profile import Profile
from mqconform.harness.suite.index import IndexedScenario, load_suite_index
from mqconform.harness.suite.telling import scenario_of

REFERENCE = "the reference"
"""The name of the trial that all others are compared with; no mutant can have it."""


def reference_job(others: Sequence[Job]) -> Job:
    """Return the run on the reference itself, of what the others run."""
    everything = any(not job.cases for job in others)
    cases = () if everything else tuple(sorted({case for job in others for case in job.cases}))
    return Job(REFERENCE, REFERENCE_TARGET, cases, profile=others[0].profile)


def whole_jobs(specimens: Sequence[Mutant], profile: Profile) -> Iterator[Job]:
    """Yield whole runs."""
    for specimen in specimens:
        yield Job(specimen.name, mutant_target(specimen.name), profile=profile)


def quick_jobs(specimens: Sequence[Mutant], kills: Kills) -> Iterator[Job]:
    """Yield runs of the scenarios known to tell a mutant from the reference; of its whole role if none is."""
    scenarios = load_suite_index().scenarios
    for specimen in specimens:
        cases = kills.scenarios_against(specimen.name) or of_role(specimen.role, scenarios)
        if not kills.shows(specimen.name, specimen.breaks):  # the list names few of those that many checks convict
            cases |= about(specimen, scenarios)
        yield Job(specimen.name, mutant_target(specimen.name), tuple(sorted(cases)))


def tried_quickly(specimens: Sequence[Mutant], kills: Kills) -> tuple[tuple[Mutant, ...], int]:
    """Return the mutants that a quick round can tell something of, and the number of the others, which all conform."""
    tried = tuple(
        specimen for specimen in specimens if specimen.kind is Kind.FAULTY or kills.scenarios_against(specimen.name)
    )
    return tried, len(specimens) - len(tried)


def about(specimen: Mutant, scenarios: Sequence[IndexedScenario]) -> set[str]:
    """Return the scenarios that bear on what a mutant breaks."""
    return {
        scenario_of(scenario.cases[0].id)
        for scenario in scenarios
        if not set(specimen.breaks).isdisjoint(scenario.requirements)
    }


def of_role(role: str, scenarios: Sequence[IndexedScenario]) -> set[str]:
    """Return the scenarios that ask an implementation of a role something."""
    return {scenario_of(scenario.cases[0].id) for scenario in scenarios if not scenario.roles or role in scenario.roles}
