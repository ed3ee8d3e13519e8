"""Which cases each mutant runs: all, or those that are known to tell plus a sample of the others."""

from collections.abc import Iterator, Sequence
from zlib import crc32

from mqconform.harness.compare.mutation.job import Job
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.trial import GENERATED
from mqconform.harness.iut.connect import REFERENCE_TARGET, mutant_target
from mqconform.harness.iut.mutants.mutant import Kind, Mutant
from mqconform.harness.suite.index import IndexedScenario, load_suite_index
from mqconform.harness.suite.telling import scenario_of

REFERENCE = "the reference"
"""The name of the trial that all others are compared with; no mutant can have it."""
SAMPLE = 8
"""One out of this number of other scenarios runs as well, another choice for each mutant."""


def reference_job(others: Sequence[Job]) -> Job:
    """Return the run on the reference itself, of what the others run."""
    everything = any(not job.cases for job in others)
    cases = () if everything else tuple(sorted({case for job in others for case in job.cases}))
    return Job(REFERENCE, REFERENCE_TARGET, cases)


def whole_jobs(specimens: Sequence[Mutant]) -> Iterator[Job]:
    """Yield whole runs."""
    for specimen in specimens:
        yield Job(specimen.name, mutant_target(specimen.name))


def quick_jobs(specimens: Sequence[Mutant], kills: Kills) -> Iterator[Job]:
    """Yield runs of what convicts, bears on the fault, or is drawn as a sample; the innocent run all of their role."""
    scenarios = load_suite_index().scenarios
    for specimen in specimens:
        faulty = specimen.kind is Kind.FAULTY
        cases = telling(specimen, kills, scenarios) if faulty else of_role(specimen.role, scenarios)
        yield Job(specimen.name, mutant_target(specimen.name), tuple(sorted(cases)))


def of_role(role: str, scenarios: Sequence[IndexedScenario]) -> set[str]:
    """Return the scenarios that ask an implementation of a role something."""
    return {scenario_of(scenario.cases[0].id) for scenario in scenarios if not scenario.roles or role in scenario.roles}


def telling(mutant: Mutant, kills: Kills, scenarios: Sequence[IndexedScenario]) -> set[str]:
    """Return the scenarios that a quick run on a mutant takes."""
    taken = kills.scenarios_against(mutant.name)
    for scenario in scenarios:
        name = scenario_of(scenario.cases[0].id)
        if GENERATED in name or (scenario.roles and mutant.role not in scenario.roles):
            continue
        bears = not set(mutant.breaks).isdisjoint(scenario.requirements)
        if bears or crc32(f"{mutant.name} {name}".encode()) % SAMPLE == 0:
            taken.add(name)
    return taken
