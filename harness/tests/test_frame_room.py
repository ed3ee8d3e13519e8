"""What is called with room for its frames maps no memory at any depth."""

import resource
import threading
from collections.abc import Callable

from mqconform.harness.records.frame_room import with_room

CALLS, DEPTHS = 200, 300


def faults_at(depth: int) -> int:
    """Count the pages that a loop of calls touches for the first time, so many frames further down."""
    if depth:
        return faults_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        nothing()
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def nothing() -> None:
    pass


nothing.__code__ = nothing.__code__.replace(co_stacksize=100)  # more than others: it does not fit somewhere


def most_faults(call: Callable[..., int]) -> int:
    """Return those at the worst depth, in a thread of its own: no caller's frames lie before."""
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.extend(call(faults_at, depth) for depth in range(DEPTHS)))
    thread.start()
    thread.join()
    return max(counts)


def test_a_loop_of_calls_touches_new_pages_at_some_depth_unless_it_has_room():
    assert most_faults(lambda function, depth: function(depth)) >= CALLS
    assert most_faults(with_room) < CALLS
