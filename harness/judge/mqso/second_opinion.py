"""The check of histories beside the model of worlds: what one allows and the other does not is an error of ours."""

from collections.abc import Sequence

from mqconform.reference.allowed import Standing
from mqconform.reference.history.queue_manager import check_history
from mqconform.reference.mqso.explanation import Explanation, Seen


class HistoryDisagreement(Exception):
    """The check of histories finds a breach in what the model allows: one of them, or the register, is wrong."""


def hold_against_history_check(history: Sequence[Seen], explanation: Explanation) -> None:
    """Compare what the model makes of a history with the check of its properties.

    The check is silent where the text is open, so that it may miss what the model finds, and not the other way round.

    Raises:
        HistoryDisagreement: naming the property, the events and the requirements.
    """
    if explanation.standing is None or explanation.standing > Standing.PERMITTED:
        return
    for broken in check_history(history):
        events = "; ".join(f"{place}: {history[place]}" for place in broken.places)
        raise HistoryDisagreement(
            f"the model explains a history in which {broken.says} ({', '.join(broken.requirements)}): {events}"
        )
