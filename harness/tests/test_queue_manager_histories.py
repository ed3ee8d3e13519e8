"""Generated histories of queue managers: what they draw, what they find, and that what they save replays."""

import re
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_queue_managers_at_once import scene

from mqconform.harness.cli import run_command
from mqconform.harness.iut.conversation import operation_text
from mqconform.harness.iut.interface import Json, Unsupported
from mqconform.harness.judge.mqso import (
    drawn_domain_text,
    drawn_network_text,
    generated_histories,
    generated_network_histories,
)
from mqconform.harness.judge.mqso.drawn_history_kinds import LEFT_OUT, NEEDS, WEIGHTS, kinds_for
from mqconform.harness.judge.mqso.drawn_history_text import deeds, perform
from mqconform.harness.judge.mqso.drawn_story import QUEUES, WISHES
from mqconform.harness.judge.mqso.generated_histories import SingleHistorySearch, look_at_all
from mqconform.harness.judge.mqso.history_search import Sketch
from mqconform.harness.judge.mqso.queue_manager_steps import with_queues
from mqconform.harness.judge.mqso.sketch import drawn, varied
from mqconform.harness.records.case import Case
from mqconform.harness.records.result_file import read_result_file
from mqconform.harness.records.scope import NOT_OFFERED, not_tried

ALL = {kind for histories in LEFT_OUT for kind in kinds_for(set(NEEDS.values()), histories)}


SKETCHES = st.randoms().map(lambda random: drawn(random, sorted(ALL), (), WEIGHTS))


def judged(out: Path, iut: str, *more: str) -> int:
    return run_command(["run", "--iut", iut, "--req", "MQSO", "-k", "generated", "--out", str(out), *more])


@given(SKETCHES, st.integers(0, 15), st.integers(0, 15))
def test_a_history_makes_sense_whatever_is_taken_out(sketch: Sketch, first: int, last: int) -> None:
    played = scene()
    with_queues(played, [list(row) for row in QUEUES[:1] + QUEUES[2:]])
    for sentence in deeds(sketch[:first] + sketch[last:]):
        perform(played, sentence)
    look_at_all(played)
    assert played.explanation.contradiction is None


def test_only_what_is_offered_is_drawn() -> None:
    assert set(kinds_for((), "of plain messages")) == {"queues", "send", "receive", "look", "wait", "purge"}
    assert set(kinds_for({"restart"}, "with transactions")) == {"queues", "look", "purge", "restart"}


def test_the_first_histories_are_the_same_in_a_longer_run_and_try_more_than_as_many_others() -> None:
    def chosen(rounds: int) -> list[Sketch]:
        random = Random(1)
        return [*varied(lambda: drawn(random, sorted(ALL), (), WEIGHTS), deeds, 10, rounds)]

    def pairs(sketches: list[Sketch]) -> int:
        sentences = [[re.sub(r"\d+", "", sentence) for sentence in deeds(sketch)] for sketch in sketches]
        return len({pair for history in sentences for pair in combinations(history, 2)})

    random = Random(1)
    assert chosen(3)[:10] == chosen(1)
    assert pairs(chosen(1)) > 1.3 * pairs([drawn(random, sorted(ALL), (), WEIGHTS) for _ in range(10)])


def test_of_several_machines_only_what_is_offered_is_drawn() -> None:
    assert drawn_network_text.kinds_for(()) == ("send", "receive", "local", "too late", "outage")
    hindered = tuple(("outage", number) for number in range(50))
    sentences = [*drawn_network_text.deeds(hindered, ("send", "outage"))]
    assert not [words for words in sentences if "transaction" in words or "crash" in words or "receive" in words]
    assert [words for words in sentences if "is back" in words]


def test_of_a_domain_only_what_is_offered_is_drawn() -> None:
    kinds = drawn_domain_text.kinds_for(())
    assert set(kinds) == {"send", "receive", "outage", "change", "create", "look", "without directory"}
    lost = tuple(("without directory", number) for number in range(50))
    sentences = [*drawn_domain_text.deeds(lost, kinds)]
    assert not [words for words in sentences if "transaction" in words or "restarted" in words]
    assert sum("is lost" in words for words in sentences) == sum("directory is back" in words for words in sentences)


