"""What one run shares between its cases."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.interface import AdapterOptions, Iut, IutProblem, LiveClients, Unreachable
from mqconform.harness.iut.protocol import NOT_TRIED, CheckedIut
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import ResultWriter, remedied
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Traffic, Witness
from mqconform.harness.suite.ambiguity import ReadingLog, Register
from mqconform.harness.suite.catalogue import Catalogue
from mqconform.harness.suite.selection import judged_in
from mqconform.harness.suite.telling import load_telling

if TYPE_CHECKING:
    from mqconform.harness.iut.drivers.discovery_client.recordings import Recordings

MAX_RESTARTS = 20
"""How often an IUT that crashed is started anew before the run gives it up."""


@dataclass(slots=True)
class Session:
    """One run against one IUT.

    Attributes:
        iut: how the implementation is reached.
        reconnect: opens the IUT anew after it crashed.
        dead_since: the case after which the IUT answered no more, where it cannot be started again.
        second_opinion: whether a second, independent oracle votes on routing; a disagreement is an error of ours.
        thorough: see ``Plan``.
        live: where discovery clients with the real clock come from; None with a virtual one.
        recordings: what discovery clients did with the real clock, before the first case; None with a virtual one.
        silences: how many requests that must be answered were waited for in vain.
        floods: how many exchanges ended because more came than the harness keeps.
        by_requirement: verdicts of all witnesses so far, by requirement id.
        conversation: what was said since the case began.
        after_case: called with each case that was run, before its record is written.
        spent: silences, floods, restarts, waits and whether the IUT was given up, of the cases that are over.
        give_up_after: after how many seconds of waits in vain the IUT is given up; 0 for never.
        waited: seconds that cases waited for answers that did not come.
        until: time of the monotonic clock at which the run ends.
        began: time of that clock at which the case began.
        cut_short: violations that an earlier part of this run had reported of a case that it did not end.
    """

    iut: Iut
    reconnect: Callable[[], Iut]
    profile: Profile
    seed: int
    options: AdapterOptions
    catalogue: Catalogue
    register: Register
    writer: ResultWriter
    readings: ReadingLog = field(default_factory=ReadingLog)
    cases: list[Case] = field(default_factory=list)
    by_requirement: dict[str, list[Verdict]] = field(default_factory=lambda: defaultdict(list))
    second_opinion: bool = False
    thorough: int = 1
    live: LiveClients | None = None
    recordings: "Recordings | None" = None
    dead_since: str = ""
    restarts: int = 0
    silences: int = 0
    floods: int = 0
    request_ids: dict[bytes, str] = field(default_factory=dict)
    conversation: Conversation = field(default_factory=Conversation)
    after_case: Callable[["Session", Case], None] | None = None
    give_up_after: float = 0.0
    waited: float = 0.0
    until: float = inf
    began: float = 0.0
    spent: tuple[int, int, int, float, bool] = (0, 0, 0, 0.0, False)
    cut_short: tuple[Witness, ...] = ()

    @property
    def roles(self) -> frozenset[str]:
        """What the implementation says it is."""
        return self.iut.description.roles

    def check_alive(self) -> None:
        """Raise if the IUT has been given up, or the time of the run is over.

        Raises:
            Unreachable: so it is.
        """
        if self.dead_since:
            raise Unreachable(f"the implementation has not answered since case {self.dead_since}")
        if monotonic() > self.until:
            raise Unreachable(NOT_TRIED)

    def witness(
        self, case: Case, requirements: Iterable[str], judgement: Judgement, traffic: Traffic | None = None
    ) -> None:
        """Record one judgement for each of its requirements, on disk before it returns.

        A reading that fails is held against the sentences that the register names. Requirements that are not judged,
        or do not bind in the profile, get no witness.
        """
        if judgement.verdict is Verdict.FAIL and judgement.reading:
            requirements = self._broken(judgement.reading, requirements)
        for requirement in judged_in(requirements, self.catalogue, self.profile):
            seconds = round(monotonic() - self.began, 3)
            traffic = traffic or Traffic()
            self._record(case, Witness(case.id, requirement, case.step, judgement, traffic, case.check, seconds))

    def _broken(self, name: str, requirements: Iterable[str]) -> Iterable[str]:
        """Return which of some requirements a reading breaks, or the first that it breaks where none is among them."""
        ambiguity, _, reading = name.partition("/")
        breaks = self.register.reading(ambiguity, reading).breaks
        if not breaks:  # it fails in ``strict`` alone, where the letter of each of them decides
            return requirements
        return tuple(requirement for requirement in requirements if requirement in breaks) or breaks[:1]

    def overheard(self, iut: CheckedIut) -> CheckedIut:
        """Return an IUT so that what is said to it is kept as evidence, and nothing is said after the run's time."""
        iut.conversation, iut.until = self.conversation, self.until
        return iut

    def finish(self, case: Case) -> None:
        """Write the record of a case that is over."""
        if case.began:
            case.seconds = round(monotonic() - self.began, 3)
        for witness in self.cut_short:
            if witness.case == case.id and witness not in case.witnesses:
                self._record(case, witness)
        case.followed = self.readings.recent()
        case.refused = tuple(self.conversation.refused) if case.began else ()
        case.patience = self._spent_in_this_case()
        cause = self._handed_on(case)
        self.cases.append(case)
        self.writer.write(case.record())
        if cause:  # the record, which weighs little, may still have found room
            self.writer.lose(cause)

    def wait_in_vain(self, case: Case, at_least: float = 0.0) -> None:
        """Count the time of a case that waited for an answer in vain, and give the IUT up after too much of it.

        At least ``at_least`` seconds are counted: waits are short where the IUT refuses, or has been silent before.
        """
        self.waited += max(at_least, monotonic() - self.began)
        if self.give_up_after and self.waited >= self.give_up_after:
            self.dead_since = case.id

    def _handed_on(self, case: Case) -> str:
        """Call ``after_case``, and return why what it writes is lost, empty where it is not."""
        if self.after_case and not case.excused:
            try:
                self.after_case(self, case)
            except OSError as error:
                return remedied(error, self.writer.path)
        return ""

    def _spent_in_this_case(self) -> dict[str, float]:
        silences, floods, restarts, waited, given_up = self.spent
        self.spent = (self.silences, self.floods, self.restarts, self.waited, bool(self.dead_since))
        cost: dict[str, float] = {"silences": self.silences - silences, "floods": self.floods - floods}
        cost["waited"] = round(self.waited - waited, 3)
        cost["restarts"] = again if (again := self.restarts - restarts) > 1 else 0
        cost["given_up"] = bool(self.dead_since) and not given_up
        return {name: value for name, value in cost.items() if value}

    def _record(self, case: Case, witness: Witness) -> None:
        case.witnesses.append(witness)
        self.by_requirement[witness.requirement].append(load_telling().worth(witness))
        self.writer.write(witness.record())

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one, so that one crash does not hide the rest."""
        case.crashed = True
        self.iut.close()
        self.restarts += 1
        if self.restarts > MAX_RESTARTS:
            self.dead_since = case.id
        if self.dead_since:
            return
        try:
            self.iut = self.reconnect()
            self.request_ids.clear()
        except IutProblem as problem:
            self.dead_since = case.id
            case.reason += f"; and it could not be started again: {problem}"
