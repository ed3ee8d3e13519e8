"""When a sender sends again (MS-MQQB 3.1.5.6, 3.1.6.5; register EOD-10).

The recommended waits are judged by models: one for each combination of readings is driven beside the sender. What no
combination explains is wrong; of the combinations that explain everything, the best one counts. What binds every sender
is judged by the sender's own waits, however long they are.
"""

from collections.abc import Sequence
from typing import Final

from mqconform.harness.judge.eod.sender_models import HALF_A_SECOND, TENTH
from mqconform.harness.judge.eod.sending import NAMES, OutgoingScene, Watched, names_in
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import then_judged
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.allowed import Reading
from mqconform.reference.choice import Choice
from mqconform.reference.eod.elements import resend_interval
from mqconform.reference.eod.readings_of_receivers import Timers
from mqconform.reference.eod.readings_of_senders import Resends, ScheduleOverSessions, SenderReadings

_MOST_NAMED: Final = 16
"""Resends that evidence names; later ones explain nothing that these do not."""


@then_judged("it sends again when it may, and not otherwise")
def sends_again_when_it_may(outgoing: OutgoingScene) -> Judgement:
    """Judge everything that was sent again so far."""
    judge, models = outgoing.judge, outgoing.models
    expected, observed = (_in_words(resends) for resends in (models.expected, models.resends))
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


@then_judged(rf"the resend holds (?P<names>{NAMES}), in order")
def resend_is(outgoing: OutgoingScene, names: str) -> Judgement:
    """Judge that all that is not acknowledged is sent again, in order, after any time (EOD-3.1.6.5-01)."""
    due = [name for name in names_in(names) if name not in outgoing.transmission.kept_back]
    watched = outgoing.watched[-1]
    whole = len(watched.messages) // len(due)
    right = watched.messages == tuple(due) * whole and whole > 0
    return outgoing.judge.says(right, f"{', '.join(map(str, due))} again, in order", f"{watched}")


@then_judged(r"(?P<name>m\d+) was sent again meanwhile")
def message_was_sent_again(outgoing: OutgoingScene, name: str) -> Judgement:
    """Judge that a message is sent again within twice the time that its sender took alone (EOD-3-06)."""
    alone, meanwhile = outgoing.watched[0], outgoing.watched[1:]
    judge = outgoing.judge
    expected = f"{name} again within {sum(wait.after for wait in meanwhile) / 10:g} s; without other messages {alone}"
    if not alone.messages:
        return judge.undecided(expected, f"{alone}")
    observed = "; ".join(f"{wait}" for wait in meanwhile if wait.messages) or "nothing"
    return judge.says(any(name in wait.messages for wait in meanwhile), expected, observed)


@then_judged("the wait is as long as the first one was")
def wait_is_as_the_first(outgoing: OutgoingScene) -> Judgement:
    """Judge that the sender's own intervals begin with the first again; their lengths are free (EOD-3.1.5.6-02)."""
    judge, watched = outgoing.judge, outgoing.watched
    first, last = watched[0], watched[-1]
    expected, observed = f"a resend after about {first.after / 10:g} s", "; ".join(map(str, watched))
    if not all(wait.messages for wait in watched[:-1]):
        return judge.reading(*_entry(Resends.ONCE), expected, observed)
    if not last.messages or not _alike(first.after, last.after):
        return judge.says(False, expected, observed)
    return judge.reading(*_entry(Resends.UNTIL_ACKNOWLEDGED), expected, observed)


@then_judged("the intervals go on over the restart, or begin with the first")
def intervals_after_restart(outgoing: OutgoingScene) -> Judgement:
    """Judge where the intervals stand after a restart (EOD-3.1.6.5-02; register EOD-06).

    The first resend after it tells nothing: everything is due again at once, or the old wait goes on. Watching finds
    the end of a wait too late by a second or a twentieth of it, and so the beginning of the next.
    """
    *before, first, second = outgoing.watched
    judge = outgoing.judge
    # A session begins with the first interval, and the numbers outlive it (MS-MQQB 3.1.3.2; EOD-06).
    waits = {ScheduleOverSessions.GOES_ON: len(before), ScheduleOverSessions.BEGINS_ANEW: 0}
    due = {choice: resend_interval(index) // TENTH for choice, index in waits.items()}
    expected = f"a resend after {' or '.join(f'{wait / 10:g} s' for wait in due.values())}"
    if not all(wait.messages for wait in before):
        return judge.reading(*_entry(Resends.ONCE), expected, "; ".join(map(str, before)))
    if not second.messages:
        return judge.undecided(expected, f"{second}")
    half_a_second = HALF_A_SECOND // TENTH
    for choice, wait in due.items():
        early = max(10, first.after // 20) + half_a_second
        late = wait // (20 if judge.profile is Profile.STRICT else 2) + half_a_second
        if wait - early <= second.after <= wait + late:
            return judge.reading(*_entry(choice), expected, f"{second}")
    return judge.says(False, expected, f"{second}")


@then("it was sent again after as long as alone")
def stream_waits_by_itself(outgoing: OutgoingScene) -> None:
    outgoing.witness(waits_alike(outgoing.judge, *outgoing.watched[-2:]))


def waits_alike(judge: Judge, alone: Watched, beside: Watched) -> Judgement:
    """Judge that another stream does not move the resends of one (EOD-2-05; register EOD-04).

    MS-MQQB has one timer for a session, which sends all of its streams again: that is the reading timer-by-session.
    """
    expected, observed = f"as without the other stream: {alone}", f"{beside}"
    if not alone.messages:
        return judge.undecided(expected, observed)
    if not beside.messages:
        return judge.says(False, expected, observed)
    same = _alike(alone.after, beside.after)
    return judge.reading(*_entry(Timers.STREAM if same else Timers.SESSION), expected, observed)


def _alike(wait: int, other: int) -> bool:
    """Tell whether two waits of one sender are the same but for half of them."""
    return abs(wait - other) <= wait // 2


def _entry(choice: Choice) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name


@then_judged("nothing was sent again")
def nothing_was_sent_again(outgoing: OutgoingScene) -> Judgement:
    """Judge that nothing was sent again."""
    models = outgoing.models
    return outgoing.judge.says(not models.resends, "nothing is sent again", _in_words(models.resends))


def _readings(readings: SenderReadings) -> tuple[Reading, ...]:
    chosen = (readings.intervals, readings.resends)
    return tuple(choice.reading for choice in chosen)


def _verdict(judge: Judge, reading: Reading) -> Verdict:
    return judge.register.verdict_of(reading.register, reading.name, judge.profile)


def _in_words(resends: Sequence[object]) -> str:
    text = "; ".join(map(str, resends[:_MOST_NAMED])) or "nothing is sent again"
    return f"{text}; and {len(resends) - _MOST_NAMED} more" if len(resends) > _MOST_NAMED else text
