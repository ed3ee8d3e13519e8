"""A round of machine-made mutants: which places, in which order, until when."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from zlib import crc32

from mqconform.harness.compare.mutation.ledger import Ledger
from mqconform.harness.compare.mutation.machine.equivalents import load_equivalents, reason_for
from mqconform.harness.compare.mutation.machine.loading import original
from mqconform.harness.compare.mutation.machine.places import Place, places_of
from mqconform.harness.compare.mutation.machine.reach import Reach
from mqconform.harness.compare.mutation.machine.score import MISSED, Fate, Result, Score, result_of
from mqconform.harness.compare.mutation.machine.trying import MachineJob, convict, machine_job
from mqconform.harness.compare.mutation.nursery import tried
from mqconform.harness.compare.mutation.trial import Trial

WITHIN = "mqconform.reference"
NOT_THE_IMPLEMENTATION = (
    "mqconform.reference.errors",  # what is said of unusable input
    "mqconform.reference.directory.document",  # reading enterprise documents: an input format of ours
    "mqconform.reference.directory.fields",
    "mqconform.reference.directory.names",
    "mqconform.reference.mqsd.client.explain",  # serves the judge, who explains what others do
    "mqconform.reference.mqsd.client.shown_state",
    "mqconform.reference.mqsd.elements",  # the fields of a packet, for people
    "mqconform.reference.mqsd.layout",
    "mqconform.reference.mqsd.problems",  # says what is wrong with a packet; no implementation needs to
)
"""Modules that the concrete router, server and client load, but that are no part of what MS-MQBR and MS-MQSD ask."""
MOST_SCENARIOS = 120
"""Where more pass through a line, all run: choosing so many costs as much as running them."""
LIMIT = 180.0
"""Seconds after which a run on a change is stopped."""


@dataclass(frozen=True, slots=True)
class Round:
    """What to try.

    Attributes:
        seed: decides the order of the places, and what the suite generates.
        shard: its number and how many there are; places are dealt out in that order.
        budget: seconds after which no more places are begun; 0 for all places.
        part: what the id of a place has to hold.
    """

    seed: int = 0
    shard: tuple[int, int] = (1, 1)
    budget: float = 0.0
    part: str = ""
    processes: int = 0


def all_places(reach: Reach) -> list[Place]:
    """Return every place in the modules that the concrete implementation passes through."""
    modules = [one for one in sorted(reach.modules) if one.startswith(WITHIN)]
    modules = [one for one in modules if not one.startswith(NOT_THE_IMPLEMENTATION)]
    return [place for module in modules if (path := original(module)) for place in places_of(module, path.read_text())]


def chosen_places(places: Sequence[Place], wanted: Round) -> list[Place]:
    """Return the places of a shard, shuffled by the seed."""
    number, of = wanted.shard
    mixed = sorted(places, key=lambda one: (crc32(f"{wanted.seed}:{one.id}".encode()), one.id))
    return [one for one in mixed[number - 1 :: of] if wanted.part in one.id]


def play(
    wanted: Round,
    reach: Reach,
    ledger: Ledger | None = None,
    progress: Callable[[Trial, int, int], None] = lambda *_: None,
) -> Score:
    """Try the places of a round and return the score.

    Args:
        wanted: which of them, and for how long.
        reach: which scenarios pass through which line.
        ledger: keeps trials as they end.
        progress: shows each trial.
    """
    every = all_places(reach)
    places = chosen_places(every, wanted)
    reasons = load_equivalents()
    results = [Result(one, Fate.UNREACHED) for one in places if _is_out_of_reach(one, reach)]
    settled = {one.place.id for one in results}
    jobs = {one.id: _job(one, reach, wanted.seed) for one in places if one.id not in settled}
    by_id = {one.id: one for one in places}
    trials = ledger.done(jobs.values()) if ledger else {}
    left = _in_time([job for job in jobs.values() if job.name not in trials], wanted.budget)
    for trial in tried(left, wanted.processes, LIMIT, convict):
        trials[trial.name] = trial
        if ledger:
            ledger.add(jobs[trial.name], trial)
        progress(trial, len(trials), len(jobs))
    results += [_settled(result_of(by_id[name], trial), reasons) for name, trial in trials.items()]
    ordered = sorted(results, key=lambda one: (one.place.module, one.place.number))
    return Score(ordered, len(every), wanted.seed)


def _is_out_of_reach(place: Place, reach: Reach) -> bool:
    return place.called and (place.module, place.line) not in reach.scenarios


def _settled(result: Result, reasons: Mapping[str, str]) -> Result:
    """Return the result as it stands once reasons are heard; a conviction needs none."""
    excused = result.fate in MISSED and (reason := reason_for(result.place.id, reasons))
    return Result(result.place, Fate.EQUIVALENT, reason) if excused else result


def _job(place: Place, reach: Reach, seed: int) -> MachineJob:
    scenarios = reach.scenarios.get((place.module, place.line), frozenset())
    return machine_job(place, tuple(sorted(scenarios)) if len(scenarios) <= MOST_SCENARIOS else (), seed)


def _in_time(jobs: Sequence[MachineJob], budget: float) -> Iterator[MachineJob]:
    """Yield jobs until the time is up; what has begun is brought to its end."""
    end = monotonic() + budget
    for job in jobs:
        if budget and monotonic() > end:
            return
        yield job
