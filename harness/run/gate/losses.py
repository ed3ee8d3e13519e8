"""What an earlier run judged and this one does not: coverage that was lost without notice."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.case import Case
from mqconform.harness.records.requirement import covers
from mqconform.harness.records.result_file import read_result_file
from mqconform.harness.suite.selection import Selection


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a run judged.

    Attributes:
        where: the result file, for messages.
        assertions: case -> requirements that an assertion in it named.
        texts: case -> fingerprint of its steps, by which a renamed one is known.
    """

    where: Path
    assertions: Mapping[str, frozenset[str]]
    texts: Mapping[str, str]


def earlier_coverage(path: Path) -> Coverage:
    """Return what an earlier run judged.

    Raises:
        ConfigurationError: there are no results, or they are of a run that did not end, so that losses are unknown.
    """
    run = read_result_file(path)
    if not run.ended or run.header.shard:
        raise ConfigurationError(f"--coverage-of {path}: is incomplete; name the results of a whole, finished run")
    made: dict[str, set[str]] = defaultdict(set)
    for witness in run.witnesses:
        made[witness.case].add(witness.requirement)
    texts = {case.id: case.text for case in run.cases}
    return Coverage(path, {case: frozenset(named) for case, named in made.items()}, texts)


def losses(earlier: Coverage, cases: Iterable[Case]) -> Iterator[str]:
    """Yield what is lost since an earlier run, in words: requirements first, then assertions in single cases."""
    now = {case.id: frozenset(witness.requirement for witness in case.witnesses) for case in cases}
    judged: frozenset[str] = frozenset().union(*now.values())
    before: frozenset[str] = frozenset().union(*earlier.assertions.values())
    for requirement in sorted(before - judged):
        yield f"{requirement} was judged in {earlier.where} and is not now"
    names = _names_now(earlier, cases)
    for case, named in earlier.assertions.items():
        gone = sorted((named & judged) - now.get(names.get(case, case), frozenset()))
        if gone:
            yield f"{case} made an assertion on {', '.join(gone)} in {earlier.where} and does not now"


def _names_now(earlier: Coverage, cases: Iterable[Case]) -> dict[str, str]:
    """Return earlier name -> name of the case that now has the same steps, where there is just one."""
    here = {case.id for case in cases}
    by_text: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        if case.id not in earlier.texts:
            by_text[case.text].append(case.id)
    return {
        name: by_text[text][0]
        for name, text in earlier.texts.items()
        if text and name not in here and len(by_text.get(text, ())) == 1
    }


def unmatched_selectors(selection: Selection, cases: Iterable[Case]) -> Iterator[str]:
    """Yield each --req that led to no assertion although others may have: a gate on it would never be tried."""
    judged = {witness.requirement for case in cases for witness in case.witnesses}
    tagged = {requirement for case in cases if case.witnesses for requirement in case.requirements}
    for asked in selection.requirements:
        if not any(covers(asked, requirement) for requirement in judged | tagged):
            yield f"--req {asked}: no assertion was made for it"
