"""The result for a row: its verdict, the rule that decided, and the requirement that the rule is.

A row carries two small numbers until it is written: its outcome and its rule. Beyond the rules of the oracle there are
reasons why a row was not judged at all; such a row is inconclusive and has no requirement.
"""

from typing import Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr import bulk_rules
from mqconform.reference.mqbr.bulk import OUTCOMES
from mqconform.reference.mqbr.bulk_compiled import Octets
from mqconform.reference.mqbr.judgement import Outcome

VERDICTS: Final = ("pass", "fail", "inconclusive")
PASS, FAIL, INCONCLUSIVE = range(3)

VERDICT_OF_OUTCOME: Final = np.array(
    [FAIL if outcome is Outcome.NOT_ALLOWED else PASS for outcome in OUTCOMES], dtype=np.uint8
)
"""By outcome code of the oracle: the place in ``VERDICTS``; what the register permits passes, as in a run."""

BY_REGISTER: Final = OUTCOMES.index(Outcome.BY_REGISTER)

UNREADABLE_SOURCE: Final = len(bulk_rules.RULES)
UNREADABLE_DESTINATION, UNREADABLE_HOPS, UNREADABLE_TIME, NO_DIRECTORY, NO_DECISION = range(
    UNREADABLE_SOURCE + 1, UNREADABLE_SOURCE + 6
)

MEANINGS: Final = {
    "unreadable-source": "the source is missing, or names no machine in a form that can be read",
    "unreadable-destination": "the destination is missing, or names no machine in a form that can be read",
    "unreadable-hops": "a next hop names no machine in a form that can be read",
    "unreadable-time": "the time is missing or cannot be read, and the directory has several versions",
    "no-directory": "the time lies before the first version of the directory",
    "no-decision": "the outcome is neither next-hops nor no-route, or contradicts the hops",
}
"""What the reasons mean for which a row is not judged, in the order of their codes."""

RULES: Final = (*(name.lower().replace("_", "-") for name in bulk_rules.NAMES), *MEANINGS)
"""By rule code: the branch of MS-MQBR 3.1.5.1 to 3.1.5.3 that decided, or why the row was not judged."""

REQUIREMENTS: Final = (*bulk_rules.RULES, *(None for _ in MEANINGS))
"""By rule code: the requirement, None where nothing was judged."""

ADDED: Final = pa.schema([pa.field(name, pa.string()) for name in ("verdict", "rule", "requirement")])
"""The columns that an audit appends."""

_VERDICTS = pa.array(VERDICTS)
_RULES = pa.array(RULES)
_IDS = pa.array(sorted(set(bulk_rules.RULES)))
_ID_OF_RULE = np.array([_IDS.index(rule).as_py() for rule in bulk_rules.RULES] + [-1] * len(MEANINGS), dtype=np.int8)


def added_columns(verdict: Octets, rule: Octets) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return the columns ``verdict``, ``rule`` and ``requirement`` of places in ``VERDICTS`` and ``RULES``."""
    ids = _ID_OF_RULE[rule]
    unjudged = ids < 0 if rule.max(initial=0) >= UNREADABLE_SOURCE else None
    return (
        pa.DictionaryArray.from_arrays(pa.array(verdict.view(np.int8)), _VERDICTS),
        pa.DictionaryArray.from_arrays(pa.array(rule.view(np.int8)), _RULES),
        pa.DictionaryArray.from_arrays(pa.array(ids, mask=unjudged), _IDS),
    )
