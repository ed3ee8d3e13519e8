"""All cells of routing: every implementation is asked once, and each cell walks through the answers of its sides."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from mqconform.harness.compare.matrix.implementation import Implementation
from mqconform.harness.compare.matrix.matrix_cell import NOT_APPLICABLE, Cell, Finding, Result
from mqconform.harness.compare.matrix.matrix_file import Settings
from mqconform.harness.compare.matrix.routing.enterprises import Enterprise, enterprises_of
from mqconform.harness.compare.matrix.routing.mixed_enterprise import MixedEnterprise, first_of_each, sides_in_turn
from mqconform.harness.compare.matrix.routing.router_answers import Answers, Asking
from mqconform.harness.compare.matrix.routing.router_judgements import Model
from mqconform.harness.compare.matrix.routing.smallest_enterprises import Shrinking, Smallest
from mqconform.harness.suite.ambiguity import load_register


def play_cells(cells: Sequence[Cell], by_name: dict[str, Implementation], settings: Settings) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known.

    Raises:
        ConfigurationError: an enterprise file cannot be used.
    """
    enterprises = enterprises_of(settings.tried, settings.seed)
    names = dict.fromkeys(name for cell in cells for _, name in cell.sides)
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        asked = {name: pool.submit(Asking(by_name[name], settings.deadline).ask_all, enterprises) for name in names}
        answers = {name: one.result() for name, one in asked.items()}
    model = Model(load_register(), settings.profile)
    shrinking = Shrinking(enterprises, model, settings.out, settings.deadline)
    smallest = {name: shrinking.smallest_of(by_name[name], one) for name, one in answers.items()}
    walks = _Walks(enterprises, answers, model, settings, smallest)
    for cell in cells:
        yield walks.result(cell)


@dataclass(frozen=True, slots=True)
class _Walks:
    enterprises: Sequence[Enterprise]
    answers: dict[str, Answers]
    model: Model
    settings: Settings
    smallest: dict[str, dict[str, Smallest]]

    def result(self, cell: Cell) -> Result:
        unreachable = [self.answers[name].unreachable for _, name in cell.sides if self.answers[name].unreachable]
        if unreachable:
            return Result(cell, excuse=NOT_APPLICABLE, reason=unreachable[0])
        of_sides = {side: self.answers[name] for side, name in cell.sides}
        played, findings, kept = [], list[Finding](), dict[str, None]()
        for enterprise in self.enterprises:
            mixed = MixedEnterprise(enterprise, sides_in_turn(cell, enterprise), of_sides, self.model)
            one, found = mixed.played(self.settings.tried.questions)
            played.append(one)
            if found:
                file = enterprise.keep(self.settings.out)
                kept[file] = None
                findings += [replace(each, evidence=file) for each in found]
        told = tuple(self._with_smallest(cell, one) for one in first_of_each(findings))
        files = dict.fromkeys((*(one.evidence for one in told if one.evidence), *kept))
        return Result(cell, tuple(played), told, tuple(files))

    def _with_smallest(self, cell: Cell, finding: Finding) -> Finding:
        """Return a finding with the smallest enterprise that shows it, where one was found."""
        small = self.smallest.get(dict(cell.sides).get(finding.side, ""), {}).get(finding.requirement)
        if small is None or not finding.side:
            return finding
        return replace(
            finding, observed=f"{finding.observed}\nexplained by, in this folder: {small.told}", evidence=small.file
        )
