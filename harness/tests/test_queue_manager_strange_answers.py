"""Whatever a queue manager answers ends in a verdict, and convicts of nothing that it did not break."""

from collections.abc import Callable
from typing import Any

import pytest
from long_tier import mostly_long
from queue_manager_plays import played

from mqconform.harness.iut.interface import IutFault, Json
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager

HUGE = 10**4000
"""No carrier passes on longer numbers."""
FAILED: Json = {"failed": {}}
Change = Callable[[Json], Json]


def manager(*methods: str, change: Change, nth: int = 0) -> ReferenceQueueManager:
    """Return the reference with other answers of some methods: of all calls, or of every nth one."""
    calls = [0]

    def changed(method: str) -> Any:
        def call(self: ReferenceQueueManager, *args: Any, **kwargs: Any) -> Json:
            calls[0] += 1
            answer = getattr(ReferenceQueueManager, method)(self, *args, **kwargs) or {}
            return answer if nth and calls[0] % nth else change(answer)

        return call

    made: ReferenceQueueManager = type("Strange", (ReferenceQueueManager,), {one: changed(one) for one in methods})()
    return made


def message(**fields: Any) -> Change:
    return lambda answer: {"message": answer["message"] | fields} if "message" in answer else answer


def outcomes(change: Callable[[list[Json]], list[Json]]) -> Change:
    return lambda answer: {"outcomes": change(answer["outcomes"])}


def fails(_: Json) -> Json:
    return FAILED


RECEIVES = ("receive", "peek")
STRANGE: dict[str, ReferenceQueueManager] = {
    "open fails": manager("open", change=fails),
    "a receive waits for ever": manager(*RECEIVES, change=lambda _: {"pending": 9999}),
    "waits with one number": manager(*RECEIVES, change=lambda one: {"pending": 1} if "pending" in one else one),
    "huge ids": manager("send", change=lambda one: {"id": HUGE} if "id" in one else one),
    "odd text": manager(*RECEIVES, change=message(message="\0\x1b[31m<b>", id="\0")),
    "response queues of lists": manager(*RECEIVES, change=message(response_queue={"direct": {"queue": [1]}})),
    "all are acknowledgments": manager(*RECEIVES, change=message(acknowledgment={"of": HUGE, "positive": True})),
    "outcomes twice": manager("outcomes", change=outcomes(lambda told: [*told, *told])),
    "outcomes of messages of nobody": manager(
        "outcomes", change=outcomes(lambda told: [one | {"message": {"message": 1, "id": 2}} for one in told])
    ),
    "counts too much": manager("queue_properties", change=lambda _: {"properties": {}, "messages": HUGE}),
    "tells no state": manager("state", change=lambda _: {}),
    "is of another mode": manager("state", change=lambda _: {"state": "stopping", "mode": "integrated"}),
    "nothing at once": manager("together", change=lambda _: {"lanes": []}),
}


@pytest.mark.parametrize("strange", mostly_long(STRANGE, first=["open fails", "waits with one number"]))
def test_no_answer_is_an_error_of_the_harness(strange: str) -> None:
    play = played(STRANGE[strange])
    assert {case: one for case, one in play.problems.items() if not isinstance(one, IutFault)} == {}


OTHER_ID = "MQSO-5.1.1-03"


def without_acknowledgments(change: Change) -> Change:
    return lambda one: one if "acknowledgment" in one.get("message", {}) else change(one)


@pytest.mark.parametrize(
    ("strange", "broken"),
    [
        (manager(*RECEIVES, change=without_acknowledgments(message(id="made up"))), {OTHER_ID}),
        (manager("send", *RECEIVES, change=lambda one: {"id": "x"} if "id" in one else message(id="x")(one)), set()),
        (manager(*RECEIVES, "outcomes", change=lambda one: one), set()),
    ],
    ids=["made up", "the same for all", "as given"],
)
def test_a_message_comes_under_the_identifier_that_its_send_gave(
    strange: ReferenceQueueManager, broken: set[str]
) -> None:
    play = played(strange, "3_3_4_use_cases: An answer comes")
    assert play.violated == broken
