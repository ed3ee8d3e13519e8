"""What judges need of the run that they work in; ``Session`` is it."""

from collections.abc import Iterable
from typing import Protocol

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.drivers.discovery_client.recordings import Recordings
from mqconform.harness.iut.interface import AdapterOptions, Iut
from mqconform.harness.iut.patience import Patience
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import ResultWriter
from mqconform.harness.records.witness import Judgement, Traffic
from mqconform.harness.suite.ambiguity import ReadingLog, Register


class JudgedRun(Protocol):
    """One run against one IUT."""

    iut: Iut
    profile: Profile
    seed: int
    options: AdapterOptions
    register: Register
    readings: ReadingLog
    writer: ResultWriter
    second_opinion: bool
    thorough: int
    """How many times as many generated inputs are tried as by default."""
    recordings: Recordings | None
    conversation: Conversation
    patience: Patience
    request_ids: dict[bytes, str]
    """RequestIDs that the implementation has sent since it was started, with the case in which it did."""

    def witness(
        self, case: Case, requirements: Iterable[str], judgement: Judgement, traffic: Traffic | None = None
    ) -> None:
        """Record one judgement for each of the requirements that it bears on."""

    def overheard(self, iut: CheckedIut) -> CheckedIut:
        """Return an IUT whose conversation is recorded as evidence."""

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one."""