@pytest.mark.parametrize("fault", ["gives-up-after-a-cut", "notifies-nobody"])
def test_a_mistake_between_machines_is_found_saved_and_replayed(tmp_path: Path, fault: str) -> None:
    mutant = f"mutant:queues-{fault}"
    assert judged(tmp_path / "first", mutant) == 1
    saved = ("--features", str(tmp_path / "first" / "cases"), "-k", "explains", "--req", "MQSO")
    assert run_command(["run", "--iut", mutant, *saved, "--out", str(tmp_path / "again")]) == 1
    assert run_command(["run", *saved, "--out", str(tmp_path / "reference")]) == 0


def test_a_mistake_is_found_made_small_saved_the_same_each_time_and_replayed(tmp_path: Path) -> None:
    for run in ("first", "second"):
        assert judged(tmp_path / run, "mutant:queue-abort-loses") == 1
    first, second = (sorted((tmp_path / run / "cases").iterdir()) for run in ("first", "second"))
    assert [one.read_text() for one in first] == [one.read_text() for one in second]
    steps = first[-1].read_text().split("    When ")[1].splitlines()
    assert len(steps) <= 12, steps
    saved = ("--features", str(tmp_path / "first" / "cases"), "-k", "explains")
    again = ["--req", "MQSO", "--out", str(tmp_path / "again"), *saved]
    assert run_command(["run", "--iut", "mutant:queue-abort-loses", *again]) == 1
    assert run_command(["run", "--req", "MQSO", "--out", str(tmp_path / "reference"), *saved]) == 0


def test_a_thorough_run_tries_more_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, "ref:", "--thorough", "2") == 0
    assert "seed 0, 2 times the generated inputs" in capsys.readouterr().out
    result = read_result_file(tmp_path / "results.ndjson")
    assert {one.observed for one in result.witnesses} == {
        "no violation in 16 histories",
        "no violation in 124 histories",
        "no violation in 22 histories",
        "no violation in 9 histories",
        "no violation in 51 histories",
    }


def test_nothing_is_verified_where_no_history_could_be_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for search in (generated_histories.SingleHistorySearch, generated_network_histories.NetworkHistorySearch):
        monkeypatch.setattr(search, "play", lambda *_: None)
    judged(tmp_path / "out", "ref:")
    verdicts = {one.verdict for one in read_result_file(tmp_path / "out" / "results.ndjson").witnesses}
    assert verdicts == {"inconclusive"}


def test_who_limits_no_room_and_keeps_no_dead_letters_is_judged_by_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    first = scene()
    ours = first.run.iut.call

    def without(method: str, params: Json) -> Json:
        if method == "reset":
            return {}
        asked = {**params, **params.get("properties", {}), **params.get("address", {})}
        if asked.keys() & {"room", "dead_letter", "journal", "system", "id"}:
            raise Unsupported(method)
        return ours(method, params)

    monkeypatch.setattr(first.run.iut, "call", without)
    search = SingleHistorySearch(first)
    told = ", recoverable, asking for acknowledgment of its receive at acks"
    offer = search.offer
    assert (offer.rooms, offer.identifiers, set(offer.wishes)) == (False, False, {"", ", recoverable", told})
    assert "identify" not in kinds_for(NEEDS.values(), "of all kinds", offer)
    for number in range(len(WISHES) * 3):
        assert search.play((("send", number), ("receive", number))) is None
    assert search.explained == len(WISHES) * 3


def test_what_was_not_tried_is_told_by_capability_and_kind_of_operation() -> None:
    lacking, refusing = (Case(name, "mqso/f", "s", "", ()) for name in "ab")
    lacking.excused, lacking.reason = "unsupported", f"{NOT_OFFERED}cursors, restart"
    wished = operation_text("queue_manager.send", {"handle": 1, "message": "m", "journal": True, "dead_letter": True})
    refusing.refused = (operation_text("queue_manager.receive", {"handle": 1, "id": 2}), wished)
    told = ("cursors", "restart", "receive by identifier", "send with journal and dead letter")
    assert not_tried([lacking, refusing]) == told


def test_one_that_hands_out_messages_without_end_is_left_at_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    first = scene()
    ours = first.run.iut.call
    calls: list[str] = []

    def endless(method: str, params: Json) -> Json:
        calls.append(method)
        if method == "reset":
            return {}
        if method in {"queue_manager.receive", "queue_manager.peek"}:
            return {"message": {"message": f"m{len(calls)}", "id": f"i{len(calls)}"}}
        return ours(method, params)

    monkeypatch.setattr(first.run.iut, "call", endless)
    found = SingleHistorySearch(first).play((("send", 0), ("receive", 0), ("receive", 0)))
    assert found is not None
    assert calls.count("queue_manager.receive") == 1
