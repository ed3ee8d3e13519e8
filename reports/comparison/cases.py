"""What became of each case of two runs, paired by name, or by what it says where a name is gone."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from mqconform.harness.records.result_file import ResultFile
from mqconform.harness.records.results import Case, Header
from mqconform.reports.comparison.change import Cause, Change, Question, cause_of, is_worse
from mqconform.reports.comparison.setting import Setting

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paired(Generic[T]):
    """Two runs' things beside each other.

    Attributes:
        both: name now, then and now; the names differ where it was renamed.
        removed: only in the older run.
        new: only in the newer run.
    """

    both: tuple[tuple[str, T, T], ...]
    removed: tuple[T, ...]
    new: tuple[T, ...]


def paired(then: Mapping[str, T], now: Mapping[str, T], mark: Callable[[T], str]) -> Paired[T]:
    """Pair two sets by name; ``mark`` is what a renamed member keeps, empty if unknown.

    A mark that several members share, as two scenarios with the same steps, proves nothing.
    """
    gone = [name for name in then if name not in now]
    come = [name for name in now if name not in then]
    renamed = _renamed({name: mark(then[name]) for name in gone}, {name: mark(now[name]) for name in come})
    same = [(name, then[name], now[name]) for name in now if name in then]
    moved = [(name, then[formerly], now[name]) for formerly, name in renamed.items()]
    return Paired(
        (*same, *moved),
        tuple(then[name] for name in gone if name not in renamed),
        tuple(now[name] for name in come if name not in renamed.values()),
    )


def _renamed(gone: Mapping[str, str], come: Mapping[str, str]) -> dict[str, str]:
    often_then, often_now = Counter(gone.values()), Counter(come.values())
    by_mark = {mark: name for name, mark in come.items() if often_now[mark] == 1}
    return {name: by_mark[mark] for name, mark in gone.items() if mark and often_then[mark] == 1 and mark in by_mark}


def case_changes(
    then: ResultFile, now: ResultFile, setting: Setting, moved: Mapping[str, str], flaky: Mapping[str, str]
) -> Iterator[Change]:
    """Yield each case that differs.

    Args:
        then: the older run.
        now: the newer run.
        setting: what they differ in as wholes.
        moved: requirement -> how the text differs that it stands on.
        flaky: case -> why it is known to answer now so and now otherwise.
    """
    pairs = paired(
        {case.id: case for case in then.cases}, {case.id: case for case in now.cases}, lambda case: case.text
    )
    for name, before, after in pairs.both:
        yield from _changed(setting, before, after, moved, flaky.get(name, ""))
    if now.ended:
        for case in pairs.removed:
            detail = _asked(setting.now, setting.then, case) or "removed from the suite"
            yield Change("case", case.id, status(case), "", Cause.REMOVED, detail, worse=True)
    if then.ended:
        for case in pairs.new:
            detail = _asked(setting.then, setting.now, case) or "the suite had it not"
            yield Change("case", case.id, "", status(case), Cause.NEW, detail)


def status(case: Case) -> str:
    """Return the verdict of a case, or why it has none."""
    return case.excused or case.verdict


def _changed(setting: Setting, before: Case, after: Case, moved: Mapping[str, str], flaky: str) -> Iterator[Change]:
    formerly = before.id if before.id != after.id else ""
    was, is_now = status(before), status(after)
    specification = next((moved[requirement] for requirement in after.requirements if requirement in moved), "")
    text = bool(before.text and after.text and before.text != after.text)
    if was != is_now:
        question = Question(specification, setting.suite(before, after), flaky)
        cause, detail = cause_of(setting, question, was, is_now)
        yield Change("case", after.id, was, is_now, cause, detail, formerly, is_worse(was, is_now))
    elif formerly:
        yield Change("case", after.id, was, is_now, Cause.RENAMED, "its steps are the same", formerly)
    elif text:
        yield Change("case", after.id, was, is_now, Cause.SUITE, "its steps or tags changed")


def _asked(header: Header, other: Header, case: Case) -> str:
    """Return why a run left a case out that the other has, where its selection or its --features did."""
    if case.feature in other.features and case.feature not in header.features:
        return "its feature was not among --features"
    asked = header.selection.expression
    covered = [requirement for requirement in case.requirements if covers(header.selection.requirements, requirement)]
    if case.requirements and not covered:
        return "its requirements were not asked for"
    return f"-k {asked!r} may leave it out" if asked else ""


def covers(asked: tuple[str, ...], requirement: str) -> bool:
    """Tell whether a selection, where there is one, asks for a requirement."""
    return not asked or any(
        requirement == prefix or requirement.startswith((f"{prefix}-", f"{prefix}.")) for prefix in asked
    )
