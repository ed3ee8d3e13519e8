"""The bulk oracle, row by row against the readable model, over generated enterprises with every kind of defect."""

from dataclasses import replace
from random import Random

import pytest

pytest.importorskip("numba")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.directory import Directory, DirectoryView, Enterprise
from mqconform.reference.directory.elements import EnterpriseId, QueueManagerId, SiteId
from mqconform.reference.mqbr.bulk import ABSENT, NOTHING, OUTCOMES, RULES, BulkOracle
from mqconform.reference.mqbr.bulk_rows import LEFT_OPEN
from mqconform.reference.mqbr.bulk_rules import rule_of
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reports.vectors.enterprises import enterprise


def guid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


def odd(seed: int) -> Directory:
    """Return an enterprise in which something is odd: a drawn one, or that without routers, with a twin or so."""
    drawn = (enterprise(seed, number, 6) for number in range(100))
    found = next(one.directory for one in drawn if one.oddities)
    first, *others = found.queue_managers
    changed = (
        (first, *others),
        (first, *others, replace(others[0], identifier=first.identifier)),
        (replace(first, site_identifier_list=(SiteId(guid(77)),)), *others),
        tuple(replace(one, routing_server=False) for one in found.queue_managers),
    )[seed % 4]
    return replace(found, queue_managers=changed)


class Readable:
    """The readable verdicts, as codes."""

    def __init__(self, directory: Directory, oracle: BulkOracle) -> None:
        self.oracle = oracle
        self.view = DirectoryView(directory)
        self.decisions: dict[tuple[int, int], NextHopsDecision] = {}

    def named(self, number: int) -> QueueManagerId:
        return QueueManagerId(self.oracle.identifiers[number] if number >= 0 else "nobody")

    def verdict(self, source: int, destination: int, hops: list[int] | None) -> tuple[int, int]:
        if (source, destination) not in self.decisions:
            state = initialize(self.view, self.named(source))
            self.decisions[source, destination] = decide_next_hops(state, self.named(destination))
        decision = self.decisions[source, destination]
        observed = None if hops is None else [None if hop == NOTHING else self.named(hop) for hop in hops]
        judgement = judge_next_hops(decision, observed)
        return OUTCOMES.index(judgement.outcome), rule_of(decision, judgement)


def columns(rows: list[tuple[int, ...]], width: int) -> list[np.ndarray]:
    return list(np.array(rows, dtype=np.int32).reshape(-1, width).T)


@given(st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_every_answer_is_judged_as_the_readable_model_judges_it(seed: int):
    random, directory = Random(seed), odd(seed)
    oracle = BulkOracle.of(directory)
    readable = Readable(directory, oracle)
    everyone = range(-2, len(oracle.identifiers))
    pairs = [(random.choice(everyone), random.choice(everyone)) for _ in range(15)]
    singles = [(*pair, hop) for pair in pairs for hop in everyone]
    outcome, rule = oracle.judge_single(*columns(singles, 3))
    for row, found in zip(singles, zip(outcome.tolist(), rule.tolist(), strict=True), strict=True):
        assert found == readable.verdict(row[0], row[1], None if row[2] == NOTHING else [row[2]]), row
    lists = [(*pair, answer) for pair in pairs for answer in likely_answers(readable, pair, random)]
    offsets = np.cumsum([0, *(len(row[2]) for row in lists)])
    hops = np.array([hop for row in lists for hop in row[2]], dtype=np.int32)
    outcome, rule = oracle.judge_lists(*columns([row[:2] for row in lists], 2), offsets, hops)
    for row, found in zip(lists, zip(outcome.tolist(), rule.tolist(), strict=True), strict=True):
        assert found == readable.verdict(*row), row


def likely_answers(readable: Readable, row: tuple[int, int], random: Random) -> list[list[int]]:
    """Answers near the allowed ones: those, shuffled, shortened, joined, followed by others, with Nothing in them."""
    readable.verdict(*row, None)
    numbers = {name: n for n, name in enumerate(readable.oracle.identifiers)}
    allowed = [[numbers[hop] for hop in one.outcome] for one in readable.decisions[row].allowed]
    everyone = range(-2, len(numbers))
    joined = [hop for one in allowed for hop in one]
    some = random.choice(allowed)
    answers = [[], [NOTHING], allowed[0], some, joined, random.sample(joined, k=len(joined)), joined[1:], joined * 2]
    answers += [
        [*some, random.choice(everyone)],
        [random.choice(everyone), *some],
        [NOTHING, *some],
        [*some, *some[::-1]],
    ]
    answers += [[row[1], *random.choices(everyone, k=2)], [row[1]], [row[1], row[1], random.choice(everyone)]]
    answers += [random.choices(everyone, k=3)]
    return answers


@pytest.mark.parametrize(("most_octets", "most_rows"), [(1, 1), (400, 4)])
def test_where_tables_have_no_room_they_are_worked_out_anew(most_octets: int, most_rows: int):
    directory = next(drawn.directory for n in range(100) if not (drawn := enterprise(7, n, 30)).oddities)
    whole, small = BulkOracle.of(directory), BulkOracle.of(directory, most_octets)
    random, everyone = Random(7), range(len(whole.identifiers))
    rows = columns([random.choices(everyone, k=3) for _ in range(3_000)], 3)
    for _ in range(2):
        for found, expected in zip(small.judge_single(*rows), whole.judge_single(*rows), strict=True):
            assert (found == expected).all()
    assert rows_kept(whole) > most_rows >= rows_kept(small) > 0


def rows_kept(oracle: BulkOracle) -> int:
    (tables,) = oracle._next_sites.of(np.zeros(0, np.int64))
    return int((tables.begins >= 0).sum())


def test_rule_codes_are_requirement_ids_of_the_three_procedures():
    assert RULES[2] == "MQBR-3.1.5.1-B05"
    assert RULES[13] == "MQBR-3.1.5.3-B10"
    assert len(set(RULES)) == len(RULES)
    assert tuple(OUTCOMES) == (Outcome.ALLOWED, Outcome.BY_REGISTER, Outcome.NOT_ALLOWED)
    assert len(OUTCOMES) <= LEFT_OPEN


def test_no_rows_and_no_directory_are_no_trouble():
    oracle = BulkOracle.of(Directory(Enterprise(EnterpriseId(guid(1)))))
    none = np.zeros(0, dtype=np.int32)
    assert [len(column) for column in oracle.judge_single(none, none, none)] == [0, 0]
    nobody = np.array([ABSENT, ABSENT], dtype=np.int32)
    outcome, rule = oracle.judge_single(nobody, nobody, np.array([NOTHING, ABSENT], dtype=np.int32))
    assert outcome.tolist() == [OUTCOMES.index(Outcome.ALLOWED), OUTCOMES.index(Outcome.NOT_ALLOWED)]
    assert {RULES[code] for code in rule.tolist()} == {"MQBR-3.1.5.1-B01"}
