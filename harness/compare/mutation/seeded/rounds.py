"""Which scenarios and mutants show a defect soonest: those whose assertions pass through what it alters."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import zip_longest

from mqconform.harness.compare.mutation.kills import Kills, Place, step_of
from mqconform.harness.compare.mutation.seeded.code_defects import Defect
from mqconform.harness.compare.mutation.seeded.inside import Part, Round
from mqconform.harness.compare.mutation.seeded.places import callers
from mqconform.harness.compare.mutation.seeded.reach import Reach
from mqconform.harness.suite.naming import feature_name, slug

FIRST, SECOND = 3, 9
"""Mutants of the first two rounds; the third takes all the others."""
FEW = 4
"""Scenarios that a round takes of those that a mutant is known by, and that the first takes of those without any."""


def rounds_for(defect: Defect, reach: Reach, kills: Kills) -> list[Round]:
    """Return what to try on a copy with a defect; the last round takes all that passes through it on the reference.

    Nothing has to run to see that a scenario is gone: there the first round is empty, and the lint comes next.
    """
    places = places_of(defect, reach, kills)
    scenarios = sorted({scenario for scenario, _ in places})
    known = _mutants_by_place(kills, set(scenarios))
    here = {place: names for place, names in known.items() if step_of(place) in places}
    against = here | known
    names = list(dict.fromkeys((*_in_turn(here), *_in_turn(known))))
    first, second, rest = names[:FIRST], names[FIRST : FIRST + SECOND], names[FIRST + SECOND :]
    return [
        *([((), [])] if defect.kind == "drop scenario" else []),
        (tuple(scenarios[:FEW]), [_part(name, against, FEW) for name in first]),
        ((), [_part(name, against, FEW) for name in second]),
        (tuple(scenarios), [_part(name, against) for name in (*first, *second, *rest)]),
    ]


def first_rounds(defects: Iterable[Defect], reach: Reach, kills: Kills) -> Round:
    """Return all that the first rounds of defects try, as one: a copy without defect has to pass it."""
    alone: set[str] = set()
    against: dict[str, set[str]] = defaultdict(set)
    for defect in defects:
        some, parts = rounds_for(defect, reach, kills)[0]
        alone.update(some)
        for name, scenarios in parts:
            against[name].update(scenarios)
    return tuple(sorted(alone)), [(name, tuple(sorted(scenarios))) for name, scenarios in sorted(against.items())]


def places_of(defect: Defect, reach: Reach, kills: Kills) -> frozenset[Place]:
    """Return the assertions that a defect can concern.

    Where the reference avoids what is altered, these are those of the whole function, else those of its callers.
    """
    if defect.file.startswith("features/"):
        scenario = f"{feature_name(defect.file)}/{slug(defect.inside)}"
        return frozenset({(scenario, ""), *(step_of(one) for one in kills.convicts if one[0] == scenario)})
    found = reach.of(defect.file, defect.lines) or reach.of(defect.file, defect.around)
    names, known = [defect.inside.rpartition(".")[2]], set[str]()
    while names and not found:
        known.update(names)
        calling = [one for name in names for one in callers(name)]
        found = frozenset().union(*(reach.of(file, lines) for file, _, lines in calling))
        names = [name for _, name, _ in calling if name not in known]
    return found


def _mutants_by_place(kills: Kills, scenarios: Container[str]) -> dict[Place, list[str]]:
    """Return who is known by each assertion of some scenarios, those first that few others convict."""
    common = Counter(name for names in kills.convicts.values() for name in names)
    found: dict[Place, list[str]] = {}
    for place, names in sorted((*kills.convicts.items(), *kills.sets_apart.items())):
        if place[0] in scenarios:
            found.setdefault(place, []).extend(sorted(names, key=lambda one: (common[one], one)))
    return found


def _in_turn(against: Mapping[Place, list[str]]) -> Iterator[str]:
    """Yield each mutant once: the first of each assertion, then the second of each, and so on."""
    rows = zip_longest(*against.values())
    yield from dict.fromkeys(name for row in rows for name in row if name)


def _part(name: str, against: Mapping[Place, list[str]], most: int | None = None) -> Part:
    scenarios = sorted({scenario for (scenario, _), names in against.items() if name in names})
    return name, tuple(scenarios[:most])
