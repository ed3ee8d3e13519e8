"""What one run shares between its cases: the evidence that is collected, and patience with an implementation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Self

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.drivers.discovery_client.recordings import Recordings, live_clients
from mqconform.harness.iut.interface import AdapterOptions, IutProblem, LiveClients
from mqconform.harness.iut.patience import GIVE_UP_AFTER, Patience
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import ResultWriter, remedied
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Traffic, Witness
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.selection import judged_in


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """The part of a run's plan that its cases depend on.

    Attributes:
        iut: KIND:ID of the implementation.
        options: how it is reached.
        second_opinion: whether a second, independent oracle votes on routing; a disagreement is an error of ours.
        thorough: how many times as many generated inputs are tried as by default.
        give_up_after: see ``Patience``; so is ``until``.
    """

    iut: str
    options: AdapterOptions
    profile: Profile
    seed: int
    second_opinion: bool = field(default=False, kw_only=True)
    thorough: int = field(default=1, kw_only=True)
    give_up_after: float = field(default=GIVE_UP_AFTER, kw_only=True)
    until: float = field(default=inf, kw_only=True)


@dataclass(slots=True)
class Session:
    """One run against one IUT, which is closed with it.

    Attributes:
        iut: the implementation; another connection to it after a crash.
        writer: takes the records.
        after_case: called with each case that was run, before its record is written.
        cut_short: violations that an earlier part of this run had reported of a case that it did not end.
        recordings: what discovery clients did with the real clock, before the first case; None with a virtual one.
        request_ids: RequestIDs that the IUT has sent since it was started, with the case in which it did.
        conversation: what was said since the case began.
        patience: how long the IUT has been waited for, and whether it was given up.
        live: where discovery clients with the real clock come from; None with a virtual one.

    Raises:
        ConfigurationError: the options ask for a clock that the IUT does not have.
    """

    plan: JudgingPlan
    iut: CheckedIut
    after_case: Callable[["Session", Case], None] | None = None
    cut_short: tuple[Witness, ...] = ()
    readings: ReadingLog = field(default_factory=ReadingLog)
    cases: list[Case] = field(default_factory=list)
    recordings: Recordings | None = None
    request_ids: dict[bytes, str] = field(default_factory=dict)
    conversation: Conversation = field(default_factory=Conversation)
    writer: ResultWriter = field(init=False)
    patience: Patience = field(init=False)
    live: LiveClients | None = field(init=False)

    def __post_init__(self) -> None:
        self.patience = Patience(self.plan.give_up_after, self.plan.until)
        self.live = live_clients(self.iut, self.plan.options, self._connect)
        self.overheard(self.iut)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.iut.close()

    @property
    def judge(self) -> Judge:
        """What makes judgements, and remembers the readings that the IUT follows."""
        return Judge(load_register(), self.plan.profile, self.readings)

    def witness(
        self, case: Case, requirements: Iterable[str], judgement: Judgement, traffic: Traffic | None = None
    ) -> None:
        """Record one judgement for each of its requirements, on disk before it returns.

        A reading that fails is held against the sentences that the register names. Requirements that are not judged,
        or do not bind in the profile, get no witness.
        """
        if judgement.verdict is Verdict.FAIL and judgement.reading:
            requirements = _broken(judgement.reading, requirements)
        for requirement in judged_in(requirements, load_catalogue(), self.plan.profile):
            traffic, seconds = traffic or Traffic(), self.patience.seconds
            self._record(case, Witness(case.id, requirement, case.step, judgement, traffic, case.check, seconds))

    def overheard(self, iut: CheckedIut) -> CheckedIut:
        """Return an IUT so that what is said to it is kept as evidence, and nothing is said after the run's time."""
        iut.conversation, iut.until = self.conversation, self.patience.until
        return iut

    def finish(self, case: Case) -> None:
        """Write the record of a case that is over."""
        if case.began:
            case.seconds = self.patience.seconds
        for witness in self.cut_short:
            if witness.case == case.id and witness not in case.witnesses:
                self._record(case, witness)
        case.followed = self.readings.recent()
        case.refused = tuple(self.conversation.refused) if case.began else ()
        case.patience = self.patience.spent()
        cause = self._handed_on(case)
        self.cases.append(case)
        self.writer.write(case.record())
        if cause:  # the record, which weighs little, may still have found room
            self.writer.lose(cause)

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one, so that one crash does not hide the rest."""
        case.crashed = True
        self.iut.close()
        if not self.patience.crashed(case.id):
            return
        try:
            self.iut = self.overheard(self._connect())
            self.request_ids.clear()
        except IutProblem as problem:
            self.patience.dead_since = case.id
            case.reason += f"; and it could not be started again: {problem}"

    def _connect(self) -> CheckedIut:
        return connect(self.plan.iut, self.plan.options)

    def _handed_on(self, case: Case) -> str:
        """Call ``after_case``, and return why what it writes is lost, empty where it is not."""
        if self.after_case and not case.excused:
            try:
                self.after_case(self, case)
            except OSError as error:
                return remedied(error, self.writer.path)
        return ""

    def _record(self, case: Case, witness: Witness) -> None:
        case.witnesses.append(witness)
        self.writer.write(witness.record())


def _broken(name: str, requirements: Iterable[str]) -> Iterable[str]:
    """Return which of some requirements a reading breaks, or the first that it breaks where none is among them."""
    ambiguity, _, reading = name.partition("/")
    breaks = load_register().reading(ambiguity, reading).breaks
    if not breaks:  # it fails in ``strict`` alone, where the letter of each of them decides
        return requirements
    return tuple(requirement for requirement in requirements if requirement in breaks) or breaks[:1]
