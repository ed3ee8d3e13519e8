"""The bulk oracle, row by row against the readable model, over generated enterprises with every kind of defect."""

from random import Random

import pytest

pytest.importorskip("numba")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.directory import Directory, DirectoryView, Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import (
    ConnectedNetworkId,
    EnterpriseId,
    QueueManagerId,
    RoutingLinkId,
    SiteId,
)
from mqconform.reference.mqbr.bulk import ABSENT, NOTHING, OUTCOMES, RULES, BulkOracle, UnusableColumn
from mqconform.reference.mqbr.bulk_rows import LEFT_OPEN
from mqconform.reference.mqbr.bulk_rules import rule_of
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

STRANGER = QueueManagerId("f" * 8 + "-ffff-ffff-ffff-" + "f" * 12)

DEFECTS = (
    "several_sites",
    "unknown_site",
    "no_site",
    "strange_servers",
    "self_in_lists",
    "repeated_entries",
    "any_gate",
    "strange_gate",
    "no_gate",
    "odd_costs",
    "parallel_links",
    "stray_links",
    "foreign_sites",
    "networks",
    "routers_with_out_lists",
    "twins",
)


def guid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


class Draft:
    """An enterprise under construction; ``has`` says which defects may show, each here and there."""

    def __init__(self, seed: int, defects: frozenset[str]) -> None:
        self.random = Random(seed)
        self.defects = defects
        self.sites = [SiteId(guid(n)) for n in range(self.random.randint(1, 6))]
        self.machines = [QueueManagerId(guid(1000 + n)) for n in range(self.random.randint(2, 12))]

    def has(self, defect: str, chance: float = 0.25) -> bool:
        return defect in self.defects and self.random.random() < chance

    def directory(self) -> Directory:
        sites_of = {one: self.sites_of() for one in self.machines}
        router = {one: self.random.random() < 0.6 for one in self.machines}
        machines = [self.machine(one, sites_of, router) for one in self.machines]
        if self.has("twins"):
            machines.append(self.machine(self.machines[0], sites_of, router))
        sites = [self.site(one, sites_of, router) for one in self.sites]
        return Directory(Enterprise(EnterpriseId(guid(1))), tuple(sites), tuple(self.links()), tuple(machines))

    def sites_of(self) -> tuple[SiteId, ...]:
        own = self.random.choices(self.sites, k=2 if self.has("several_sites") else 1)
        own = [] if self.has("no_site", 0.1) else own
        return (*own, SiteId(guid(77))) if self.has("unknown_site", 0.1) else tuple(own)

    def machine(
        self,
        one: QueueManagerId,
        sites_of: dict[QueueManagerId, tuple[SiteId, ...]],
        router: dict[QueueManagerId, bool],
    ) -> QueueManager:
        def servers() -> tuple[QueueManagerId, ...]:
            usable = [o for o in self.machines if router[o] and o != one and set(sites_of[o]) & set(sites_of[one])]
            chosen = self.random.sample(usable, k=min(len(usable), self.random.randint(1, 3)))
            chosen += self.random.choices([*self.machines, STRANGER], k=1) if self.has("strange_servers") else []
            chosen += [one] if self.has("self_in_lists") else []
            chosen += chosen[:1] if self.has("repeated_entries") else []
            return tuple(chosen)

        out = servers() if self.random.random() < 0.3 else ()
        return QueueManager(
            one,
            site_identifier_list=sites_of[one],
            routing_server=router[one],
            in_routing_server_identifier_list=servers() if self.random.random() < 0.3 else (),
            out_routing_server_identifier_list=out if not router[one] or self.has("routers_with_out_lists") else (),
            connected_network_identifier_list=(
                (ConnectedNetworkId(guid(self.random.randint(90, 91))),) if self.has("networks", 0.5) else ()
            ),
        )

    def site(
        self, site: SiteId, sites_of: dict[QueueManagerId, tuple[SiteId, ...]], router: dict[QueueManagerId, bool]
    ) -> Site:
        fit = [one for one in self.machines if router[one] and site in sites_of[one]]
        gates = self.random.sample(fit, k=min(len(fit), self.random.randint(1, 2)))
        gates += self.random.choices(self.machines, k=1) if self.has("any_gate") else []
        gates += [STRANGER] if self.has("strange_gate") else []
        gates = [] if self.has("no_gate") else gates
        return Site(site, site_gate_collection=tuple(gates), foreign_site=self.has("foreign_sites"))

    def links(self) -> list[RoutingLink]:
        number = self.random.randint(0, 2 * len(self.sites))
        ends = [tuple(self.random.choices(self.sites, k=2)) for _ in range(number)]
        ends += self.random.choices(ends, k=2) if ends and self.has("parallel_links", 0.5) else []
        costs = [self.random.choice([0, 1_000_000]) if self.has("odd_costs", 0.1) else None for _ in ends]
        if "parallel_links" not in self.defects:
            ends = list({tuple(sorted(end)): end for end in ends}.values())
        links = [(a, b, self.random.randint(1, 3) if c is None else c) for (a, b), c in zip(ends, costs, strict=False)]
        links += [(self.sites[0], SiteId(guid(77)), 1)] if self.has("stray_links", 0.5) else []
        return [RoutingLink(RoutingLinkId(guid(500 + n)), a, b, c) for n, (a, b, c) in enumerate(links)]


