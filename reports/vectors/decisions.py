"""Routing questions on one generated enterprise, each with every answer that it allows (MS-MQBR 3.1.5.1)."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from mqconform.reference.directory import DirectoryView, QueueManagerId
from mqconform.reference.mqbr.bulk import ABSENT, OUTCOMES, RULES, BulkOracle
from mqconform.reference.mqbr.bulk_compiled import Int32s
from mqconform.reference.mqbr.bulk_rules import last_rule
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.latitude import AnswerPattern, answer_patterns
from mqconform.reports.vectors.enterprises import VectorEnterprise, guid, machine_ids, some

Record = dict[str, Any]

VERDICT_OF: Final = {
    Outcome.ALLOWED: "pass",
    Outcome.BY_REGISTER: "pass",
    Outcome.NOT_ALLOWED: "fail",
}
"""In the profile ``default``."""

OTHERWISE: Final = Outcome.NOT_ALLOWED
"""What an answer is worth that no pattern matches."""

DESTINATIONS: Final = 5
"""Questions asked of one source; its routing table is built once for all of them."""
STRANGER: Final = 0.05
"""Share of questions for a destination that the directory does not hold."""


class OraclesDisagree(RuntimeError):
    """The readable model and the compiled oracle judge one answer differently: a defect of ours."""


def decisions(seed: int, of: VectorEnterprise, pairs: int) -> list[Record]:
    """Return the records of a number of questions on an enterprise, judged by the model and checked by the bulk oracle.

    Raises:
        OraclesDisagree: naming the question and the answer.
    """
    draws = Random(f"decisions {seed} {of.number}")
    oracle = BulkOracle.of(of.directory)
    records = []
    for place, decision in enumerate(_questions(draws, of, pairs)):
        source, destination, decided = decision
        patterns = answer_patterns(decided)
        record: Record = {
            "id": f"d-{of.number:08d}-{place:04d}",
            "enterprise": of.number,
            "source": source,
            "destination": destination,
            "requirement": RULES[last_rule(next(iter(decided.allowed)).derivation)],
            "answers": [_answer(pattern) for pattern in patterns],
            "otherwise": VERDICT_OF[OTHERWISE],
            "samples": [],
        }
        samples = _samples(draws, of, patterns)
        record["samples"] = [{"next_hops": sample, "verdict": _verdict(patterns, sample)} for sample in samples]
        records.append(record)
    _checked(oracle, records)
    return records


def _questions(
    draws: Random, of: VectorEnterprise, pairs: int
) -> Iterator[tuple[QueueManagerId, QueueManagerId, NextHopsDecision]]:
    machines = machine_ids(of.directory)
    view = DirectoryView(of.directory)
    for start in range(0, pairs, DESTINATIONS):
        source = draws.choice(machines)
        state = initialize(view, source)
        for destination in some(draws, machines, min(DESTINATIONS, pairs - start)):
            asked = QueueManagerId(guid(draws)) if draws.random() < STRANGER else destination
            yield source, asked, decide_next_hops(state, asked)


def _answer(pattern: AnswerPattern) -> Record:
    explained = pattern.explained
    return {
        "must": sorted(pattern.must),
        "may": sorted(pattern.may - pattern.must),
        "first": sorted(pattern.first),
        "least": max(pattern.least, len(pattern.must)),
        "verdict": VERDICT_OF[pattern.outcome],
        "requirement": RULES[last_rule(explained.derivation)],
        "requirements": list(explained.requirements),
        "readings": sorted(map(str, explained.readings)),
    }


def _samples(draws: Random, of: VectorEnterprise, patterns: Sequence[AnswerPattern]) -> list[list[str]]:
    """Return different answers, right and wrong: the likeliest, a longer one, a stranger's, none."""
    machines: list[str] = [*machine_ids(of.directory)]
    answers = [list[str](sorted(pattern.must)) for pattern in patterns if not pattern.may][:1]
    answers += [[draws.choice(machines)], some(draws, machines, 2), []]
    plural = [pattern for pattern in patterns if pattern.may]
    if plural:
        pattern = draws.choice(plural)
        answers.append(sorted(pattern.must | set(some(draws, sorted(pattern.may), 2))))
    return [list(answer) for answer in dict.fromkeys(map(tuple, answers))]


def _verdict(patterns: Sequence[AnswerPattern], answer: Sequence[str]) -> str:
    matching = next((pattern.outcome for pattern in patterns if pattern.matches(answer)), OTHERWISE)
    return VERDICT_OF[matching]


def _checked(oracle: BulkOracle, records: Sequence[Record]) -> None:
    rows = [(record, sample) for record in records for sample in record["samples"]]
    numbers = {identifier: number for number, identifier in enumerate(oracle.identifiers)}

    def numbered(names: Iterable[str]) -> Int32s:
        return np.array([numbers.get(name, ABSENT) for name in names], np.int32)

    outcomes, _ = oracle.judge_lists(
        numbered(record["source"] for record, _ in rows),
        numbered(record["destination"] for record, _ in rows),
        np.cumsum([0, *(len(sample["next_hops"]) for _, sample in rows)], dtype=np.int64),
        numbered(hop for _, sample in rows for hop in sample["next_hops"]),
    )
    for (decision, sample), code in zip(rows, outcomes.tolist(), strict=True):
        if VERDICT_OF[OUTCOMES[code]] != sample["verdict"]:
            raise OraclesDisagree(
                f"{decision['id']}, answer {sample['next_hops']}: {sample['verdict']} by the patterns, "
                f"{OUTCOMES[code]} by the bulk oracle"
            )
