"""When a sender sends again (MS-MQQB 3.1.5.6, 3.1.6.5; registers EOD-06, EOD-10).

A model for each combination of readings is driven beside the sender. What no combination explains is wrong; of the
combinations that explain everything, the best one counts.
"""

from collections.abc import Sequence

from pytest_bdd import parsers, then

from mqconform.harness.judge.eod.sender_models import Resend, SenderModels
from mqconform.harness.judge.eod.sending import NAMES, OutgoingScene, names_in
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.records.witness import Judgement
from mqconform.reference.allowed import Reading
from mqconform.reference.eod.readings_of_senders import SenderReadings
from mqconform.reference.eod.sender import Message


@then("it sends again when it may, and not otherwise")
def sends_again_when_it_may(outgoing: OutgoingScene) -> None:
    """Judge all resends by the models."""
    outgoing.witness(judge_resends(outgoing.judge, outgoing.models))


def judge_resends(judge: Judge, models: SenderModels) -> Judgement:
    """Judge everything that was sent again so far."""
    expected, observed = (_in_words(resends) for resends in (models.expected, models.seen))
    if not models.left:
        return judge.says(False, expected, observed)
    best = min(models.left, key=lambda readings: worst(_verdict(judge, reading) for reading in _readings(readings)))
    judgements = [
        judge.reading(reading.register, reading.name, expected, observed)
        for reading in _readings(best)
        if any(reading not in _readings(other) for other in models.refuted)
        and all(reading in _readings(other) for other in models.left)
    ]
    return max(judgements, key=lambda judgement: judgement.verdict, default=judge.says(True, expected, observed))


@then(parsers.re(rf"the first resend holds (?P<names>{NAMES}), in order"))
def first_resend_is(outgoing: OutgoingScene, names: str) -> None:
    """Judge what was sent again first."""
    outgoing.witness(first_resend_holds(outgoing.judge, names_in(names), outgoing.models))


def first_resend_holds(judge: Judge, wanted: Sequence[Message], models: SenderModels) -> Judgement:
    """Judge that the first resend has all that is not acknowledged, in order (EOD-3.1.6.5-01)."""
    expected = ", ".join(map(str, wanted))
    right = bool(models.seen) and models.seen[0].messages == tuple(wanted)
    return judge.says(right, expected, _in_words(models.seen))


@then("nothing was sent again")
def nothing_was_sent_again(outgoing: OutgoingScene) -> None:
    """Judge that nothing was."""
    outgoing.witness(nothing_was_resent(outgoing.judge, outgoing.models))


def nothing_was_resent(judge: Judge, models: SenderModels) -> Judgement:
    """Judge that nothing was sent again."""
    return judge.says(not models.seen, "nothing is sent again", _in_words(models.seen))


def _readings(readings: SenderReadings) -> tuple[Reading, ...]:
    chosen = (readings.intervals, readings.resends, readings.schedule_over_sessions)
    return tuple(choice.reading for choice in chosen)


def _verdict(judge: Judge, reading: Reading) -> Verdict:
    return judge.register.verdict_of(reading.register, reading.name, judge.profile)


def _in_words(resends: Sequence[Resend]) -> str:
    return "; ".join(map(str, resends)) or "nothing is sent again"
