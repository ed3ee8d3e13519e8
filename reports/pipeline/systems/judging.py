"""Fates of messages and answers of routers as tables, held against the rules of the reference."""

from collections import defaultdict
from typing import Any, Final

import pyarrow as pa

from mqconform.reference.mqso.elements import Assurance, MachineName
from mqconform.reference.mqso.promises import NEVER, Broken, Fate, Outages, Sent, broken_by, disordered
from mqconform.reference.mqso.topology import Topology
from mqconform.reference.mqso.wandering import HOP_BY_HOP, strays_in

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"
_KINDS: Final = dict.fromkeys(("received", "unusable", "times", "position"), pa.int64()) | {
    "requirements": pa.list_(pa.string()),
    "positions": pa.list_(pa.int64()),
    "next_hops": pa.list_(pa.string()),
}


def _field(name: str) -> pa.Field:
    """Return a field of text unless ``_KINDS`` says otherwise; a name that ends in ``?`` may be null."""
    return pa.field(name.rstrip("?"), _KINDS.get(name.rstrip("?"), pa.string()), nullable=name.endswith("?"))


PROMISE: Final = pa.struct([*map(_field, ("requirement", "requirements", "says", "positions"))])
"""A broken promise: the requirement that it breaks most plainly, all that it breaks, and the entries that show it."""
MESSAGES: Final = pa.schema(
    [
        *map(_field, ("history", "message", "source?", "to?", "queue?", "received", "unusable", "verdict")),
        pa.field("broken", pa.list_(PROMISE), nullable=False),
    ]
)
"""One message: how often it was received, entries of it that could not be used, and what is broken for it."""
HOPS: Final = pa.schema(
    [
        *map(_field, ("history", "machine", "to", "next_hops?", "hop?", "times", "position", "verdict")),
        *map(_field, ("requirement?", "says?")),
    ]
)
"""One answer of a router: how often it was given, the first entry that has it, and what is wrong with it."""

Row = dict[str, Any]


def judge_fates(fates: pa.Table, *, complete: bool) -> pa.Table:
    """Return a row of ``MESSAGES`` for each message.

    Args:
        fates: all messages of some ways, in the shape that ``frames.fates_of`` gives.
        complete: whether what a log does not tell did not happen.
    """
    rows = fates.to_pylist()
    broken: list[list[Broken]] = [[] for _ in rows]
    ways: defaultdict[tuple[str, ...], list[Fate]] = defaultdict(list)
    places: dict[int, int] = {}
    for place, row in enumerate(rows):
        if row["unusable"]:
            continue
        fate = _fate(row, complete=complete and not row["unattributed"])
        broken[place] += broken_by(fate)
        places[id(fate)] = place
        ways[row["history"], row["source"], row["to"], row["queue"]].append(fate)
    for way in ways.values():
        for fate, violation in disordered(way):
            broken[places[id(fate)]].append(violation)
    judged = [_message(row, own) for row, own in zip(rows, broken, strict=True)]
    return pa.Table.from_pylist(judged, schema=MESSAGES)


def _fate(row: Row, *, complete: bool) -> Fate:
    sent = None
    if row["source"] is not None:
        sent = Sent(
            row["message"],
            row["source"],
            row["to"],
            Assurance(row["assurance"]),
            row["committed"],
            row["timer"],
            row["dead_letter"],
            row["queue"] or "",
        )
    ends = max(_place(row["of_source"]), _place(row["of_destination"]))
    outages = Outages(ends, _place(row["anywhere"]), tuple(row["places"] or ()))
    return Fate(
        row["message"],
        sent,
        _place(row["begun"]),
        _pairs(row["received"]),
        _place(row["put_back"]),
        row["dead_lettered"],
        row["acknowledged"],
        _pairs(row["sent_again"]),
        _pairs(row["waits"]),
        outages,
        complete,
    )


def _place(number: int | None) -> int:
    return NEVER if number is None else number


def _pairs(entries: list[Row]) -> list[tuple[int, str]]:
    return [(entry["position"], entry["machine"]) for entry in entries]


def _message(row: Row, broken: list[Broken]) -> Row:
    verdict = FAIL if broken else PASS
    if row["unusable"] or (row["source"] is None and not broken):  # where it was sent may be told elsewhere
        verdict = INCONCLUSIVE
    return {
        **{name: row[name] for name in ("history", "message", "source", "to", "queue", "unusable")},
        "received": len(row["received"]),
        "verdict": verdict,
        "broken": [
            {
                "requirement": violation.requirements[0],
                "requirements": list(violation.requirements),
                "says": violation.says,
                "positions": list(violation.places),
            }
            for violation in broken
        ],
    }


class HopJudge:
    """Judges answers of routers by the directory of an enterprise (MS-MQBR 3.1.5.1)."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._stray = strays_in(topology)

    def judge(self, answers: pa.Table) -> pa.Table:
        """Return a row of ``HOPS`` for each answer."""
        return pa.Table.from_pylist([self._judged(row) for row in answers.to_pylist()], schema=HOPS)

    def _judged(self, row: Row) -> Row:
        identifiers = self._topology.identifiers
        hops = row["next_hops"]
        ends = [row["machine"], row["to"], *([row["hop"]] if hops is None and row["hop"] else [])]
        strangers = [name for name in ends if name not in identifiers]
        if strangers:
            says = f"{strangers[0]} is no machine of the enterprise"
            return row | {"verdict": INCONCLUSIVE, "requirement": None, "says": says}
        answer = None if hops is None else tuple(self._identifier(name) for name in hops)
        hop = MachineName(row["hop"] or "") if hops is None else MachineName("")
        says = self._stray(MachineName(row["machine"]), MachineName(row["to"]), answer, hop)
        broken = HOP_BY_HOP[0] if says else None
        return row | {"verdict": FAIL if says else PASS, "requirement": broken, "says": says or None}

    def _identifier(self, name: str | None) -> str | None:
        """Return the identifier of a machine that is named by its name or identifier, None for Nothing."""
        return str(self._topology.identifiers.get(MachineName(name), name)) if name else None
