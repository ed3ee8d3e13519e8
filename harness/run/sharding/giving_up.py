"""Giving an implementation up where the run in one piece would have, although no part of it did so there.

A run bears with a limited number of crashes, and each part of a run with as many. In the order of the whole run the
limit may be reached earlier than in any part; what parts asked after that belongs into none of the octets of the run in
one piece. Every case before it was asked by its part, since no part can have counted more crashes than the whole.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.shard_file import CaseRecords
from mqconform.harness.run.problems import unasked
from mqconform.harness.run.session import MAX_RESTARTS
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.selection import judged_in


def given_up_as_a_whole(cases: Sequence[CaseRecords], profile: Profile) -> Iterator[CaseRecords]:
    """Yield the records of cases, in the order of the whole run, as the run in one piece would have written them."""
    left, dead_since = MAX_RESTARTS + 1, ""
    for records in cases:
        if dead_since:
            yield _not_asked(records, dead_since, profile) if records.case.opening else records
            continue
        case = Case.of(records.case, ())
        if case.restarts < left and not case.patience.get("given_up"):
            left -= case.restarts
            yield records
            continue
        dead_since = case.id
        yield CaseRecords(_last(records.case, min(left, case.restarts)), records.witnesses)


def _last(record: results.Case, restarts: int) -> results.Case:
    """Return the record of the case after which nothing is asked, as it stands when the run ends with it."""
    restarts = restarts if restarts > 1 else 0
    patience = replace(record.patience or results.Patience(), restarts=restarts, given_up=True)
    return replace(record, patience=patience)


def _not_asked(records: CaseRecords, dead_since: str, profile: Profile) -> CaseRecords:
    """Return a case as it stands where nothing is asked any more."""
    recorded_case = Case.of(records.case, ())
    case = Case(
        recorded_case.id,
        recorded_case.feature,
        recorded_case.scenario,
        recorded_case.row,
        recorded_case.requirements,
        step=recorded_case.opening,
        text=recorded_case.text,
        position=recorded_case.position,
        generated=recorded_case.opening_generated,
    )
    unasked(case, dead_since, judged_in(case.requirements, load_catalogue(), profile))
    return CaseRecords(case.record(), tuple(witness.record() for witness in case.witnesses))
