"""How busy the machine was: a canary that is late by as much as a clock of ours says, and one on a busy machine."""

import threading
from itertools import count

import pytest

from mqconform.harness.iut import contention
from mqconform.harness.iut.contention import PERIOD, Canary, Contention, Deadline, pressure, stalled, stalled_lately

SECOND = 1_000_000_000
PATIENT = 30


def test_the_worst_lag_is_found_where_it_was_and_nowhere_else() -> None:
    now, naps, enough = [0], count(), threading.Event()

    def sleep(seconds: float) -> None:
        late = 3.0 if next(naps) == 10 else 0.0  # in its eleventh sleep, which begins at 0.2 s
        now[0] += round((seconds + late) * SECOND)
        if now[0] > 6 * SECOND:
            enough.set()

    with Canary(lambda: now[0], sleep) as canary:
        assert enough.wait(PATIENT)
    assert canary.between(0, 5 * SECOND) == 3 * SECOND
    assert canary.between(2 * SECOND, 2 * SECOND) == 3 * SECOND  # in the middle of it
    assert canary.between(0, SECOND // 10) == 0
    assert canary.between(4 * SECOND, 5 * SECOND) == 0
    assert PERIOD < 0.1


def test_pressure_is_the_share_of_time_in_which_somebody_waited() -> None:
    assert pressure(1 * SECOND, 3 * SECOND, 4 * SECOND) == 0.5
    assert pressure(0, 9 * SECOND, 4 * SECOND) == 1.0
    assert pressure(None, 1, 1) is None
    known = stalled()
    assert known is None or known >= 0


def test_a_deadline_is_worth_nothing_where_processors_were_waited_for() -> None:
    assert not Contention(SECOND // 10, 0.2).spoils_deadlines
    assert not Contention(SECOND // 10).spoils_deadlines
    assert Contention(2 * SECOND, 0.0).spoils_deadlines
    assert Contention(0, 0.8).spoils_deadlines


def test_a_deadline_goes_on_slower_where_processors_are_waited_for_and_has_an_end_all_the_same() -> None:
    now, waited = [0], [0]
    deadline = Deadline(2.0, lambda: now[0], lambda: waited[0])
    assert deadline.left() == 2.0
    now[0] = 3 * SECOND
    assert deadline.left() == -1.0
    waited[0] = 2 * SECOND  # of which so many were no time to work in
    assert deadline.left() == 1.0
    now[0], waited[0] = 6 * SECOND, 6 * SECOND
    assert deadline.left() == 0.0


def test_a_count_that_was_read_a_moment_ago_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, now = iter([10, 20]), [SECOND]
    monkeypatch.setattr(contention, "_lately", (0, None))
    monkeypatch.setattr(contention, "stalled", lambda: next(counts))
    monkeypatch.setattr(contention.time, "monotonic_ns", lambda: now[0])
    assert [stalled_lately() for _ in range(3)] == [10, 10, 10]
    now[0] += contention.FRESH + 1
    assert stalled_lately() == 20
