"""Cases that wait by the real clock, played at the same time on queues of their own; each is judged afterwards.

A case is played with the others, and what was said is recorded; then its steps go through the recording and judge.
What needs the machine to itself, meets with another case or comes too late is not recorded: it is played alone.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Final, cast

from mqconform.harness.iut.drivers.queue_manager.recording import Recording
from mqconform.harness.iut.drivers.queue_manager.shared_machine import Call, Part, SharedMachine, ends_it
from mqconform.harness.iut.drivers.queue_manager.turns import Play, take_turns
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.judged_run import JudgedRun
from mqconform.harness.judge.mqso.clock import Clock
from mqconform.harness.judge.mqso.queue_manager_scene import QueueManagerScene, begun
from mqconform.harness.records.case import Case
from mqconform.harness.suite.ambiguity import ReadingLog
from mqconform.reference.mqso.elements import SECOND
from mqconform.reference.mqso.timers import TOLERANCE

Progress = Callable[[int, int], None]
Step = Callable[[QueueManagerScene], object]
SHARING: Final = frozenset({"clock", "transactions", "external-transactions", "cursors"})
"""What a case may need that shares the machine with others."""
ONE_AT_A_TIME: Final = "the transactional dead-letter queue"
"""Queue of the system whose letters are received in transactions, so that those of others cannot be kept for them."""
ROUNDS: Final = 3
"""How often cases are played side by side where a busy machine keeps some of them from their times."""
LATEST: Final = TOLERANCE - SECOND // 10
"""Nanoseconds by which a wait may be too long: scenarios keep a second from each timer, twice the tolerance."""


def waits_beside_others(tags: Sequence[str]) -> bool:
    """Return whether a case about queue managers waits, and shares the machine with others."""
    needs = {tag.removeprefix("needs:") for tag in tags if tag.startswith("needs:")}
    return "role:queue_manager" in tags and "clock" in needs and needs <= SHARING


class Story:
    """A case on its way through its steps, beside others.

    Attributes:
        case: which it is.
        words: of all its steps.
        steps: each does something, or would judge.
        recording: the calls and answers, with their times.
        turn: when it goes on.
    """

    def __init__(self, case: Case, words: str, steps: Sequence[Step]) -> None:
        self.case, self.words, self.steps = case, words, steps
        self.recording = Recording()
        self.turn = Play(self._play, ONE_AT_A_TIME if ONE_AT_A_TIME in words else "")
        self._call_was_slow = False

    def begins(self, run: JudgedRun, machine: SharedMachine) -> None:
        """Give it a part of a machine."""
        self._part: Part = machine.part(self.recording.conversation)
        self._run = run

    def once_more(self) -> "Story":
        """Return the same, not played yet."""
        return Story(self.case, self.words, self.steps)

    @property
    def late(self) -> bool:
        """Whether something came so late that the case shows less than it should."""
        return self.turn.overslept > LATEST or self._call_was_slow

    @property
    def alone(self) -> bool:
        """Whether it has to be played alone: it needs that, met with another case, or did not come to its end."""
        return self.turn.problem is not None or self._part.mixed

    def _play(self) -> None:
        clock = Clock(real=True, now=self.recording.now, sleep=self.turn.wait)
        scene = begun(self._run, copy(self.case), clock, self._call)
        for step in self.steps:
            step(scene)
        self._call_was_slow = clock.late

    def _call(self, operation: str, params: Json) -> Json:
        return self.recording.note(operation, params, self._part.call(operation, params))


class Unjudged:
    """What a scene needs of a run, where nothing is judged yet."""

    second_opinion = False

    def __init__(self, run: JudgedRun) -> None:
        self.register, self.profile, self.readings = run.register, run.profile, ReadingLog(run.register)

    def witness(self, *_: Any) -> None:
        """Record nothing."""


def play_side_by_side(
    run: JudgedRun, call: Call, stories: Sequence[Story], progress: Progress = lambda *_: None
) -> Mapping[str, Recording]:
    """Play cases at the same time, and those that come too late once more; return recordings by the ids of the cases.

    Args:
        run: that of the cases; nothing is recorded there.
        call: calls an operation of the implementation, and records the conversation.
        stories: the cases.
        progress: called with how many cases are over, and how many there are.

    Raises:
        IutProblem: one after which the implementation may be no more.
    """
    recordings: dict[str, Recording] = {}
    for _ in range(ROUNDS):
        if len(stories) < 2:
            break
        run.iut.call("reset", {})
        machine = SharedMachine(call, ticks="virtual-clock" in run.iut.description.capabilities)
        for story in stories:
            story.begins(cast("JudgedRun", Unjudged(run)), machine)
        take_turns(sorted((story.turn for story in stories), key=lambda turn: not turn.lane), progress)
        for story in stories:
            if story.turn.problem is not None and ends_it(story.turn.problem):
                raise story.turn.problem
        beside = [story for story in stories if not story.alone]
        recordings |= {story.case.id: story.recording for story in beside if not story.late}
        stories = [story.once_more() for story in beside if story.late]
    return recordings
