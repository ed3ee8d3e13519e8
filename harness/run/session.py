"""What one run shares between its cases."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.interface import AdapterOptions, Iut, IutProblem, LiveClients
from mqconform.harness.iut.patience import Patience
from mqconform.harness.iut.protocol import CheckedIut
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


@dataclass(slots=True)
class Session:
    """One run against one IUT.

    Attributes:
        iut: how the implementation is reached.
        reconnect: opens the IUT anew after it crashed.
        patience: how long the IUT has been waited for, and whether it was given up.
        second_opinion: whether a second, independent oracle votes on routing; a disagreement is an error of ours.
        thorough: see ``Plan``.
        live: where discovery clients with the real clock come from; None with a virtual one.
        recordings: what discovery clients did with the real clock, before the first case; None with a virtual one.
        by_requirement: verdicts of all witnesses so far, by requirement id.
        conversation: what was said since the case began.
        after_case: called with each case that was run, before its record is written.
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
    patience: Patience = field(default_factory=Patience)
    request_ids: dict[bytes, str] = field(default_factory=dict)
    conversation: Conversation = field(default_factory=Conversation)
    after_case: Callable[["Session", Case], None] | None = None
    cut_short: tuple[Witness, ...] = ()

    @property
    def roles(self) -> frozenset[str]:
        """What the implementation says it is."""
        return self.iut.description.roles

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
            traffic, seconds = traffic or Traffic(), self.patience.seconds
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
        self.by_requirement[witness.requirement].append(load_telling().worth(witness))
        self.writer.write(witness.record())

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one, so that one crash does not hide the rest."""
        case.crashed = True
        self.iut.close()
        if not self.patience.crashed(case.id):
            return
        try:
            self.iut = self.reconnect()
            self.request_ids.clear()
        except IutProblem as problem:
            self.patience.dead_since = case.id
            case.reason += f"; and it could not be started again: {problem}"
