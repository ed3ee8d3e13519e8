"""The smallest enterprise in which a router still gives a wrong answer, for debugging it."""

import json
import shlex
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.explore.matrix.routing.enterprises import FOLDER, Enterprise, as_enterprise
from mqconform.harness.explore.matrix.routing.router_answers import Answers, Model
from mqconform.harness.iut.drivers.router.hops import known, next_hops
from mqconform.harness.iut.interface import IutProblem
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, NamedEnterprise, guid_of
from mqconform.harness.judge.mqbr.smaller_enterprises import has_gates, smaller_enterprises
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.records.verdict import Verdict

MOST: Final = 3
"""Requirements of one implementation for which a smallest enterprise is looked for."""
ATTEMPTS: Final = 120
Question = tuple[NamedEnterprise, str, str]
"""Where, and the names of source and destination."""


@dataclass(frozen=True, slots=True)
class Smallest:
    """One of them, as it was kept.

    Attributes:
        file: below the folder of the results.
        command: the command that explains it, in that folder.
    """

    file: str
    command: str


@dataclass(frozen=True, slots=True)
class Shrinking:
    """Looks for smallest enterprises, and keeps them below the folder of the results; only generated ones shrink."""

    enterprises: Sequence[Enterprise]
    model: Model
    out: Path
    deadline: float

    def smallest_of(self, implementation: Implementation, answers: Answers) -> dict[str, Smallest]:
        """Return the smallest enterprises of a router, by the requirement that it breaks there."""
        wrong = self._wrong_answers(answers)
        if not wrong:
            return {}
        try:
            with closing(implementation.connect(self.deadline)) as iut:
                return {name: self._shrunk(iut, f"{implementation.name}-{name}", *at) for name, at in wrong.items()}
        except IutProblem:  # it cannot be reached, or breaks its contract as well, which its cells tell
            return {}

    def _wrong_answers(self, answers: Answers) -> dict[str, Question]:
        """Return for some requirements the first question that was answered wrongly."""
        questions: dict[str, Question] = {}
        by_name = {enterprise.name: enterprise for enterprise in self.enterprises}
        for (name, source, destination), hops in answers.hops.items():
            enterprise = by_name[name]
            if enterprise.named_enterprise is None or len(questions) == MOST:
                continue
            if self.model.judgement(enterprise, source, destination, hops).verdict is Verdict.FAIL:
                requirement = self.model.requirement(enterprise, source, destination)
                names = (enterprise.named(source), enterprise.named(destination))
                questions.setdefault(requirement, (enterprise.named_enterprise, *names))
        return questions

    def _shrunk(
        self, iut: CheckedIut, name: str, enterprise: NamedEnterprise, source: str, destination: str
    ) -> Smallest:
        local, target = guid_of(MACHINE, source), guid_of(MACHINE, destination)

        def shows(candidate: NamedEnterprise) -> bool:
            if not {source, destination} <= {machine.name for machine in candidate.machines}:
                return False
            if not has_gates(candidate):
                return False
            tried = as_enterprise("tried", candidate)
            iut.call("reset", {})
            iut.call("router.load_directory", {"directory": tried.document})
            iut.call("router.initialize", {"local": local})
            hops = known(next_hops(iut, local, target))
            fresh = Model(self.model.register, self.model.profile)
            return fresh.judgement(tried, local, target, hops).verdict is Verdict.FAIL

        small = reduced(enterprise, smaller_enterprises, shows, ATTEMPTS)
        file = f"{FOLDER}/smallest-{name}.json"
        (self.out / FOLDER).mkdir(parents=True, exist_ok=True)
        (self.out / file).write_text(json.dumps(small.document, indent=1) + "\n", encoding="utf-8")
        words = ["mqconform", "next-hops", "--directory", file, "--from", source, "--to", destination, "--explain"]
        return Smallest(file, shlex.join(words))
