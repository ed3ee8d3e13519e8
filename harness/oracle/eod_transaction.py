"""Judgements on where the copies of transactional messages are (page, section 1)."""

from collections.abc import Sequence

from mqconform.harness.iut import Json
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import Judgement
from mqconform.reference.eod.transaction import NOT_TRANSACTIONAL_QUEUE

PLACES = ("outgoing", "queues", "dead_letters")


def committed(judge: Judge, wanted: bool, seen: bool) -> Judgement:  # noqa: FBT001 - the one thing it is about
    """Judge whether a transaction went through."""
    told = {True: "committed", False: "aborted"}
    return judge.says(seen == wanted, told[wanted], told[seen])


def holds(judge: Judge, state: Json, part: str, place: str, wanted: Sequence[str]) -> Judgement:
    """Judge which messages are in one place, in order."""
    return judge.says(_messages(state, part, place) == [*wanted], f"{place}: {_listed(wanted)}", told(state, part))


def only_in(judge: Judge, state: Json, part: str, places: Sequence[str]) -> Judgement:
    """Judge that messages are in these places of a kind, and in no other."""
    found = sorted(place for place in state.get(part, {}) if _messages(state, part, place))
    return judge.says(found == sorted(places), f"messages in {_listed(sorted(places))}", told(state, part))


def negative_acknowledgments(
    judge: Judge, state: Json, administration_queue: str, wanted: Sequence[tuple[str, str]]
) -> Judgement:
    """Judge the negative acknowledgments in an administration queue: message and queue, in any order."""
    shown = state.get("acknowledgments", {}).get(administration_queue, [])
    seen = sorted((str(one["message"]), one["queue"], one["class"]) for one in shown)
    expected = sorted((message, queue, NOT_TRANSACTIONAL_QUEUE) for message, queue in wanted)
    return judge.says(seen == expected, _acknowledgments(expected), _acknowledgments(seen))


def told(state: Json, part: str) -> str:
    """Return one part of the state in words."""
    held = [f"{place}: {_listed(_messages(state, part, place))}" for place in sorted(state.get(part, {}))]
    return f"{part.replace('_', ' ')}: {'; '.join(held) or 'empty'}"


def _messages(state: Json, part: str, place: str) -> list[str]:
    return [str(one) for one in state.get(part, {}).get(place, [])]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _acknowledgments(several: Sequence[tuple[str, str, str]]) -> str:
    return "; ".join(f"{message} from {queue}: {reason}" for message, queue, reason in several) or "none"
