"""Rule codes: which branch of MS-MQBR 3.1.5.1 to 3.1.5.3 decided about an answer."""

from types import MappingProxyType
from typing import Final

from mqconform.reference.allowed import Step
from mqconform.reference.mqbr import next_hops
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.next_hops_judgement import NextHopsJudgement

# fmt: off
NAMES: Final = (
    "UNKNOWN", "ROUTER", "OUT_LIST", "CLIENT_IN_LIST", "CLIENT_DIRECT", "VIA_SERVER", "ROUTER_IS_IN_SERVER",
    "ROUTER_IN_LIST", "ROUTER_DIRECT", "VIA_GATE", "GATE_IS_IN_SERVER", "GATE_IN_LIST", "GATE_DIRECT", "VIA_NEXT_SITE",
    "NO_NEXT_SITE",
)
"""By rule code: the name that the step of the branch has in ``next_hops``."""
(
    UNKNOWN, ROUTER, OUT_LIST, CLIENT_IN_LIST, CLIENT_DIRECT, VIA_SERVER, ROUTER_IS_IN_SERVER, ROUTER_IN_LIST,
    ROUTER_DIRECT, VIA_GATE, GATE_IS_IN_SERVER, GATE_IN_LIST, GATE_DIRECT, VIA_NEXT_SITE, NO_NEXT_SITE,
) = range(len(NAMES))
# fmt: on
_STEPS: Final[tuple[Step, ...]] = tuple(getattr(next_hops, name) for name in NAMES)
RULES: Final[tuple[str, ...]] = tuple(step.branches[-1] for step in _STEPS)
"""By rule code: the requirement id of the branch, such as ``MQBR-3.1.5.1-B05``."""

_CODES: Final = MappingProxyType({step: code for code, step in enumerate(_STEPS)})


def rule_of(decision: NextHopsDecision, judgement: NextHopsJudgement) -> int:
    """Return the code of the branch that explains an answer, or that another answer should have come from.

    An answer without explanation gets the branch of the outcome that needs the least from the register.
    """
    explained = judgement.matched or next(iter(decision.allowed))
    return last_rule(explained.derivation)


def last_rule(derivation: tuple[Step, ...]) -> int:
    """Return the code of the branch that a derivation ends with."""
    return next(_CODES[step] for step in reversed(derivation) if step in _CODES)