@st.composite
def enterprises(draw: st.DrawFn) -> Directory:
    marks = draw(
        st.sampled_from([0, *(1 << n for n in range(len(DEFECTS))), -1]) | st.integers(0, 2 ** len(DEFECTS) - 1)
    )
    chosen = frozenset(defect for n, defect in enumerate(DEFECTS) if marks >> n & 1)
    return Draft(draw(st.integers(0, 2**32)), chosen).directory()


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


@given(enterprises(), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_every_answer_is_judged_as_the_readable_model_judges_it(directory: Directory, seed: int):
    random = Random(seed)
    oracle = BulkOracle(directory, table_octets=8)  # room for one or two roots: the rows come group by group
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
    answers += [[row[1], *random.choices(everyone, k=2)], [row[1]], [row[1], row[1]], random.choices(everyone, k=3)]
    return answers


def test_rule_codes_are_requirement_ids_of_the_three_procedures():
    assert RULES[2] == "MQBR-3.1.5.1-B05"
    assert RULES[13] == "MQBR-3.1.5.3-B10"
    assert len(set(RULES)) == len(RULES)
    assert tuple(OUTCOMES) == (Outcome.ALLOWED, Outcome.BY_REGISTER, Outcome.NOT_ALLOWED)
    assert len(OUTCOMES) <= LEFT_OPEN


def test_guids_are_found_as_octets_and_as_text_in_either_case():
    directory = Draft(5, frozenset({"strange_servers", "strange_gate"})).directory()
    oracle = BulkOracle(directory)
    texts = [text.upper() for text in oracle.identifiers]
    expected = list(range(len(texts)))
    assert oracle.index_of_text(texts).tolist() == expected
    octets = np.array([list(bytes.fromhex(text.replace("-", ""))) for text in texts], dtype=np.uint8)
    assert oracle.index_of(octets).tolist() == expected
    wrong = [
        guid(123_456),
        "",
        texts[0][:-1],
        texts[0] + "0",
        texts[0].replace("-", "0"),
        "g" + texts[0][1:],
        "\u00e9" * 36,
    ]
    assert oracle.index_of_text(wrong).tolist() == [ABSENT] * len(wrong)


def test_columns_that_do_not_fit_are_refused():
    oracle = BulkOracle(Draft(1, frozenset()).directory())
    one = np.zeros(1, dtype=np.int32)
    none = np.zeros(0, dtype=np.int32)
    for bad in (np.array([99], dtype=np.int32), np.array([-3], dtype=np.int32), none, np.zeros(1), np.array([2**40])):
        with pytest.raises(UnusableColumn):
            oracle.judge_single(one, one, bad)
    for offsets in ([0], [0, 2], [1, 0], [-1, 1]):
        with pytest.raises(UnusableColumn):
            oracle.judge_lists(one, one, np.array(offsets), one)
    with pytest.raises(UnusableColumn):
        oracle.index_of(np.zeros((2, 15), dtype=np.uint8))
    with pytest.raises(UnusableColumn):
        oracle.index_of_text(np.zeros((2, 15), dtype=np.uint8))


def test_no_rows_and_no_directory_are_no_trouble():
    oracle = BulkOracle(Directory(Enterprise(EnterpriseId(guid(1)))))
    none = np.zeros(0, dtype=np.int32)
    assert [len(column) for column in oracle.judge_single(none, none, none)] == [0, 0]
    nobody = np.array([ABSENT, ABSENT], dtype=np.int32)
    outcome, rule = oracle.judge_single(nobody, nobody, np.array([NOTHING, ABSENT], dtype=np.int32))
    assert outcome.tolist() == [OUTCOMES.index(Outcome.ALLOWED), OUTCOMES.index(Outcome.NOT_ALLOWED)]
    assert {RULES[code] for code in rule.tolist()} == {"MQBR-3.1.5.1-B01"}
    assert oracle.index_of_text([guid(1)]).tolist() == [ABSENT]
